/**
 * @file conjugate_gradient.h
 * The preconditioned conjugate gradient method (Hestenes and Stiefel 1952) for A x = b with a symmetric positive
 * (semi-)definite A. This file has the recurrence; the caller has the vectors, operator and preconditioner and passes
 * the three vector operations of an iteration as functions, and may fuse and defer work within them.
 */
#ifndef BRUME_SIM_PRESSURE_CONJUGATE_GRADIENT_H
#define BRUME_SIM_PRESSURE_CONJUGATE_GRADIENT_H

/** The vector operations of one system. r is the residual b - A x, z = M r the preconditioned one, s the direction. */
typedef struct BrumeConjugateGradient {
    void *context;
    /**
     * z = M r, or z = r without a preconditioner; returns r.z. If the last step was deferred, updates x and r with it
     * first and sets `*square` to r.r.
     */
    double (*precondition)(void *context, double *square);
    /** s = z + beta s, or s = z without reading s if beta is 0; returns s.As. */
    double (*update_direction)(void *context, float beta);
    /** x += alpha s, r -= alpha A s, and `*square` = r.r; or defers these updates to the next precondition. */
    void (*step)(void *context, float alpha, double *square);
} BrumeConjugateGradient;

/**
 * Iterates until r.r is at most `goal` or `budget` iterations are done; `square` is r.r on entry. Returns the number of
 * iterations. Ends early when r.z or s.As is not above 0: the direction has then lost all accuracy to rounding, or
 * values are not finite.
 */
int brume_conjugate_gradient(const BrumeConjugateGradient *method, double square, double goal, int budget);

#endif
