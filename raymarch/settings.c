#include "raymarch/settings.h"

#include "brume/camera.h"
#include "brume/render_settings.h"
#include "raymarch/detail.h"

// clang-format off
#define RENDER(member) offsetof(BrumeRenderSettings, member)
static const char *const ground_patterns[] = {"plain", "checker", "noise", NULL};
static const char *const wall_views[] = {"auto", "yes", "no", NULL};
static const char *const tone_words[] = {"filmic", "linear", NULL};
static const char *const interpolation_words[] = {"linear", "cubic", "smooth", NULL};
static const char *const phase_words[] = {"henyey_greenstein", "two_lobes", "droplets", NULL};
static const char *const sky_words[] = {"gradient", "constant", "daylight", "image", NULL};

static const char *const surface_quantities[] = {"albedo", "pressure", NULL};
static const char *const color_maps[] = {"auto", "heat", "blue_red", "rainbow", NULL};
#define MAP_DOC "Colors from low to high values: `heat` is blue, purple, orange, yellow; `blue_red` is white in the middle; " \
    "`rainbow` is blue, green, yellow, red."

const BrumeSetting brume_render_setting_table[BRUME_RENDER_SETTING_COUNT] = {
    [BRUME_RENDER_ANISOTROPY] = {
        .path = "render.anisotropy", .label = "phase g", .type = BRUME_VALUE_FLOAT, .offset = RENDER(anisotropy),
        .unit = "1", .min = -0.99, .max = 0.99, .slider = {-0.95, 0.95, false}, .defaults = {0.35}, .fixed = true,
        .animated = true,
        .doc = "Parameter g of the Henyey-Greenstein phase function: 0 scatters evenly, positive values scatter "
               "forward, negative values backward.",
    },
    [BRUME_RENDER_EXPOSURE] = {
        .path = "render.exposure", .label = "exposure", .type = BRUME_VALUE_FLOAT, .offset = RENDER(exposure),
        .unit = "stops", .min = -20, .max = 20, .slider = {-6, 6, false}, .defaults = {0.25}, .fixed = true,
        .animated = true,
        .doc = "Exposure in stops: adding one doubles the brightness.",
    },
    [BRUME_RENDER_TONE] = {
        .path = "render.tone", .label = "tone curve", .type = BRUME_VALUE_WORD, .offset = RENDER(tone),
        .words = tone_words, .defaults = {0}, .fixed = true,
        .doc = "Tone curve: `filmic` compresses highlights, `linear` clips them.",
    },
    [BRUME_RENDER_STEP] = {
        .path = "render.step", .label = "march step", .type = BRUME_VALUE_FLOAT, .offset = RENDER(step),
        .unit = "cells", .min = 0.05, .max = 10, .slider = {0.25, 4, true}, .defaults = {1}, .fixed = true,
        .doc = "Length of a ray marching step: smaller is more accurate and slower.",
    },
    [BRUME_RENDER_EDGE_FADE] = {
        .path = "render.edge_fade", .label = "edge fade", .type = BRUME_VALUE_FLOAT, .offset = RENDER(edge_fade),
        .unit = "m", .min = 0, .max = 1e5, .slider = {0, 1, false}, .defaults = {0}, .fixed = true,
        .doc = "Width over which smoke fades towards the open faces of the box, so that what leaves it is not cut off. "
               "0 draws all smoke as it is.",
    },
    [BRUME_RENDER_SKY_ZENITH] = {
        .path = "render.sky_zenith", .label = "sky zenith", .type = BRUME_VALUE_COLOR, .offset = RENDER(sky_zenith),
        .unit = "W/(m^2 sr)", .min = 0, .max = 1e4, .defaults = {0.10, 0.15, 0.23}, .fixed = true, .animated = true,
        .doc = "Radiance of the sky at the zenith, linear RGB.",
    },
    [BRUME_RENDER_SKY_HORIZON] = {
        .path = "render.sky_horizon", .label = "sky horizon", .type = BRUME_VALUE_COLOR,
        .offset = RENDER(sky_horizon), .unit = "W/(m^2 sr)", .min = 0, .max = 1e4, .defaults = {0.30, 0.345, 0.39},
        .fixed = true, .animated = true,
        .doc = "Radiance of the sky at and below the horizon, linear RGB.",
    },
    [BRUME_RENDER_GROUND] = {
        .path = "render.ground.visible", .label = "ground", .type = BRUME_VALUE_BOOL, .offset = RENDER(ground),
        .defaults = {1}, .fixed = true,
        .doc = "Whether an infinite ground plane is drawn, which receives the shadow of the smoke.",
    },
    [BRUME_RENDER_GROUND_HEIGHT] = {
        .path = "render.ground.height", .type = BRUME_VALUE_FLOAT, .offset = RENDER(ground_height), .unit = "m",
        .min = -1e5, .max = 1e5, .defaults = {0}, .fallback = "the floor of the box", .fixed = true,
        .doc = "y of the ground plane.",
    },
    [BRUME_RENDER_GROUND_ALBEDO] = {
        .path = "render.ground.albedo", .label = "ground albedo", .type = BRUME_VALUE_COLOR,
        .offset = RENDER(ground_albedo), .unit = "1", .min = 0, .max = 1, .defaults = {0.165, 0.163, 0.16},
        .fixed = true, .animated = true,
        .doc = "Albedo of the ground, linear RGB.",
    },
    [BRUME_RENDER_GROUND_PATTERN] = {
        .path = "render.ground.pattern", .label = "ground pattern", .type = BRUME_VALUE_WORD,
        .offset = RENDER(ground_pattern), .words = ground_patterns, .defaults = {0}, .fixed = true,
        .doc = "How `albedo` and `albedo_2` alternate: `plain` has only the first, `checker` squares of both, `noise` a "
               "random, smooth mixture. The ground reflects light onto smoke with the mean albedo.",
    },
    [BRUME_RENDER_GROUND_ALBEDO_2] = {
        .path = "render.ground.albedo_2", .label = "ground albedo 2", .type = BRUME_VALUE_COLOR,
        .offset = RENDER(ground_albedo_2), .unit = "1", .min = 0, .max = 1, .defaults = {0.08, 0.08, 0.08},
        .fixed = true, .animated = true,
        .doc = "Second albedo of the pattern, linear RGB.",
    },
    [BRUME_RENDER_GROUND_SCALE] = {
        .path = "render.ground.scale", .label = "ground scale", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(ground_scale), .unit = "m", .min = 1e-3, .max = 1e4, .slider = {0.05, 5, true},
        .defaults = {0.5}, .fixed = true,
        .doc = "Side of a square of the checker, or wavelength of the noise.",
    },
    [BRUME_RENDER_WALLS] = {
        .path = "render.walls.visible", .label = "walls", .type = BRUME_VALUE_WORD, .offset = RENDER(walls),
        .words = wall_views, .defaults = {0}, .fixed = true,
        .doc = "Whether the walls of the box are drawn, as surfaces that are seen from inside only and cast no shadow: "
               "`auto` draws them where all six faces are walls.",
    },
    [BRUME_RENDER_WALL_ALBEDO] = {
        .path = "render.walls.albedo", .label = "wall albedo", .type = BRUME_VALUE_COLOR,
        .offset = RENDER(wall_albedo), .unit = "1", .min = 0, .max = 1, .defaults = {0.4, 0.39, 0.38}, .fixed = true,
        .animated = true,
        .doc = "Albedo of the walls, linear RGB.",
    },
    [BRUME_RENDER_INTERPOLATION] = {
        .path = "render.interpolation", .label = "interpolation", .type = BRUME_VALUE_WORD,
        .offset = RENDER(interpolation), .words = interpolation_words, .defaults = {0}, .fixed = true,
        .doc = "Of the extinction between the centers of cells: `linear`; `cubic`, by monotone cubics, which take several "
               "times as long; `smooth`, linear after a filter (quadratic B-spline) over a cell and its neighbors, which "
               "hides the cells of coarse grids and their finest detail.",
    },
    [BRUME_RENDER_PHASE] = {
        .path = "render.phase", .label = "phase", .type = BRUME_VALUE_WORD, .offset = RENDER(phase.kind),
        .words = phase_words, .defaults = {0}, .fixed = true,
        .doc = "Phase function: `henyey_greenstein` with `anisotropy`; `two_lobes`, a sum of two of these; `droplets`, "
               "water droplets as in fog and clouds (Jendersie and d'Eon 2023).",
    },
    [BRUME_RENDER_LOBES_FORWARD] = {
        .path = "render.lobes.forward", .label = "lobe 1 g", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(phase.forward), .unit = "1", .min = -0.99, .max = 0.99, .slider = {-0.95, 0.95, false},
        .defaults = {0.8}, .fixed = true, .animated = true,
        .doc = "Parameter g of the first lobe, usually forward.",
    },
    [BRUME_RENDER_LOBES_BACKWARD] = {
        .path = "render.lobes.backward", .label = "lobe 2 g", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(phase.backward), .unit = "1", .min = -0.99, .max = 0.99, .slider = {-0.95, 0.95, false},
        .defaults = {-0.3}, .fixed = true, .animated = true,
        .doc = "Parameter g of the second lobe, usually backward.",
    },
    [BRUME_RENDER_LOBES_SHARE] = {
        .path = "render.lobes.share", .label = "lobe 1 share", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(phase.forward_share), .unit = "1", .min = 0, .max = 1, .slider = {0, 1, false},
        .defaults = {0.75}, .fixed = true, .animated = true,
        .doc = "Share of the light that the first lobe scatters.",
    },
    [BRUME_RENDER_DROPLET_DIAMETER] = {
        .path = "render.droplet_diameter", .label = "droplets", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(phase.droplet_diameter), .unit = "um", .min = 5, .max = 50, .slider = {5, 50, true},
        .defaults = {15}, .fixed = true, .animated = true,
        .doc = "Of `droplets`: their diameter. Fog has 5 to 20, clouds 10 to 40.",
    },
    [BRUME_RENDER_EMISSION_INTENSITY] = {
        .path = "render.emission.intensity", .label = "glow", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(emission.intensity), .unit = "1", .min = 0, .max = 1e6, .slider = {0, 1000, true},
        .defaults = {0}, .fixed = true, .animated = true,
        .doc = "Factor of the thermal radiation of the smoke, in proportion to its absorption: 1 is a black body's "
               "at the same scale as the lights, 0 switches it off.",
    },
    [BRUME_RENDER_EMISSION_AMBIENT] = {
        .path = "render.emission.ambient", .label = "glow ambient", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(emission.ambient), .unit = "K", .min = 0, .max = 1e4, .slider = {0, 2000, false},
        .defaults = {293.15}, .fixed = true, .animated = true,
        .doc = "Absolute temperature of the ambient air, for the glow alone.",
    },
    [BRUME_RENDER_EMISSION_SCALE] = {
        .path = "render.emission.temperature_scale", .label = "glow scale", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(emission.temperature_scale), .unit = "1", .min = 0, .max = 1e4, .slider = {0.1, 1000, true},
        .defaults = {1}, .fixed = true, .animated = true,
        .doc = "Factor of the temperature above ambient, for the glow alone: with 20, smoke of 55 K above ambient glows "
               "as at 1393 K.",
    },
    [BRUME_RENDER_GROUND_CATCHER] = {
        .path = "render.ground.catcher", .type = BRUME_VALUE_BOOL, .offset = RENDER(ground_catcher), .defaults = {0},
        .fixed = true,
        .doc = "With `image.background: transparent`: the ground shows its shadow alone, to be laid over a photograph. "
               "It lights the smoke as always. The viewer draws the ground as it is.",
    },
    [BRUME_RENDER_SKY_KIND] = {
        .path = "render.sky.kind", .label = "sky", .type = BRUME_VALUE_WORD, .offset = RENDER(sky.kind), .words = sky_words,
        .defaults = {0}, .fixed = true,
        .doc = "`gradient`: from `sky_horizon` to `sky_zenith`. `constant`: one radiance. `daylight`: a clear sky. "
               "`image`: a file.",
    },
    [BRUME_RENDER_SKY_RADIANCE] = {
        .path = "render.sky.radiance", .label = "sky radiance", .type = BRUME_VALUE_COLOR,
        .offset = RENDER(sky.radiance), .unit = "W/(m^2 sr)", .min = 0, .max = 1e4, .defaults = {0.3, 0.3, 0.3},
        .fixed = true, .animated = true,
        .doc = "Of a constant sky: its radiance in all directions, linear RGB.",
    },
    [BRUME_RENDER_SKY_INTENSITY] = {
        .path = "render.sky.intensity", .label = "sky intensity", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(sky.intensity), .unit = "1", .min = 0, .max = 1e6, .slider = {0, 10, false}, .defaults = {1},
        .fixed = true, .animated = true,
        .doc = "Of daylight and images: factor on the radiance, for daylight also on lights with `daylight`.",
    },
    [BRUME_RENDER_SKY_TURBIDITY] = {
        .path = "render.sky.turbidity", .label = "sky turbidity", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(sky.turbidity), .unit = "1", .min = 1, .max = 10, .slider = {1, 10, false}, .defaults = {2.5},
        .fixed = true, .animated = true,
        .doc = "Of daylight: 1 is air without haze, 2 very clear, 3 clear, 6 warm and moist, 10 hazy.",
    },
    [BRUME_RENDER_SKY_ROTATION] = {
        .path = "render.sky.rotation", .label = "sky rotation", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(sky.rotation), .unit = "degrees", .min = -360, .max = 360, .slider = {-180, 180, false},
        .defaults = {0}, .fixed = true, .animated = true,
        .doc = "Of an image: angle by which it is turned about the vertical axis, as the azimuth of a sun grows. With 0, "
               "its middle is in the direction of -z.",
    },
    [BRUME_RENDER_GROUND_IMAGE_SIZE] = {
        .path = "render.ground.image.size", .type = BRUME_VALUE_FLOAT, .offset = RENDER(ground_image.size), .unit = "m",
        .min = 1e-3, .max = 1e5, .defaults = {4}, .fixed = true,
        .doc = "Width of the image, along x; its height follows from its pixels, which are squares.",
    },
    [BRUME_RENDER_GROUND_IMAGE_X] = {
        .path = "render.ground.image.x", .type = BRUME_VALUE_FLOAT, .offset = RENDER(ground_image.x), .unit = "m",
        .min = -1e5, .max = 1e5, .defaults = {0}, .fixed = true,
        .doc = "x of its center.",
    },
    [BRUME_RENDER_GROUND_IMAGE_Z] = {
        .path = "render.ground.image.z", .type = BRUME_VALUE_FLOAT, .offset = RENDER(ground_image.z), .unit = "m",
        .min = -1e5, .max = 1e5, .defaults = {0}, .fixed = true,
        .doc = "z of its center.",
    },
    [BRUME_RENDER_GROUND_IMAGE_REPEAT] = {
        .path = "render.ground.image.repeat", .type = BRUME_VALUE_BOOL, .offset = RENDER(ground_image.repeat),
        .defaults = {1}, .fixed = true,
        .doc = "Whether it covers the ground again and again; otherwise the ground outside has `albedo`.",
    },
    [BRUME_RENDER_DETAIL_FACTOR] = {
        .path = "render.detail.factor", .label = "detail", .type = BRUME_VALUE_INT, .offset = RENDER(detail.factor),
        .unit = "1", .min = 1, .max = BRUME_MAX_DETAIL_FACTOR, .defaults = {1}, .fixed = true,
        .doc = "Above 1, every cell is divided into factor x factor x factor for the picture, and the smoke in them gets "
               "detail below the size of cells, which follows the flow where `solver.texture_period` is above 0. "
               "`render.step` counts the small cells.",
    },
    [BRUME_RENDER_DETAIL_STRENGTH] = {
        .path = "render.detail.strength", .label = "detail strength", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(detail.strength), .unit = "1", .min = 0, .max = 100, .slider = {0, 8, false}, .defaults = {2},
        .fixed = true, .animated = true,
        .doc = "Factor of the displacements that make the detail: 1 continues the spectrum of the smoke, of which the "
               "grid has damped the end, 0 only interpolates it.",
    },
    [BRUME_RENDER_DETAIL_SCALE] = {
        .path = "render.detail.scale", .label = "detail scale", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(detail.scale), .unit = "cells", .min = 0.25, .max = 32, .slider = {0.5, 8, true},
        .defaults = {4}, .fixed = true,
        .doc = "Longest wavelength of the displacements, in cells of the simulation. 2 is the shortest that the grid can "
               "represent, but shorter ones than 4 are damped by the transport.",
    },
    [BRUME_RENDER_REFERENCE_SPEED] = {
        .path = "render.reference_speed", .label = "reference speed", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(reference_speed), .unit = "m/s", .min = 0, .max = 1e6, .slider = {0, 100, true},
        .defaults = {0}, .fixed = true,
        .doc = "Speed U of the flow far away: pressures are shown as the pressure coefficient p / (U^2 / 2), by the "
               "kinematic pressure p. 0: that of the wind, else of the fastest inflow, else 1 m/s.",
    },
    [BRUME_RENDER_SURFACE_QUANTITY] = {
        .path = "render.surface_color.quantity", .label = "surface color", .type = BRUME_VALUE_WORD,
        .offset = RENDER(surface_colors.quantity), .words = surface_quantities, .defaults = {0}, .fixed = true,
        .doc = "`albedo`: bodies have their own color. `pressure`: the color shows the pressure coefficient of the air "
               "at the surface.",
    },
    [BRUME_RENDER_SURFACE_MAP] = {
        .path = "render.surface_color.map", .label = "surface map", .type = BRUME_VALUE_WORD,
        .offset = RENDER(surface_colors.map), .words = color_maps, .defaults = {0}, .fixed = true,
        .doc = MAP_DOC " `auto` is `blue_red`.",
    },
    [BRUME_RENDER_SURFACE_LOWER] = {
        .path = "render.surface_color.lower", .label = "surface lower", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(surface_colors.lower), .unit = "1", .min = -1e6, .max = 1e6, .slider = {-3, 0, false},
        .defaults = {0}, .fixed = true,
        .doc = "Pressure coefficient with the first color. Where it equals `upper`, the colors are from -1 to 1.",
    },
    [BRUME_RENDER_SURFACE_UPPER] = {
        .path = "render.surface_color.upper", .label = "surface upper", .type = BRUME_VALUE_FLOAT,
        .offset = RENDER(surface_colors.upper), .unit = "1", .min = -1e6, .max = 1e6, .slider = {0, 3, false},
        .defaults = {0}, .fixed = true,
        .doc = "Pressure coefficient with the last color.",
    },
};

