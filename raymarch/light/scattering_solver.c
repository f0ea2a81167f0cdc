// The iteration that solves for the mean radiance on the coarse grids: GMRES on the cells twice as wide corrects the
// residual of a sweep through the others. Where that converges slowly, each correction is a step of conjugate
// residuals.
#include "core/elementary.h"
#include "core/minmax.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "raymarch/light/scattered_light_internal.h"

#include <math.h>

enum { MAX_CYCLES = 8, CYCLES_IN_MOTION = 2, MAX_STEPS = 24 }; // of the iteration on two grids

static const float tolerance = 2e-3f; // relative change of phi in the last cycle
static const double SLOW = 0.7;       // change in a cycle, over that in the one before
static const double THICK = 0.1;      // tolerance where the smoke is thick: a residual there is of a larger error

// sum over the cells of extinction * a * b: the scattering equation sees phi only where there is extinction
static double weighted_dot(const BrumeTransportGrid *grid, int c, const BrumeField *a, const BrumeField *b)
{
    enum { MAX_PLANES = BRUME_SCATTERED_CELLS + 1 };
    double partial[MAX_PLANES];
    const BrumeField *shape = &grid->albedo[c];
    const float *weight = grid->extinction[c].data;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= shape->grid.nz; k++) {
        double lanes[BRUME_LANES] = {0};
        for (int j = 1; j <= shape->grid.ny; j++) { // without the ghosts, which the steps of GMRES would let grow
            const ptrdiff_t row = brume_field_index(shape, 0, j, k);
            for (ptrdiff_t n = row + 1; n <= row + shape->grid.nx; n++) {
                lanes[n % BRUME_LANES] += (double)(weight[n] * a->data[n]) * (double)b->data[n];
            }
        }
        partial[k] = brume_sum_lanes(lanes);
    }
    double sum = 0.0;
    for (int k = 1; k <= shape->grid.nz; k++) {
        sum += partial[k];
    }
    return sum;
}

// a += factor * b
static void add_multiple(BrumeField *a, float factor, const BrumeField *b)
{
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= a->grid.nz; k++) {
        for (ptrdiff_t n = a->sz * k; n < a->sz * (k + 1); n++) {
            a->data[n] += factor * b->data[n];
        }
    }
}

static void set_scaled(BrumeField *to, float factor, const BrumeField *from)
{
#pragma omp parallel for schedule(static)
    for (int k = 0; k < to->grid.nz + 2; k++) {
        for (ptrdiff_t n = to->sz * k; n < to->sz * (k + 1); n++) {
            to->data[n] = factor * from->data[n];
        }
    }
}

// the state of GMRES for one color: Givens rotations of the Hessenberg matrix and the rotated right-hand side
typedef struct Krylov {
    double upper[BRUME_KRYLOV][BRUME_KRYLOV + 1]; // by column
    double cosine[BRUME_KRYLOV], sine[BRUME_KRYLOV];
    double rest[BRUME_KRYLOV + 1];
    double initial; // norm of the right-hand side
    int count;      // of columns
    bool done;
} Krylov;

// the step of GMRES that makes column n of the Hessenberg matrix triangular by Givens rotations
static void rotate_column(Krylov *krylov, double *column, int n)
{
    for (int m = 0; m < n; m++) {
        const double a = column[m];
        const double b = column[m + 1];
        column[m] = krylov->cosine[m] * a + krylov->sine[m] * b;
        column[m + 1] = krylov->cosine[m] * b - krylov->sine[m] * a;
    }
    const double length = sqrt(column[n] * column[n] + column[n + 1] * column[n + 1]);
    krylov->cosine[n] = length > 0.0 ? column[n] / length : 1.0;
    krylov->sine[n] = length > 0.0 ? column[n + 1] / length : 0.0;
    column[n] = length;
    krylov->rest[n + 1] = -krylov->sine[n] * krylov->rest[n];
    krylov->rest[n] = krylov->cosine[n] * krylov->rest[n];
    krylov->count = n + 1;
}

