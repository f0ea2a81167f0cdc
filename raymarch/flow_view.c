#include "raymarch/flow_view.h"

#include "core/memory.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/samples.h"
#include "core/vec3.h"
#include "raymarch/color_map.h"
#include "raymarch/fast_math.h"
#include "raymarch/grid_medium.h"
#include "raymarch/intersect.h"
#include "raymarch/medium_edges.h"
#include "raymarch/streamlines.h"
#include "raymarch/tubes.h"
#include "raymarch/volume_samples.h"

#include <math.h>
#include <string.h>

// the pressure coefficient of a kinematic pressure of 1 m^2/s^2
static float coefficient_per_pressure(const BrumeRenderSettings *settings)
{
    const float speed = settings->reference_speed > 0.0f ? settings->reference_speed : 1.0f;
    return 2.0f / (speed * speed);
}

// the value of a quantity, which the volume has, at a point
static float value_at(const BrumeVolume *volume, const BrumeRenderSettings *settings, BrumeFlowQuantity quantity,
                      BrumeVec3 point)
{
    return quantity == BRUME_FLOW_SPEED ? brume_length(brume_volume_velocity(volume, point))
           : quantity == BRUME_FLOW_PRESSURE
               ? coefficient_per_pressure(settings) * brume_volume_value(volume, volume->pressure, point)
               : brume_volume_value(volume, volume->temperature, point);
}

static bool has_quantity(const BrumeVolume *volume, BrumeFlowQuantity quantity)
{
    return quantity == BRUME_FLOW_SPEED || (quantity == BRUME_FLOW_PRESSURE && volume->pressure != NULL) ||
           (quantity == BRUME_FLOW_TEMPERATURE && volume->temperature != NULL);
}

// the colors at the points of a line; NULL without memory
static BrumeVec3 *line_colors(const BrumeStreamline *line, const BrumeRake *rake, const BrumeRenderSettings *settings,
                              const BrumeVolume *volume)
{
    const BrumeFlowColors colors = brume_flow_colors_resolved(&rake->colors, settings->reference_speed);
    const bool plain = !has_quantity(volume, colors.quantity);
    BrumeVec3 *at = brume_alloc_untouched((size_t)line->count, sizeof *at);
    for (int n = 0; n < line->count && at; n++) {
        at[n] = plain ? rake->color
                      : brume_flow_color(&colors, value_at(volume, settings, colors.quantity, line->points[n]));
    }
    return at;
}

// traces the streamlines of a rake, and sets the tubes around them
static BrumeStatus trace_rake(BrumeStreamline *lines, BrumeTube *tubes, const BrumeRake *rake,
                              const BrumeRenderSettings *settings, const BrumeVolume *volume, BrumeError *error)
{
    const float radius = rake->radius > 0.0f ? rake->radius : brume_volume_longest_side(volume) / 600.0f;
    BrumeStatus status = brume_trace_streamlines(lines, rake, settings, volume, false, error);
    for (int n = 0; n < rake->count && status == BRUME_OK; n++) {
        const BrumeVec3 *colors = lines[n].count > 0 ? line_colors(&lines[n], rake, settings, volume) : NULL;
        tubes[n] = (BrumeTube){lines[n].count, lines[n].points, colors, radius};
        status = lines[n].count == 0 || colors ? BRUME_OK : brume_out_of_memory(error, "streamlines");
    }
    return status;
}

static BrumeStatus create_lines(BrumeMesh **mesh, const BrumeRenderSettings *settings, const BrumeVolume *volume,
                                BrumeError *error)
{
    int count = 0; // of all rakes
    for (int n = 0; n < settings->rake_count; n++) {
        count += settings->rakes[n].count;
    }
    BrumeStreamline *lines = brume_alloc((size_t)count, sizeof *lines);
    BrumeTube *tubes = brume_alloc((size_t)count, sizeof *tubes);
    BrumeStatus status = BRUME_OK;
    if (!lines || !tubes) {
        status = BRUME_FAILED;
        (void)brume_out_of_memory(error, "streamlines");
    }
    int first = 0;
    for (int n = 0; n < settings->rake_count && status == BRUME_OK; n++) {
        status = trace_rake(lines + first, tubes + first, &settings->rakes[n], settings, volume, error);
        first += settings->rakes[n].count;
    }
    if (status == BRUME_OK) {
        status = brume_create_tubes(mesh, tubes, count, error);
    }
    for (int n = 0; n < count && tubes; n++) {
        brume_free((void *)tubes[n].colors);
    }
    if (lines) {
        brume_streamlines_free(lines, count);
    }
    brume_free(lines);
    brume_free(tubes);
    return status;
}

// sets the field to the pressure coefficient of the cells
static void fill_pressure(BrumeField *field, const BrumeRenderSettings *settings, const BrumeVolume *volume)
{
    const float factor = coefficient_per_pressure(settings);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < volume->nz; k++) {
        for (int j = 0; j < volume->ny; j++) {
            const float *from = volume->pressure + k * volume->sz + j * volume->sy;
            float *to = field->data + brume_field_index(field, 1, j + 1, k + 1);
            for (int i = 0; i < volume->nx; i++) {
                const float value = factor * from[i];
                to[i] = isfinite(value) ? value : 0.0f;
            }
        }
    }
}

