// Lengths are in kilometres, coefficients per kilometre. A state of a ray is the distance r from the centre of the
// Earth and the cosine mu of the angle to the vertical.
#include "raymarch/light/daylight.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "raymarch/fast_math.h"

#include <math.h>
#include <stdbool.h>

static const double GROUND = 6360.0;      // radius of the Earth
static const double TOP = 6460.0;         // of the atmosphere
static const double OBSERVER = 6360.05;   // the camera is 50 m above the sea
static const double SUN_RADIUS = 0.00465; // [rad]

// colors at wavelengths of 680, 550 and 440 nm
static const double rayleigh_scattering[3] = {5.802e-3, 13.558e-3, 33.1e-3};
static const double ozone_absorption[3] = {0.650e-3, 1.881e-3, 0.085e-3};
static const double ground_albedo = 0.2;
static const double haze_albedo = 0.9;
static const double haze_g = 0.8;
static const double rayleigh_scale_height = 8.0;
static const double haze_scale_height = 1.2;

enum { RADII = 32, COSINES = 128, DEPTH_STEPS = 48, MS_RADII = 12, MS_COSINES = 24, MS_STEPS = 16, VIEW_STEPS = 40 };

typedef struct Color {
    double c[3];
} Color;

// The atmosphere of one turbidity.
typedef struct Atmosphere {
    double haze_extinction[3];
    Color transmittance[RADII][COSINES];
    Color scattered[MS_RADII][MS_COSINES]; // radiance of light that was scattered twice or more, per irradiance
} Atmosphere;

// what a point of the atmosphere does to light
typedef struct Air {
    double rayleigh[3]; // scattering
    double haze[3];     // scattering
    double extinction[3];
} Air;

static double clamp(double x, double lower, double upper) { return brume_fmin(brume_fmax(x, lower), upper); }

static double attenuation(double depth) { return (double)brume_fast_exp((float)-depth); }

// 1 - exp(-depth), also of small depths, where the difference would lose digits
static double absorption(double depth)
{
    return depth < 0.01 ? depth * (1.0 - depth * (0.5 - depth * (1.0 / 6.0 - depth / 24.0))) : 1.0 - attenuation(depth);
}

// Angstrom's formula for the optical depth of haze, with the turbidity coefficient and exponent of Preetham et al.
static void set_haze(Atmosphere *atmosphere, double turbidity)
{
    static const double wavelengths[3] = {0.680, 0.550, 0.440}; // [micrometres]
    const double coefficient = brume_fmax(0.04608 * turbidity - 0.04586, 0.0);
    for (int c = 0; c < 3; c++) {
        atmosphere->haze_extinction[c] = coefficient * brume_pow(wavelengths[c], -1.3) / haze_scale_height;
    }
}

static Air air_at(const Atmosphere *atmosphere, double r)
{
    const double height = brume_fmax(r - GROUND, 0.0);
    const double molecules = attenuation(height / rayleigh_scale_height);
    const double haze = attenuation(height / haze_scale_height);
    const double ozone = brume_fmax(0.0, 1.0 - fabs(height - 25.0) / 15.0);
    Air air;
    for (int c = 0; c < 3; c++) {
        air.rayleigh[c] = rayleigh_scattering[c] * molecules;
        air.haze[c] = haze_albedo * atmosphere->haze_extinction[c] * haze;
        air.extinction[c] = air.rayleigh[c] + atmosphere->haze_extinction[c] * haze + ozone_absorption[c] * ozone;
    }
    return air;
}

static double distance_to_top(double r, double mu)
{
    return brume_fmax(-r * mu + sqrt(brume_fmax(r * r * (mu * mu - 1.0) + TOP * TOP, 0.0)), 0.0);
}

// the distance to the ground; negative where the ray does not reach it
static double distance_to_ground(double r, double mu)
{
    const double discriminant = r * r * (mu * mu - 1.0) + GROUND * GROUND;
    return mu < 0.0 && discriminant >= 0.0 ? -r * mu - sqrt(discriminant) : -1.0;
}

// the distance from the centre farther along a ray
static double advance(double r, double mu, double distance)
{
    return sqrt(r * r + distance * (distance + 2.0 * r * mu));
}

