#include "raymarch/light/phase.h"

#include "core/elementary.h"

// mean cosine of Draine's function (equation 6 of Draine 2003)
static double draine_mean_cosine(double g, double alpha)
{
    return g * (1.0 + alpha * (3.0 + 2.0 * g * g) / 5.0) / (1.0 + alpha * (1.0 + 2.0 * g * g) / 3.0);
}

BrumePhaseLobes brume_phase_lobes(const BrumeRenderSettings *settings)
{
    const BrumePhaseFunction *phase = &settings->phase;
    BrumePhaseLobes lobes = {.g = settings->anisotropy, .mean_cosine = settings->anisotropy};
    if (phase->kind == BRUME_PHASE_TWO_LOBES) {
        lobes.g = phase->forward;
        lobes.draine_g = phase->backward;
        lobes.weight = 1.0f - phase->forward_share;
        lobes.mean_cosine = phase->forward_share * lobes.g + lobes.weight * lobes.draine_g;
    } else if (phase->kind == BRUME_PHASE_DROPLETS) {
        const double d = (double)brume_clamp(phase->droplet_diameter, 5.0f, 50.0f);
        const double g = brume_exp(-0.0990567 / (d - 1.67154));
        const double draine_g = brume_exp(-2.20679 / (d + 3.91029) - 0.428934);
        const double alpha = brume_exp(3.62489 - 8.29288 / (d + 5.52825));
        const double weight = brume_exp(-0.599085 / (d - 0.641583) - 0.665888);
        lobes.g = (float)g;
        lobes.draine_g = (float)draine_g;
        lobes.alpha = (float)alpha;
        lobes.weight = (float)weight;
        lobes.mean_cosine = (float)((1.0 - weight) * g + weight * draine_mean_cosine(draine_g, alpha));
    }
    return lobes;
}

// An antiderivative of b^(-3/2) (1 + alpha mu^2) over b = 1 + g^2 - 2 g mu, in r = sqrt(b).
static double draine_integral(double r, double g, double alpha)
{
    const double a = 1.0 + g * g;
    return -2.0 / r + alpha / (4.0 * g * g) * (-2.0 * a * a / r - 4.0 * a * r + 2.0 / 3.0 * r * r * r);
}

// The cosine below which the share `u` of Draine's function lies: Newton's method on the integral from -1, between
// bounds that bisection narrows. For |g| of at least 0.1; the fit has 0.5 to 0.7.
static float sample_draine(double g, double alpha, double u)
{
    const double norm = (1.0 - g * g) / (2.0 * (1.0 + alpha * (1.0 + 2.0 * g * g) / 3.0));
    const double from_backward = draine_integral(1.0 + g, g, alpha);
    double lower = -1.0;
    double upper = 1.0;
    double cosine = 0.0;
    for (int n = 0; n < 60 && upper - lower > 1e-9; n++) {
        const double b = 1.0 + g * g - 2.0 * g * cosine;
        const double r = sqrt(b);
        const double share = norm * (from_backward - draine_integral(r, g, alpha)) / (2.0 * g);
        const double density = norm * (1.0 + alpha * cosine * cosine) / (b * r);
        if (share < u) {
            lower = cosine;
        } else {
            upper = cosine;
        }
        const double newton = cosine - (share - u) / density;
        const double next = newton > lower && newton < upper ? newton : 0.5 * (lower + upper);
        if (fabs(next - cosine) < 1e-9) {
            break;
        }
        cosine = next;
    }
    return (float)cosine;
}

float brume_phase_sample(const BrumePhaseLobes *phase, float u)
{
    if (!(phase->weight > 0.0f)) {
        return brume_sample_hg(phase->g, u);
    }
    // the part of [0, 1) below `weight` samples the second lobe; within each part, u is stretched to [0, 1)
    if (u < phase->weight) {
        const float within = brume_min(u / phase->weight, 0x1.fffffep-1f);
        return phase->alpha > 0.0f ? sample_draine((double)phase->draine_g, (double)phase->alpha, (double)within)
                                   : brume_sample_hg(phase->draine_g, within);
    }
    const float within = brume_min((u - phase->weight) / (1.0f - phase->weight), 0x1.fffffep-1f);
    return brume_sample_hg(phase->g, within);
}
