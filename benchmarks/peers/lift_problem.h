/**
 * @file lift_problem.h
 * The linear system for the comparison of pressure solvers: the pressure projection of the buoyant acceleration of a
 * curved, pulsating plume in a cube of n^3 cells. Every program computes it with this code in double precision, so that
 * all have the same right-hand side and the same measure of the residual.
 *
 * (A p)_c = sum over the open faces of cell c of (p_c - p_neighbor); walls are closed faces, and beyond an open top
 * the neighbor is 0. Cells are numbered (k n + j) n + i, y (j) points up.
 */
#ifndef BRUME_BENCHMARKS_PEERS_LIFT_PROBLEM_H
#define BRUME_BENCHMARKS_PEERS_LIFT_PROBLEM_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/** Reads "closed" or "open-top"; false for anything else. */
static inline bool lift_read_box(const char *text, bool *open_top)
{
    *open_top = strcmp(text, "open-top") == 0;
    return *open_top || strcmp(text, "closed") == 0;
}

static inline double lift_heat(double x, double y, double z)
{
    const double radius = 0.06 + 0.1 * y;
    const double across = x - 0.5 - 0.05 * sin(9.0 * y);
    const double along = z - 0.5;
    const double squared = (across * across + along * along) / (radius * radius);
    return exp(-squared) * (1.0 + 0.5 * sin(25.0 * y)) / (1.0 + exp(30.0 * (y - 0.7)));
}

/** b in cell (i, j, k), each from 0: the buoyancy on its lower y face less that on its upper one. */
static inline double lift_at(int n, bool open_top, int i, int j, int k)
{
    const double dx = 1.0 / n;
    const double x = (i + 0.5) * dx;
    const double z = (k + 0.5) * dx;
    const double below = j > 0 ? lift_heat(x, j * dx, z) : 0.0;
    const double above = j + 1 < n || open_top ? lift_heat(x, (j + 1) * dx, z) : 0.0;
    return below - above;
}

/** |b - A p|_2 / |b|_2 in double, of p (n × n × n) as floats in `single` or doubles in `twice`; the other is NULL. */
static inline double lift_residual(int n, bool open_top, const float *single, const double *twice)
{
#define LIFT_P(index) (single ? (double)single[index] : twice[index])
    const ptrdiff_t row = n;
    const ptrdiff_t plane = row * n;
    double residual = 0.0;
    double rhs = 0.0;
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                const ptrdiff_t at = k * plane + j * row + i;
                const double p = LIFT_P(at);
                const double b = lift_at(n, open_top, i, j, k);
                double sum = i > 0 ? p - LIFT_P(at - 1) : 0.0;
                sum += i + 1 < n ? p - LIFT_P(at + 1) : 0.0;
                sum += j > 0 ? p - LIFT_P(at - row) : 0.0;
                sum += j + 1 < n ? p - LIFT_P(at + row) : open_top ? p : 0.0;
                sum += k > 0 ? p - LIFT_P(at - plane) : 0.0;
                sum += k + 1 < n ? p - LIFT_P(at + plane) : 0.0;
                residual += (b - sum) * (b - sum);
                rhs += b * b;
            }
        }
    }
    return sqrt(residual / rhs);
#undef LIFT_P
}

/** The head of the CSV table that every program of the comparison prints, and the format of a line for a solve. */
#define LIFT_COLUMNS "solver,cells,box,threads,iterations,residual,ms,ms_iteration\n"
#define LIFT_LINE "%s,%d,%s,%d,%d,%.3g,%.3f,%.3f\n"

#endif
