// The medium along a ray: the steps of raymarch/cpu/march.c. Steps end at the multiples of their length, shifted by the
// jitter, and at the box; skipping empty macro-cells does not shift the later steps.
uniform sampler3D extinction_map; // [1/cell], scaled
uniform sampler3D majorant_map;   // 0 where a macro-cell is empty, else 1
#ifdef MIXED
uniform sampler3D kinds_map;      // extinction of each kind, with the same scale
#endif
#ifdef PARTICLES
uniform sampler3D smoke_share_map; // part of the extinction that is of smoke; the rest is of particles
#endif

const int MACRO_CELL_SIDE = 8;   // [cells]
const int MAX_STEPS = 1 << 16;   // so that every loop ends

// texture coordinates of a point [cells] in the textures of the medium, which have the cells with smoke alone
vec3 in_medium(vec3 point) { return (point - medium_lower.xyz) * medium.xyz; }

struct Traversal {
    vec3 origin, direction, inverse; // of the ray from its entry into the box on [cells]; 1 / direction
    float ray_length;                // inside the box [cells]
    float step_length, before_entry; // of a step, and of the part of the first one before the entry [cells]
    int first, end;                  // steps that may contain smoke
};

Traversal begin_traversal(vec3 origin, vec3 direction, float limit, float jitter, float step_length)
{
    Traversal traversal;
    vec3 in_cells = (origin - box.xyz) / box.w;
    traversal.direction = direction;
    traversal.inverse = inverse_of(direction);
    vec2 inside = ray_box(in_cells, traversal.inverse, vec3(0.0), size.xyz);
    float enter = max(inside.x, 0.0);
    traversal.origin = in_cells + enter * direction;
    traversal.ray_length = min(inside.y, limit / box.w) - enter;
    traversal.step_length = step_length;
    traversal.before_entry = step_length * jitter;
    traversal.first = 0;
    traversal.end = 0;
    // there is no smoke outside the occupied box; one more step on both sides covers rounding
    vec2 occupied = ray_box(traversal.origin, traversal.inverse, occupied_lower.xyz, occupied_upper.xyz);
    if (traversal.ray_length > 0.0 && occupied.x < occupied.y && occupied.y >= -step_length && occupied.x <= traversal.ray_length + step_length) {
        float whole = ceil((traversal.ray_length + traversal.before_entry) / step_length);
        float last = (min(occupied.y, traversal.ray_length) + traversal.before_entry) / step_length + 2.0;
        traversal.first = max(int(max(occupied.x, 0.0) / step_length) - 1, 0);
        traversal.end = int(min(min(whole, last), float(traversal.first + MAX_STEPS)));
    }
    return traversal;
}

// distance of the midpoint of a step, and the length of the step within the box
vec2 step_midpoint(Traversal traversal, int at)
{
    float from = max(float(at) * traversal.step_length - traversal.before_entry, 0.0);
    float to = min(float(at + 1) * traversal.step_length - traversal.before_entry, traversal.ray_length);
    return vec2(0.5 * (from + to), to - from);
}

// the first step whose midpoint may lie beyond an empty macro-cell, at least the one after `at`
int skip_macro_cell(Traversal traversal, int at, ivec3 macro_cell)
{
    vec3 face = vec3((macro_cell + ivec3(greaterThanEqual(traversal.inverse, vec3(0.0)))) * MACRO_CELL_SIDE) - 0.5;
    vec3 to_face = (face - traversal.origin) * traversal.inverse;
    float leave = min(min(to_face.x, traversal.ray_length), min(to_face.y, to_face.z));
    return max(int((leave + traversal.before_entry) / traversal.step_length - 0.6), at + 1);
}

#ifdef CUBIC
// between the second and third of four values: brume_monotone_cubic of raymarch/grid_medium.h
vec4 monotone_cubic(vec4 a, vec4 b, vec4 c, vec4 d, float t)
{
    vec4 rise = c - b;
    vec4 rise_before = b - a;
    vec4 rise_after = d - c;
    vec4 m1 = mix(vec4(0.0), 2.0 * rise_before * rise / (rise_before + rise), greaterThan(rise_before * rise, vec4(0.0)));
    vec4 m2 = mix(vec4(0.0), 2.0 * rise * rise_after / (rise + rise_after), greaterThan(rise * rise_after, vec4(0.0)));
    vec4 value = b + t * (m1 + t * (3.0 * rise - 2.0 * m1 - m2 + t * (m1 + m2 - 2.0 * rise)));
    return clamp(value, min(b, c), max(b, c));
}