// Solves (1 - K) x = b by GMRES in the norm of weighted_dot, K being the transport of the source albedo * x without
// inflow. `x` holds b before and the solution after.
static void solve_by_gmres(BrumeScatteredLight *light, BrumeTransportGrid *grid, BrumeField x[3], double reduction)
{
    const BrumeSweepBatch transport = {light, grid, NULL};
    Krylov krylov[3] = {0};
    BrumeField vectors[3];
    for (int c = 0; c < 3; c++) {
        for (int n = 0; n <= BRUME_KRYLOV; n++) {
            brume_field_reshape(&light->basis[c][n], x[c].grid);
        }
        krylov[c].initial = sqrt(weighted_dot(grid, c, &x[c], &x[c]));
        krylov[c].rest[0] = krylov[c].initial;
        krylov[c].done = !(krylov[c].initial > 0.0);
        set_scaled(&light->basis[c][0], krylov[c].done ? 0.0f : (float)(1.0 / krylov[c].initial), &x[c]);
    }
    for (int n = 0; n < BRUME_KRYLOV && !(krylov[0].done && krylov[1].done && krylov[2].done); n++) {
        for (int c = 0; c < 3; c++) {
            vectors[c] = light->basis[c][krylov[c].done ? 0 : n];
        }
        brume_set_source(grid, vectors, BRUME_PHI_ONLY);
        brume_transport_mean(&transport, grid->next);
        for (int c = 0; c < 3; c++) {
            if (krylov[c].done) {
                continue;
            }
            BrumeField *next = &grid->next[c];
            double *column = krylov[c].upper[n];
            set_scaled(next, -1.0f, next);
            add_multiple(next, 1.0f, &vectors[c]);
            for (int m = 0; m <= n; m++) {
                column[m] = weighted_dot(grid, c, next, &light->basis[c][m]);
                add_multiple(next, (float)-column[m], &light->basis[c][m]);
            }
            column[n + 1] = sqrt(weighted_dot(grid, c, next, next));
            set_scaled(&light->basis[c][n + 1], column[n + 1] > 0.0 ? (float)(1.0 / column[n + 1]) : 0.0f, next);
            rotate_column(&krylov[c], column, n);
            krylov[c].done = !(fabs(krylov[c].rest[n + 1]) > reduction * krylov[c].initial);
        }
    }
    for (int c = 0; c < 3; c++) {
        double weights[BRUME_KRYLOV];
        for (int n = krylov[c].count - 1; n >= 0; n--) {
            double sum = krylov[c].rest[n];
            for (int m = n + 1; m < krylov[c].count; m++) {
                sum -= krylov[c].upper[m][n] * weights[m];
            }
            weights[n] = krylov[c].upper[n][n] > 0.0 ? sum / krylov[c].upper[n][n] : 0.0;
        }
        set_scaled(&x[c], 0.0f, &x[c]);
        for (int n = 0; n < krylov[c].count; n++) {
            add_multiple(&x[c], (float)weights[n], &light->basis[c][n]);
        }
    }
}

// sets the coarse cells to the means of 2^3 fine ones
static void restrict_to(BrumeField *coarse, const BrumeField *fine)
{
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= coarse->grid.nz; k++) {
        for (int j = 1; j <= coarse->grid.ny; j++) {
            for (int i = 1; i <= coarse->grid.nx; i++) {
                float sum = 0.0f;
                float count = 0.0f;
                for (int dk = 2 * k - 1; dk <= 2 * k && dk <= fine->grid.nz; dk++) {
                    for (int dj = 2 * j - 1; dj <= 2 * j && dj <= fine->grid.ny; dj++) {
                        for (int di = 2 * i - 1; di <= 2 * i && di <= fine->grid.nx; di++) {
                            sum += fine->data[brume_field_index(fine, di, dj, dk)];
                            count += 1.0f;
                        }
                    }
                }
                coarse->data[brume_field_index(coarse, i, j, k)] = sum / count;
            }
        }
    }
}

// fine += coarse, interpolated trilinearly
static void add_prolonged(BrumeField *fine, BrumeField *coarse)
{
    brume_replicate_edges(coarse->data, coarse->grid, 1);
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= fine->grid.nz; k++) {
        for (int j = 1; j <= fine->grid.ny; j++) {
            float *row = fine->data + brume_field_index(fine, 0, j, k);
            // the cell 2m - 1 lies a quarter of a coarse cell below the center of the coarse cell m, 2m above
            const ptrdiff_t sy = j % 2 == 1 ? -coarse->sy : coarse->sy;
            const ptrdiff_t sz = k % 2 == 1 ? -coarse->sz : coarse->sz;
            const float *from = coarse->data + brume_field_index(coarse, 0, (j + 1) / 2, (k + 1) / 2);
            for (int i = 1; i <= fine->grid.nx; i++) {
                const float *a = from + (i + 1) / 2;
                row[i] += brume_trilinear(a, i % 2 == 1 ? -1 : 1, sy, sz, 0.25f, 0.25f, 0.25f);
            }
        }
    }
}

/*
 * The part of the light of a cell that comes from its own source, for one of the optical depth `depth`: below the true
 * one, and 0 up to a depth of 1.
 */
static float own_part(float depth)
{
    const float beyond = depth - 1.0f;
    return beyond > 0.0f ? 1.0f - (1.0f - brume_expf(-beyond)) / beyond : 0.0f;
}