#define RAKE(member) offsetof(BrumeRake, member)
static const char *const rake_quantities[] = {"none", "pressure", "speed", "temperature", NULL};

const BrumeSetting brume_rake_setting_table[BRUME_RAKE_SETTING_COUNT] = {
    [BRUME_RAKE_FROM] = {
        .path = "render.streamlines[].from", .label = "from", .type = BRUME_VALUE_VECTOR, .offset = RAKE(from),
        .unit = "m", .min = -1e5, .max = 1e5, .slider = {-20, 20, false}, .fallback = "required", .fixed = true,
        .doc = "One end of the rake, the line from whose points the streamlines start.",
    },
    [BRUME_RAKE_TO] = {
        .path = "render.streamlines[].to", .label = "to", .type = BRUME_VALUE_VECTOR, .offset = RAKE(to), .unit = "m",
        .min = -1e5, .max = 1e5, .slider = {-20, 20, false}, .fallback = "required", .fixed = true,
        .doc = "The other end.",
    },
    [BRUME_RAKE_COUNT] = {
        .path = "render.streamlines[].count", .label = "count", .type = BRUME_VALUE_INT, .offset = RAKE(count),
        .unit = "1", .min = 0, .max = 256, .slider = {0, 64, false}, .defaults = {12}, .fixed = true,
        .doc = "Number of streamlines, evenly spaced, both ends included; 0 hides them.",
    },
    [BRUME_RAKE_LENGTH] = {
        .path = "render.streamlines[].length", .label = "length", .type = BRUME_VALUE_FLOAT, .offset = RAKE(length),
        .unit = "m", .min = 0, .max = 1e5, .slider = {0, 20, true}, .defaults = {0},
        .fixed = true,
        .doc = "Greatest length of a streamline along the velocity, and against it. 0: twice the longest side of the "
               "box.",
    },
    [BRUME_RAKE_RADIUS] = {
        .path = "render.streamlines[].radius", .label = "tube radius", .type = BRUME_VALUE_FLOAT,
        .offset = RAKE(radius), .unit = "m", .min = 0, .max = 1e4, .slider = {0, 0.1, true}, .defaults = {0},
        .fixed = true,
        .doc = "Radius of the tubes that the streamlines are drawn as. 0: a 600th of the longest side of the box.",
    },
    [BRUME_RAKE_COLOR] = {
        .path = "render.streamlines[].color", .label = "color", .type = BRUME_VALUE_COLOR, .offset = RAKE(color),
        .unit = "1", .min = 0, .max = 1, .defaults = {0.8, 0.8, 0.8}, .fixed = true,
        .doc = "Albedo of the tubes without a `quantity`, linear RGB.",
    },
    [BRUME_RAKE_QUANTITY] = {
        .path = "render.streamlines[].quantity", .label = "quantity", .type = BRUME_VALUE_WORD,
        .offset = RAKE(colors.quantity), .words = rake_quantities, .defaults = {BRUME_FLOW_SPEED}, .fixed = true,
        .doc = "What the colors along a streamline show: the speed [m/s], the temperature above ambient [K], the "
               "pressure as its coefficient, or nothing.",
    },
    [BRUME_RAKE_MAP] = {
        .path = "render.streamlines[].map", .label = "map", .type = BRUME_VALUE_WORD, .offset = RAKE(colors.map),
        .words = color_maps, .defaults = {0}, .fixed = true,
        .doc = MAP_DOC " `auto` is `blue_red` for the pressure, otherwise `heat`.",
    },
    [BRUME_RAKE_LOWER] = {
        .path = "render.streamlines[].lower", .label = "lower", .type = BRUME_VALUE_FLOAT,
        .offset = RAKE(colors.lower), .unit = "m/s, K or 1", .min = -1e6, .max = 1e6, .slider = {-10, 10, false},
        .defaults = {0}, .fixed = true,
        .doc = "Value with the first color. Where it equals `upper`, the colors are from 0 to 1.5 times the "
               "`reference_speed`, from 0 to 100 K, or from -1 to 1.",
    },
    [BRUME_RAKE_UPPER] = {
        .path = "render.streamlines[].upper", .label = "upper", .type = BRUME_VALUE_FLOAT,
        .offset = RAKE(colors.upper), .unit = "m/s, K or 1", .min = -1e6, .max = 1e6, .slider = {-10, 10, false},
        .defaults = {0}, .fixed = true,
        .doc = "Value with the last color.",
    },
};

