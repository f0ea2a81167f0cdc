// Intersections of rays with solids and the ground (raymarch/intersect.c), and signed distances (core/shape.c). The
// interval of a ray's line inside a solid is (enter, leave), empty where enter >= leave.
const int SPHERE = 0;
const int BOX = 1;
const int CYLINDER = 2;

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

// a point and a vector of the world in the own frame of a solid
vec3 own_vector(vec3 v, Solid solid)
{
    return vec3(dot(solid.own[0].xyz, v), dot(solid.own[1].xyz, v), dot(solid.own[2].xyz, v));
}

vec3 own_point(vec3 p, Solid solid)
{
    return own_vector(p, solid) + vec3(solid.own[0].w, solid.own[1].w, solid.own[2].w);
}

vec2 ray_cylinder(vec3 origin, vec3 direction, Solid solid)
{
    vec3 axis = solid.b.xyz - solid.a.xyz;
    float axis_length = length(axis);
    if (axis_length <= 0.0) {
        return EMPTY_INTERVAL;
    }
    vec3 unit = axis / axis_length;
    vec3 from_a = origin - solid.a.xyz;
    float along = dot(from_a, unit);
    float direction_along = dot(direction, unit);
    vec3 aside = direction - direction_along * unit;
    if (dot(aside, aside) < 1e-12) { // parallel to the axis up to rounding
        aside = vec3(0.0);
    }
    vec2 side = ray_ball(from_a - along * unit, aside, solid.a.w);
    return intersect_intervals(side, ray_slab(along, direction_along, 0.0, axis_length));
}

vec2 ray_solid(vec3 world_origin, vec3 world_direction, Solid solid)
{
    vec3 origin = own_point(world_origin, solid);
    vec3 direction = own_vector(world_direction, solid);
    int kind = int(solid.b.w);
    if (kind == BOX) {
        return ray_box(origin, inverse_of(direction), solid.a.xyz, solid.b.xyz);
    }
    vec2 inside = EMPTY_INTERVAL;
    if (kind >= CYLINDER) {
        inside = ray_cylinder(origin, direction, solid);
    }
    if (kind != CYLINDER) {
        inside = enclosing_interval(inside, ray_ball(origin - solid.a.xyz, direction, solid.a.w));
    }
    if (kind > CYLINDER) {
        inside = enclosing_interval(inside, ray_ball(origin - solid.b.xyz, direction, solid.a.w));
    }
    return inside;
}

// signed distance to the box of half-widths `widths` centered at the origin
float box_distance(vec3 p, vec3 widths)
{
    vec3 q = abs(p) - widths;
    return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
}

// projection of a point onto the axis of a capsule, 0 to 1
float axis_parameter(vec3 point, Solid solid)
{
    vec3 axis = solid.b.xyz - solid.a.xyz;
    float squared = dot(axis, axis);
    return squared > 0.0 ? clamp(dot(point - solid.a.xyz, axis) / squared, 0.0, 1.0) : 0.0;
}

float own_distance(vec3 point, Solid solid)
{
    int kind = int(solid.b.w);
    vec3 a = solid.a.xyz;
    vec3 b = solid.b.xyz;
    float radius = solid.a.w;
    if (kind == SPHERE) {
        return length(point - a) - radius;
    }
    vec3 from_center = point - 0.5 * (a + b);
    if (kind == BOX) {
        return box_distance(from_center, 0.5 * (b - a));
    }
    if (kind > CYLINDER) {
        return length(point - mix(a, b, axis_parameter(point, solid))) - radius;
    }
    float axis_length = length(b - a);
    float along = dot(from_center, b - a) / max(axis_length, 1e-9);
    float aside = sqrt(max(dot(from_center, from_center) - along * along, 0.0));
    return box_distance(vec3(aside, along, 0.0), vec3(radius, 0.5 * axis_length, FAR));
}

// at most the distance, where factors of scale are not equal
float solid_distance(vec3 point, Solid solid)
{
    vec3 squares = vec3(dot(solid.own[0].xyz, solid.own[0].xyz), dot(solid.own[1].xyz, solid.own[1].xyz),
                        dot(solid.own[2].xyz, solid.own[2].xyz));
    return own_distance(own_point(point, solid), solid) / sqrt(max(squares.x, max(squares.y, squares.z)));
}