static BrumeStatus create_pressure(BrumeSamples **pressure, const BrumeRenderSettings *settings,
                                   const BrumeVolume *volume, BrumeError *error)
{
    const BrumeGrid grid = brume_grid(volume->nx, volume->ny, volume->nz);
    const double dx = (double)volume->dx;
    BrumeField field = {0};
    uint8_t *inside = brume_alloc_untouched(brume_inside_bytes(grid), sizeof *inside);
    float *values = brume_alloc_untouched(brume_grid_cells(grid), sizeof *values);
    BrumeStatus status = BRUME_FAILED;
    if (!inside || !values || brume_field_create(&field, grid, NULL) != BRUME_OK || !field.data) {
        (void)brume_out_of_memory(error, "the pressure on bodies");
    } else {
        fill_pressure(&field, settings, volume);
        const BrumeMediumCells cells = {.extinction = &field,
                                        .box = brume_whole_box(grid),
                                        .dx = volume->dx,
                                        .origin = volume->origin,
                                        .inside = inside,
                                        .replaces = true};
        brume_extend_into_solids(&cells, settings);
        for (int row = 0; row < grid.ny * grid.nz; row++) {
            memcpy(values + (size_t)row * (size_t)grid.nx,
                   field.data + brume_field_index(&field, 1, row % grid.ny + 1, row / grid.ny + 1),
                   (size_t)grid.nx * sizeof *values);
        }
        const BrumeSamplesDef def = {
            .nx = grid.nx,
            .ny = grid.ny,
            .nz = grid.nz,
            .first = {(double)volume->origin.x + 0.5 * dx, (double)volume->origin.y + 0.5 * dx,
                      (double)volume->origin.z + 0.5 * dx},
            .spacing = dx,
            .values = values,
        };
        status = brume_samples_create(pressure, &def, error);
    }
    brume_field_destroy(&field);
    brume_free(values);
    brume_free(inside);
    return status;
}

BrumeStatus brume_flow_view_load(BrumeFlowView *flow, const BrumeRenderSettings *settings, const BrumeVolume *volume,
                                 BrumeError *error)
{
    brume_flow_view_destroy(flow);
    BrumeStatus status = BRUME_OK;
    if (brume_draws_streamlines(settings) && volume->velocity[0] != NULL) {
        BrumeMesh *mesh = NULL;
        status = create_lines(&mesh, settings, volume, error);
        flow->lines = (BrumeSurface){.shape = {.kind = BRUME_SHAPE_MESH, .mesh = mesh}, {1.0f, 1.0f, 1.0f}};
    }
    if (status == BRUME_OK && settings->surface_colors.quantity == BRUME_FLOW_PRESSURE && volume->pressure != NULL) {
        BrumeSamples *pressure = NULL;
        status = create_pressure(&pressure, settings, volume, error);
        flow->pressure = pressure;
    }
    if (status != BRUME_OK) {
        brume_flow_view_destroy(flow);
    }
    return status;
}

void brume_flow_view_destroy(BrumeFlowView *flow)
{
    brume_mesh_release(flow->lines.shape.mesh);
    brume_samples_release(flow->pressure);
    *flow = (BrumeFlowView){0};
}

size_t brume_flow_view_bytes(const BrumeFlowView *flow)
{
    return (flow->lines.shape.mesh ? brume_mesh_bytes(flow->lines.shape.mesh) : 0) +
           (flow->pressure ? brume_samples_bytes(flow->pressure) : 0);
}

static double clamp(double value, double lower, double upper) { return brume_fmin(brume_fmax(value, lower), upper); }

// the pressure coefficient at a point in the box, or at the nearest center of a cell
static float pressure_at(const BrumeSamples *pressure, BrumeVec3 point)
{
    double at[3];
    for (int axis = 0; axis < 3; axis++) {
        const double first = pressure->first[axis];
        const double last = first + pressure->spacing * (pressure->n[axis] - 1);
        at[axis] = clamp((double)brume_component(point, axis), first, last);
    }
    double value;
    (void)brume_samples_at(pressure, at, &value);
    return (float)value;
}

// Extrapolated from two points in front of the surface, the nearer one so far from it that its value depends little on
// cells that the surface crosses, and not on the air behind a thin solid. The mean error of the coefficient on a sphere
// in potential flow is .1 with 8 cells in its radius, and .04 with 16.
float brume_pressure_at_surface(const BrumeFlowView *flow, BrumeVec3 point, BrumeVec3 normal)
{
    const BrumeSamples *pressure = flow->pressure;
    const float dx = (float)pressure->spacing;
    const float before = 0.75f; // [cells]
    const float near = pressure_at(pressure, brume_add(point, brume_scale(normal, before * dx)));
    const float far = pressure_at(pressure, brume_add(point, brume_scale(normal, (before + 1.0f) * dx)));
    return near + before * (near - far);
}
