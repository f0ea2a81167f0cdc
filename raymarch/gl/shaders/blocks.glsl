// What the program tells its shaders: the members of raymarch/gl/gl_blocks.h, in its order. Lengths are in metres, but
// for places in the smoke, which are in cells from the lower corner of its box.
const int MAX_LIGHTS = 8;
const int MAX_SOLIDS = 64;
const float PI = 3.14159265358979;
const float FAR = 1e30; // stands for infinity, which GLSL does not promise

struct Sun {
    vec4 travel;   // xyz the way its light travels
    vec4 color;    // rgb irradiance
    vec4 row[3];   // a place [cells] to texture coordinates of its light volume
};

struct Lamp {
    vec4 position; // xyz [m]
    vec4 color;    // rgb radiant intensity
    vec4 per_cell; // xyz texture coordinates a cell of its light volume
};

struct Solid {
    vec4 a;        // xyz as BrumeShape's, w radius
    vec4 b;        // xyz as BrumeShape's, w kind
    vec4 albedo;   // rgb
};

layout(std140) uniform Scene
{
    vec4 box;          // xyz lower corner, w side of a cell
    vec4 size;         // xyz cells, w longest side [m]
    vec4 filled_lower; // xyz around what is not empty [cells]
    vec4 filled_upper;
    vec4 smoke;        // xyz texture coordinates a cell, w what a texel is worth [1/cell]
    vec4 sky;          // xyz texture coordinates a cell, w what a texel is worth
    vec4 zenith;       // rgb, w anisotropy
    vec4 horizon;      // rgb, w height of the ground
    vec4 ground;       // rgb albedo, w 1 where there is one
    vec4 ground_map;   // x and z of its lower corner, 1 / its sides
    vec4 albedo[4];    // rgb of each kind of smoke; where they are not mixed, of the first
    vec4 display;      // x scale of radiance, y 1 for the filmic curve, z number of solids
    Sun suns[MAX_LIGHTS];
    Lamp lamps[MAX_LIGHTS];
    Solid solids[MAX_SOLIDS];
};

layout(std140) uniform View
{
    vec4 eye;          // xyz
    vec4 corner;       // xyz from the eye to the picture's upper left corner
    vec4 across;       // xyz one pixel to the right
    vec4 down;         // xyz one pixel down
    vec4 depth_row;    // a place to clip space's z
    vec4 w_row;        // and w
    vec4 picture;      // xy lower left corner in the framebuffer, z height [pixels], w length of a step [cells]
    ivec4 reduced;     // x pixels of the picture along a marched one, y seed
    ivec4 marched;     // first and last column and row of marched pixels that hold a value
};
