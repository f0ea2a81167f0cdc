// Stam's code of 2003: against an independent text of its routines, and what its numbers and its arrangement do.
#include "sim/integrators/centers.h"
#include "sim_support.h"

#include <stdlib.h>

static BrumeSimDef collocated_box(int nx, int ny, int nz)
{
    BrumeSimDef def = box_def(nx, ny, nz, 1.0f / (float)nx, BRUME_WALL);
    def.integrator = "collocated";
    return def;
}

// the velocity at the centers of the cells
static void set_centers(BrumeSim *sim, Formula *const formulas[3], const void *context)
{
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *field = &sim->previous[axis];
        for (int k = 1; k <= field->grid.nz; k++) {
            for (int j = 1; j <= field->grid.ny; j++) {
                for (int i = 1; i <= field->grid.nx; i++) {
                    const double dx = (double)sim->def.dx;
                    field->data[brume_field_index(field, i, j, k)] =
                        (float)formulas[axis]((i - 0.5) * dx, (j - 0.5) * dx, (k - 0.5) * dx, context);
                }
            }
        }
    }
    brume_establish(sim, BRUME_VALID_PREVIOUS);
    brume_centers_to_faces(sim);
}

/*
 * The routines of the paper for N x N cells, in double precision and with its units: the box has side 1, h = 1 / N.
 */
enum { N = 16, SIDE = N + 2 };
#define IX(i, j) ((i) + SIDE * (j))

static void set_bnd(int b, double *x)
{
    for (int i = 1; i <= N; i++) {
        x[IX(0, i)] = b == 1 ? -x[IX(1, i)] : x[IX(1, i)];
        x[IX(N + 1, i)] = b == 1 ? -x[IX(N, i)] : x[IX(N, i)];
        x[IX(i, 0)] = b == 2 ? -x[IX(i, 1)] : x[IX(i, 1)];
        x[IX(i, N + 1)] = b == 2 ? -x[IX(i, N)] : x[IX(i, N)];
    }
    x[IX(0, 0)] = 0.5 * (x[IX(1, 0)] + x[IX(0, 1)]);
    x[IX(0, N + 1)] = 0.5 * (x[IX(1, N + 1)] + x[IX(0, N)]);
    x[IX(N + 1, 0)] = 0.5 * (x[IX(N, 0)] + x[IX(N + 1, 1)]);
    x[IX(N + 1, N + 1)] = 0.5 * (x[IX(N, N + 1)] + x[IX(N + 1, N)]);
}

static void lin_solve(int b, double *x, const double *x0, double a, double c)
{
    for (int n = 0; n < 20; n++) {
        for (int j = 1; j <= N; j++) {
            for (int i = 1; i <= N; i++) {
                x[IX(i, j)] =
                    (x0[IX(i, j)] + a * (x[IX(i - 1, j)] + x[IX(i + 1, j)] + x[IX(i, j - 1)] + x[IX(i, j + 1)])) / c;
            }
        }
        set_bnd(b, x);
    }
}

static void advect(int b, double *d, const double *d0, const double *u, const double *v, double dt)
{
    const double dt0 = dt * N;
    for (int j = 1; j <= N; j++) {
        for (int i = 1; i <= N; i++) {
            const double x = fmin(fmax(i - dt0 * u[IX(i, j)], 0.5), N + 0.5);
            const double y = fmin(fmax(j - dt0 * v[IX(i, j)], 0.5), N + 0.5);
            const int i0 = (int)x;
            const int j0 = (int)y;
            const double s1 = x - i0;
            const double t1 = y - j0;
            d[IX(i, j)] = (1.0 - s1) * ((1.0 - t1) * d0[IX(i0, j0)] + t1 * d0[IX(i0, j0 + 1)]) +
                          s1 * ((1.0 - t1) * d0[IX(i0 + 1, j0)] + t1 * d0[IX(i0 + 1, j0 + 1)]);
        }
    }
    set_bnd(b, d);
}