// transmittance from (r, mu) to the top, without the ground
static Color integrate_transmittance(const Atmosphere *atmosphere, double r, double mu)
{
    const double step = distance_to_top(r, mu) / DEPTH_STEPS;
    double depth[3] = {0.0};
    for (int n = 0; n < DEPTH_STEPS; n++) {
        // Simpson's rule on every step: exact enough for the exponential profile over long, low rays
        const Air start = air_at(atmosphere, advance(r, mu, n * step));
        const Air middle = air_at(atmosphere, advance(r, mu, (n + 0.5) * step));
        const Air end = air_at(atmosphere, advance(r, mu, (n + 1) * step));
        for (int c = 0; c < 3; c++) {
            depth[c] += (start.extinction[c] + 4.0 * middle.extinction[c] + end.extinction[c]) * step / 6.0;
        }
    }
    return (Color){{attenuation(depth[0]), attenuation(depth[1]), attenuation(depth[2])}};
}

static double horizon_length(void) { return sqrt(TOP * TOP - GROUND * GROUND); }

static void fill_transmittance(Atmosphere *atmosphere)
{
    const double longest = horizon_length();
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < RADII; i++) {
        const double rho = longest * i / (RADII - 1);
        const double r = sqrt(rho * rho + GROUND * GROUND);
        const double least = TOP - r;
        for (int j = 0; j < COSINES; j++) {
            const double distance = least + (rho + longest - least) * j / (COSINES - 1);
            const double mu =
                distance > 0.0 ? (longest * longest - rho * rho - distance * distance) / (2.0 * r * distance) : 1.0;
            atmosphere->transmittance[i][j] = integrate_transmittance(atmosphere, r, clamp(mu, -1.0, 1.0));
        }
    }
}

static Color blend(const Color *a, const Color *b, double share)
{
    Color result;
    for (int c = 0; c < 3; c++) {
        result.c[c] = a->c[c] + share * (b->c[c] - a->c[c]);
    }
    return result;
}

// transmittance towards the sun, of whose disc the horizon hides a part; 0 in the shadow of the Earth
static Color sun_transmittance(const Atmosphere *atmosphere, double r, double mu)
{
    const double sine = brume_fmin(GROUND / r, 1.0);
    const double horizon = -sqrt(1.0 - sine * sine);
    const double visible = clamp(0.5 + (mu - horizon) / (2.0 * sine * SUN_RADIUS), 0.0, 1.0);
    if (!(visible > 0.0)) {
        return (Color){{0.0}};
    }
    const double longest = horizon_length();
    const double rho = sqrt(brume_fmax(r * r - GROUND * GROUND, 0.0));
    const double least = TOP - r;
    const double x = clamp(rho / longest, 0.0, 1.0) * (RADII - 1);
    const double y = clamp((distance_to_top(r, brume_fmax(mu, horizon)) - least) / (rho + longest - least), 0.0, 1.0) *
                     (COSINES - 1);
    const int i = brume_min_int((int)x, RADII - 2);
    const int j = brume_min_int((int)y, COSINES - 2);
    const Color *a = &atmosphere->transmittance[i][j];
    const Color *b = &atmosphere->transmittance[i + 1][j];
    const Color lower = blend(&a[0], &a[1], y - j);
    const Color upper = blend(&b[0], &b[1], y - j);
    Color result = blend(&lower, &upper, x - i);
    for (int c = 0; c < 3; c++) {
        result.c[c] *= visible;
    }
    return result;
}

static double scattered_radius(int i)
{
    return GROUND + (TOP - GROUND) * (double)(i * i) / ((MS_RADII - 1) * (MS_RADII - 1));
}

static double scattered_cosine(int j) { return -0.3 + 1.3 * j / (MS_COSINES - 1); }

