// The meshes and volumes of solids (raymarch/gl/gl_solids.c), in rows of 4096 texels. Of a mesh: its numbers of nodes,
// of rows of nodes and of texels of a triangle; then two texels a node, and from a row of their own on the triangles.
//
//     node:     xyz lower corner, w the node behind its subtree, or of a leaf its first triangle
//               xyz upper corner, w triangles of a leaf, 0 for an inner node, whose first child is the next node
//     triangle: xyz three corners, w u;  xyz their normals, w v;  with 9 texels, xyz their colors,
//               w the first row of its texture, below 0 where it has none
//
// Of a volume: its numbers of values along each axis; then its values, four a texel, x fastest. Of a texture: its width
// and height; then the linear RGB of its texels, the first row at the top.
struct MeshHit {
    float distance; // FAR: none
    int triangle;
    vec3 share; // of each corner in the point
};

#ifdef SAMPLED
uniform sampler2D solids_map;

vec4 solid_texel(float row, int n) { return texelFetch(solids_map, ivec2(n & 4095, int(row) + (n >> 12)), 0); }

vec3 turned(vec3 v, int axis) { return axis == 0 ? v.yzx : axis == 1 ? v.zxy : v; }

// The first triangle that the line hits beyond `origin` and before `limit`, or any where one is enough. Boxes are in
// depth-first order. Triangles by the watertight test of Woop, Benthin, Wald (core/mesh/triangle.h).
MeshHit mesh_hit(vec3 origin, vec3 direction, Solid solid, float limit, bool one_is_enough)
{
    MeshHit hit = MeshHit(FAR, -1, vec3(0.0));
    if (solid.more.x < 0.0) {
        return hit;
    }
    vec4 header = solid_texel(solid.more.x, 0);
    int nodes = int(header.x);
    int each = int(header.z);
    float triangles = solid.more.x + header.y;
    origin -= solid.a.xyz;
    vec3 inverse = inverse_of(direction);
    vec3 size = abs(direction);
    int axis = size.x > size.y ? (size.x > size.z ? 0 : 2) : size.y > size.z ? 1 : 2;
    vec3 along = turned(direction, axis);
    vec2 shear = along.xy / along.z;
    for (int node = 0; node < nodes;) {
        vec4 lower = solid_texel(solid.more.x, 1 + 2 * node);
        vec4 upper = solid_texel(solid.more.x, 2 + 2 * node);
        vec2 inside = ray_box(origin, inverse, lower.xyz, upper.xyz);
        bool enters = inside.x <= inside.y * 1.000001 && inside.y >= 0.0 && inside.x < limit;
        int count = enters ? int(upper.w) : 0;
        for (int n = 0; n < count; n++) {
            int first = each * (int(lower.w) + n);
            vec3 a = turned(solid_texel(triangles, first).xyz - origin, axis);
            vec3 b = turned(solid_texel(triangles, first + 1).xyz - origin, axis);
            vec3 c = turned(solid_texel(triangles, first + 2).xyz - origin, axis);
            a.xy -= shear * a.z;
            b.xy -= shear * b.z;
            c.xy -= shear * c.z;
            vec3 share = vec3(c.x * b.y - c.y * b.x, a.x * c.y - a.y * c.x, b.x * a.y - b.y * a.x);
            float sum = share.x + share.y + share.z;
            bool outside = min(share.x, min(share.y, share.z)) < 0.0 && max(share.x, max(share.y, share.z)) > 0.0;
            float distance = dot(share, vec3(a.z, b.z, c.z)) / (sum * along.z);
            if (!outside && sum != 0.0 && distance > 0.0 && distance < limit) {
                hit = MeshHit(distance, int(lower.w) + n, share / sum);
                limit = distance;
            }
        }
        if (one_is_enough && hit.triangle >= 0) {
            break;
        }
        node = enters || upper.w > 0.0 ? node + 1 : int(lower.w);
    }
    return hit;
}

// the mean of three texels of a triangle, from the `first` on
vec4 triangle_mean(Solid solid, MeshHit hit, int first)
{
    vec4 header = solid_texel(solid.more.x, 0);
    int at = int(header.z) * hit.triangle + first;
    float row = solid.more.x + header.y;
    return hit.share.x * solid_texel(row, at) + hit.share.y * solid_texel(row, at + 1) + hit.share.z * solid_texel(row, at + 2);
}

vec3 mesh_face_normal(Solid solid, MeshHit hit)
{
    vec4 header = solid_texel(solid.more.x, 0);
    int first = int(header.z) * hit.triangle;
    float row = solid.more.x + header.y;
    vec3 a = solid_texel(row, first).xyz;
    return normalize(cross(solid_texel(row, first + 1).xyz - a, solid_texel(row, first + 2).xyz - a));
}

// the smooth normal; that of the triangle where it has no length
vec3 mesh_normal(Solid solid, MeshHit hit)
{
    vec3 normal = triangle_mean(solid, hit, 3).xyz;
    return dot(normal, normal) > 1e-12 ? normalize(normal) : mesh_face_normal(solid, hit);
}