static void project(double *u, double *v)
{
    static double p[SIDE * SIDE];
    static double div[SIDE * SIDE];
    const double h = 1.0 / N;
    memset(p, 0, sizeof p);
    for (int j = 1; j <= N; j++) {
        for (int i = 1; i <= N; i++) {
            div[IX(i, j)] = -0.5 * h * (u[IX(i + 1, j)] - u[IX(i - 1, j)] + v[IX(i, j + 1)] - v[IX(i, j - 1)]);
        }
    }
    lin_solve(0, p, div, 1.0, 4.0);
    for (int j = 1; j <= N; j++) {
        for (int i = 1; i <= N; i++) {
            u[IX(i, j)] -= 0.5 * (p[IX(i + 1, j)] - p[IX(i - 1, j)]) / h;
            v[IX(i, j)] -= 0.5 * (p[IX(i, j + 1)] - p[IX(i, j - 1)]) / h;
        }
    }
    set_bnd(1, u);
    set_bnd(2, v);
}

static void step_of_paper(double *u, double *v, double *s, double visc, double diff, double dt)
{
    static double u0[SIDE * SIDE];
    static double v0[SIDE * SIDE];
    const double a = dt * visc * N * N;
    memcpy(u0, u, sizeof u0);
    memcpy(v0, v, sizeof v0);
    lin_solve(1, u, u0, a, 1.0 + 4.0 * a);
    lin_solve(2, v, v0, a, 1.0 + 4.0 * a);
    project(u, v);
    memcpy(u0, u, sizeof u0);
    memcpy(v0, v, sizeof v0);
    advect(1, u, u0, u0, v0, dt);
    advect(2, v, v0, u0, v0, dt);
    project(u, v);
    const double b = dt * diff * N * N;
    memcpy(u0, s, sizeof u0);
    lin_solve(0, s, u0, b, 1.0 + 4.0 * b);
    memcpy(u0, s, sizeof u0);
    advect(0, s, u0, u, v, dt);
}

// a flow that walls turn, not free of divergence
static double wind_u(double x, double y, double z, const void *context)
{
    (void)z;
    return *(const double *)context * sin(M_PI * x) * (0.3 + cos(M_PI * y));
}

static double wind_v(double x, double y, double z, const void *context)
{
    (void)z;
    return -*(const double *)context * (0.2 + cos(M_PI * x)) * sin(M_PI * y);
}

static double zero(double x, double y, double z, const void *context)
{
    (void)x, (void)y, (void)z, (void)context;
    return 0.0;
}

static double blob(double x, double y, double z, const void *context)
{
    (void)z, (void)context;
    return exp(-((x - 0.4) * (x - 0.4) + (y - 0.6) * (y - 0.6)) / 0.02);
}

static Formula *const winds[3] = {wind_u, wind_v, zero};

static double difference_in_plane(const BrumeField *field, const double *expected, int k)
{
    double largest = 0.0;
    for (int j = 1; j <= N; j++) {
        for (int i = 1; i <= N; i++) {
            largest = fmax(largest, fabs((double)brume_field_at(field, i, j, k) - expected[IX(i, j)]));
        }
    }
    return largest;
}

/*
 * A flow that does not vary along z is that of the paper, but for what 20 sweeps leave of the pressure: its cells have
 * two more neighbors, which slows the relaxation.
 */
static void flow_of_a_plane_is_that_of_the_paper(void **state)
{
    (void)state;
    const double speed = 1.0;
    const double dt = 0.03;
    static double u[SIDE * SIDE], v[SIDE * SIDE], s[SIDE * SIDE]; // NOLINT(readability-isolate-declaration)
    BrumeSimDef def = collocated_box(N, N, 8);
    def.viscosity = 0.002f;
    def.smoke[0].diffusivity = 0.001f;
    BrumeSim *sim = create(&def);
    set_centers(sim, winds, &speed);
    fill(sim, BRUME_FIELD_DENSITY, blob, NULL);
    for (int j = 1; j <= N; j++) {
        for (int i = 1; i <= N; i++) {
            u[IX(i, j)] = wind_u((i - 0.5) / N, (j - 0.5) / N, 0.0, &speed);
            v[IX(i, j)] = wind_v((i - 0.5) / N, (j - 0.5) / N, 0.0, &speed);
            s[IX(i, j)] = blob((i - 0.5) / N, (j - 0.5) / N, 0.0, NULL);
        }
    }
    set_bnd(1, u);
    set_bnd(2, v);
    set_bnd(0, s);
    for (int n = 0; n < 10; n++) {
        step(sim, dt, NULL);
        step_of_paper(u, v, s, 0.002, 0.001, dt);
    }
    for (int k = 1; k <= 8; k++) {
        assert_at_most(difference_in_plane(&sim->previous[0], u, k), 0.03);
        assert_at_most(difference_in_plane(&sim->previous[1], v, k), 0.03);
        assert_at_most(difference_in_plane(&sim->fields[BRUME_FIELD_DENSITY], s, k), 0.03);
    }
    assert_at_most(max_abs(&sim->previous[2]), 5e-3);
    brume_sim_destroy(sim);
}

