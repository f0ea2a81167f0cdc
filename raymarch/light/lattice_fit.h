/**
 * @file lattice_fit.h
 * Values for linear interpolation on a lattice. Interpolation between samples of a smooth function f has the error f''
 * t (1 - t) / 2 at the fraction t between two entries, which has the same sign everywhere. Values f - f'' / 12, with
 * the second difference for f'', make its mean 0: asymptotically this is the linear spline of the least square error,
 * sqrt(6) times smaller than the error of interpolation (quasi-interpolation; Blu and Unser, "Quantitative Fourier
 * analysis of approximation techniques", IEEE Transactions on Signal Processing 47, 1999).
 */
#ifndef BRUME_RAYMARCH_LIGHT_LATTICE_FIT_H
#define BRUME_RAYMARCH_LIGHT_LATTICE_FIT_H

/**
 * Replaces samples (n3 x n2 x n1) by values for trilinear interpolation, along one axis after the other. Each value
 * stays between its neighbors along the axis, so that there are no overshoots at the edges of shadows; the first and
 * the last along an axis are kept. Parallel over rows.
 */
void brume_fit_lattice(float *entries, int n1, int n2, int n3);

#endif
