#include "app/bench/outline.h"

#include "app/cli/format.h"
#include "brume/sim.h"
#include "core/field.h"
#include "core/vec3.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { LABEL_WIDTH = 12 };

void brume_print_fact(const char *label, const char *format, ...)
{
    (void)printf("%-*s ", LABEL_WIDTH, label);
    va_list args;
    va_start(args, format);
    (void)vprintf(format, args);
    va_end(args);
    (void)printf("\n");
}

static double larger(double a, double b) { return a > b ? a : b; }

static double fastest_given(const BrumeSimDef *def)
{
    double speed = (double)brume_length(def->wind);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        if (def->faces[face].kind == BRUME_INFLOW ||
            (def->faces[face].kind == BRUME_WALL && def->faces[face].no_slip)) {
            speed = larger(speed, (double)brume_length(def->faces[face].velocity));
        }
    }
    for (int n = 0; n < def->emitter_count; n++) {
        if (def->emitters[n].velocity.mode != BRUME_SOURCE_NONE) {
            speed = larger(speed, (double)brume_length(def->emitters[n].velocity.value));
        }
    }
    return speed;
}

static double hottest_given(const BrumeSimDef *def)
{
    double temperature = 0.0;
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        const BrumeFaceDef *side = &def->faces[face];
        if (side->kind == BRUME_INFLOW || (side->kind == BRUME_WALL && side->fixed_temperature)) {
            temperature = larger(temperature, fabs((double)side->temperature));
        }
    }
    for (int n = 0; n < def->emitter_count; n++) {
        if (def->emitters[n].temperature.mode != BRUME_SOURCE_NONE) {
            temperature = larger(temperature, fabs((double)def->emitters[n].temperature.value));
        }
    }
    return temperature;
}

double brume_likely_speed(const BrumeSimDef *def)
{
    const double height = (double)def->ny * (double)def->dx;
    const double lift = (double)brume_length(def->gravity) * (double)def->thermal_expansion * hottest_given(def);
    return larger(fastest_given(def), sqrt(2.0 * lift * height));
}

int brume_steps_at_speed(const BrumeSimDef *def, double speed)
{
    const double travel = speed / ((double)def->fps * (double)def->dx); // [cells/frame]
    const double steps = ceil(travel / (double)def->cfl);
    if (steps >= def->max_steps) {
        return def->max_steps;
    }
    return steps > def->min_steps ? (int)steps : def->min_steps;
}

void brume_print_outline(const BrumeScene *scene)
{
    const BrumeSimDef *def = &scene->sim;
    const BrumeGrid grid = {.nx = def->nx, .ny = def->ny, .nz = def->nz};
    const double cells = (double)brume_grid_cells(grid);
    const double dx = (double)def->dx;
    const double bytes = (double)brume_sim_bytes_needed(def);
    const double most_bytes = (double)brume_scene_bytes_needed(scene);
    const double speed = brume_likely_speed(def);
    const int most = brume_steps_at_speed(def, speed);

    brume_print_fact("scene", "%s", scene->name);
    if (scene->description[0]) {
        brume_print_fact("", "%s", scene->description);
    }
    brume_print_fact("box", "%g x %g x %g m, lower corner at (%g, %g, %g) m", def->nx * dx, def->ny * dx, def->nz * dx,
                     (double)def->origin.x, (double)def->origin.y, (double)def->origin.z);
    brume_print_fact("cells", "%d x %d x %d (%s), dx %g m", def->nx, def->ny, def->nz, brume_format_count(cells).text,
                     dx);
    if (most_bytes > bytes) {
        brume_print_fact("memory", "%s for the simulation, %.0f bytes a cell; later up to %s",
                         brume_format_bytes(bytes).text, bytes / cells, brume_format_bytes(most_bytes).text);
    } else {
        brume_print_fact("memory", "%s for the simulation, %.0f bytes a cell", brume_format_bytes(bytes).text,
                         bytes / cells);
    }
    brume_print_fact("time", "%d frames at %g a second: %g s", scene->frames, (double)def->fps,
                     scene->frames / (double)def->fps);
    if (most > def->min_steps) {
        brume_print_fact("steps", "%d to about %d a frame (%g cells of travel a step; air at up to about %.1f m/s)",
                         def->min_steps, most, (double)def->cfl, speed);
    } else {
        brume_print_fact("steps", "%d a frame (%g cells of travel a step; air at up to about %.1f m/s)", most,
                         (double)def->cfl, speed);
    }
}
