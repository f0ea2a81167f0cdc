// Rays through the points of the picture, whose upper left corner is (0, 0), and the hash of their jitter (core/random.h).

// the center of a fragment, as a point of the picture
vec2 picture_point(vec2 fragment, float scale)
{
    vec2 from_corner = (fragment - picture.xy) * scale;
    return vec2(from_corner.x, picture.z - from_corner.y);
}

vec3 from_camera(vec2 point) { return corner.xyz + point.x * across.xyz + point.y * down.xyz; }

vec3 view_origin(vec2 point) { return forward.w > 0.0 ? eye.xyz + from_camera(point) : eye.xyz; }

vec3 view_direction(vec2 point) { return forward.w > 0.0 ? forward.xyz : normalize(from_camera(point)); }

uint hashed(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

// in [0, 1)
float jitter_of(ivec2 pixel)
{
    uint hash = hashed(uint(pixel.x) ^ hashed(uint(pixel.y) ^ hashed(uint(reduced.y))));
    return float(hash >> 8) * (1.0 / 16777216.0);
}
