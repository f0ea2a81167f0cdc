// What a ray meets behind the smoke, as raymarch/cpu/surfaces.c has it: `id` is the solid's index, or one of these.
const int GROUND = -1;
const int SKY = -2;

struct Hit {
    float distance; // FAR for the sky
    int id;
};

Hit first_hit(vec3 origin, vec3 direction)
{
    Hit hit = Hit(FAR, SKY);
    int count = int(display.z);
    for (int n = 0; n < count; n++) {
        vec2 inside = ray_solid(origin, direction, solids[n]);
        float met = inside.x > 0.0 ? inside.x : inside.y;
        if (inside.x < inside.y && inside.y > 0.0 && met < hit.distance) {
            hit = Hit(met, n);
        }
    }
    float down_to_ground = (horizon.w - origin.y) * inverse_of(direction.y);
    if (ground.w > 0.0 && direction.y != 0.0 && down_to_ground > 0.0 && down_to_ground < hit.distance) {
        hit = Hit(down_to_ground, GROUND);
    }
    return hit;
}

// depth in the framebuffer of a place on a ray
float depth_of(vec3 origin, vec3 direction, float distance)
{
    vec4 place = vec4(origin + min(distance, 1e6) * direction, 1.0);
    float depth = 0.5 * dot(depth_row, place) / dot(w_row, place) + 0.5;
    return distance < FAR ? clamp(depth, 0.0, 1.0) : 1.0;
}