/*
 * Where cells are thick, a sweep removes little of the error of phi, whatever its wavelength, because the light of a
 * cell is mostly its own. The difference that a sweep makes, `phi`, is therefore divided by 1 - albedo times that part
 * (accelerated lambda iteration: Olson, Auer, Buchler 1986), and `next` becomes the value that it leads to.
 */
static void extend_difference(BrumeTransportGrid *grid, int c)
{
    const float side = brume_least(grid->cell);
    const float *extinction = grid->extinction[c].data;
    const float *albedo = grid->albedo[c].data;
    float *difference = grid->phi[c].data;
    float *next = grid->next[c].data;
    const ptrdiff_t plane = grid->phi[c].sz;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid->phi[c].grid.nz; k++) {
        for (ptrdiff_t n = plane * k; n < plane * (k + 1); n++) {
            if (side * extinction[n] > 1.0f) {
                const float extended = difference[n] / (1.0f - albedo[n] * own_part(side * extinction[n]));
                next[n] += extended - difference[n];
                difference[n] = extended;
            }
        }
    }
}

// relative change of phi from `phi` to `next`, of the color that changes most; phi becomes the difference next - phi
static double take_difference(BrumeTransportGrid *grid)
{
    double largest = 0.0;
    for (int c = 0; c < 3; c++) {
        set_scaled(&grid->phi[c], -1.0f, &grid->phi[c]);
        add_multiple(&grid->phi[c], 1.0f, &grid->next[c]);
        const double change = weighted_dot(grid, c, &grid->phi[c], &grid->phi[c]);
        const double total = weighted_dot(grid, c, &grid->next[c], &grid->next[c]);
        const double relative = total > 0.0 ? sqrt(change / total) : 0.0;
        largest = relative > largest ? relative : largest;
    }
    return largest;
}

// `next`, a start plus the difference `phi` that a sweep makes there, becomes the start plus the correction on both
// grids: the smooth part of the error, less the part that the difference has removed, is added
static void correct_on_both_grids(BrumeScatteredLight *light)
{
    BrumeTransportGrid *fine = &light->grids[0];
    BrumeTransportGrid *coarse = &light->grids[1];
    for (int c = 0; c < 3; c++) {
        restrict_to(&coarse->phi[c], &fine->phi[c]);
        extend_difference(fine, c);
        restrict_to(&coarse->direct[c], &fine->phi[c]); // no longer needed otherwise
    }
    solve_by_gmres(light, coarse, coarse->phi, 0.05);
    for (int c = 0; c < 3; c++) {
        add_multiple(&coarse->phi[c], -1.0f, &coarse->direct[c]);
        add_prolonged(&fine->next[c], &coarse->phi[c]);
    }
}

// makes the n-th step of a color orthogonal, by its image, to the latest ones before it, and adds the multiple of it
// that makes the residual least
static void take_step(BrumeScatteredLight *light, int c, int n)
{
    const BrumeTransportGrid *fine = &light->grids[0];
    BrumeField *step = &light->steps[c][n % BRUME_STEPS];
    BrumeField *image = &light->images[c][n % BRUME_STEPS];
    for (int m = brume_max_int(n - BRUME_STEPS + 1, 0); m < n; m++) {
        const BrumeField *earlier = &light->images[c][m % BRUME_STEPS];
        const double square = weighted_dot(fine, c, earlier, earlier);
        const float part = square > 0.0 ? (float)(weighted_dot(fine, c, image, earlier) / square) : 0.0f;
        add_multiple(image, -part, earlier);
        add_multiple(step, -part, &light->steps[c][m % BRUME_STEPS]);
    }
    const double square = weighted_dot(fine, c, image, image);
    const float part = square > 0.0 ? (float)(weighted_dot(fine, c, &light->residual[c], image) / square) : 0.0f;
    add_multiple(&light->solution[c], part, step);
    add_multiple(&light->residual[c], -part, image);
}

/*
 * Where smoke is thick, the corrections on both grids may be too large. From the difference `phi` to `next` on, each is
 * a step of the method of generalized conjugate residuals (Eisenstat, Elman and Schultz 1983), whose residual does not
 * grow. It ends in `phi`.
 */