// Light scattered twice at a point, per irradiance, and the share of light that is scattered once more on its way; the
// orders from the second on are a geometric series (Hillaire, equations 5 to 10).
static Color integrate_scattered(const Atmosphere *atmosphere, double r, double mu_s)
{
    enum { POLAR = 8, AZIMUTHS = 6 };
    const double sine_s = sqrt(brume_fmax(1.0 - mu_s * mu_s, 0.0));
    double second[3] = {0.0};
    double again[3] = {0.0};
    for (int direction = 0; direction < POLAR * AZIMUTHS; direction++) {
        const int polar = direction / AZIMUTHS;
        const double mu = 1.0 - (2.0 * polar + 1.0) / POLAR;
        const double turn = M_PI * (direction % AZIMUTHS + 0.5) / AZIMUTHS; // the other half is symmetric
        const double nu = mu * mu_s + sqrt(1.0 - mu * mu) * sine_s * brume_cos(turn);
        const double to_ground = distance_to_ground(r, mu);
        const double length = to_ground >= 0.0 ? to_ground : distance_to_top(r, mu);
        double through[3] = {1.0, 1.0, 1.0};
        for (int n = 0; n < MS_STEPS; n++) {
            const double from = length * (double)(n * n) / (MS_STEPS * MS_STEPS);
            const double to = length * (double)((n + 1) * (n + 1)) / (MS_STEPS * MS_STEPS);
            const double at = 0.5 * (from + to);
            const double radius = advance(r, mu, at);
            const Air air = air_at(atmosphere, radius);
            const Color sun = sun_transmittance(atmosphere, radius, clamp((r * mu_s + at * nu) / radius, -1.0, 1.0));
            for (int c = 0; c < 3; c++) {
                const double absorbed = absorption(air.extinction[c] * (to - from));
                const double scattering = air.rayleigh[c] + air.haze[c];
                const double share =
                    air.extinction[c] > 0.0 ? through[c] * scattering * absorbed / air.extinction[c] : 0.0;
                second[c] += share * sun.c[c] / (4.0 * M_PI);
                again[c] += share;
                through[c] *= 1.0 - absorbed;
            }
        }
        if (to_ground >= 0.0) {
            const double height = (r * mu_s + length * nu) / GROUND;
            const Color sun = sun_transmittance(atmosphere, GROUND, clamp(height, -1.0, 1.0));
            for (int c = 0; c < 3; c++) {
                second[c] += through[c] * sun.c[c] * brume_fmax(height, 0.0) * ground_albedo / M_PI;
            }
        }
    }
    Color result;
    for (int c = 0; c < 3; c++) {
        const double count = POLAR * AZIMUTHS;
        result.c[c] = second[c] / count / (1.0 - again[c] / count);
    }
    return result;
}

static void fill_scattered(Atmosphere *atmosphere)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < MS_RADII; i++) {
        for (int j = 0; j < MS_COSINES; j++) {
            atmosphere->scattered[i][j] = integrate_scattered(atmosphere, scattered_radius(i), scattered_cosine(j));
        }
    }
}

static Color scattered_at(const Atmosphere *atmosphere, double r, double mu_s)
{
    const double x = sqrt(clamp((r - GROUND) / (TOP - GROUND), 0.0, 1.0)) * (MS_RADII - 1);
    const double y = clamp((mu_s + 0.3) / 1.3, 0.0, 1.0) * (MS_COSINES - 1);
    const int i = brume_min_int((int)x, MS_RADII - 2);
    const int j = brume_min_int((int)y, MS_COSINES - 2);
    const Color *a = &atmosphere->scattered[i][j];
    const Color *b = &atmosphere->scattered[i + 1][j];
    const Color lower = blend(&a[0], &a[1], y - j);
    const Color upper = blend(&b[0], &b[1], y - j);
    return blend(&lower, &upper, x - i);
}

static double rayleigh_phase(double nu) { return 3.0 / (16.0 * M_PI) * (1.0 + nu * nu); }

// of Cornette and Shanks
static double haze_phase(double nu)
{
    const double g2 = haze_g * haze_g;
    const double base = 1.0 + g2 - 2.0 * haze_g * nu;
    return 3.0 / (8.0 * M_PI) * (1.0 - g2) * (1.0 + nu * nu) / ((2.0 + g2) * base * sqrt(base));
}

