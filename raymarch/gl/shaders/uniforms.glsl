// The uniform blocks: the members of raymarch/gl/gl_uniforms.h and gl_view.h in the same order. Lengths are in meters,
// but points in the medium are in cells from the lower corner of its box.
const int MAX_LIGHTS = 8;
const int MAX_SOLIDS = 64;
const int PRESSURE = MAX_SOLIDS + 1; // the pressure coefficient in the box, as a volume
const int BLACKBODY_ENTRIES = 256;
const float PI = 3.14159265358979;
const float FAR = 1e30; // used as infinity, which GLSL does not guarantee

struct DirectionalLight {
    vec4 direction;      // xyz in which its light travels, w 1 - cosine of the angular radius of its disc
    vec4 color;          // rgb irradiance of the whole disc
    vec4 texture_row[3]; // point [cells] to the texture coordinates of its light volume
};

struct PointLight {
    vec4 position; // xyz [m], w cosine of the angle from the axis at which the light of a spot begins to fade, or -2
    vec4 color;    // rgb radiant intensity; of a rectangle radiance times area
    vec4 per_cell; // xyz texture coordinates of its light volume per cell
    vec4 axis;     // xyz of a spot or normal of a rectangle, w cosine of the angle at which the light of a spot ends, or -2
    vec4 across;   // xyz half of the width of a rectangle [m], w its area, 0 for other lights
    vec4 along;    // xyz half of its height [m]
};

struct Solid {
    vec4 a;        // xyz as in BrumeShape, w radius; of a volume its threshold
    vec4 b;        // xyz as in BrumeShape, w kind
    vec4 albedo;   // rgb, w by how much the moments make its irradiance too large (brume_convexity_excess)
    // cone, torus: x second radius; volume, mesh: x first row of its texels (solids.glsl), below 0 where it has none.
    // cone, torus, volume: y a length that is small for it. volume: z largest slope. mesh: w 1 where it is closed
    vec4 more;
    vec4 picture;  // x first row of the texels of its texture (solids.glsl), below 0 where it has none
    vec4 own[3];   // rows of the matrix that maps points of the world to points of its own frame
};

layout(std140) uniform Scene
{
    vec4 box;            // xyz lower corner, w side of a cell
    vec4 size;           // xyz cells, w longest side [m]
    vec4 occupied_lower; // xyz of the box around all macro-cells with smoke [cells]
    vec4 occupied_upper;
    vec4 medium;         // xyz texture coordinates per cell, w extinction of a texel of 1 [1/cell]
    vec4 medium_lower;   // xyz lower corner of the textures of the medium [cells]
    vec4 moments;        // xyz texture coordinates per cell, w radiance of a texel of 1
    vec4 moments_layer;  // x texture coordinate of the lower face of the box in the first color, y from color to color,
                         // z distance of the moments that light a solid from its surface [cells],
                         // w number of solids without streamlines
    vec4 unoccluded[3];  // moments of each color without smoke
    vec4 ground_light;   // rgb irradiance / pi of the ground from all directions without smoke
    vec4 zenith;         // rgb, w mean cosine of the phase function
    vec4 horizon;        // rgb, w height of the ground
    vec4 ground;         // rgb albedo, w 1 where there is a ground
    vec4 ground_map;     // x and z of its lower corner, 1 / its sides
    vec4 sky_image;      // x radiance of a texel of 1, y turns from azimuth 0 to its left edge, w 1 where there is an image
    vec4 albedo[4];      // rgb of each kind of smoke; where they are not mixed, the first holds for all smoke
    vec4 display;        // x scale of radiance, y 1 for the filmic curve, z number of solids and streamlines, w pattern of the ground
    vec4 ground_2;       // rgb second albedo of the ground, w squares per meter
    vec4 walls;          // rgb albedo, w a bit for each face of the box that is drawn as a wall
    DirectionalLight directional_lights[MAX_LIGHTS];
    PointLight point_lights[MAX_LIGHTS];
    Solid solids[MAX_SOLIDS + 2]; // streamlines behind the solids of the settings
    vec4 phase;          // of its lobes: x g, y g of Draine's, z weight of that one, w its alpha
    vec4 glow;           // x temperature of a texel of 1 [K], yz range of the table [K], w its entries over reciprocals [K]
    vec4 blackbody[BLACKBODY_ENTRIES]; // rgb fourth root of the radiance times its intensity
    vec4 glow_middle;    // xyz of the light from in and around the glow [m]
    vec4 pressure_map[4]; // rgb colors from end to end; w of the ends their values, of the second 1 where solids show it
};

layout(std140) uniform View
{
    vec4 eye;          // xyz
    vec4 corner;       // xyz from the eye to the upper left corner of the picture (raymarch/picture_rays.h)
    vec4 across;       // xyz one pixel to the right
    vec4 down;         // xyz one pixel down
    vec4 depth_row;    // point to z in clip space
    vec4 w_row;        // point to w in clip space
    vec4 picture;      // xy lower left corner in the framebuffer, z height [pixels], w length of a step [cells]
    ivec4 reduced;     // x pixels of the picture per marched pixel, y seed
    ivec4 marched;     // first and last column and row of the marched pixels
    vec4 forward;      // xyz in which the camera looks, w 1 where its rays are parallel
};
