// Intersections of rays with solids and the ground (raymarch/intersect.c), and signed distances (core/shape.c).
const int SPHERE = 0;
const int BOX = 1;
const int CYLINDER = 2;
const int CAPSULE = 3;
const int VOLUME = 4;
const int CONE = 5;
const int TORUS = 6;
const int PLANE = 7;
const int MESH = 8;

const int TRACE_STEPS = 512; // along a ray to cones, tori and volumes
const int BISECTIONS = 16;

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

// of a point at these distances from the axis and, along it, from `a`
float cone_distance(float aside, float along, float axis_length, Solid solid)
{
    float widening = solid.more.x - solid.a.w;
    float end_radius = along < 0.5 * axis_length ? solid.a.w : solid.more.x;
    float beyond_end = abs(along - 0.5 * axis_length) - 0.5 * axis_length;
    vec2 from_rim = vec2(max(aside - end_radius, 0.0), beyond_end);
    float share = (widening * (aside - solid.a.w) + axis_length * along) / (widening * widening + axis_length * axis_length);
    float at = clamp(share, 0.0, 1.0);
    vec2 from_side = vec2(aside - solid.a.w - at * widening, along - at * axis_length);
    float distance = sqrt(min(dot(from_rim, from_rim), dot(from_side, from_side)));
    return from_side.x < 0.0 && beyond_end < 0.0 ? -distance : distance;
}

// that of a mesh up to `most`
float own_distance(vec3 point, Solid solid, float most)
{
    int kind = int(solid.b.w);
    vec3 a = solid.a.xyz;
    vec3 b = solid.b.xyz;
    float radius = solid.a.w;
    if (kind == SPHERE) {
        return length(point - a) - radius;
    }
    if (kind == TORUS) {
        vec3 p = point - a;
        return length(vec2(length(p.xz) - radius, p.y)) - solid.more.x;
    }
    if (kind == PLANE) {
        return point.y - a.y;
    }
#ifdef SAMPLED
    if (kind == MESH) {
        return mesh_distance(point, solid, most);
    }
#endif
    vec3 from_center = point - 0.5 * (a + b);
    float to_box = box_distance(from_center, 0.5 * abs(b - a));
    if (kind == BOX) {
        return to_box;
    }
    if (kind == CAPSULE) {
        return length(point - mix(a, b, axis_parameter(point, solid))) - radius;
    }
#ifdef SAMPLED
    float value;
    if (kind == VOLUME) {
        return value_at(point, solid, value) ? (radius - value) / max(solid.more.z, 1e-9) : max(to_box, 0.0);
    }
#endif
    float axis_length = length(b - a);
    float along = dot(from_center, b - a) / max(axis_length, 1e-9);
    float aside = sqrt(max(dot(from_center, from_center) - along * along, 0.0));
    if (kind == CONE) {
        return cone_distance(aside, along + 0.5 * axis_length, axis_length, solid);
    }
    return box_distance(vec3(aside, along, 0.0), vec3(radius, 0.5 * axis_length, FAR));
}

// at most the distance, where factors of scale are not equal; that of a mesh up to `most`
float solid_distance(vec3 point, Solid solid, float most)
{
    vec3 squares = vec3(dot(solid.own[0].xyz, solid.own[0].xyz), dot(solid.own[1].xyz, solid.own[1].xyz),
                        dot(solid.own[2].xyz, solid.own[2].xyz));
    float largest = sqrt(max(squares.x, max(squares.y, squares.z)));
    return own_distance(own_point(point, solid), solid, most * largest) / largest;
}

// the first distance after `distance` and up to `end` at which a ray is inside, or outside where not `inside`, by
// sphere tracing; `end` if there is none
float next_crossing(vec3 origin, vec3 direction, Solid solid, float distance, float end, bool inside)
{
    float bound = own_distance(origin + distance * direction, solid, FAR);
    for (int n = 0; n < TRACE_STEPS && distance < end; n++) {
        float next = min(distance + max(abs(bound), 0.2 * solid.more.y), end);
        bound = own_distance(origin + next * direction, solid, FAR);
        if (next < end && bound < 0.0 == inside) {
            for (int i = 0; i < BISECTIONS; i++) {
                float middle = 0.5 * (distance + next);
                bool reached = own_distance(origin + middle * direction, solid, FAR) < 0.0 == inside;
                next = reached ? middle : next;
                distance = reached ? distance : middle;
            }
            return next;
        }
        if (next <= distance) {
            return end;
        }
        distance = next;
    }
    return end;
}