/*
 * The same routines in three dimensions, cell by cell and in double precision, with the ghosts by a rule for any of
 * them: an entry outside of the box is the mean of those one step closer to it along each axis in which it is outside.
 */
enum { NX = 10, NY = 12, NZ = 8 };
typedef double Box[NZ + 2][NY + 2][NX + 2];

static void set_ghosts(Box x, int b)
{
    for (int layers = 1; layers <= 3; layers++) {
        for (int k = 0; k <= NZ + 1; k++) {
            for (int j = 0; j <= NY + 1; j++) {
                for (int i = 0; i <= NX + 1; i++) {
                    const int di = (i == 0) - (i == NX + 1);
                    const int dj = (j == 0) - (j == NY + 1);
                    const int dk = (k == 0) - (k == NZ + 1);
                    if (abs(di) + abs(dj) + abs(dk) != layers) {
                        continue;
                    }
                    const double sum = (di != 0 ? x[k][j][i + di] : 0.0) + (dj != 0 ? x[k][j + dj][i] : 0.0) +
                                       (dk != 0 ? x[k + dk][j][i] : 0.0);
                    const bool reversed = layers == 1 && ((b == 1 && di) || (b == 2 && dj) || (b == 3 && dk));
                    x[k][j][i] = (reversed ? -sum : sum) / layers;
                }
            }
        }
    }
}

static void relax(Box x, Box right, int b, double a, double c)
{
    for (int n = 0; n < 20; n++) {
        for (int k = 1; k <= NZ; k++) {
            for (int j = 1; j <= NY; j++) {
                for (int i = 1; i <= NX; i++) {
                    const double sum = x[k][j][i - 1] + x[k][j][i + 1] + x[k][j - 1][i] + x[k][j + 1][i] +
                                       x[k - 1][j][i] + x[k + 1][j][i];
                    x[k][j][i] = (right[k][j][i] + a * sum) / c;
                }
            }
        }
        set_ghosts(x, b);
    }
}

static void diffuse_box(Box x, int b, double a)
{
    static Box before;
    set_ghosts(x, b);
    memcpy(before, x, sizeof before);
    relax(x, before, b, a, 1.0 + 6.0 * a);
}

static double weight(double at, int entry) { return fmax(0.0, 1.0 - fabs(at - entry)); }

static void advect_box(Box x, int b, Box u, Box v, Box w)
{
    static Box before;
    memcpy(before, x, sizeof before);
    for (int k = 1; k <= NZ; k++) {
        for (int j = 1; j <= NY; j++) {
            for (int i = 1; i <= NX; i++) {
                const double at_x = fmin(fmax(i - u[k][j][i], 0.5), NX + 0.5);
                const double at_y = fmin(fmax(j - v[k][j][i], 0.5), NY + 0.5);
                const double at_z = fmin(fmax(k - w[k][j][i], 0.5), NZ + 0.5);
                double sum = 0.0;
                for (int kk = 0; kk <= NZ + 1; kk++) {
                    for (int jj = 0; jj <= NY + 1 && weight(at_z, kk) > 0.0; jj++) {
                        for (int ii = 0; ii <= NX + 1 && weight(at_y, jj) > 0.0; ii++) {
                            sum += weight(at_x, ii) * weight(at_y, jj) * weight(at_z, kk) * before[kk][jj][ii];
                        }
                    }
                }
                x[k][j][i] = sum;
            }
        }
    }
    set_ghosts(x, b);
}

