/**
 * @file fast_kernels.h
 * The vectorized kernels of advection. They give the bits of the plain loops in src/sim/reference and differ in that
 * - eight entries are processed at a time (trilinear.h), or sixteen where the machine has such vectors
 *   (trilinear_wide.h): no operation of an entry is reordered or contracted;
 * - trilinear weights are computed once per position and shared by all fields at the same location (trilinear.h);
 * - positions in rows that cannot reach a side are not clamped: clamping would not change them (sampling.h);
 * - the velocity is advected one plane behind the trace, a wavefront (trace.c): it reads only finished displacements;
 * - blocks whose result is +0 in all entries are cleared (empty_blocks.c): computing them would give +0 too.
 */
#ifndef BRUME_SIM_ADVECTION_FAST_KERNELS_H
#define BRUME_SIM_ADVECTION_FAST_KERNELS_H

#include "sim/advection/advection.h"
#include "sim/advection/sampling.h"

/** The kernels of this folder, for BrumeAdvection.kernels. */
extern const BrumeAdvectionKernels brume_fast_advection;

/** A kernel for quantities at locations 0 to 3; runs on the faces in active blocks and on all centers. */
typedef struct BrumePathKernels {
    BrumeSegmentKernel *kernel;
    const void *contexts[4]; ///< of the faces across x, y, z and of the centers; NULL where it does not run
} BrumePathKernels;

/**
 * Finds the backward displacement of all cell centers in planes of this rank along the velocity `transport` in a step
 * in which 1 m/s displaces air by `cells_per_mps` cells, and runs the kernels on all advected faces, on each face after
 * the displacements of the two adjacent centers are known. Boundary values of the velocity and
 * sim->advection->displacement_bound must be set. The kernels must not change the velocity.
 */
void brume_trace(BrumeSim *sim, const BrumeField transport[3], float cells_per_mps, const BrumePathKernels *faces);

/**
 * Runs the kernels plane by plane. Each thread first finds the displacements to the arrival points of the plane's
 * centers, and of the centers below it, in its own window of sim->advection->windows (BrumeArrivalOffsets). They are
 * used at once and not stored for the box. Otherwise as brume_trace.
 */
void brume_trace_forward(const BrumeSim *sim, const BrumeField transport[3], float cells_per_mps,
                         const BrumePathKernels *kernels);

/** Floats of the window of one thread along one axis. */
static inline ptrdiff_t brume_window_entries(BrumeGrid grid)
{
    return 2 * (ptrdiff_t)(grid.nx + 2) * (ptrdiff_t)(grid.ny + 2);
}

// trace and semi-Lagrangian step (semi_lagrangian.c), MacCormack corrector (maccormack.c); see BrumeAdvectionKernels
void brume_predict_velocity_fast(BrumeSim *sim, const BrumeField transport[3], const BrumeField carried[3],
                                 float cells_per_mps, BrumeField results[3]);
void brume_predict_scalars_fast(BrumeSim *sim, const BrumeFieldId *ids, const float *decay, BrumeField *results,
                                int count);
void brume_correct_velocity_fast(BrumeSim *sim, const BrumeField transport[3], const BrumeField carried[3],
                                 float cells_per_mps, const BrumeField predicted[3], BrumeField results[3]);
void brume_correct_scalars_fast(BrumeSim *sim, const BrumeField transport[3], const BrumeFieldId *ids,
                                const float *decay, const BrumeField *predicted, BrumeField *results, int count);

/**
 * Finds the empty blocks of scalars: sim->advection->empty[n] of scalar ids[n], whose boundary values are set. The
 * backward displacements must be known. Communicates.
 */
void brume_find_empty_blocks(BrumeSim *sim, const BrumeFieldId *ids, int count);

/**
 * Clears the entries of `results[n]` in a segment, at offset c, where the segment's block is empty of quantity n, and
 * lists the other quantities in `present`; returns how many there are. An `empty[n]` of NULL means no empty blocks.
 */
int brume_clear_empty(const uint8_t *const *empty, int count, const BrumeRowSegment *segment, float *const *results,
                      ptrdiff_t c, int *present);

#endif
