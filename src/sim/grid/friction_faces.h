/**
 * @file friction_faces.h
 * The faces of cut cells near walls, with what the friction of the walls needs (forces/diffusion_operator.h), from the
 * signed distances at the centers of the faces. Sparse: all other faces have neighbors in the air alone.
 */
#ifndef BRUME_SIM_GRID_FRICTION_FACES_H
#define BRUME_SIM_GRID_FRICTION_FACES_H

#include "core/error.h"
#include "core/field.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct BrumeCells;

/** A face nearer to a surface than this, or inside a solid, is in the layer at the wall [dx]. */
#define BRUME_WALL_LAYER 0.5f

/**
 * An open face of one component near a wall. Its neighbors are the same faces of the next cells along -x, +x, -y, +y,
 * -z, +z.
 */
typedef struct BrumeFrictionFace {
    int32_t index;  ///< offset in a field
    bool in_layer;  ///< whether it is in the layer at the wall
    bool is_inner;  ///< in the layer: whether it has no neighbor outside
    uint8_t id;     ///< as wall_ids, of the solid that cuts the cells at the face; 0 if none does
    uint8_t ids[6]; ///< likewise of the cells at the face or at the neighbor
    /**
     * Outside the layer: 1 over the distance to the surface on the way to the neighbor and beyond [1/dx], where the
     * neighbor is in the layer, else 0; at most 1 / BRUME_WALL_LAYER. In the layer: the part of the velocity of the
     * neighbor, relative to the wall, that a linear profile gives the open part of the face; 0 where the neighbor is in
     * the layer too, or for an inner face where it is an inner face too.
     */
    float weight[6];
    float rate;    ///< in the layer: at which friction leads to that profile, over the viscosity [1/dx^2]
    float open[6]; ///< open part of the area between the control volumes of face and neighbor; 0 at a closed neighbor
} BrumeFrictionFace;

/** The faces of one component near walls, in the order of the field. */
typedef struct BrumeFrictionFaces {
    BrumeFrictionFace *entries;
    int32_t *rows; ///< where row (j, k) begins: entry (k - 1) ny + (j - 1); one more for the end
} BrumeFrictionFaces;

/**
 * Lists the faces of a component of cut cells, whose fractions, flags, distances and wall_ids are set. BRUME_FAILED
 * without memory, with nothing to destroy. Same bits at any thread count.
 */
BrumeStatus brume_friction_faces_create(BrumeFrictionFaces *faces, const struct BrumeCells *cells, int component,
                                        BrumeError *error);

void brume_friction_faces_destroy(BrumeFrictionFaces *faces);

/** Bytes allocated, for a box of this grid. */
size_t brume_friction_faces_bytes(const BrumeFrictionFaces *faces, BrumeGrid grid);

#endif
