/**
 * @file source_cover.h
 * The parts of cells in which an emitter acts: within its shape, at its surface or around the vertices of its mesh, and
 * the factor of a soft edge. Entries of a row are compared with a mesh in segments.
 */
#ifndef BRUME_SIM_FORCES_SOURCE_COVER_H
#define BRUME_SIM_FORCES_SOURCE_COVER_H

#include "brume/sim_def.h"
#include "core/coverage.h"
#include "sim/grid/cells.h"

enum { BRUME_SEGMENT = 8 }; ///< entries of a row that are compared with a mesh as a whole

/** A ball around a vertex: its fraction is `weight` inside, and half of it at `radius` [m]. */
typedef struct BrumeVertexBall {
    float radius, weight;
} BrumeVertexBall;

/** How an emitter covers the entries at one location. */
typedef struct BrumeSourceCover {
    const BrumeEmitterDef *emitter;
    BrumeCoverage shape;
    BrumeVertexBall ball; ///< around vertices
    float reach;          ///< how far it acts outside its shape [m]
    float common_edge;    ///< the factor for the soft edge where that is the same in all cells; else 0
    bool by_triangles;    ///< of a mesh, whose distances are searched for
} BrumeSourceCover;

/** The entries of a part of a row. */
typedef enum BrumeSegmentCover {
    BRUME_SEGMENT_ANY,
    BRUME_SEGMENT_NOT_COVERED,
    BRUME_SEGMENT_COVERED, ///< as a whole
} BrumeSegmentCover;

/** The entries that are as far as `around` [m], along each axis, from those that `shape` may cover, grown by one. */
BrumeIndexBox brume_entries_near(const BrumeSimDef *def, const BrumeShape *shape, BrumeVec3 around);

/** The position of an entry of a location [m]. */
BrumeVec3 brume_entry_position(const BrumeSimDef *def, int location, int i, int j, int k);

/** How an emitter covers the entries of a location; it refers to the emitter. */
BrumeSourceCover brume_source_cover(const BrumeSimDef *def, const BrumeEmitterDef *emitter, int location);

/** 0 at the surface of the shape and outside, 1 deeper inside than the softness, a smoothstep between. */
float brume_edge_factor(const BrumeSourceCover *covering, BrumeVec3 point);

/** Whether entries of the segment from `first` on, or points within `moved` [m] of them, may be near a mesh. */
BrumeSegmentCover brume_compare_segment(const BrumeSourceCover *covering, BrumeVec3 first, float moved);

/** The parts of cells of a segment in which an emitter acts, at `count` points. */
void brume_cover_segment(const BrumeSourceCover *covering, BrumeSegmentCover segment, const BrumeVec3 *points,
                         int count, float *parts);

#endif