#define MEDIUM(member) offsetof(BrumeSmokeMedium, member)
const BrumeSetting brume_medium_setting_table[BRUME_MEDIUM_SETTING_COUNT] = {
    [BRUME_MEDIUM_EXTINCTION] = {
        .path = "smoke.density.extinction", .label = "extinction", .type = BRUME_VALUE_FLOAT,
        .offset = MEDIUM(extinction), .unit = "1/m", .min = 0, .max = 1e4, .slider = {0.1, 1000, true},
        .defaults = {30}, .fixed = true, .animated = true,
        .doc = "Extinction coefficient of a density of 1: light decreases to 37 % over 1 / (density x extinction).",
    },
    [BRUME_MEDIUM_ALBEDO] = {
        .path = "smoke.density.albedo", .label = "albedo", .type = BRUME_VALUE_COLOR, .offset = MEDIUM(albedo),
        .unit = "1", .min = 0, .max = 1, .defaults = {0.93, 0.93, 0.93},
        .fallback = "near white; orange, blue and green for the colors", .fixed = true, .animated = true,
        .doc = "Single-scattering albedo, linear RGB: the color of the smoke.",
    },
};

static const char *const outline_words[] = {"disc", "leaf", NULL};
#define PARTICLE(member) offsetof(BrumeParticleLook, member)
const BrumeSetting brume_particle_look_setting_table[BRUME_PARTICLE_LOOK_SETTING_COUNT] = {
    [BRUME_PARTICLE_LOOK_ALBEDO] = {
        .path = "particles.dust.albedo", .label = "albedo", .type = BRUME_VALUE_COLOR, .offset = PARTICLE(albedo),
        .unit = "1", .min = 0, .max = 1, .defaults = {0.7, 0.65, 0.6}, .fallback = "by the kind", .fixed = true,
        .doc = "Albedo, linear RGB.",
    },
    [BRUME_PARTICLE_LOOK_VARIATION] = {
        .path = "particles.dust.variation", .label = "variation", .type = BRUME_VALUE_FLOAT,
        .offset = PARTICLE(variation), .unit = "1", .min = 0, .max = 1, .slider = {0, 1, false}, .defaults = {0},
        .fallback = "by the kind", .fixed = true,
        .doc = "The albedo of each particle is a random power of it, from 1 - variation to 1 + variation: lighter and paler, "
               "or darker and more saturated.",
    },
    [BRUME_PARTICLE_LOOK_OUTLINE] = {
        .path = "particles.dust.outline", .label = "outline", .type = BRUME_VALUE_WORD, .offset = PARTICLE(outline),
        .words = outline_words, .fixed = true,
        .doc = "Outline of plates: `disc`, or `leaf`, half as wide as long, with two points, which leaves have unless this says otherwise.",
    },
    [BRUME_PARTICLE_LOOK_TRANSLUCENCY] = {
        .path = "particles.dust.translucency", .label = "translucency", .type = BRUME_VALUE_FLOAT,
        .offset = PARTICLE(translucency), .unit = "1", .min = 0, .max = 1, .slider = {0, 1, false}, .defaults = {0},
        .fallback = "by the kind", .fixed = true,
        .doc = "Of plates: part of the light that they let through to their other side.",
    },
    [BRUME_PARTICLE_LOOK_GLOW] = {
        .path = "particles.dust.glow", .label = "glow", .type = BRUME_VALUE_FLOAT, .offset = PARTICLE(glow),
        .unit = "K", .min = 0, .max = 10000, .slider = {0, 3000, false}, .defaults = {0}, .fallback = "by the kind",
        .fixed = true,
        .doc = "Absolute temperature at their birth, at which they glow as a black body does. 0: they do not glow.",
    },
    [BRUME_PARTICLE_LOOK_COOLING] = {
        .path = "particles.dust.cooling", .label = "cooling", .type = BRUME_VALUE_FLOAT, .offset = PARTICLE(cooling),
        .unit = "s", .min = 1e-3, .max = 1e6, .slider = {0.1, 100, true}, .defaults = {5}, .fixed = true,
        .doc = "Time in which the difference of this temperature to the ambient one falls to 37 %.",
    },
    [BRUME_PARTICLE_LOOK_INTENSITY] = {
        .path = "particles.dust.glow_intensity", .label = "glow intensity", .type = BRUME_VALUE_FLOAT,
        .offset = PARTICLE(glow_intensity), .unit = "1", .min = 0, .max = 1e6, .slider = {0.01, 100, true},
        .defaults = {1}, .fixed = true,
        .doc = "Factor of the light that they emit.",
    },
};