static void project_box(Box u, Box v, Box w)
{
    static Box p;
    static Box div;
    memset(p, 0, sizeof p);
    for (int k = 1; k <= NZ; k++) {
        for (int j = 1; j <= NY; j++) {
            for (int i = 1; i <= NX; i++) {
                div[k][j][i] = -0.5 * (u[k][j][i + 1] - u[k][j][i - 1] + v[k][j + 1][i] - v[k][j - 1][i] +
                                       w[k + 1][j][i] - w[k - 1][j][i]);
            }
        }
    }
    relax(p, div, 0, 1.0, 6.0);
    for (int k = 1; k <= NZ; k++) {
        for (int j = 1; j <= NY; j++) {
            for (int i = 1; i <= NX; i++) {
                u[k][j][i] -= 0.5 * (p[k][j][i + 1] - p[k][j][i - 1]);
                v[k][j][i] -= 0.5 * (p[k][j + 1][i] - p[k][j - 1][i]);
                w[k][j][i] -= 0.5 * (p[k + 1][j][i] - p[k - 1][j][i]);
            }
        }
    }
    set_ghosts(u, 1);
    set_ghosts(v, 2);
    set_ghosts(w, 3);
}

static double turning_w(double x, double y, double z, const void *context)
{
    return *(const double *)context * sin(7.0 * x + 3.0 * y) * cos(5.0 * z);
}

static double blob_3d(double x, double y, double z, const void *context)
{
    return blob(x, y, 0.0, context) * exp(-(z - 0.4) * (z - 0.4) / 0.03);
}

static Formula *const turning_winds[3] = {wind_u, wind_v, turning_w};

static void load_box(Box x, const BrumeField *field, double scale)
{
    for (int k = 1; k <= NZ; k++) {
        for (int j = 1; j <= NY; j++) {
            for (int i = 1; i <= NX; i++) {
                x[k][j][i] = scale * (double)brume_field_at(field, i, j, k);
            }
        }
    }
}

static double difference_in_box(const BrumeField *field, Box x, double scale)
{
    double largest = 0.0;
    for (int k = 1; k <= NZ; k++) {
        for (int j = 1; j <= NY; j++) {
            for (int i = 1; i <= NX; i++) {
                largest = fmax(largest, fabs(scale * (double)brume_field_at(field, i, j, k) - x[k][j][i]));
            }
        }
    }
    return largest;
}

static void steps_are_those_of_an_independent_text(void **state)
{
    (void)state;
    static Box u, v, w, s; // NOLINT(readability-isolate-declaration)
    const double speed = 1.0;
    const double dt = 0.05;
    BrumeSimDef def = collocated_box(NX, NY, NZ);
    def.viscosity = 0.01f;
    def.smoke[0].diffusivity = 0.004f;
    def.smoke[0].dissipation = 0.5f;
    BrumeSim *sim = create(&def);
    set_centers(sim, turning_winds, &speed);
    fill(sim, BRUME_FIELD_DENSITY, blob_3d, NULL);
    const double cells = dt / (double)def.dx; // a velocity of 1 m/s in a step
    const double square = dt / ((double)def.dx * (double)def.dx);
    load_box(u, &sim->previous[0], cells);
    load_box(v, &sim->previous[1], cells);
    load_box(w, &sim->previous[2], cells);
    load_box(s, &sim->fields[BRUME_FIELD_DENSITY], 1.0);
    for (int n = 0; n < 5; n++) {
        static Box u0, v0, w0; // NOLINT(readability-isolate-declaration)
        step(sim, dt, NULL);
        diffuse_box(u, 1, 0.01 * square);
        diffuse_box(v, 2, 0.01 * square);
        diffuse_box(w, 3, 0.01 * square);
        project_box(u, v, w);
        memcpy(u0, u, sizeof u0);
        memcpy(v0, v, sizeof v0);
        memcpy(w0, w, sizeof w0);
        advect_box(u, 1, u0, v0, w0);
        advect_box(v, 2, u0, v0, w0);
        advect_box(w, 3, u0, v0, w0);
        project_box(u, v, w);
        diffuse_box(s, 0, 0.004 * square);
        advect_box(s, 0, u, v, w);
        for (size_t c = 0; c < sizeof s / sizeof(double); c++) {
            (&s[0][0][0])[c] *= exp(-0.5 * dt);
        }
    }
    assert_at_most(difference_in_box(&sim->previous[0], u, cells), 2e-6);
    assert_at_most(difference_in_box(&sim->previous[1], v, cells), 2e-6);
    assert_at_most(difference_in_box(&sim->previous[2], w, cells), 2e-6);
    assert_at_most(difference_in_box(&sim->fields[BRUME_FIELD_DENSITY], s, 1.0), 2e-6);
    brume_sim_destroy(sim);
}

