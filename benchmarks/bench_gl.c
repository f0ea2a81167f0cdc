// Measures the upload and drawing times of the OpenGL renderer and prints the table of docs/rendering.md.
//     bench_gl [cells along a side ...]
// Threads: OMP_NUM_THREADS, else one per physical core; a software driver starts its own.
#include "app/bench/machine.h"
#include "brume/brume.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "core/quantile.h"
#include "core/vec3.h"
#include "gl_context.h"
#include "raymarch/gl/gl_renderer.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_REPEATS = 9, SMALLEST = 8, LARGEST = 512 };
static const double max_seconds = 2.0; // of the repeats of one measurement

// a bent column with a bumpy surface in the unit box
static float density_at(float x, float y, float z)
{
    const float phase = 26.0f * y;
    const float across = x - 0.5f - 0.06f * sinf(9.0f * y);
    const float along = z - 0.5f + 0.04f * cosf(7.0f * y);
    const float bumps = 0.03f * (sinf(phase + 31.0f * x) + sinf(29.0f * z - phase) + sinf(41.0f * y));
    const float radius = 0.07f + 0.2f * y + bumps;
    const float depth = radius - sqrtf(across * across + along * along);
    return y < 0.92f ? fminf(fmaxf(depth / 0.05f, 0.0f), 1.0f) : 0.0f;
}

static BrumeStatus make_column(BrumeVolume *volume, int n, BrumeError *error)
{
    const size_t side = (size_t)n;
    float *density = brume_alloc_untouched(side * side * side, sizeof *density);
    if (density == NULL) {
        return brume_out_of_memory(error, "%d^3 cells", n);
    }
    *volume = (BrumeVolume){.nx = n, .ny = n, .nz = n, .sy = n, .sz = (ptrdiff_t)n * n, .dx = 1.0f / (float)n};
    volume->origin = brume_vec3(-0.5f, 0.0f, -0.5f);
    volume->density[0] = density;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                density[i + volume->sy * j + volume->sz * k] = density_at(
                    ((float)i + 0.5f) * volume->dx, ((float)j + 0.5f) * volume->dx, ((float)k + 0.5f) * volume->dx);
            }
        }
    }
    return BRUME_OK;
}

// median time of a few pictures [ms], without the first
static double measure_draw(BrumeGlRenderer *renderer, const BrumeGlDraw *draw)
{
    const BrumeCamera camera = {.position = {0.3f, 0.8f, 2.2f}, .target = {0.0f, 0.5f, 0.0f}, .field_of_view = 32.0f};
    double ms[MAX_REPEATS];
    int count = 0;
    const double begin = brume_seconds();
    brume_gl_renderer_draw(renderer, &camera, draw);
    glFinish();
    while (count < MAX_REPEATS && (count < 3 || brume_seconds() - begin < max_seconds)) {
        const double start = brume_seconds();
        brume_gl_renderer_draw(renderer, &camera, draw);
        glFinish();
        ms[count++] = 1e3 * (brume_seconds() - start);
    }
    return brume_median(ms, count);
}

static BrumeStatus measure(int n, BrumeError *error)
{
    static const int sizes[][2] = {{640, 360}, {1280, 720}};
    const BrumeRenderSettings settings = brume_default_render_settings();
    BrumeVolume volume = {0};
    BrumeRenderer *lit = NULL;
    BrumeGlRenderer *renderer = NULL;
    BrumeStatus status = make_column(&volume, n, error);
    if (status == BRUME_OK) {
        status = brume_renderer_create(&lit, n, n, n, &settings, error);
    }
    if (status == BRUME_OK) {
        status = brume_gl_renderer_create(&renderer, error);
    }
    if (status != BRUME_OK) {
        goto cleanup;
    }
    status = brume_renderer_load(lit, &volume, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    (void)brume_renderer_light(lit, NULL);
    status = brume_gl_renderer_load(renderer, lit, NULL, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    const double start = brume_seconds();
    status = brume_gl_renderer_load(renderer, lit, NULL, error);
    glFinish();
    const double upload = 1e3 * (brume_seconds() - start);
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes && status == BRUME_OK; size++) {
        const int width = sizes[size][0];
        const int height = sizes[size][1];
        gl_target(width, height);
        (void)printf("| %d³ | %d × %d | %.1f |", n, width, height, upload);
        for (int shrink = 1; shrink <= 4; shrink *= 2) {
            const BrumeGlDraw draw = {.width = width, .height = height, .clip_right = width, .shrink = shrink};
            (void)printf(" %.1f |", measure_draw(renderer, &draw));
            (void)fflush(stdout);
        }
        (void)printf("\n");
    }
cleanup:
    brume_gl_renderer_destroy(renderer);
    brume_renderer_destroy(lit);
    brume_free((void *)volume.density[0]);
    return status;
}

int main(int argc, char **argv)
{
    brume_set_threads(brume_choose_threads(0));
    if (!gl_context_create()) {
        return BRUME_FAILED;
    }
    const BrumeMachine machine = brume_machine();
    (void)printf("%s, %d threads, %s, load %.2f before the run\n%s, OpenGL %s\n\n", machine.cpu, brume_get_threads(),
                 machine.compiler, brume_machine_load(), (const char *)glGetString(GL_RENDERER),
                 (const char *)glGetString(GL_VERSION));
    (void)printf("| cells | picture | upload ms | draw ms | at 1/2 | at 1/4 |\n");
    (void)printf("| --- | --- | --- | --- | --- | --- |\n");
    const char *const default_sizes[] = {"64", "128"};
    const int count = argc > 1 ? argc - 1 : (int)(sizeof default_sizes / sizeof default_sizes[0]);
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < count && status == BRUME_OK; n++) {
        const char *text = argc > 1 ? argv[n + 1] : default_sizes[n];
        char *end;
        const long size = strtol(text, &end, 10);
        BrumeError error = {0};
        if (*end != '\0' || size < SMALLEST || size > LARGEST) {
            status = brume_fail(&error, BRUME_BAD_INPUT, "'%s' is not a number of cells from %d to %d", text, SMALLEST,
                                LARGEST);
        } else {
            status = measure((int)size, &error);
        }
        if (status != BRUME_OK) {
            (void)fprintf(stderr, "bench_gl: %s\n", error.text);
        }
    }
    gl_context_destroy();
    return (int)status;
}