static const char *const curve_words[] = {"linear", "smooth", NULL};

const BrumeSetting brume_density_curve_setting_table[BRUME_CURVE_SETTING_COUNT] = {
    [BRUME_CURVE_KIND] = {
        .path = "smoke.density.curve.interpolation", .type = BRUME_VALUE_WORD, .offset = offsetof(BrumeCurve, kind),
        .words = curve_words, .defaults = {0}, .fixed = true,
        .doc = "From point to point: `linear`, straight; `smooth`, by cubics that have no extrema between the points.",
    },
    [BRUME_CURVE_POINT_AT] = {
        .path = "smoke.density.curve.points[].density", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeCurvePoint, at), .unit = "1", .min = 0, .max = 1e6, .fallback = "required",
        .fixed = true,
        .doc = "Density, above the density of the previous point.",
    },
    [BRUME_CURVE_POINT_VALUE] = {
        .path = "smoke.density.curve.points[].factor", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeCurvePoint, value), .unit = "1", .min = 0, .max = 1e4, .fallback = "required",
        .fixed = true,
        .doc = "Extinction at that density, as a multiple of `extinction`.",
    },
};

const BrumeSetting brume_emission_curve_setting_table[BRUME_CURVE_SETTING_COUNT] = {
    [BRUME_CURVE_KIND] = {
        .path = "render.emission.curve.interpolation", .type = BRUME_VALUE_WORD, .offset = offsetof(BrumeCurve, kind),
        .words = curve_words, .defaults = {0}, .fixed = true,
        .doc = "From point to point: `linear`, straight; `smooth`, by cubics that have no extrema between the points.",
    },
    [BRUME_CURVE_POINT_AT] = {
        .path = "render.emission.curve.points[].temperature", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeCurvePoint, at), .unit = "K", .min = 0, .max = 1e5, .fallback = "required",
        .fixed = true,
        .doc = "Absolute temperature, above the temperature of the previous point.",
    },
    [BRUME_CURVE_POINT_VALUE] = {
        .path = "render.emission.curve.points[].factor", .type = BRUME_VALUE_FLOAT,
        .offset = offsetof(BrumeCurvePoint, value), .unit = "1", .min = 0, .max = 1e6, .fallback = "required",
        .fixed = true,
        .doc = "Factor of the radiance at that temperature, besides `intensity`.",
    },
};