static double alternating(double x, double y, double z, const void *context)
{
    (void)y, (void)z;
    return (int)floor(x / *(const double *)context + 0.25) % 2 == 0 ? 1.0 : -1.0;
}

// a velocity of +1 and -1 m/s in turns has no central differences; on faces it has the largest divergence there is
static void checkerboard_is_left_at_centers_and_removed_on_faces(void **state)
{
    (void)state;
    BrumeSimDef def = collocated_box(16, 16, 16);
    const double dx = (double)def.dx;
    BrumeSim *sim = create(&def);
    Formula *const formulas[3] = {alternating, zero, zero};
    set_centers(sim, formulas, &dx);
    step(sim, 1e-7, NULL); // air moves by 2e-6 of a cell
    for (int i = 1; i <= 16; i++) {
        assert_near((double)brume_field_at(&sim->previous[0], i, 7, 9), i % 2 == 1 ? 1.0 : -1.0, 1e-5);
    }
    assert_at_most(max_abs(&sim->fields[BRUME_FIELD_U]), 1e-5); // the means of two centers
    brume_sim_destroy(sim);
    def.integrator = "split";
    sim = create(&def);
    fill(sim, BRUME_FIELD_U, alternating, &dx);
    brume_set_velocity_boundary(sim);
    assert_at_least(max_abs(&sim->fields[BRUME_FIELD_U]), 1.0);
    step(sim, 1e-7, NULL);
    assert_at_most(max_abs(&sim->fields[BRUME_FIELD_U]), 1e-5);
    brume_sim_destroy(sim);
}

// a plume in a closed box
static BrumeSim *run_plume(int n, int bits, int steps)
{
    BrumeSimDef def = collocated_box(n, n, n);
    def.fraction_bits = bits;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape.a = brume_vec3(0.5f, 0.15f, 0.5f);
    def.emitters[0].shape.radius = 0.12f;
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 40.0f};
    BrumeSim *sim = create(&def);
    for (int s = 0; s < steps; s++) {
        step(sim, 0.04, NULL);
    }
    return sim;
}

// the sum of the differences of the densities over the sum of those of `exact`
static double drift(const BrumeSim *exact, const BrumeSim *sim)
{
    const BrumeField *a = &exact->fields[BRUME_FIELD_DENSITY];
    const BrumeField *b = &sim->fields[BRUME_FIELD_DENSITY];
    double sum = 0.0;
    for (int k = 1; k <= a->grid.nz; k++) {
        for (int j = 1; j <= a->grid.ny; j++) {
            for (int i = 1; i <= a->grid.nx; i++) {
                sum += fabs((double)brume_field_at(a, i, j, k) - (double)brume_field_at(b, i, j, k));
            }
        }
    }
    return sum / sum_of(a);
}

static void fixed_point_is_close_to_floats(void **state)
{
    (void)state;
    BrumeSim *exact = run_plume(24, 0, 20);
    double differences[3];
    static const int bits[3] = {9, 14, 20};
    for (int n = 0; n < 3; n++) {
        BrumeSim *sim = run_plume(24, bits[n], 20);
        differences[n] = drift(exact, sim);
        brume_sim_destroy(sim);
    }
    brume_sim_destroy(exact);
    assert_near(differences[0], 0.24, 0.05); // products are rounded down: smoke is lost
    assert_at_most(differences[1], 0.03);
    assert_at_most(differences[2], 1e-3);
}

// all values of a state in fixed point are numbers of it: temperature and density multiples of 1/512
static void values_are_fixed_point(void **state)
{
    (void)state;
    BrumeSim *sim = run_plume(16, 9, 5);
    for (int id = BRUME_FIELD_TEMPERATURE; id <= BRUME_FIELD_DENSITY; id++) {
        double sum = 0.0;
        for (int k = 1; k <= 16; k++) {
            for (int j = 1; j <= 16; j++) {
                for (int i = 1; i <= 16; i++) {
                    const double value = 512.0 * (double)brume_field_at(&sim->fields[id], i, j, k);
                    assert_true(value == floor(value));
                    sum += value;
                }
            }
        }
        assert_true(sum > 1000.0);
    }
    brume_sim_destroy(sim);
}

