/**
 * @file union_find.h
 * Disjoint sets of integers as a forest (Tarjan 1975): a set is represented by its lowest member, the root of its tree.
 */
#ifndef BRUME_CORE_MESH_UNION_FIND_H
#define BRUME_CORE_MESH_UNION_FIND_H

/** Each of `count` integers becomes a set. */
static inline void brume_make_sets(int *parents, int count)
{
    for (int n = 0; n < count; n++) {
        parents[n] = n;
    }
}

/** The lowest member of the set of `n`. */
static inline int brume_find_set(int *parents, int n)
{
    while (parents[n] != n) {
        parents[n] = parents[parents[n]];
        n = parents[n];
    }
    return n;
}

static inline void brume_unite_sets(int *parents, int a, int b)
{
    const int root_a = brume_find_set(parents, a);
    const int root_b = brume_find_set(parents, b);
    if (root_a < root_b) {
        parents[root_b] = root_a;
    } else {
        parents[root_a] = root_b;
    }
}

#endif