static void solve_by_residuals(BrumeScatteredLight *light, int most_steps)
{
    BrumeTransportGrid *fine = &light->grids[0];
    const BrumeSweepBatch transport = {light, fine, NULL};
    for (int c = 0; c < 3; c++) {
        brume_field_reshape(&light->residual[c], fine->phi[c].grid);
        brume_field_reshape(&light->solution[c], fine->phi[c].grid);
        for (int n = 0; n < BRUME_STEPS; n++) {
            brume_field_reshape(&light->steps[c][n], fine->phi[c].grid);
            brume_field_reshape(&light->images[c][n], fine->phi[c].grid);
        }
        brume_field_copy(&light->residual[c], &fine->phi[c]);
        brume_field_copy(&light->solution[c], &fine->next[c]);
        add_multiple(&light->solution[c], -1.0f, &fine->phi[c]);
    }
    for (int n = 0; n < most_steps && light->change > THICK * (double)tolerance; n++) {
        BrumeField steps[3];
        for (int c = 0; c < 3; c++) {
            brume_field_copy(&fine->phi[c], &light->residual[c]);
            brume_field_copy(&fine->next[c], &light->residual[c]);
        }
        if (n % 2 == 0) {
            correct_on_both_grids(light);
        } else { // the corrections alone may lead nowhere
            for (int c = 0; c < 3; c++) {
                extend_difference(fine, c);
            }
        }
        for (int c = 0; c < 3; c++) {
            steps[c] = light->steps[c][n % BRUME_STEPS];
            brume_field_copy(&steps[c], &fine->next[c]);
        }
        brume_set_source(fine, steps, BRUME_PHI_ONLY);
        brume_transport_mean(&transport, fine->next);
        light->change = 0.0;
        for (int c = 0; c < 3; c++) {
            BrumeField *image = &light->images[c][n % BRUME_STEPS];
            brume_field_copy(image, &steps[c]);
            add_multiple(image, -1.0f, &fine->next[c]);
            take_step(light, c, n);
            const double rest = weighted_dot(fine, c, &light->residual[c], &light->residual[c]);
            const double total = weighted_dot(fine, c, &light->solution[c], &light->solution[c]);
            light->change = brume_fmax(light->change, total > 0.0 ? sqrt(rest / total) : 0.0);
        }
        light->iterations++;
    }
    for (int c = 0; c < 3; c++) {
        brume_field_copy(&fine->phi[c], &light->solution[c]);
    }
}

void brume_solve_scattering(BrumeScatteredLight *light, const BrumeGridMedium *medium,
                            const BrumeRenderSettings *settings, const BrumeIncidentLight *sources)
{
    BrumeTransportGrid *fine = &light->grids[0];
    BrumeTransportGrid *coarse = &light->grids[1];
    const BrumeSweepBatch on_fine = {light, fine, sources};
    const BrumeSweepBatch on_coarse = {light, coarse, sources};
    const bool full = light->quality == BRUME_LIGHT_FULL;
    // the initial values: the solution on the second grid
    for (int c = 0; c < 3; c++) {
        set_scaled(&coarse->phi[c], 0.0f, &coarse->extinction[c]);
        set_scaled(&fine->phi[c], 0.0f, &fine->extinction[c]);
    }
    const bool above_ground = sources->ground_light != NULL;
    if (above_ground) {
        brume_clear_ground(light, sources);
        brume_light_from_ground(light, coarse, medium, sources);
    }
    brume_set_source(coarse, coarse->phi, BRUME_ALL_LIGHT);
    brume_transport_mean(&on_coarse, coarse->phi);
    solve_by_gmres(light, coarse, coarse->phi, full ? 1e-3 : 3e-2);
    for (int c = 0; c < 3; c++) {
        add_prolonged(&fine->phi[c], &coarse->phi[c]);
    }
    if (above_ground) {
        // wide cells are too wide for the light of a flame on the ground around it
        brume_light_ground(light, light->glows ? fine : coarse, medium, settings, sources);
        brume_light_from_ground(light, fine, medium, sources);
    }
    light->change = 1.0;
    double before = INFINITY;
    const int most_cycles = full ? MAX_CYCLES : CYCLES_IN_MOTION;
    for (light->iterations = 0; light->iterations < most_cycles && light->change > (double)tolerance;
         light->iterations++) {
        brume_set_source(fine, fine->phi, BRUME_ALL_LIGHT);
        brume_transport_mean(&on_fine, fine->next);
        light->change = take_difference(fine);
        if (light->change > SLOW * before) {
            solve_by_residuals(light, full ? MAX_STEPS : CYCLES_IN_MOTION);
            break;
        }
        before = light->change;
        correct_on_both_grids(light);
        for (int c = 0; c < 3; c++) {
            set_scaled(&fine->phi[c], 1.0f, &fine->next[c]);
        }
    }
    brume_set_source(fine, fine->phi, BRUME_ALL_LIGHT);
    if (light->glows) {
        brume_transport_glow(&on_fine);
    }
    brume_transport_moments(&on_fine);
}