// from the point to the closest one of a triangle with these corners, which are relative to it (Quilez)
vec3 to_triangle(vec3 a, vec3 b, vec3 c)
{
    vec3 ab = b - a;
    vec3 bc = c - b;
    vec3 ca = a - c;
    vec3 normal = cross(ab, -ca);
    bool inside = dot(cross(normal, ab), -a) >= 0.0 && dot(cross(normal, bc), -b) >= 0.0 && dot(cross(normal, ca), -c) >= 0.0;
    if (inside && dot(normal, normal) > 0.0) {
        return normal * (dot(normal, a) / dot(normal, normal));
    }
    vec3 best = a + ab * clamp(-dot(a, ab) / max(dot(ab, ab), 1e-30), 0.0, 1.0);
    vec3 on_bc = b + bc * clamp(-dot(b, bc) / max(dot(bc, bc), 1e-30), 0.0, 1.0);
    vec3 on_ca = c + ca * clamp(-dot(c, ca) / max(dot(ca, ca), 1e-30), 0.0, 1.0);
    best = dot(on_bc, on_bc) < dot(best, best) ? on_bc : best;
    return dot(on_ca, on_ca) < dot(best, best) ? on_ca : best;
}

// The distance to a mesh, up to `most`; 0 behind the nearest triangle of a closed one, which is inside but for points
// in front of a sharp edge.
float mesh_distance(vec3 point, Solid solid, float most)
{
    if (solid.more.x < 0.0) {
        return most;
    }
    vec4 header = solid_texel(solid.more.x, 0);
    int each = int(header.z);
    float triangles = solid.more.x + header.y;
    float nearest = most;
    bool behind = false;
    point -= solid.a.xyz;
    for (int node = 0; node < int(header.x);) {
        vec4 lower = solid_texel(solid.more.x, 1 + 2 * node);
        vec4 upper = solid_texel(solid.more.x, 2 + 2 * node);
        bool near = length(max(max(lower.xyz - point, point - upper.xyz), 0.0)) < nearest;
        int count = near ? int(upper.w) : 0;
        for (int n = 0; n < count; n++) {
            int first = each * (int(lower.w) + n);
            vec3 a = solid_texel(triangles, first).xyz - point;
            vec3 b = solid_texel(triangles, first + 1).xyz - point;
            vec3 c = solid_texel(triangles, first + 2).xyz - point;
            vec3 closest = to_triangle(a, b, c);
            if (length(closest) < nearest) {
                nearest = length(closest);
                behind = dot(cross(b - a, c - a), closest) > 0.0;
            }
        }
        node = near || upper.w > 0.0 ? node + 1 : int(lower.w);
    }
    return behind && solid.more.w > 0.0 ? 0.0 : nearest;
}

vec3 texel_of(float row, ivec2 size, ivec2 at)
{
    ivec2 inside = at - size * ivec2(floor(vec2(at) / vec2(size)));
    return solid_texel(row, 1 + inside.x + inside.y * size.x).rgb;
}

// the color of a texture (brume_texture_color)
vec3 texture_color(float row, vec2 uv)
{
    ivec2 size = ivec2(solid_texel(row, 0).xy);
    vec2 share = fract(uv);
    vec2 at = vec2(share.x, 1.0 - share.y) * vec2(size) - 0.5;
    ivec2 corner = ivec2(floor(at));
    vec2 part = at - vec2(corner);
    vec3 upper = mix(texel_of(row, size, corner), texel_of(row, size, corner + ivec2(1, 0)), part.x);
    vec3 lower = mix(texel_of(row, size, corner + ivec2(0, 1)), texel_of(row, size, corner + ivec2(1, 1)), part.x);
    return mix(upper, lower, part.y);
}

vec2 mesh_uv(Solid solid, MeshHit hit) { return vec2(triangle_mean(solid, hit, 0).w, triangle_mean(solid, hit, 3).w); }

vec3 mesh_color(Solid solid, MeshHit hit)
{
    vec4 header = solid_texel(solid.more.x, 0);
    if (header.z <= 6.0) {
        return vec3(1.0);
    }
    vec3 color = triangle_mean(solid, hit, 6).rgb;
    float row = solid_texel(solid.more.x + header.y, int(header.z) * hit.triangle + 6).w;
    return row >= 0.0 ? color * texture_color(row, mesh_uv(solid, hit)) : color;
}

float sample_at(Solid solid, ivec3 n, ivec3 at)
{
    int index = at.x + n.x * (at.y + n.y * at.z);
    return solid_texel(solid.more.x, 1 + (index >> 2))[index & 3];
}

// the values of a volume at a point of its own frame (brume_samples_at); false outside its box
bool value_at(vec3 point, Solid solid, out float value)
{
    vec3 share = (point - solid.a.xyz) / (solid.b.xyz - solid.a.xyz);
    value = 0.0;
    if (solid.more.x < 0.0 || any(lessThan(share, vec3(-1e-6))) || any(greaterThan(share, vec3(1.000001)))) {
        return false;
    }
    ivec3 n = ivec3(solid_texel(solid.more.x, 0).xyz);
    vec3 at = clamp(share * vec3(n) - 0.5, vec3(0.0), vec3(n - 1));
    ivec3 lower = ivec3(at);
    ivec3 upper = min(lower + 1, n - 1);
    vec3 part = at - vec3(lower);
    vec2 planes;
    for (int k = 0; k < 2; k++) {
        int z = k == 0 ? lower.z : upper.z;
        float near_row = mix(sample_at(solid, n, ivec3(lower.x, lower.y, z)), sample_at(solid, n, ivec3(upper.x, lower.y, z)), part.x);
        float far_row = mix(sample_at(solid, n, ivec3(lower.x, upper.y, z)), sample_at(solid, n, ivec3(upper.x, upper.y, z)), part.x);
        planes[k] = mix(near_row, far_row, part.y);
    }
    value = mix(planes.x, planes.y, part.z);
    return true;
}
#endif