// the extinction of the four rows j - 1 to j + 2 of a plane, in the column i
vec4 four_rows(int i, int j, int k)
{
    ivec3 last = textureSize(extinction_map, 0) - 1;
    ivec3 at = clamp(ivec3(i, j, k), ivec3(0), last);
    ivec4 rows = clamp(ivec4(j - 1, j, j + 1, j + 2), ivec4(0), ivec4(last.y));
    return vec4(texelFetch(extinction_map, ivec3(at.x, rows.x, at.z), 0).r,
                texelFetch(extinction_map, ivec3(at.x, rows.y, at.z), 0).r,
                texelFetch(extinction_map, ivec3(at.x, rows.z, at.z), 0).r,
                texelFetch(extinction_map, ivec3(at.x, rows.w, at.z), 0).r);
}

float extinction_at(vec3 point)
{
    vec3 lattice = in_medium(point) * vec3(textureSize(extinction_map, 0)) - 0.5;
    ivec3 at = ivec3(floor(lattice));
    vec3 part = lattice - vec3(at);
    vec4 planes;
    for (int n = 0; n < 4; n++) {
        int k = at.z + n - 1;
        vec4 rows = monotone_cubic(four_rows(at.x - 1, at.y, k), four_rows(at.x, at.y, k), four_rows(at.x + 1, at.y, k),
                                   four_rows(at.x + 2, at.y, k), part.x);
        planes[n] = monotone_cubic(rows.xxxx, rows.yyyy, rows.zzzz, rows.wwww, part.y).x;
    }
    return medium.w * monotone_cubic(planes.xxxx, planes.yyyy, planes.zzzz, planes.wwww, part.z).x;
}
#else
float extinction_at(vec3 point) { return medium.w * textureLod(extinction_map, in_medium(point), 0.0).r; }
#endif

// Advances to the next step with smoke: returns its extinction and sets its point [cells] and midpoint; `at` becomes
// the step after it. Returns 0 where there is none.
float next_smoke(Traversal traversal, inout int at, out vec3 point, out vec2 midpoint)
{
    float extinction = 0.0;
    while (at < traversal.end && extinction <= 0.0) {
        midpoint = step_midpoint(traversal, at);
        point = traversal.origin + midpoint.x * traversal.direction;
        // macro-cells are aligned to the lower corner of the grid with ghost cells
        ivec3 macro_cell = ivec3(clamp(point + 0.5, vec3(0.5), size.xyz + 0.5)) / MACRO_CELL_SIDE;
        bool occupied = texelFetch(majorant_map, macro_cell, 0).r > 0.0;
        at = occupied ? at + 1 : skip_macro_cell(traversal, at, macro_cell);
        if (occupied) {
            extinction = extinction_at(point);
        }
    }
    return extinction;
}

// the part of an extinction that camera rays see: that of smoke
float seen_extinction(float extinction, vec3 point)
{
#ifdef PARTICLES
    return extinction * textureLod(smoke_share_map, in_medium(point), 0.0).r;
#else
    return extinction;
#endif
}

// mean albedo of the kinds, weighted by their extinction
vec3 albedo_at(vec3 point)
{
#ifdef MIXED
    vec4 kinds = textureLod(kinds_map, in_medium(point), 0.0);
    vec3 scattered = kinds.x * albedo[0].rgb + kinds.y * albedo[1].rgb + kinds.z * albedo[2].rgb + kinds.w * albedo[3].rgb;
    return scattered / max(dot(kinds, vec4(1.0)), 1e-20);
#else
    return albedo[0].rgb;
#endif
}

#ifdef GLOWS
uniform sampler3D temperature_map; // absolute, scaled

// The radiance that the smoke emits: brume_grid_medium_emission of raymarch/grid_medium.h.
vec3 emission_at(vec3 point, vec3 albedo)
{
    float temperature = glow.x * textureLod(temperature_map, in_medium(point), 0.0).r;
    float place = (1.0 / glow.y - 1.0 / clamp(temperature, glow.y, glow.z)) * glow.w;
    int index = min(int(place), BLACKBODY_ENTRIES - 2);
    vec3 root = mix(blackbody[index].rgb, blackbody[index + 1].rgb, min(place - float(index), 1.0));
    vec3 square = root * root;
    return (1.0 - albedo) * square * square;
}
#endif

// transmittance along a ray, for light or, `seen`, for the camera
float transmittance_along(vec3 origin, vec3 direction, float limit, bool seen)
{
    Traversal traversal = begin_traversal(origin, direction, limit, 0.5, picture.w);
    float depth = 0.0;
    int at = traversal.first;
    while (at < traversal.end && depth < 16.0) {
        vec3 point;
        vec2 midpoint;
        float extinction = next_smoke(traversal, at, point, midpoint);
        depth += (seen ? seen_extinction(extinction, point) : extinction) * midpoint.y;
    }
    return exp(-depth);
}