// the part of an interval around a solid from its first point inside on; where that is the origin, up to the exit
vec2 ray_traced(vec3 origin, vec3 direction, Solid solid, vec2 around)
{
    float per_distance = length(direction);
    vec3 unit = direction / per_distance;
    float start = max(around.x, 0.0) * per_distance;
    float end = around.y * per_distance;
    if (start >= end) {
        return EMPTY_INTERVAL;
    }
    // a position within rounding of the face of a box counts as inside
    float margin = 1e-3 * solid.more.y;
    bool inside = own_distance(origin + (start + margin) * unit, solid, FAR) < 0.0;
    if (inside && start > 0.0) {
        return vec2(start / per_distance, FAR);
    }
    float crossing = next_crossing(origin, unit, solid, inside ? margin : start, end, !inside);
    if (inside) {
        return vec2(0.0, crossing / per_distance);
    }
    return crossing < end ? vec2(crossing / per_distance, FAR) : EMPTY_INTERVAL;
}

// The interval of a ray's line inside a solid. Of cones, tori, volumes and meshes it begins at the first point before
// `limit`, or any such point of a mesh where one is enough, and need not end at the next one, unless the origin is
// inside.
vec2 ray_solid(vec3 world_origin, vec3 world_direction, Solid solid, float limit, bool one_is_enough, out MeshHit on_mesh)
{
    vec3 origin = own_point(world_origin, solid);
    vec3 direction = own_vector(world_direction, solid);
    vec3 a = solid.a.xyz;
    vec3 b = solid.b.xyz;
    int kind = int(solid.b.w);
    on_mesh = MeshHit(FAR, -1, vec3(0.0));
    switch (kind) {
    case SPHERE:
        return ray_ball(origin - a, direction, solid.a.w);
    case BOX:
        return ray_box(origin, inverse_of(direction), a, b);
    case CYLINDER:
        return ray_cylinder(origin, direction, solid);
    case CAPSULE:
        return enclosing_interval(ray_cylinder(origin, direction, solid),
                                  enclosing_interval(ray_ball(origin - a, direction, solid.a.w),
                                                     ray_ball(origin - b, direction, solid.a.w)));
    case CONE:
        return ray_traced(origin, direction, solid,
                          ray_ball(origin - 0.5 * (a + b), direction, 0.5 * length(b - a) + max(solid.a.w, solid.more.x)));
    case TORUS:
        return ray_traced(origin, direction, solid, ray_ball(origin - a, direction, solid.a.w + solid.more.x));
    case PLANE: {
        float at = (a.y - origin.y) * inverse_of(direction.y);
        return direction.y > 0.0 ? vec2(-FAR, at) : vec2(at, FAR);
    }
#ifdef SAMPLED
    case VOLUME:
        return solid.more.x < 0.0 ? EMPTY_INTERVAL
                                  : ray_traced(origin, direction, solid, ray_box(origin, inverse_of(direction), a, b));
    case MESH:
        on_mesh = mesh_hit(origin, direction, solid, limit, one_is_enough);
        return on_mesh.triangle >= 0 ? vec2(on_mesh.distance, FAR) : EMPTY_INTERVAL;
#endif
    default:
        return EMPTY_INTERVAL;
    }
}

vec3 box_normal(vec3 from_center, vec3 widths)
{
    vec3 beyond = abs(from_center) - widths;
    vec3 outward = vec3(from_center.x < 0.0 ? -1.0 : 1.0, from_center.y < 0.0 ? -1.0 : 1.0,
                        from_center.z < 0.0 ? -1.0 : 1.0);
    if (beyond.x >= beyond.y && beyond.x >= beyond.z) {
        return vec3(outward.x, 0.0, 0.0);
    }
    return beyond.y >= beyond.z ? vec3(0.0, outward.y, 0.0) : vec3(0.0, 0.0, outward.z);
}

