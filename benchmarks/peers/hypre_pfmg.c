// Solves the pressure with hypre's conjugate gradients on structured grids, preconditioned by one V-cycle of its
// semicoarsening multigrid PFMG (Ashby, Falgout 1996), in double precision. Each rank has a slab of the cube along z.
//     mpirun -np RANKS hypre_pfmg CELLS closed|open-top TOLERANCE REPEATS
// Prints a line of CSV (lift_problem.h); the time does not include the setup. The settings are the fastest that were
// found for this problem: symmetric storage, one red-black Gauss-Seidel sweep before and one after the coarse-grid
// correction (type 2), coarse operators that are not Galerkin operators (RAP type 1).
#include "core/quantile.h"
#include "lift_problem.h"

#include <HYPRE.h>
#include <HYPRE_struct_ls.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_REPEATS = 101, MAX_RANKS = 256, STENCIL = 4 };

typedef struct Slab {
    int n;
    bool open_top;
    int lower[3], upper[3]; // cells of this rank, inclusive
    size_t cells;
} Slab;

static int first_plane(int n, int ranks, int rank) { return (int)((long)n * rank / ranks); }

static void fill_matrix(HYPRE_StructMatrix matrix, const Slab *slab, double *values)
{
    const int n = slab->n;
    double *entry = values;
    for (int k = slab->lower[2]; k <= slab->upper[2]; k++) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                const int walls =
                    (i == 0) + (i == n - 1) + (j == 0) + (j == n - 1 && !slab->open_top) + (k == 0) + (k == n - 1);
                *entry++ = 6.0 - walls;
                *entry++ = i > 0 ? -1.0 : 0.0;
                *entry++ = j > 0 ? -1.0 : 0.0;
                *entry++ = k > 0 ? -1.0 : 0.0;
            }
        }
    }
    int indices[STENCIL] = {0, 1, 2, 3};
    int lower[3] = {slab->lower[0], slab->lower[1], slab->lower[2]};
    int upper[3] = {slab->upper[0], slab->upper[1], slab->upper[2]};
    (void)HYPRE_StructMatrixSetBoxValues(matrix, lower, upper, STENCIL, indices, values);
}

static void fill_rhs(double *b, const Slab *slab)
{
    for (int k = slab->lower[2]; k <= slab->upper[2]; k++) {
        for (int j = 0; j < slab->n; j++) {
            for (int i = 0; i < slab->n; i++) {
                *b++ = lift_at(slab->n, slab->open_top, i, j, k);
            }
        }
    }
}

static HYPRE_StructMatrix make_matrix(HYPRE_StructGrid grid, const Slab *slab, double *values)
{
    HYPRE_StructStencil stencil;
    HYPRE_StructMatrix matrix;
    int offsets[STENCIL][3] = {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    (void)HYPRE_StructStencilCreate(3, STENCIL, &stencil);
    for (int entry = 0; entry < STENCIL; entry++) {
        (void)HYPRE_StructStencilSetElement(stencil, entry, offsets[entry]);
    }
    (void)HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &matrix);
    (void)HYPRE_StructMatrixSetSymmetric(matrix, 1);
    (void)HYPRE_StructMatrixInitialize(matrix);
    fill_matrix(matrix, slab, values);
    (void)HYPRE_StructMatrixAssemble(matrix);
    (void)HYPRE_StructStencilDestroy(stencil);
    return matrix;
}

static HYPRE_StructVector make_vector(HYPRE_StructGrid grid)
{
    HYPRE_StructVector vector;
    (void)HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &vector);
    (void)HYPRE_StructVectorInitialize(vector);
    return vector;
}

static HYPRE_StructSolver make_multigrid(void)
{
    HYPRE_StructSolver pfmg;
    (void)HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &pfmg);
    (void)HYPRE_StructPFMGSetMaxIter(pfmg, 1);
    (void)HYPRE_StructPFMGSetTol(pfmg, 0.0);
    (void)HYPRE_StructPFMGSetZeroGuess(pfmg);
    (void)HYPRE_StructPFMGSetRAPType(pfmg, 1);
    (void)HYPRE_StructPFMGSetRelaxType(pfmg, 2);
    (void)HYPRE_StructPFMGSetNumPreRelax(pfmg, 1);
    (void)HYPRE_StructPFMGSetNumPostRelax(pfmg, 1);
    (void)HYPRE_StructPFMGSetSkipRelax(pfmg, 1);
    return pfmg;
}

