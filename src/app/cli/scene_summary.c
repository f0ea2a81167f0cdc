#include "app/cli/scene_summary.h"

#include "app/cli/format.h"
#include "brume/sim.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "scene/body_speed.h"

#include <math.h>

static double max_given_speed(const BrumeSimDef *def)
{
    double speed = (double)brume_length(def->wind);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        if (def->faces[face].kind == BRUME_INFLOW ||
            (def->faces[face].kind == BRUME_WALL && def->faces[face].no_slip)) {
            speed = brume_fmax(speed, (double)brume_length(def->faces[face].velocity));
        }
    }
    for (int n = 0; n < def->emitter_count; n++) {
        if (def->emitters[n].velocity.mode != BRUME_SOURCE_NONE) {
            speed = brume_fmax(speed, (double)brume_length(def->emitters[n].velocity.value));
        }
    }
    return speed;
}

static double max_given_temperature(const BrumeSimDef *def)
{
    double temperature = 0.0;
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        const BrumeFaceDef *side = &def->faces[face];
        if (side->kind == BRUME_INFLOW || (side->kind == BRUME_WALL && side->fixed_temperature)) {
            temperature = brume_fmax(temperature, fabs((double)side->temperature));
        }
    }
    for (int n = 0; n < def->emitter_count; n++) {
        if (def->emitters[n].temperature.mode != BRUME_SOURCE_NONE) {
            temperature = brume_fmax(temperature, fabs((double)def->emitters[n].temperature.value));
        }
    }
    return temperature;
}

static double max_speed_of_air(const BrumeSimDef *def)
{
    const double height = (double)def->ny * (double)def->dx;
    const double buoyancy =
        (double)brume_length(def->gravity) * (double)def->thermal_expansion * max_given_temperature(def);
    return brume_fmax(max_given_speed(def), sqrt(2.0 * buoyancy * height));
}

double brume_estimate_scene_speed(const BrumeScene *scene, const BrumeSimDef *def)
{
    return brume_fmax(max_speed_of_air(def), brume_scene_body_speed(scene));
}

int brume_estimate_steps(const BrumeSimDef *def, double speed)
{
    const double cells_per_frame =
        brume_fmax(speed, brume_integrator_speed(def)) / ((double)def->fps * (double)def->dx);
    const double steps = ceil(cells_per_frame / (double)def->cfl);
    if (steps >= def->max_steps) {
        return def->max_steps;
    }
    return steps > def->min_steps ? (int)steps : def->min_steps;
}

void brume_print_scene_summary(const BrumeScene *scene)
{
    const BrumeSimDef *def = &scene->sim;
    const BrumeGrid grid = {.nx = def->nx, .ny = def->ny, .nz = def->nz};
    const double cells = (double)brume_grid_cells(grid);
    const double dx = (double)def->dx;
    size_t start_bytes = 0;
    (void)brume_sim_bytes_needed(def, &start_bytes, NULL);
    const double bytes = (double)start_bytes;
    const double most_bytes = (double)brume_scene_bytes_needed(scene);
    const double of_bodies = brume_scene_body_speed(scene);
    const double speed = brume_fmax(max_speed_of_air(def), of_bodies);
    const char *const what = of_bodies < speed || speed == 0.0 ? "of the air up to" : "of bodies";
    const int fewest = brume_estimate_steps(def, 0.0);
    const int most = brume_estimate_steps(def, speed);

    brume_print_labeled("scene", "%s", scene->name);
    if (scene->description[0]) {
        brume_print_labeled("", "%s", scene->description);
    }
    brume_print_labeled("box", "%g x %g x %g m, lower corner at (%g, %g, %g) m", def->nx * dx, def->ny * dx,
                        def->nz * dx, (double)def->origin.x, (double)def->origin.y, (double)def->origin.z);
    brume_print_labeled("cells", "%d x %d x %d (%s), dx %g m", def->nx, def->ny, def->nz,
                        brume_format_count(cells).text, dx);
    if (def->far_factor > 1) {
        const BrumeGrid window = brume_scene_largest_grid(scene);
        brume_print_labeled(
            "far field", "cells of %g m; those of %g m in a window that follows the smoke, at first %d x %d x %d (%s)",
            dx * def->far_factor, dx, window.nx, window.ny, window.nz,
            brume_format_count((double)brume_grid_cells(window)).text);
    }
    if (most_bytes > bytes) {
        brume_print_labeled("memory", "%s for the simulation, %.0f bytes per cell; up to %s later in the run",
                            brume_format_bytes(bytes).text, bytes / cells, brume_format_bytes(most_bytes).text);
    } else {
        brume_print_labeled("memory", "%s for the simulation, %.0f bytes per cell", brume_format_bytes(bytes).text,
                            bytes / cells);
    }
    brume_print_labeled("time", "%d frames at %g per second: %g s", scene->frames, (double)def->fps,
                        scene->frames / (double)def->fps);
    if (most > fewest) {
        brume_print_labeled("steps", "%d to about %d per frame (CFL number %g; speed %s about %.1f m/s)", fewest, most,
                            (double)def->cfl, what, speed);
    } else {
        brume_print_labeled("steps", "%d per frame (CFL number %g; speed %s about %.1f m/s)", most, (double)def->cfl,
                            what, speed);
    }
}
