#include "app/info/volume_info.h"

#include "app/cli/format.h"
#include "app/info/volume_statistics.h"
#include "brume/scene.h"
#include "core/field.h"
#include "core/minmax.h"
#include "core/text.h"
#include "core/vec3.h"
#include "exchange/volume_format.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void print_grid(const BrumeFrameGrids *frame, const BrumeFrameGrid *grid, const BrumeGridStatistics *statistics,
                       const char *label)
{
    static const char *const locations[] = {"centers", "x faces", "y faces", "z faces"};
    char where[64];
    (void)snprintf(where, sizeof where, "%d x %d x %d %s", brume_frame_grid_extent(frame->cells, grid->location, 0),
                   brume_frame_grid_extent(frame->cells, grid->location, 1),
                   brume_frame_grid_extent(frame->cells, grid->location, 2), locations[grid->location]);
    const double share = 100.0 * (double)statistics->not_zero / (double)statistics->count;
    brume_print_labeled(label, "%s%s%s%s, %s%s: %s%g to %g, mean %.4g, %.3g %% not zero", grid->name,
                        grid->unit[0] ? " [" : "", grid->unit, grid->unit[0] ? "]" : "",
                        grid->components == 3 ? "vectors at " : "", where, grid->components == 3 ? "length " : "",
                        statistics->minimum, statistics->maximum, statistics->mean, share);
}

static void print_particles(const BrumeFrameGrids *frame)
{
    int counts[BRUME_PARTICLE_KINDS] = {0};
    float least = INFINITY;
    float largest = 0.0f;
    float fastest = 0.0f;
    for (int n = 0; n < frame->particle_count; n++) {
        const BrumeParticle *particle = &frame->particles[n];
        counts[particle->kind < BRUME_PARTICLE_KINDS ? particle->kind : BRUME_PARTICLE_DUST]++;
        least = brume_fminf(least, particle->diameter);
        largest = brume_fmaxf(largest, particle->diameter);
        fastest = brume_fmaxf(fastest, brume_length(particle->velocity));
    }
    BrumeText kinds = {0};
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        if (counts[kind] > 0) {
            brume_text_add(&kinds, "%s%d %s", kinds.size > 0 ? ", " : "", counts[kind],
                           brume_particle_kind_name((BrumeParticleKind)kind));
        }
    }
    if (kinds.size > 0) {
        brume_print_labeled("particles", "%s; diameter %g to %g m, speed up to %.4g m/s", kinds.data, (double)least,
                            (double)largest, (double)fastest);
    } else {
        brume_print_labeled("particles", "none");
    }
    brume_text_destroy(&kinds);
}

// the problems to print; only the first line has a label
typedef struct ProblemList {
    int count;
} ProblemList;

static const char *next_label(ProblemList *problems) { return problems->count++ == 0 ? "problems" : ""; }

static void print_grid_problems(ProblemList *problems, const BrumeFrameGrids *frame, const BrumeFrameGrid *grid,
                                const BrumeGridStatistics *statistics)
{
    if (statistics->not_finite > 0) {
        const size_t nx = (size_t)brume_frame_grid_extent(frame->cells, grid->location, 0);
        const size_t ny = (size_t)brume_frame_grid_extent(frame->cells, grid->location, 1);
        const size_t first = statistics->first_not_finite;
        brume_print_labeled(next_label(problems), "%s: %zu of %zu values are not finite, the first at (%zu, %zu, %zu)",
                            grid->name, statistics->not_finite, statistics->count, first % nx, first / nx % ny,
                            first / nx / ny);
    }
    if (brume_grid_is_density(grid) && statistics->negative > 0) {
        brume_print_labeled(next_label(problems), "%s: %zu of %zu values are below 0, the lowest is %g", grid->name,
                            statistics->negative, statistics->count, statistics->minimum);
    }
    if (!grid->unit[0]) {
        brume_print_labeled(next_label(problems), "%s: its unit is not in the file", grid->name);
    }
    if (strcmp(grid->name, BRUME_GRID_VELOCITY) == 0 && grid->components != 3) {
        brume_print_labeled(next_label(problems), "%s: a scalar instead of a vector", grid->name);
    }
}

static bool has_velocity(const BrumeFrameGrids *frame)
{
    return brume_frame_grids_find(frame, BRUME_GRID_VELOCITY) ||
           (brume_frame_grids_find(frame, BRUME_GRID_FACES "x") &&
            brume_frame_grids_find(frame, BRUME_GRID_FACES "y") && brume_frame_grids_find(frame, BRUME_GRID_FACES "z"));
}