#define LIGHT(member) offsetof(BrumeLight, member)
#define OF(kind_) (1u << BRUME_LIGHT_##kind_)
static const char *const light_kinds[] = {"sun", "point", "spot", "rectangle", NULL};

const BrumeSetting brume_light_setting_table[BRUME_LIGHT_SETTING_COUNT] = {
    [BRUME_LIGHT_KIND] = {
        .path = "lights[].kind", .type = BRUME_VALUE_WORD, .offset = LIGHT(kind), .words = light_kinds,
        .defaults = {0}, .fixed = true,
        .doc = "`sun`: a directional light. `point`: a point light, whose irradiance falls off with the square of "
               "the distance. `spot`: a point light within a cone. `rectangle`: an area that shines on one side.",
    },
    [BRUME_LIGHT_DIRECTION] = {
        .path = "lights[].direction", .label = "direction", .type = BRUME_VALUE_VECTOR, .offset = LIGHT(direction),
        .unit = "1", .min = -1e5, .max = 1e5, .slider = {-1, 1, false}, .defaults = {0.7572657, -0.6310547, 0.1682813}, .fallback = "from the angles or `target`",
        .fixed = true, .animated = true,
        .kind_offset = LIGHT(kind), .kinds = ~OF(POINT),
        .doc = "Direction in which the light travels, of any length: of a spot, and of a sun instead of azimuth and "
               "elevation. Of a rectangle: the normal of the side that shines.",
    },
    [BRUME_LIGHT_POSITION] = {
        .path = "lights[].position", .label = "position", .type = BRUME_VALUE_VECTOR, .offset = LIGHT(position),
        .unit = "m", .min = -1e5, .max = 1e5, .slider = {-20, 20, false}, .fallback = "required", .fixed = true,
        .animated = true,
        .kind_offset = LIGHT(kind), .kinds = ~OF(DIRECTIONAL),
        .doc = "Of a light that is not a sun: its position (x, y, z), of a rectangle its center.",
    },
    [BRUME_LIGHT_COLOR] = {
        .path = "lights[].color", .label = "color", .type = BRUME_VALUE_COLOR, .offset = LIGHT(color), .unit = "1",
        .min = 0, .max = 100, .defaults = {1.0, 0.92, 0.80}, .fallback = "[1, 0.92, 0.8]; with `daylight` 1", .fixed = true,
        .animated = true,
        .doc = "Linear RGB, multiplied by the intensity.",
    },
    [BRUME_LIGHT_INTENSITY] = {
        .path = "lights[].intensity", .label = "intensity", .type = BRUME_VALUE_FLOAT, .offset = LIGHT(intensity),
        .unit = "W/m^2, W/sr or W", .min = 0, .max = 1e6, .slider = {0, 1000, true}, .defaults = {5.2},
        .fallback = "5.2; with `daylight` 1", .fixed = true, .animated = true,
        .doc = "Of a sun: irradiance. Of a point light: radiant intensity; of a spot: that along its axis. Of a "
               "rectangle: radiant power, pi x area x radiance.",
    },
    [BRUME_LIGHT_ANGLE] = {
        .path = "lights[].angle", .label = "angle", .type = BRUME_VALUE_FLOAT, .offset = LIGHT(angle),
        .unit = "degrees", .min = 0, .max = 180, .slider = {0, 90, false}, .defaults = {0},
        .fallback = "0; of a spot 45", .fixed = true, .animated = true,
        .kind_offset = LIGHT(kind), .kinds = OF(DIRECTIONAL) | OF(SPOT),
        .doc = "Of a sun: the diameter of its disc, which makes its shadows soft; 0.53 as the real sun. Of a "
               "spot: the whole angle of its cone, above 0.",
    },
    [BRUME_LIGHT_BLEND] = {
        .path = "lights[].blend", .label = "blend", .type = BRUME_VALUE_FLOAT, .offset = LIGHT(blend), .unit = "1",
        .min = 0, .max = 1, .slider = {0, 1, false}, .defaults = {0.15}, .fixed = true, .animated = true,
        .kind_offset = LIGHT(kind), .kinds = OF(SPOT),
        .doc = "Of a spot: the part of the cone, from its edge inwards, over which its light fades; 0 is a hard edge.",
    },
    [BRUME_LIGHT_WIDTH] = {
        .path = "lights[].width", .label = "width", .type = BRUME_VALUE_FLOAT, .offset = LIGHT(width), .unit = "m",
        .min = 1e-4, .max = 1e4, .slider = {0.01, 10, true}, .defaults = {1}, .fixed = true, .animated = true,
        .kind_offset = LIGHT(kind), .kinds = OF(RECTANGLE),
        .doc = "Of a rectangle: its side across `up`.",
    },
    [BRUME_LIGHT_HEIGHT] = {
        .path = "lights[].height", .label = "height", .type = BRUME_VALUE_FLOAT, .offset = LIGHT(height), .unit = "m",
        .min = 1e-4, .max = 1e4, .slider = {0.01, 10, true}, .defaults = {1}, .fixed = true, .animated = true,
        .kind_offset = LIGHT(kind), .kinds = OF(RECTANGLE),
        .doc = "Of a rectangle: its side along `up`.",
    },
    [BRUME_LIGHT_UP] = {
        .path = "lights[].up", .type = BRUME_VALUE_VECTOR, .offset = LIGHT(up), .unit = "1", .min = -1e5, .max = 1e5,
        .defaults = {0, 1, 0}, .fixed = true,
        .kind_offset = LIGHT(kind), .kinds = OF(RECTANGLE),
        .doc = "Of a rectangle: its height is along this vector as far as its normal allows; where both are parallel, "
               "along z, or x for a normal along z.",
    },
    [BRUME_LIGHT_TEMPERATURE] = {
        .path = "lights[].temperature", .label = "temperature", .type = BRUME_VALUE_FLOAT,
        .offset = LIGHT(temperature), .unit = "K", .min = 1000, .max = 40000, .slider = {1000, 12000, false},
        .defaults = {0}, .fallback = "none", .fixed = true, .animated = true,
        .doc = "Instead of `color`: the light has the color of a black body, with a luminance of 1 (0.2126 red + 0.7152 "
               "green + 0.0722 blue). 2700 is a bulb, 5600 daylight, 6500 nearly white.",
    },
    [BRUME_LIGHT_DAYLIGHT] = {
        .path = "lights[].daylight", .type = BRUME_VALUE_BOOL, .offset = LIGHT(daylight), .defaults = {0},
        .fixed = true,
        .doc = "Of a sun: its light is sunlight through the air of a daylight sky, by its elevation and the "
               "turbidity and intensity of `render.sky`; `color` and `intensity` are factors on it.",
    },
};