#ifdef SAMPLED
// `of_box` is that of the nearest face of the box
vec3 volume_normal(vec3 point, Solid solid, vec3 of_box)
{
    float side = solid.more.y;
    float here;
    float other;
    if (!value_at(point, solid, here) || !value_at(point + 1e-2 * side * of_box, solid, other)) {
        return of_box;
    }
    vec3 downhill;
    for (int axis = 0; axis < 3; axis++) {
        vec3 aside = vec3(0.0);
        aside[axis] = 0.5 * side;
        float above = value_at(point + aside, solid, other) ? other : here;
        float below = value_at(point - aside, solid, other) ? other : here;
        downhill[axis] = below - above;
    }
    return dot(downhill, downhill) > 0.0 ? normalize(downhill) : of_box;
}
#endif

vec3 own_normal(vec3 point, Solid solid, MeshHit on_mesh)
{
    int kind = int(solid.b.w);
    vec3 a = solid.a.xyz;
    vec3 b = solid.b.xyz;
    if (kind == SPHERE) {
        return normalize(point - a);
    }
    if (kind == TORUS) {
        vec3 p = point - a;
        return normalize(p - vec3(p.x, 0.0, p.z) * (solid.a.w / max(length(p.xz), 1e-9)));
    }
    if (kind == PLANE) {
        return vec3(0.0, 1.0, 0.0);
    }
#ifdef SAMPLED
    if (kind == MESH) {
        return mesh_normal(solid, on_mesh);
    }
#endif
    vec3 from_center = point - 0.5 * (a + b);
    if (kind == BOX) {
        return box_normal(from_center, 0.5 * (b - a));
    }
#ifdef SAMPLED
    if (kind == VOLUME) {
        return volume_normal(point, solid, box_normal(from_center, 0.5 * (b - a)));
    }
#endif
    if (kind == CAPSULE) {
        return normalize(point - mix(a, b, axis_parameter(point, solid)));
    }
    float axis_length = length(b - a);
    vec3 unit = (b - a) / axis_length;
    float along = dot(from_center, unit);
    vec3 aside = from_center - along * unit;
    float widening = kind == CONE ? solid.more.x - solid.a.w : 0.0;
    float beyond_side = ((length(aside) - solid.a.w) * axis_length - widening * (along + 0.5 * axis_length)) /
                        length(vec2(axis_length, widening));
    bool on_end = abs(along) - 0.5 * axis_length > beyond_side;
    return on_end ? (along < 0.0 ? -unit : unit) : normalize(normalize(aside) * axis_length - unit * widening);
}

vec3 world_normal(vec3 normal, Solid solid)
{
    return normalize(solid.own[0].xyz * normal.x + solid.own[1].xyz * normal.y + solid.own[2].xyz * normal.z);
}

// on the side that a ray with this direction sees (brume_seen_normal)
vec3 seen_normal(vec3 point, Solid solid, MeshHit on_mesh, vec3 direction)
{
    vec3 normal = world_normal(own_normal(own_point(point, solid), solid, on_mesh), solid);
    vec3 face = normal;
#ifdef SAMPLED
    if (int(solid.b.w) == MESH) {
        face = world_normal(mesh_face_normal(solid, on_mesh), solid);
    }
#endif
    normal = dot(face, direction) > 0.0 ? -normal : normal;
    float away = dot(normal, direction);
    return away > 0.0 ? normalize(normal - 0.999 * away * direction) : normal;
}

// The surface that a camera ray meets behind the smoke: `id` is the index of a solid or one of these values.
const int GROUND = -1;
const int SKY = -2;
const int WALL = -3; // this value minus the index of the face: -3 for x_min to -8 for z_max

struct SurfaceHit {
    float distance; // FAR for the sky
    int id;
    MeshHit on_mesh;
};

SurfaceHit intersect_surfaces(vec3 origin, vec3 direction)
{
    SurfaceHit hit = SurfaceHit(FAR, SKY, MeshHit(FAR, -1, vec3(0.0)));
    int count = int(display.z);
    for (int n = 0; n < count; n++) {
        MeshHit on_mesh;
        vec2 inside = ray_solid(origin, direction, solids[n], hit.distance, false, on_mesh);
        float entry = inside.x > 0.0 ? inside.x : inside.y;
        if (inside.x < inside.y && inside.y > 0.0 && entry < hit.distance) {
            hit = SurfaceHit(entry, n, on_mesh);
        }
    }
    float to_ground = (horizon.w - origin.y) * inverse_of(direction.y);
    if (ground.w > 0.0 && direction.y != 0.0 && to_ground > 0.0 && to_ground < hit.distance) {
        hit.distance = to_ground;
        hit.id = GROUND;
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
            hit.distance = inside.y;
            hit.id = WALL - face;
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