vec3 own_normal(vec3 point, Solid solid)
{
    int kind = int(solid.b.w);
    vec3 a = solid.a.xyz;
    vec3 b = solid.b.xyz;
    if (kind == SPHERE) {
        return normalize(point - a);
    }
    vec3 from_center = point - 0.5 * (a + b);
    if (kind == BOX) {
        vec3 beyond = abs(from_center) - 0.5 * (b - a);
        vec3 outward = vec3(from_center.x < 0.0 ? -1.0 : 1.0, from_center.y < 0.0 ? -1.0 : 1.0,
                            from_center.z < 0.0 ? -1.0 : 1.0);
        if (beyond.x >= beyond.y && beyond.x >= beyond.z) {
            return vec3(outward.x, 0.0, 0.0);
        }
        return beyond.y >= beyond.z ? vec3(0.0, outward.y, 0.0) : vec3(0.0, 0.0, outward.z);
    }
    if (kind > CYLINDER) {
        return normalize(point - mix(a, b, axis_parameter(point, solid)));
    }
    vec3 unit = normalize(b - a);
    float along = dot(from_center, unit);
    vec3 aside = from_center - along * unit;
    bool on_end = abs(along) - 0.5 * length(b - a) > length(aside) - solid.a.w;
    return on_end ? (along < 0.0 ? -unit : unit) : normalize(aside);
}

vec3 solid_normal(vec3 point, Solid solid)
{
    vec3 normal = own_normal(own_point(point, solid), solid);
    return normalize(solid.own[0].xyz * normal.x + solid.own[1].xyz * normal.y + solid.own[2].xyz * normal.z);
}

// The surface that a camera ray meets behind the smoke: `id` is the index of a solid or one of these values.
const int GROUND = -1;
const int SKY = -2;
const int WALL = -3; // this value minus the index of the face: -3 for x_min to -8 for z_max

struct SurfaceHit {
    float distance; // FAR for the sky
    int id;
};

SurfaceHit intersect_surfaces(vec3 origin, vec3 direction)
{
    SurfaceHit hit = SurfaceHit(FAR, SKY);
    int count = int(display.z);
    for (int n = 0; n < count; n++) {
        vec2 inside = ray_solid(origin, direction, solids[n]);
        float entry = inside.x > 0.0 ? inside.x : inside.y;
        if (inside.x < inside.y && inside.y > 0.0 && entry < hit.distance) {
            hit = SurfaceHit(entry, n);
        }
    }
    float to_ground = (horizon.w - origin.y) * inverse_of(direction.y);
    if (ground.w > 0.0 && direction.y != 0.0 && to_ground > 0.0 && to_ground < hit.distance) {
        hit = SurfaceHit(to_ground, GROUND);
    }
    if (walls.w > 0.0) { // a ray that leaves the box through a wall shows its inner side
        vec3 inverse = inverse_of(direction);
        vec3 upper = box.xyz + box.w * size.xyz;
        vec2 inside = ray_box(origin, inverse, box.xyz, upper);
        vec3 leave = max((box.xyz - origin) * inverse, (upper - origin) * inverse);
        int axis = leave.y < leave.x ? 1 : 0;
        axis = leave.z < leave[axis] ? 2 : axis;
        int face = 2 * axis + (direction[axis] > 0.0 ? 1 : 0);
        // a floor that coincides with the ground is drawn as ground
        if (inside.x < inside.y && inside.y > 0.0 && inside.y < 0.9999 * hit.distance && (int(walls.w) >> face & 1) == 1) {
            hit = SurfaceHit(inside.y, WALL - face);
        }
    }
    return hit;
}

vec3 wall_normal(int id)
{
    int face = WALL - id;
    vec3 normal = vec3(0.0);
    normal[face / 2] = face % 2 == 0 ? 1.0 : -1.0;
    return normal;
}

// framebuffer depth of a point on a ray
float depth_of(vec3 origin, vec3 direction, float distance)
{
    vec4 point = vec4(origin + min(distance, 1e6) * direction, 1.0);
    float depth = 0.5 * dot(depth_row, point) / dot(w_row, point) + 0.5;
    return distance < FAR ? clamp(depth, 0.0, 1.0) : 1.0;
}
