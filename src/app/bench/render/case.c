#include "app/bench/render/case.h"

#include "app/bench/render/trilinear.h"
#include "brume/renderer.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "core/quantile.h"
#include "raymarch/cpu/renderer_internal.h"

#include <inttypes.h>

// series of measurements of one case
enum { SERIES_TRILINEAR = BRUME_RENDER_TIME_COUNT, SERIES_COUNT };

// a measurement in progress
typedef struct RenderMeasurement {
    const BrumeRenderSubject *subject;
    BrumeRenderCase *cases;
    int rounds;
    BrumeRenderer *renderer;
    BrumeTrilinearKernel *kernel;
    float *radiance;
    uint8_t *rgb;
    double *values; // count x SERIES_COUNT x rounds
} RenderMeasurement;

double brume_relative_spread(BrumeQuartiles values) { return (values.upper - values.lower) / values.median; }

double brume_render_sample_rate(const BrumeRenderCase *result)
{
    return (double)result->counts.samples / (1e-3 * result->ms[BRUME_RENDER_DRAW].median);
}

double brume_render_skipping_gain(const BrumeRenderCase *result)
{
    return result->ms[BRUME_RENDER_DRAW_ALL].median / result->ms[BRUME_RENDER_DRAW].median;
}

const BrumeRenderCase *brume_render_base(const BrumeRenderCase *cases, int count, int index)
{
    const BrumeRenderCase *base = &cases[index];
    for (int n = 0; n < count; n++) {
        const BrumeRenderCase *other = &cases[n];
        if (other->nx == base->nx && other->ny == base->ny && other->nz == base->nz && other->threads < base->threads) {
            base = other;
        }
    }
    return base;
}

static BrumeDrawDef draw_def(const BrumeRenderSubject *subject)
{
    return (BrumeDrawDef){.width = subject->width, .height = subject->height, .samples = 1, .seed = 1};
}

// draws one picture and measures the times of its stages [ms]
static BrumeStatus time_picture(RenderMeasurement *self, double ms[BRUME_RENDER_TIME_COUNT], BrumeError *error)
{
    const BrumeRenderSubject *subject = self->subject;
    const BrumeDrawDef def = draw_def(subject);
    double seconds[BRUME_RENDER_TIME_COUNT + 1];
    seconds[0] = brume_seconds();
    const BrumeStatus status = brume_renderer_load(self->renderer, &subject->volume, error);
    if (status != BRUME_OK) {
        return status;
    }
    seconds[1] = brume_seconds();
    (void)brume_renderer_light(self->renderer, NULL);
    seconds[2] = brume_seconds();
    (void)brume_renderer_draw(self->renderer, &subject->camera, &def, self->radiance, NULL);
    seconds[3] = brume_seconds();
    brume_tone_map(&subject->settings, subject->width, subject->height, self->radiance, self->rgb);
    seconds[4] = brume_seconds();
    for (int stage = BRUME_RENDER_LOAD; stage <= BRUME_RENDER_TONE; stage++) {
        ms[stage] = 1e3 * (seconds[stage + 1] - seconds[stage]);
    }
    ms[BRUME_RENDER_PICTURE] = 1e3 * (seconds[4] - seconds[0]);
    return BRUME_OK;
}

// draws the lit volume without skipping; returns the time [ms]
static double time_draw_all(RenderMeasurement *self)
{
    const BrumeDrawDef def = draw_def(self->subject);
    self->renderer->lit.medium.skip_empty = false;
    const double start = brume_seconds();
    (void)brume_renderer_draw(self->renderer, &self->subject->camera, &def, self->radiance, NULL);
    const double ms = 1e3 * (brume_seconds() - start);
    self->renderer->lit.medium.skip_empty = true;
    return ms;
}

static uint64_t hash_radiance(const RenderMeasurement *self)
{
    const size_t pixels = (size_t)self->subject->width * (size_t)self->subject->height;
    return brume_hash_bytes(self->radiance, 3 * pixels * sizeof(float), 0);
}

// measures the fractions of cells with smoke and of occupied macro-cells
static void measure_occupancy(BrumeRenderCase *result, const BrumeGridMedium *medium)
{
    const BrumeField *field = &medium->extinction;
    int64_t smoky = 0;
#pragma omp parallel for schedule(static) reduction(+ : smoky)
    for (int k = 1; k <= medium->grid.nz; k++) {
        for (int j = 1; j <= medium->grid.ny; j++) {
            const float *row = field->data + brume_field_index(field, 1, j, k);
            for (int i = 0; i < medium->grid.nx; i++) {
                smoky += row[i] > 0.0f;
            }
        }
    }
    const size_t macro_cells = brume_grid_cells(medium->macro_cells);
    size_t occupied = 0;
    for (size_t n = 0; n < macro_cells; n++) {
        occupied += medium->majorant[n] > 0.0f;
    }
    result->smoky_cells = (double)smoky / (double)brume_grid_cells(medium->grid);
    result->occupied_macro_cells = (double)occupied / (double)macro_cells;
}

