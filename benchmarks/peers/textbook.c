// A textbook solver: J. Stam, "Real-Time Fluid Dynamics for Games" (GDC 2003), extended from two to three dimensions.
// Velocity and scalars at the cell centers, semi-Lagrangian advection, 20 Gauss-Seidel sweeps for the pressure, one
// thread. The plume of smoke and heat is in a closed cube of 4 m; the other programs of the comparison simulate it in
// an open one.
//     textbook CELLS FRAMES
// Prints a line of CSV for each frame (of one step): its time, the time of the pressure solve, and its relative
// residual.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SWEEPS = 20, U = 0, V, W, DENSITY, HEAT, FIELDS };

static const float side = 4.0f; // of the box [m]
static const float lift =
    3.27f; // buoyant acceleration at the heat of the source [m/s^2]: gravity times 100 K over 300 K
static const float dt = 1.0f / 24.0f;                          // [s]
static const float source_radius = 0.4f, source_height = 0.7f; // [m]

static int n; // cells along a side; arrays have a layer of wall cells at each side, (n + 2)^3 entries

static size_t index_of(int i, int j, int k)
{
    const size_t stride = (size_t)n + 2;
    return ((size_t)k * stride + (size_t)j) * stride + (size_t)i;
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// sets the wall cells to the adjacent cells, with the opposite sign if `x` is the velocity normal to the wall
static void set_walls(int field, float *x)
{
    const float across[3] = {field == U ? -1.0f : 1.0f, field == V ? -1.0f : 1.0f, field == W ? -1.0f : 1.0f};
    for (int a = 0; a <= n + 1; a++) {
        for (int b = 0; b <= n + 1; b++) {
            x[index_of(0, a, b)] = across[0] * x[index_of(1, a, b)];
            x[index_of(n + 1, a, b)] = across[0] * x[index_of(n, a, b)];
        }
    }
    for (int a = 0; a <= n + 1; a++) {
        for (int b = 0; b <= n + 1; b++) {
            x[index_of(a, 0, b)] = across[1] * x[index_of(a, 1, b)];
            x[index_of(a, n + 1, b)] = across[1] * x[index_of(a, n, b)];
        }
    }
    for (int a = 0; a <= n + 1; a++) {
        for (int b = 0; b <= n + 1; b++) {
            x[index_of(a, b, 0)] = across[2] * x[index_of(a, b, 1)];
            x[index_of(a, b, n + 1)] = across[2] * x[index_of(a, b, n)];
        }
    }
}

static void add_sources(float *const fields[FIELDS])
{
    const float dx = side / (float)n;
    for (int k = 1; k <= n; k++) {
        for (int j = 1; j <= n; j++) {
            for (int i = 1; i <= n; i++) {
                const size_t at = index_of(i, j, k);
                const float x = ((float)i - 0.5f) * dx - 0.5f * side;
                const float y = ((float)j - 0.5f) * dx - source_height;
                const float z = ((float)k - 0.5f) * dx - 0.5f * side;
                if (x * x + y * y + z * z < source_radius * source_radius) {
                    fields[DENSITY][at] = 1.0f;
                    fields[HEAT][at] = 1.0f;
                }
                fields[V][at] += dt * lift * fields[HEAT][at];
            }
        }
    }
}

static void sweep(float *p, const float *div)
{
    for (int k = 1; k <= n; k++) {
        for (int j = 1; j <= n; j++) {
            for (int i = 1; i <= n; i++) {
                p[index_of(i, j, k)] = (div[index_of(i, j, k)] + p[index_of(i - 1, j, k)] + p[index_of(i + 1, j, k)] +
                                        p[index_of(i, j - 1, k)] + p[index_of(i, j + 1, k)] + p[index_of(i, j, k - 1)] +
                                        p[index_of(i, j, k + 1)]) /
                                       6.0f;
            }
        }
    }
    set_walls(FIELDS, p);
}

static double residual_of(const float *p, const float *div)
{
    double residual = 0.0;
    double rhs = 0.0;
    for (int k = 1; k <= n; k++) {
        for (int j = 1; j <= n; j++) {
            for (int i = 1; i <= n; i++) {
                const double b = (double)div[index_of(i, j, k)];
                const double sum = (double)p[index_of(i - 1, j, k)] + (double)p[index_of(i + 1, j, k)] +
                                   (double)p[index_of(i, j - 1, k)] + (double)p[index_of(i, j + 1, k)] +
                                   (double)p[index_of(i, j, k - 1)] + (double)p[index_of(i, j, k + 1)];
                const double r = b + sum - 6.0 * (double)p[index_of(i, j, k)];
                residual += r * r;
                rhs += b * b;
            }
        }
    }
    return rhs > 0.0 ? sqrt(residual / rhs) : 0.0;
}

static void project(float *u, float *v, float *w, float *p, float *div)
{
    const float h = 1.0f / (float)n;
    for (int k = 1; k <= n; k++) {
        for (int j = 1; j <= n; j++) {
            for (int i = 1; i <= n; i++) {
                div[index_of(i, j, k)] =
                    -0.5f * h *
                    (u[index_of(i + 1, j, k)] - u[index_of(i - 1, j, k)] + v[index_of(i, j + 1, k)] -
                     v[index_of(i, j - 1, k)] + w[index_of(i, j, k + 1)] - w[index_of(i, j, k - 1)]);
                p[index_of(i, j, k)] = 0.0f;
            }
        }
    }
    set_walls(FIELDS, div);
    set_walls(FIELDS, p);
    for (int count = 0; count < SWEEPS; count++) {
        sweep(p, div);
    }
    for (int k = 1; k <= n; k++) {
        for (int j = 1; j <= n; j++) {
            for (int i = 1; i <= n; i++) {
                u[index_of(i, j, k)] -= 0.5f * (p[index_of(i + 1, j, k)] - p[index_of(i - 1, j, k)]) / h;
                v[index_of(i, j, k)] -= 0.5f * (p[index_of(i, j + 1, k)] - p[index_of(i, j - 1, k)]) / h;
                w[index_of(i, j, k)] -= 0.5f * (p[index_of(i, j, k + 1)] - p[index_of(i, j, k - 1)]) / h;
            }
        }
    }
    set_walls(U, u);
    set_walls(V, v);
    set_walls(W, w);
}

static float clamp_to_box(float x) { return fminf(fmaxf(x, 0.5f), (float)n + 0.5f); }

static void advect(int field, float *to, const float *from, const float *u, const float *v, const float *w)
{
    const float cells_per_mps = dt * (float)n / side;
    for (int k = 1; k <= n; k++) {
        for (int j = 1; j <= n; j++) {
            for (int i = 1; i <= n; i++) {
                const size_t at = index_of(i, j, k);
                const float x = clamp_to_box((float)i - cells_per_mps * u[at]);
                const float y = clamp_to_box((float)j - cells_per_mps * v[at]);
                const float z = clamp_to_box((float)k - cells_per_mps * w[at]);
                const int i0 = (int)x;
                const int j0 = (int)y;
                const int k0 = (int)z;
                const float s = x - (float)i0;
                const float t = y - (float)j0;
                const float r = z - (float)k0;
                float planes[2];
                for (int c = 0; c < 2; c++) {
                    const float *corner = from + index_of(i0, j0, k0 + c);
                    const float *above = from + index_of(i0, j0 + 1, k0 + c);
                    const float lower = (1.0f - s) * corner[0] + s * corner[1];
                    const float upper = (1.0f - s) * above[0] + s * above[1];
                    planes[c] = (1.0f - t) * lower + t * upper;
                }
                to[at] = (1.0f - r) * planes[0] + r * planes[1];
            }
        }
    }
    set_walls(field, to);
}

int main(int argc, char **argv)
{
    const int frames = argc == 3 ? atoi(argv[2]) : 0;
    n = argc == 3 ? atoi(argv[1]) : 0;
    if (n < 8 || n > 1024 || frames < 1) {
        (void)fprintf(stderr, "usage: textbook CELLS FRAMES\n");
        return 2;
    }
    const size_t entries = index_of(n + 1, n + 1, n + 1) + 1;
    float *memory = calloc(entries * (2 * FIELDS + 2), sizeof *memory);
    if (!memory) {
        (void)fprintf(stderr, "textbook: out of memory\n");
        return 1;
    }
    float *now[FIELDS];
    float *next[FIELDS];
    for (int field = 0; field < FIELDS; field++) {
        now[field] = memory + entries * (size_t)field;
        next[field] = memory + entries * (size_t)(FIELDS + field);
    }
    float *p = memory + entries * (2 * FIELDS);
    float *div = p + entries;
    (void)printf("frame,frame_ms,pressure_ms,residual\n");
    for (int frame = 1; frame <= frames; frame++) {
        const double start = seconds();
        add_sources(now);
        const double projection = seconds();
        project(now[U], now[V], now[W], p, div);
        const double advection = seconds();
        for (int field = 0; field < FIELDS; field++) {
            advect(field, next[field], now[field], now[U], now[V], now[W]);
        }
        for (int field = 0; field < FIELDS; field++) {
            float *swapped = now[field];
            now[field] = next[field];
            next[field] = swapped;
        }
        const double end = seconds();
        (void)printf("%d,%.3f,%.3f,%.3g\n", frame, 1e3 * (end - start), 1e3 * (advection - projection),
                     residual_of(p, div));
        (void)fflush(stdout);
    }
    free(memory);
    return 0;
}