static void print_frame_problems(ProblemList *problems, const BrumeFrameGrids *frame, double scale)
{
    bool has_density = false;
    for (int n = 0; n < frame->count; n++) {
        has_density = has_density || brume_grid_is_density(&frame->grids[n]);
    }
    if (!has_density && !frame->has_particles) {
        brume_print_labeled(next_label(problems), "no density (a scalar at the centers named '%s')",
                            BRUME_GRID_DENSITY);
    } else if (scale == 0.0 && frame->particle_count == 0) {
        brume_print_labeled(next_label(problems), "no smoke: no density is above 0");
    }
    if (problems->count == 0) {
        brume_print_labeled(next_label(problems), "none found");
    }
}

static void print_scale(double scale, const BrumeScene *scene)
{
    if (scale > 0.0) {
        brume_print_labeled("scale",
                            "an extinction of %.2g 1/m for a density of 1 gives an optical depth of %g through "
                            "the smoke",
                            scale, BRUME_TARGET_DEPTH);
    }
    if (scene) {
        brume_print_labeled(scale > 0.0 ? "" : "scale", "the scene draws it with %g 1/m",
                            (double)scene->render_settings.smoke[0].extinction);
    }
}

static void print_frame(const BrumeFrameGrids *frame, const BrumeScene *scene, const char *path, double bytes)
{
    const double dx = frame->dx;
    brume_print_labeled("file", "%s, %s", brume_volume_format_of(path)->description, brume_format_bytes(bytes).text);
    if (scene) {
        brume_print_labeled("scene", "%s", scene->name);
    }
    if (frame->has_frame) {
        brume_print_labeled("frame", "%d, at %g s", frame->frame, frame->time);
    } else {
        brume_print_labeled("frame", "not in the file");
    }
    brume_print_labeled("box", "%g x %g x %g m, lower corner at (%g, %g, %g) m, y up", frame->cells.nx * dx,
                        frame->cells.ny * dx, frame->cells.nz * dx, frame->origin[0], frame->origin[1],
                        frame->origin[2]);
    brume_print_labeled("cells", "%d x %d x %d (%s), dx %g m", frame->cells.nx, frame->cells.ny, frame->cells.nz,
                        brume_format_count((double)brume_grid_cells(frame->cells)).text, dx);
    BrumeGridStatistics statistics[BRUME_MAX_FRAME_GRIDS];
    for (int n = 0; n < frame->count; n++) {
        statistics[n] = brume_grid_statistics(frame, &frame->grids[n]);
        print_grid(frame, &frame->grids[n], &statistics[n], n == 0 ? "grids" : "");
    }
    if (frame->count == 0) {
        brume_print_labeled("grids", "none");
    }
    if (frame->has_particles) {
        print_particles(frame);
    }
    if (frame->has_particles && frame->count == 0) {
        return;
    }
    for (int n = 0; n < frame->count; n++) {
        if (frame->grids[n].note[0]) {
            brume_print_labeled("note", "%s %s", frame->grids[n].name, frame->grids[n].note);
        }
    }
    const double scale = brume_density_scale(frame);
    print_scale(scale, scene);
    if (!has_velocity(frame)) {
        brume_print_labeled("note", "without velocity; motion blur in other programs needs it (brume sim --fields "
                                    "smoke,temperature,particles,velocity)");
    }
    ProblemList problems = {0};
    for (int n = 0; n < frame->count; n++) {
        print_grid_problems(&problems, frame, &frame->grids[n], &statistics[n]);
    }
    print_frame_problems(&problems, frame, scale);
}

BrumeStatus brume_print_volume_info(const char *path, BrumeError *error)
{
    BrumeFrameGrids frame = {0};
    BrumeScene *scene = NULL;
    BrumeStatus status = brume_volume_file_read(&frame, path, error);
    if (status == BRUME_OK && frame.scene_text) {
        status =
            brume_scene_parse_written(&scene, frame.scene_text, "scene", NULL, 0, BRUME_SCENE_FILES_NONE, NULL, error);
        if (status == BRUME_BAD_INPUT) { // a scene of another version is no error here
            status = BRUME_OK;
        }
    }
    struct stat about;
    if (status == BRUME_OK && stat(path, &about) != 0) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot read: %s", path, strerror(errno));
    }
    if (status == BRUME_OK) {
        print_frame(&frame, scene, path, (double)about.st_size);
    }
    brume_scene_destroy(scene);
    brume_frame_grids_destroy(&frame);
    return status;
}