const BrumeSetting brume_surface_setting_table[BRUME_SURFACE_SETTING_COUNT] = {
    [BRUME_SURFACE_ALBEDO] = {
        .path = "bodies[].albedo", .label = "albedo", .type = BRUME_VALUE_COLOR,
        .offset = offsetof(BrumeSurface, albedo),
        .unit = "1", .min = 0, .max = 1, .defaults = {0.6, 0.6, 0.6}, .fixed = true, .animated = true,
        .doc = "Albedo of its surface, linear RGB.",
    },
};

#define CAMERA(member) offsetof(BrumeCamera, member)
static const char *const projection_words[] = {"perspective", "orthographic", NULL};

const BrumeSetting brume_camera_setting_table[BRUME_CAMERA_SETTING_COUNT] = {
    [BRUME_CAMERA_POSITION] = {
        .path = "camera.position", .type = BRUME_VALUE_VECTOR, .offset = CAMERA(position), .unit = "m", .min = -1e5,
        .max = 1e5, .fallback = "the whole box is in view", .fixed = true,
        .doc = "Position of the camera.",
    },
    [BRUME_CAMERA_TARGET] = {
        .path = "camera.target", .type = BRUME_VALUE_VECTOR, .offset = CAMERA(target), .unit = "m", .min = -1e5,
        .max = 1e5, .fallback = "the center of the box", .fixed = true,
        .doc = "Point at the center of the picture.",
    },
    [BRUME_CAMERA_FIELD_OF_VIEW] = {
        .path = "camera.field_of_view", .label = "field of view", .type = BRUME_VALUE_FLOAT,
        .offset = CAMERA(field_of_view), .unit = "degrees", .min = 1, .max = 170, .slider = {5, 120, false},
        .defaults = {40}, .fixed = true,
        .doc = "Vertical angle of view of a perspective camera.",
    },
    [BRUME_CAMERA_PROJECTION] = {
        .path = "camera.projection", .type = BRUME_VALUE_WORD, .offset = CAMERA(projection),
        .words = projection_words, .defaults = {0}, .fixed = true,
        .doc = "`perspective`: rays from one point. `orthographic`: parallel rays, for elevations and plans.",
    },
    [BRUME_CAMERA_HEIGHT] = {
        .path = "camera.height", .label = "height", .type = BRUME_VALUE_FLOAT, .offset = CAMERA(height), .unit = "m",
        .min = 1e-4, .max = 1e5, .slider = {0.1, 100, true}, .defaults = {1}, .fallback = "the whole box is in view",
        .fixed = true,
        .doc = "Height of the picture of an orthographic camera.",
    },
    [BRUME_CAMERA_LENS_RADIUS] = {
        .path = "camera.lens_radius", .label = "lens radius", .type = BRUME_VALUE_FLOAT,
        .offset = CAMERA(lens_radius), .unit = "m", .min = 0, .max = 1000, .slider = {0, 0.5, false},
        .defaults = {0}, .fixed = true,
        .doc = "Radius of the lens: what is not in focus is blurred. 0 is a pinhole: everything is sharp.",
    },
    [BRUME_CAMERA_FOCUS] = {
        .path = "camera.focus_distance", .label = "focus", .type = BRUME_VALUE_FLOAT, .offset = CAMERA(focus),
        .unit = "m", .min = 1e-4, .max = 1e5, .slider = {0.1, 100, true}, .defaults = {1}, .fallback = "that of the target", .fixed = true,
        .doc = "Distance from the camera to the plane that is in focus, along the viewing direction.",
    },
};
// clang-format on
