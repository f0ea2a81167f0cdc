// Intervals of a line: (enter, leave), empty where enter >= leave (raymarch/intersect.c).
const vec2 WHOLE_LINE = vec2(-FAR, FAR);
const vec2 EMPTY_INTERVAL = vec2(FAR, -FAR);

vec2 intersect_intervals(vec2 a, vec2 b) { return vec2(max(a.x, b.x), min(a.y, b.y)); }

// the smallest interval that contains both
vec2 enclosing_interval(vec2 a, vec2 b)
{
    vec2 around = vec2(min(a.x, b.x), max(a.y, b.y));
    return a.x >= a.y ? b : b.x >= b.y ? a : around;
}

// 1 / x, finite
float inverse_of(float x) { return 1.0 / (abs(x) < 1e-9 ? 1e-9 : x); }
vec3 inverse_of(vec3 x) { return vec3(inverse_of(x.x), inverse_of(x.y), inverse_of(x.z)); }

vec2 ray_slab(float origin, float direction, float lower, float upper)
{
    float inverse = inverse_of(direction);
    float a = (lower - origin) * inverse;
    float b = (upper - origin) * inverse;
    return vec2(min(a, b), max(a, b));
}

vec2 ray_box(vec3 origin, vec3 inverse, vec3 lower, vec3 upper)
{
    vec3 a = (lower - origin) * inverse;
    vec3 b = (upper - origin) * inverse;
    vec3 enter = min(a, b);
    vec3 leave = max(a, b);
    return vec2(max(enter.x, max(enter.y, enter.z)), min(leave.x, min(leave.y, leave.z)));
}

// distances with |offset + distance * direction| <= radius
vec2 ray_ball(vec3 offset, vec3 direction, float radius)
{
    float squared = dot(direction, direction);
    if (squared <= 0.0) {
        return dot(offset, offset) <= radius * radius ? WHOLE_LINE : EMPTY_INTERVAL;
    }
    float closest = -dot(offset, direction) / squared;
    vec3 nearest = offset + closest * direction;
    float half_squared = radius * radius - dot(nearest, nearest);
    float half_length = sqrt(max(half_squared, 0.0) / squared);
    return half_squared > 0.0 ? vec2(closest - half_length, closest + half_length) : EMPTY_INTERVAL;
}