static void same_bits_after_a_saved_state_and_with_threads(void **state)
{
    (void)state;
    BrumeError error;
    for (int bits = 0; bits <= 9; bits += 9) {
        BrumeSim *sim = run_plume(16, bits, 12);
        const uint64_t hash = brume_sim_hash(sim);
        brume_sim_destroy(sim);
        for (int threads = 1; threads <= 3; threads += 2) {
            brume_set_threads(threads);
            sim = run_plume(16, bits, 6);
            const size_t size = brume_sim_saved_size(sim);
            void *bytes = malloc(size);
            BrumeSim *loaded = NULL;
            assert_int_equal(brume_sim_save(sim, bytes, size, &error), BRUME_OK);
            assert_int_equal(brume_sim_create_saved(&loaded, bytes, size, &error), BRUME_OK);
            for (int n = 0; n < 6; n++) {
                step(loaded, 0.04, NULL);
            }
            assert_true(brume_sim_hash(loaded) == hash);
            free(bytes);
            brume_sim_destroy(loaded);
            brume_sim_destroy(sim);
        }
        brume_set_threads(0);
    }
}

// what does not fit into 32 bits becomes the largest number
static void huge_values_are_cut_off(void **state)
{
    (void)state;
    const double huge = 1e9;
    BrumeSimDef def = collocated_box(12, 12, 12);
    def.fraction_bits = 20;
    BrumeSim *sim = create(&def);
    set_centers(sim, turning_winds, &huge);
    fill(sim, BRUME_FIELD_DENSITY, same_value, &huge);
    step(sim, 0.1, NULL);
    const double largest = 2147483647.0 / 1048576.0;
    assert_at_most(max_abs(&sim->fields[BRUME_FIELD_DENSITY]), largest);
    for (int axis = 0; axis < 3; axis++) {
        assert_at_most(max_abs(&sim->previous[axis]) * 0.1 / (double)def.dx, 1.001 * largest);
    }
    brume_sim_destroy(sim);
}

static void refuse(const BrumeSimDef *def, const char *text)
{
    BrumeSim *sim = NULL;
    BrumeError error;
    assert_int_equal(brume_sim_create(&sim, def, &error), BRUME_BAD_INPUT);
    if (!strstr(error.text, text)) {
        print_error("'%s' does not contain '%s'\n", error.text, text);
        fail();
    }
}

static void refuses_what_it_cannot(void **state)
{
    (void)state;
    const BrumeSimDef box = collocated_box(16, 16, 16);
    BrumeSimDef def = box;
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    refuse(&def, "needs walls on all sides");
    def = box;
    def.faces[BRUME_FACE_X_MIN].no_slip = true;
    refuse(&def, "'slip: free'");
    def = box;
    def.faces[BRUME_FACE_X_MIN].heat_flux = 1.0f;
    refuse(&def, "without heat");
    def = box;
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.a = {0.5f, 0.5f, 0.5f}, .radius = 0.2f};
    refuse(&def, "without bodies");
    def = box;
    def.texture_period = 1.0f;
    refuse(&def, "texture_period");
    def = box;
    def.far_factor = 2;
    refuse(&def, "factor");
    def = box;
    def.fraction_bits = 3;
    refuse(&def, "must be 0 or from 4 to 20");
    def.fraction_bits = 21;
    refuse(&def, "from 0 to 20");
    def.fraction_bits = 9;
    def.integrator = "classic";
    refuse(&def, "only the integrator 'collocated'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_of_a_plane_is_that_of_the_paper),
        cmocka_unit_test(steps_are_those_of_an_independent_text),
        cmocka_unit_test(checkerboard_is_left_at_centers_and_removed_on_faces),
        cmocka_unit_test(fixed_point_is_close_to_floats),
        cmocka_unit_test(values_are_fixed_point),
        cmocka_unit_test(same_bits_after_a_saved_state_and_with_threads),
        cmocka_unit_test(huge_values_are_cut_off),
        cmocka_unit_test(refuses_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
