// The smoke along a ray: the steps of raymarch/cpu/march.c. Steps end at the multiples of their length, moved by the
// jitter, and at the box; empty macro-cells are leapt over without moving any step.
uniform sampler3D extinction_map; // [1/cell], scaled
uniform sampler3D macro_map;      // 0 where a macro-cell is empty
#ifdef MIXED
uniform sampler3D kinds_map;      // extinction of each kind, scaled alike
#endif

const int MACRO = 8;           // side of a macro-cell [cells]
const int MOST_STEPS = 1 << 16; // so that no ray is without end

struct Walk {
    vec3 origin, direction, inverse; // from where the ray enters the box [cells]
    float reach;                     // until it leaves it [cells]
    float stride, before;            // a step, and how much of the first one lies before the entry [cells]
    int first, end;                  // steps that may meet smoke
};

Walk begin_walk(vec3 origin, vec3 direction, float limit, float jitter, float stride)
{
    Walk walk;
    vec3 in_cells = (origin - box.xyz) / box.w;
    walk.direction = direction;
    walk.inverse = inverse_of(direction);
    vec2 inside = ray_box(in_cells, walk.inverse, vec3(0.0), size.xyz);
    float enter = max(inside.x, 0.0);
    walk.origin = in_cells + enter * direction;
    walk.reach = min(inside.y, limit / box.w) - enter;
    walk.stride = stride;
    walk.before = stride * jitter;
    walk.first = 0;
    walk.end = 0;
    // nothing is met outside of the box around the smoke; a step more on both sides for rounding
    vec2 filled = ray_box(walk.origin, walk.inverse, filled_lower.xyz, filled_upper.xyz);
    if (walk.reach > 0.0 && filled.x < filled.y && filled.y >= -stride && filled.x <= walk.reach + stride) {
        float whole = ceil((walk.reach + walk.before) / stride);
        float last = (min(filled.y, walk.reach) + walk.before) / stride + 2.0;
        walk.first = max(int(max(filled.x, 0.0) / stride) - 1, 0);
        walk.end = int(min(min(whole, last), float(walk.first + MOST_STEPS)));
    }
    return walk;
}

// the middle of a step, and its length within the box
vec2 middle_of(Walk walk, int at)
{
    float from = max(float(at) * walk.stride - walk.before, 0.0);
    float to = min(float(at + 1) * walk.stride - walk.before, walk.reach);
    return vec2(0.5 * (from + to), to - from);
}

// the step after `at`, or, in an empty macro-cell, one closely before its end
int next_step(Walk walk, int at, ivec3 macro_cell)
{
    vec3 face = vec3((macro_cell + ivec3(greaterThanEqual(walk.inverse, vec3(0.0)))) * MACRO) - 0.5;
    vec3 to_face = (face - walk.origin) * walk.inverse;
    float leave = min(min(to_face.x, walk.reach), min(to_face.y, to_face.z));
    return max(int((leave + walk.before) / walk.stride - 0.6), at + 1);
}

float extinction_at(vec3 place) { return smoke.w * textureLod(extinction_map, place * smoke.xyz, 0.0).r; }

// Goes on to the next step that meets smoke. `at` becomes the step after it; extinction 0: there is none.
float seek_smoke(Walk walk, inout int at, out vec3 place, out vec2 middle)
{
    float extinction = 0.0;
    while (at < walk.end && extinction <= 0.0) {
        middle = middle_of(walk, at);
        place = walk.origin + middle.x * walk.direction;
        // in the grid with a ghost cell around it, to whose corners macro-cells are aligned
        ivec3 macro_cell = ivec3(clamp(place + 0.5, vec3(0.5), size.xyz + 0.5)) / MACRO;
        bool filled = texelFetch(macro_map, macro_cell, 0).r > 0.0;
        at = filled ? at + 1 : next_step(walk, at, macro_cell);
        if (filled) {
            extinction = extinction_at(place);
        }
    }
    return extinction;
}

// share of scattered light: the kinds' albedo, each weighted by what it takes up
vec3 albedo_at(vec3 place)
{
#ifdef MIXED
    vec4 kinds = textureLod(kinds_map, place * smoke.xyz, 0.0);
    vec3 scattered = kinds.x * albedo[0].rgb + kinds.y * albedo[1].rgb + kinds.z * albedo[2].rgb + kinds.w * albedo[3].rgb;
    return scattered / max(dot(kinds, vec4(1.0)), 1e-20);
#else
    return albedo[0].rgb;
#endif
}

// what the smoke leaves of light along a ray
float transmittance_along(vec3 origin, vec3 direction, float limit)
{
    Walk walk = begin_walk(origin, direction, limit, 0.5, picture.w);
    float depth = 0.0;
    int at = walk.first;
    while (at < walk.end && depth < 16.0) {
        vec3 place;
        vec2 middle;
        depth += seek_smoke(walk, at, place, middle) * middle.y;
    }
    return exp(-depth);
}