// Runs the round that is not timed: it touches all memory, counts samples and hashes the pictures.
static BrumeStatus prepare_case(RenderMeasurement *self, BrumeRenderCase *result, BrumeError *difference,
                                BrumeError *error)
{
    const BrumeRenderSubject *subject = self->subject;
    BrumeLitMedium *lit = &self->renderer->lit;
    double ms[BRUME_RENDER_TIME_COUNT];
    brume_set_threads(result->threads);
    lit->counts = &result->counts;
    const BrumeStatus status = time_picture(self, ms, error);
    lit->counts = NULL;
    if (status != BRUME_OK) {
        return status;
    }
    const size_t pixels = (size_t)subject->width * (size_t)subject->height;
    const uint64_t radiance = hash_radiance(self);
    result->hash = brume_hash_bytes(self->rgb, 3 * pixels, radiance);
    result->nx = subject->volume.nx;
    result->ny = subject->volume.ny;
    result->nz = subject->volume.nz;
    result->bytes = brume_renderer_bytes(self->renderer);
    measure_occupancy(result, &lit->medium);

    (void)time_draw_all(self);
    if (difference->status == BRUME_OK && hash_radiance(self) != radiance) {
        (void)brume_fail(difference, BRUME_FAILED,
                         "the pictures of %d x %d x %d cells with and without empty macro-cells differ", result->nx,
                         result->ny, result->nz);
    }
    const BrumeRenderCase *first = &self->cases[0];
    if (difference->status == BRUME_OK &&
        (result->hash != first->hash || result->counts.samples != first->counts.samples)) {
        (void)brume_fail(
            difference, BRUME_FAILED,
            "the pictures of %d x %d x %d cells differ: %016" PRIx64 " with %d threads, %016" PRIx64 " with %d",
            result->nx, result->ny, result->nz, first->hash, first->threads, result->hash, result->threads);
    }
    return BRUME_OK;
}

static double *series_of(const RenderMeasurement *self, int index, int series)
{
    return self->values + ((ptrdiff_t)index * SERIES_COUNT + series) * self->rounds;
}

static BrumeStatus time_case(RenderMeasurement *self, int index, int round, BrumeError *error)
{
    brume_set_threads(self->cases[index].threads);
    (void)brume_measure_trilinear(self->kernel); // starts the threads of the team
    series_of(self, index, SERIES_TRILINEAR)[round] = brume_measure_trilinear(self->kernel);
    double ms[BRUME_RENDER_TIME_COUNT];
    const BrumeStatus status = time_picture(self, ms, error);
    if (status != BRUME_OK) {
        return status;
    }
    ms[BRUME_RENDER_DRAW_ALL] = time_draw_all(self);
    for (int n = 0; n < BRUME_RENDER_TIME_COUNT; n++) {
        series_of(self, index, n)[round] = ms[n];
    }
    return BRUME_OK;
}

static BrumeQuartiles quartiles(double *values, int count)
{
    return (BrumeQuartiles){brume_quantile(values, count, 0.25), brume_median(values, count),
                            brume_quantile(values, count, 0.75)};
}

static void summarize(const RenderMeasurement *self, int index)
{
    BrumeRenderCase *result = &self->cases[index];
    for (int n = 0; n < BRUME_RENDER_TIME_COUNT; n++) {
        result->ms[n] = quartiles(series_of(self, index, n), self->rounds);
    }
    result->trilinear = quartiles(series_of(self, index, SERIES_TRILINEAR), self->rounds);
}

BrumeStatus brume_bench_measure_render(BrumeRenderCase *cases, int count, const BrumeRenderSubject *subject, int rounds,
                                       BrumeError *error)
{
    const size_t pixels = (size_t)subject->width * (size_t)subject->height;
    RenderMeasurement self = {
        .subject = subject,
        .cases = cases,
        .rounds = rounds,
        .kernel = brume_alloc(1, sizeof *self.kernel),
        .radiance = brume_alloc(pixels, 3 * sizeof *self.radiance),
        .rgb = brume_alloc(pixels, 3 * sizeof *self.rgb),
        .values = brume_alloc((size_t)count * (size_t)rounds, SERIES_COUNT * sizeof *self.values),
    };
    BrumeError difference = {.status = BRUME_OK};
    BrumeStatus status = BRUME_OK;
    if (!self.kernel || !self.radiance || !self.rgb || !self.values) {
        status = brume_out_of_memory(error, "the picture");
        goto cleanup;
    }
    brume_trilinear_kernel_init(self.kernel);
    const BrumeVolume *volume = &subject->volume;
    status = brume_renderer_create(&self.renderer, volume->nx, volume->ny, volume->nz, &subject->settings, error);
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        status = prepare_case(&self, &cases[n], &difference, error);
    }
    for (int round = 0; round < rounds && status == BRUME_OK; round++) {
        for (int n = 0; n < count && status == BRUME_OK; n++) {
            status = time_case(&self, round % 2 == 0 ? n : count - 1 - n, round, error);
        }
    }
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        summarize(&self, n);
    }
    if (status == BRUME_OK && difference.status != BRUME_OK) {
        *error = difference;
        status = difference.status;
    }
cleanup:
    brume_renderer_destroy(self.renderer);
    brume_free(self.values);
    brume_free(self.rgb);
    brume_free(self.radiance);
    brume_free(self.kernel);
    return status;
}
