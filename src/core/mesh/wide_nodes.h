/**
 * @file wide_nodes.h
 * The stack of a walk through the wide nodes of a tree.
 */
#ifndef BRUME_CORE_MESH_WIDE_NODES_H
#define BRUME_CORE_MESH_WIDE_NODES_H

#include "core/mesh/bvh.h"
#include "core/parallel/simd.h"

_Static_assert((int)BRUME_BVH_WIDTH == (int)BRUME_LANES, "the children of a node are the lanes of a vector");

enum { BRUME_WIDE_STACK = (BRUME_BVH_WIDTH - 1) * BRUME_BVH_STACK + 1 }; ///< room for every tree

/** A child of a wide node that has to be visited. */
typedef struct BrumeWideEntry {
    int child, count; ///< as in BrumeBvhWideNode
    float distance;   ///< by which children are ordered
} BrumeWideEntry;

/** Begins to load what an entry points to: searches wait for memory most of their time. */
BRUME_INLINE void brume_prefetch_entry(const BrumeBvh *bvh, const BrumeWideEntry *entry)
{
    const bool is_node = entry->count == 0;
    const char *at = is_node ? (const char *)&bvh->wide[entry->child] : (const char *)&bvh->triangles[entry->child];
    const size_t bytes = is_node ? sizeof *bvh->wide : (size_t)entry->count * sizeof *bvh->triangles;
    for (size_t line = 0; line < bytes; line += 64) {
        __builtin_prefetch(at + line);
    }
}

/** Adds the children whose lane of `entered` is -1, not 0; `in_order`: that of the least distance last. Returns the new
 * depth of the stack. */
BRUME_INLINE int brume_add_wide_entries(BrumeWideEntry *stack, int depth, const BrumeBvh *bvh,
                                        const BrumeBvhWideNode *node, const BrumeInt8 *entered,
                                        const BrumeFloat8 *distances, bool in_order)
{
    const BrumeFloat8 all = *distances;
    const int first = depth;
    for (unsigned bits = brume_lanes_of(entered); bits != 0; bits &= bits - 1) {
        const int n = __builtin_ctz(bits);
        const BrumeWideEntry entry = {node->child[n], node->count[n], all[n]};
        brume_prefetch_entry(bvh, &entry);
        int at = depth++;
        for (; in_order && at > first && stack[at - 1].distance < all[n]; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = entry;
    }
    return depth;
}

#endif
