#include "sim/pressure/conjugate_gradient.h"

#include <math.h>

int brume_conjugate_gradient(const BrumeConjugateGradient *method, double square, double goal, int budget)
{
    double last_product = 0.0;
    int iterations = 0;
    while (iterations < budget && square > goal) {
        const double product = method->precondition(method->context, &square); // r.z
        if (square <= goal) {
            break; // reached by a deferred step
        }
        const float beta = iterations > 0 ? (float)(product / last_product) : 0.0f;
        const double curvature = method->update_direction(method->context, beta); // s.As
        const double alpha = product / curvature;
        if (!(product > 0.0) || !(curvature > 0.0) || !isfinite((float)alpha)) {
            break; // the direction has lost all accuracy to rounding
        }
        method->step(method->context, (float)alpha, &square);
        last_product = product;
        iterations++;
    }
    return iterations;
}