// the residual of the whole box, on rank 0
static double true_residual(HYPRE_StructVector x, Slab *slab, double *values, int ranks, int rank)
{
    int counts[MAX_RANKS];
    int starts[MAX_RANKS];
    const int plane = slab->n * slab->n;
    for (int other = 0; other < ranks; other++) {
        starts[other] = plane * first_plane(slab->n, ranks, other);
        counts[other] = plane * first_plane(slab->n, ranks, other + 1) - starts[other];
    }
    (void)HYPRE_StructVectorGetBoxValues(x, slab->lower, slab->upper, values);
    double *whole = rank == 0 ? malloc((size_t)plane * (size_t)slab->n * sizeof *whole) : NULL;
    if (rank == 0 && !whole) {
        (void)fprintf(stderr, "hypre_pfmg: out of memory\n");
        (void)MPI_Abort(MPI_COMM_WORLD, 1);
    }
    (void)MPI_Gatherv(values, (int)slab->cells, MPI_DOUBLE, whole, counts, starts, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const double residual = whole ? lift_residual(slab->n, slab->open_top, NULL, whole) : 0.0;
    free(whole);
    return residual;
}

static void measure(Slab *slab, double tolerance, int repeats, double *values, int ranks, int rank)
{
    HYPRE_StructGrid grid;
    (void)HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
    (void)HYPRE_StructGridSetExtents(grid, slab->lower, slab->upper);
    (void)HYPRE_StructGridAssemble(grid);
    HYPRE_StructMatrix matrix = make_matrix(grid, slab, values);
    HYPRE_StructVector b = make_vector(grid);
    HYPRE_StructVector x = make_vector(grid);
    fill_rhs(values, slab);
    (void)HYPRE_StructVectorSetBoxValues(b, slab->lower, slab->upper, values);
    (void)HYPRE_StructVectorAssemble(b);
    (void)HYPRE_StructVectorSetConstantValues(x, 0.0);
    (void)HYPRE_StructVectorAssemble(x);

    HYPRE_StructSolver pcg;
    HYPRE_StructSolver pfmg = make_multigrid();
    (void)HYPRE_StructPCGCreate(MPI_COMM_WORLD, &pcg);
    (void)HYPRE_StructPCGSetMaxIter(pcg, 200);
    (void)HYPRE_StructPCGSetTol(pcg, tolerance);
    (void)HYPRE_StructPCGSetTwoNorm(pcg, 1);
    (void)HYPRE_StructPCGSetPrecond(pcg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg);
    (void)HYPRE_StructPCGSetup(pcg, matrix, b, x);

    double ms[MAX_REPEATS];
    for (int repeat = -1; repeat < repeats; repeat++) { // the first one warms up
        (void)HYPRE_StructVectorSetConstantValues(x, 0.0);
        (void)MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        (void)HYPRE_StructPCGSolve(pcg, matrix, b, x);
        (void)MPI_Barrier(MPI_COMM_WORLD);
        ms[repeat < 0 ? 0 : repeat] = 1e3 * (MPI_Wtime() - start);
    }
    const double median = brume_median(ms, repeats);
    int iterations = 0;
    (void)HYPRE_StructPCGGetNumIterations(pcg, &iterations);
    const double residual = true_residual(x, slab, values, ranks, rank);
    if (rank == 0) {
        (void)printf(LIFT_COLUMNS LIFT_LINE, "hypre pcg-pfmg", slab->n, slab->open_top ? "open-top" : "closed", ranks,
                     iterations, residual, median, median / iterations);
    }
    (void)HYPRE_StructPCGDestroy(pcg);
    (void)HYPRE_StructPFMGDestroy(pfmg);
    (void)HYPRE_StructVectorDestroy(b);
    (void)HYPRE_StructVectorDestroy(x);
    (void)HYPRE_StructMatrixDestroy(matrix);
    (void)HYPRE_StructGridDestroy(grid);
}

int main(int argc, char **argv)
{
    (void)MPI_Init(&argc, &argv);
    int rank;
    int ranks;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Slab slab = {.n = argc == 5 ? atoi(argv[1]) : 0};
    const double tolerance = argc == 5 ? atof(argv[3]) : 0.0;
    const int repeats = argc == 5 ? atoi(argv[4]) : 0;
    int status = 2;
    if (slab.n < 8 || slab.n > 1024 || ranks > MAX_RANKS || ranks > slab.n || !lift_read_box(argv[2], &slab.open_top) ||
        !(tolerance > 0.0 && tolerance < 1.0) || repeats < 1 || repeats > MAX_REPEATS) {
        (void)fprintf(stderr, "usage: mpirun -np RANKS hypre_pfmg CELLS closed|open-top TOLERANCE REPEATS\n");
        goto cleanup;
    }
    slab.lower[2] = first_plane(slab.n, ranks, rank);
    slab.upper[0] = slab.upper[1] = slab.n - 1;
    slab.upper[2] = first_plane(slab.n, ranks, rank + 1) - 1;
    slab.cells = (size_t)slab.n * (size_t)slab.n * (size_t)(slab.upper[2] - slab.lower[2] + 1);
    double *values = malloc(STENCIL * slab.cells * sizeof *values);
    if (!values) {
        (void)fprintf(stderr, "hypre_pfmg: out of memory\n");
        status = 1;
        goto cleanup;
    }
    (void)HYPRE_Init();
    measure(&slab, tolerance, repeats, values, ranks, rank);
    (void)HYPRE_Finalize();
    free(values);
    status = 0;
cleanup:
    (void)MPI_Finalize();
    return status;
}