// radiance per irradiance outside the atmosphere, along a ray that does not reach the ground
static Color view_radiance(const Atmosphere *atmosphere, double mu, double mu_s, double nu)
{
    const double r = OBSERVER;
    const double length = distance_to_top(r, mu);
    const double phase_r = rayleigh_phase(nu);
    const double phase_h = haze_phase(nu);
    double through[3] = {1.0, 1.0, 1.0};
    Color sum = {{0.0}};
    for (int n = 0; n < VIEW_STEPS; n++) {
        // steps grow with the distance: the air near the observer is the densest
        const double from = length * (double)(n * n) / (VIEW_STEPS * VIEW_STEPS);
        const double to = length * (double)((n + 1) * (n + 1)) / (VIEW_STEPS * VIEW_STEPS);
        const double at = 0.5 * (from + to);
        const double radius = advance(r, mu, at);
        const double sun_height = clamp((r * mu_s + at * nu) / radius, -1.0, 1.0);
        const Air air = air_at(atmosphere, radius);
        const Color sun = sun_transmittance(atmosphere, radius, sun_height);
        const Color scattered = scattered_at(atmosphere, radius, sun_height);
        for (int c = 0; c < 3; c++) {
            const double source = sun.c[c] * (air.rayleigh[c] * phase_r + air.haze[c] * phase_h) +
                                  scattered.c[c] * (air.rayleigh[c] + air.haze[c]);
            const double absorbed = absorption(air.extinction[c] * (to - from));
            sum.c[c] += air.extinction[c] > 0.0 ? through[c] * source * absorbed / air.extinction[c] : 0.0;
            through[c] *= 1.0 - absorbed;
        }
    }
    return sum;
}

// the radiance of one row; columns lie symmetrically about the direction of the sun, which is the left edge
static void fill_view_row(float *row, const Atmosphere *atmosphere, double mu, double mu_s)
{
    const double sines = sqrt((1.0 - mu * mu) * brume_fmax(1.0 - mu_s * mu_s, 0.0));
    for (int column = 0; column < BRUME_DAYLIGHT_COLUMNS / 2; column++) {
        const double nu = mu * mu_s + sines * brume_cos(2.0 * M_PI * (column + 0.5) / BRUME_DAYLIGHT_COLUMNS);
        const Color radiance = view_radiance(atmosphere, mu, mu_s, clamp(nu, -1.0, 1.0));
        float *const mirrored = row + (size_t)3 * (size_t)(BRUME_DAYLIGHT_COLUMNS - 1 - column);
        for (int c = 0; c < 3; c++) {
            row[3 * column + c] = BRUME_DAYLIGHT_IRRADIANCE * (float)radiance.c[c];
            mirrored[c] = row[3 * column + c];
        }
    }
}

BrumeStatus brume_daylight_fill(float *radiance, float turbidity, float height, BrumeError *error)
{
    Atmosphere *atmosphere = brume_alloc(1, sizeof *atmosphere);
    if (atmosphere == NULL) {
        return brume_out_of_memory(error, "a daylight sky");
    }
    set_haze(atmosphere, (double)turbidity);
    fill_transmittance(atmosphere);
    fill_scattered(atmosphere);
    const size_t stride = (size_t)3 * BRUME_DAYLIGHT_COLUMNS;
#pragma omp parallel for schedule(dynamic)
    for (int row = 0; row < BRUME_DAYLIGHT_ROWS / 2; row++) {
        const double mu = brume_cos(M_PI * (row + 0.5) / BRUME_DAYLIGHT_ROWS);
        fill_view_row(radiance + stride * (size_t)row, atmosphere, mu, clamp((double)height, -1.0, 1.0));
    }
    const float *horizon = radiance + stride * (BRUME_DAYLIGHT_ROWS / 2 - 1);
    for (size_t n = 0; n < stride * (BRUME_DAYLIGHT_ROWS / 2); n++) {
        radiance[stride * (BRUME_DAYLIGHT_ROWS / 2) + n] = horizon[n % stride];
    }
    brume_free(atmosphere);
    return BRUME_OK;
}

BrumeVec3 brume_sunlight(float turbidity, float height)
{
    Atmosphere atmosphere;
    set_haze(&atmosphere, (double)turbidity);
    const double mu = clamp((double)height, -1.0, 1.0);
    const double sine = GROUND / OBSERVER;
    const double horizon = -sqrt(1.0 - sine * sine);
    const double visible = clamp(0.5 + (mu - horizon) / (2.0 * sine * SUN_RADIUS), 0.0, 1.0);
    const Color through = integrate_transmittance(&atmosphere, OBSERVER, brume_fmax(mu, horizon));
    const double scale = (double)BRUME_DAYLIGHT_IRRADIANCE * visible;
    return brume_vec3((float)(scale * through.c[0]), (float)(scale * through.c[1]), (float)(scale * through.c[2]));
}
