/**
 * @file vcycle.h
 * The multigrid cycle of the pressure solvers "mgpcg" and "multigrid" in plain loops: what one reads to understand the
 * method, and the reference that the fused passes of sim/pressure are tested against for equal bits. Selected by
 * `solver.kernels: reference` in a scene.
 *
 * Fields have rows in parity order (sim/pressure/multigrid/parity_rows.h); p alone has rows in plain order.
 */
#ifndef BRUME_SIM_REFERENCE_VCYCLE_H
#define BRUME_SIM_REFERENCE_VCYCLE_H

#include "core/field.h"
#include "sim/pressure/multigrid/multigrid.h"

/** z = M r: one cycle from z = 0. Requirements, result and bits are those of brume_multigrid_cycle. */
void brume_reference_cycle(BrumeMultigrid *multigrid, BrumeField *z, const BrumeField *r);

/** q = A x on the finest level; ghosts of x must be filled. Ghosts of q along x become 0. */
void brume_reference_apply(const BrumeOperator *op, BrumeField *q, const BrumeField *x);

/** y += alpha x in all cells. */
void brume_reference_add(BrumeField *y, float alpha, const BrumeField *x);

/** s = z - mean + beta s in all cells, or s = z - mean without reading s if beta is 0; fills periodic ghosts of s. */
void brume_reference_update_direction(const BrumeOperator *op, BrumeField *s, const BrumeField *z, float mean,
                                      float beta);

/** p += alpha s in all cells. */
void brume_reference_update_solution(BrumeField *p, const BrumeField *s, float alpha);

#endif
