/**
 * @file lattice_window.h
 * The part of the lattice of a light volume that is stored. It has all entries that smoke or solids may shadow, and at
 * least two around them: entries beyond it have the value of the nearest stored one, because nothing changes the light
 * there, along each ray behind the last smoke included.
 */
#ifndef BRUME_RAYMARCH_LIGHT_LATTICE_WINDOW_H
#define BRUME_RAYMARCH_LIGHT_LATTICE_WINDOW_H

#include "core/minmax.h"
#include "raymarch/fast_math.h"

#include <math.h>

/** The stored entries along rows of rays, along the rays, and across the rows, in this order. */
typedef struct BrumeLatticeWindow {
    int first[3], count[3];
} BrumeLatticeWindow;

/** A window of no entries, to which others are added before brume_window_close. */
static const BrumeLatticeWindow brume_no_entries = {{1 << 30, 1 << 30, 1 << 30}, {0, 0, 0}};

/**
 * Adds the entries along an axis between two coordinates, and three more on each side: values are fitted to their
 * neighbors (lattice_fit.h), and the outermost two are equal. The lattice has `entries` of them; NaN adds all.
 */
static inline void brume_window_add(BrumeLatticeWindow *window, int axis, float from, float to, int entries)
{
    const float margin = 3.0f;
    const float end = (float)(entries - 1);
    const int lowest = (int)brume_clamp(floorf(from) - margin, 0.0f, end);
    const int highest = (int)(end - brume_clamp(end - ceilf(to) - margin, 0.0f, end));
    const int last = brume_max_int(window->first[axis] + window->count[axis] - 1, highest);
    const bool is_first = window->count[axis] == 0;
    window->first[axis] = brume_min_int(window->first[axis], lowest);
    window->count[axis] = (is_first ? highest : last) - window->first[axis] + 1;
}

/** Extends a window to at least two of the `entries` along an axis, where it has more than one. */
static inline void brume_window_close(BrumeLatticeWindow *window, int axis, int entries)
{
    window->first[axis] = brume_max_int(brume_min_int(window->first[axis], entries - 2), 0);
    window->count[axis] = brume_max_int(window->count[axis], brume_min_int(entries, 2));
}

/** All entries of a lattice. */
static inline BrumeLatticeWindow brume_whole_window(int count1, int count2, int count3)
{
    return (BrumeLatticeWindow){{0, 0, 0}, {count1, count2, count3}};
}

/** The index among the stored entries along an axis of the entry n, or of the nearest one with another behind it. */
static inline int brume_window_index(const BrumeLatticeWindow *window, int axis, int n)
{
    const int index = n - window->first[axis];
    const int last = window->count[axis] - 2;
    return index < 0 ? 0 : index < last ? index : last;
}

#endif
