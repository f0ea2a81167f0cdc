/**
 * @file vec3.h
 * Three floats.
 */
#ifndef BRUME_VEC3_H
#define BRUME_VEC3_H

/** A point, direction, velocity or linear RGB color. Each use states its unit. y points up. */
typedef struct BrumeVec3 {
    float x, y, z;
} BrumeVec3;

#endif
