// Lengths are in kilometers, coefficients per kilometer. A state of a ray is the distance r from the center of the
// Earth and the cosine mu of the angle to the vertical.
//
// Haze scatters most light by small angles. In the reduced atmosphere, the share g^2 of the light that it scatters
// counts as going straight on (Joseph, Wiscombe, Weinman, "The Delta-Eddington Approximation for Radiative Flux
// Transfer", 1976), and the rest as scattered evenly to all sides. Along view rays, sunlight that arrives directly is
// scattered by the phase functions themselves, the light that arrives in addition through the reduced atmosphere by one
// of haze that scattered it before, and the mean radiance of all other light, solved for in the reduced atmosphere,
// evenly to all sides.
#include "raymarch/light/daylight.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "raymarch/fast_math.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

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

enum { RADII = 32, COSINES = 128, DEPTH_STEPS = 48, VIEW_STEPS = 40 };
enum { MS_RADII = 12, MS_COSINES = 32, MS_STEPS = 16, MS_POLAR = 10, MS_AZIMUTHS = 6, MS_ORDERS = 6 };

// smallest root of the table of scattered light (table_place), for a sun 17.6 degrees below the horizon
static const double lowest_root = -0.55;

typedef struct Color {
    double c[3];
} Color;

// The atmosphere of one turbidity.
typedef struct Atmosphere {
    double haze_extinction[3];
    double forward; // share of the light scattered by haze that counts as not scattered at all
    Color transmittance[RADII][COSINES];
    Color scattered[MS_RADII][MS_COSINES]; // mean radiance of light that was scattered at least once, per irradiance
} Atmosphere;

// the coefficients of the atmosphere at a point
typedef struct Air {
    double rayleigh[3];    // scattering
    double haze[3];        // scattering
    double spread_haze[3]; // scattering but for the share that goes on forwards
    double extinction[3];  // without that share
} Air;

static double clamp(double x, double lower, double upper) { return brume_fmin(brume_fmax(x, lower), upper); }

static double attenuation(double depth) { return (double)brume_fast_exp((float)-depth); }

// 1 - exp(-depth), also of small depths, where the difference would lose digits
static double absorption(double depth)
{
    return depth < 0.01 ? depth * (1.0 - depth * (0.5 - depth * (1.0 / 6.0 - depth / 24.0))) : 1.0 - attenuation(depth);
}

// Angstrom's formula for the optical depth of haze, with the turbidity coefficient and exponent of Preetham et al.
static void set_haze(Atmosphere *atmosphere, double turbidity, double forward)
{
    static const double wavelengths[3] = {0.680, 0.550, 0.440}; // [micrometers]
    atmosphere->forward = forward;
    const double coefficient = brume_fmax(0.04608 * turbidity - 0.04586, 0.0);
    for (int c = 0; c < 3; c++) {
        atmosphere->haze_extinction[c] = coefficient * brume_pow(wavelengths[c], -1.3) / haze_scale_height;
    }
}

// the coefficients at a distance `r` from the center of the Earth
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
        air.spread_haze[c] = (1.0 - atmosphere->forward) * air.haze[c];
        air.extinction[c] = air.rayleigh[c] + atmosphere->haze_extinction[c] * haze -
                            atmosphere->forward * air.haze[c] + ozone_absorption[c] * ozone;
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

// the distance from the center of the Earth at a `distance` along a ray
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

// The table's rows have equal steps of the distance to the horizon, its columns of the distance to the top of the
// atmosphere (Bruneton and Neyret 2008).
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

// the radius of a row of the table of scattered light
static double table_radius(int i)
{
    return GROUND + (TOP - GROUND) * (double)(i * i) / ((MS_RADII - 1) * (MS_RADII - 1));
}

// The columns of the table lie closest where the sun is near the horizon. `place` is in [0, 1].
static double table_cosine(double place)
{
    const double root = lowest_root + place * (1.0 - lowest_root);
    return root * fabs(root);
}

// the inverse of table_cosine, clamped to [0, 1]
static double table_place(double mu)
{
    const double root = mu < 0.0 ? -sqrt(-mu) : sqrt(mu);
    return clamp((root - lowest_root) / (1.0 - lowest_root), 0.0, 1.0);
}

// the table of scattered light at a radius and a cosine of the sun
static Color interpolate_scattered(const Atmosphere *atmosphere, double r, double mu_s)
{
    const double x = sqrt(clamp((r - GROUND) / (TOP - GROUND), 0.0, 1.0)) * (MS_RADII - 1);
    const double y = table_place(mu_s) * (MS_COSINES - 1);
    const int i = brume_min_int((int)x, MS_RADII - 2);
    const int j = brume_min_int((int)y, MS_COSINES - 2);
    const Color *a = &atmosphere->scattered[i][j];
    const Color *b = &atmosphere->scattered[i + 1][j];
    const Color lower = blend(&a[0], &a[1], y - j);
    const Color upper = blend(&b[0], &b[1], y - j);
    return blend(&lower, &upper, x - i);
}

// The rays of one polar angle from the points of one radius, which do not depend on the sun.
typedef struct GatherRay {
    double mu, length;
    bool reaches_ground;
    double radius[MS_STEPS], distance[MS_STEPS];
    Color share[MS_STEPS]; // radiance that arrives from a step over the mean radiance that is scattered there
    Color through;         // transmittance of the whole ray
} GatherRay;

// sets the steps of a ray, and for each the share of the light scattered there that arrives at its start
static void set_gather_ray(GatherRay *ray, const Atmosphere *atmosphere, double r, double mu)
{
    const double to_ground = distance_to_ground(r, mu);
    ray->mu = mu;
    ray->reaches_ground = to_ground >= 0.0;
    ray->length = ray->reaches_ground ? to_ground : distance_to_top(r, mu);
    ray->through = (Color){{1.0, 1.0, 1.0}};
    for (int n = 0; n < MS_STEPS; n++) {
        const double from = ray->length * (double)(n * n) / (MS_STEPS * MS_STEPS);
        const double to = ray->length * (double)((n + 1) * (n + 1)) / (MS_STEPS * MS_STEPS);
        ray->distance[n] = 0.5 * (from + to);
        ray->radius[n] = advance(r, mu, ray->distance[n]);
        const Air air = air_at(atmosphere, ray->radius[n]);
        for (int c = 0; c < 3; c++) {
            const double absorbed = absorption(air.extinction[c] * (to - from));
            const double scattering = air.rayleigh[c] + air.spread_haze[c];
            ray->share[n].c[c] =
                air.extinction[c] > 0.0 ? ray->through.c[c] * scattering * absorbed / air.extinction[c] : 0.0;
            ray->through.c[c] *= 1.0 - absorbed;
        }
    }
}

// The mean radiance over all directions of light that was scattered or reflected at least once, where the sun has the
// cosine mu_s, from the next lower order in the table. `irradiance` / pi of the ground comes from the same table.
static Color gather(const Atmosphere *atmosphere, const GatherRay rays[MS_POLAR], double r, double mu_s,
                    const Color ground_irradiance[MS_COSINES], Color *irradiance)
{
    const double sine_s = sqrt(brume_fmax(1.0 - mu_s * mu_s, 0.0));
    Color mean = {{0.0}};
    *irradiance = mean;
    for (int direction = 0; direction < MS_POLAR * MS_AZIMUTHS; direction++) {
        const GatherRay *ray = &rays[direction / MS_AZIMUTHS];
        const double turn = M_PI * (direction % MS_AZIMUTHS + 0.5) / MS_AZIMUTHS; // the other half is symmetric
        const double nu = ray->mu * mu_s + sqrt(1.0 - ray->mu * ray->mu) * sine_s * brume_cos(turn);
        Color radiance = {{0.0}};
        for (int n = 0; n < MS_STEPS; n++) {
            const double cosine = clamp((r * mu_s + ray->distance[n] * nu) / ray->radius[n], -1.0, 1.0);
            const Color sun = sun_transmittance(atmosphere, ray->radius[n], cosine);
            const Color scattered = interpolate_scattered(atmosphere, ray->radius[n], cosine);
            for (int c = 0; c < 3; c++) {
                radiance.c[c] += ray->share[n].c[c] * (sun.c[c] / (4.0 * M_PI) + scattered.c[c]);
            }
        }
        if (ray->reaches_ground) {
            const double height = clamp((r * mu_s + ray->length * nu) / GROUND, -1.0, 1.0);
            const Color sun = sun_transmittance(atmosphere, GROUND, height);
            const double place = table_place(height) * (MS_COSINES - 1);
            const int j = brume_min_int((int)place, MS_COSINES - 2);
            const Color sky = blend(&ground_irradiance[j], &ground_irradiance[j + 1], place - j);
            for (int c = 0; c < 3; c++) {
                const double received = sun.c[c] * brume_fmax(height, 0.0) / M_PI + sky.c[c];
                radiance.c[c] += ray->through.c[c] * ground_albedo * received;
            }
        }
        for (int c = 0; c < 3; c++) {
            mean.c[c] += radiance.c[c] / (MS_POLAR * MS_AZIMUTHS);
            irradiance->c[c] += 4.0 * brume_fmax(ray->mu, 0.0) * radiance.c[c] / (MS_POLAR * MS_AZIMUTHS);
        }
    }
    return mean;
}

// One order of scattering after the other, each from the table of the orders before (as Bruneton and Neyret, but with
// all light scattered isotropically).
static void fill_scattered(Atmosphere *atmosphere)
{
    GatherRay rays[MS_RADII][MS_POLAR];
    Color next[MS_RADII][MS_COSINES];
    Color irradiance[2][MS_COSINES] = {{{{0.0}}}};
    for (int i = 0; i < MS_RADII; i++) {
        for (int polar = 0; polar < MS_POLAR; polar++) {
            set_gather_ray(&rays[i][polar], atmosphere, table_radius(i), 1.0 - (2.0 * polar + 1.0) / MS_POLAR);
        }
    }
    memset(atmosphere->scattered, 0, sizeof atmosphere->scattered);
    for (int order = 0; order < MS_ORDERS; order++) {
#pragma omp parallel for schedule(dynamic)
        for (int n = 0; n < MS_RADII * MS_COSINES; n++) {
            const int i = n / MS_COSINES;
            const int j = n % MS_COSINES;
            Color of_ground;
            next[i][j] = gather(atmosphere, rays[i], table_radius(i), table_cosine((double)j / (MS_COSINES - 1)),
                                irradiance[0], &of_ground);
            if (i == 0) {
                irradiance[1][j] = of_ground;
            }
        }
        memcpy(atmosphere->scattered, next, sizeof next);
        memcpy(irradiance[0], irradiance[1], sizeof irradiance[0]);
    }
}

static double rayleigh_phase(double nu) { return 3.0 / (16.0 * M_PI) * (1.0 + nu * nu); }

// the phase function of Cornette and Shanks
static double haze_phase(double nu)
{
    const double g2 = haze_g * haze_g;
    const double base = 1.0 + g2 - 2.0 * haze_g * nu;
    return 3.0 / (8.0 * M_PI) * (1.0 - g2) * (1.0 + nu * nu) / ((2.0 + g2) * base * sqrt(base));
}

// Henyey and Greenstein's phase function for light that haze scatters twice, with the square of haze's mean cosine
static double forward_phase(double nu)
{
    const double g = haze_g * haze_g;
    const double base = 1.0 + g * g - 2.0 * g * nu;
    return (1.0 - g * g) / (4.0 * M_PI * base * sqrt(base));
}

// radiance per irradiance outside the atmosphere, along a ray that does not reach the ground
static Color view_radiance(const Atmosphere *atmosphere, const Atmosphere *reduced, double mu, double mu_s, double nu)
{
    const double r = OBSERVER;
    const double length = distance_to_top(r, mu);
    const double phase_r = rayleigh_phase(nu);
    const double phase_h = haze_phase(nu);
    const double phase_f = forward_phase(nu);
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
        const Color forward = sun_transmittance(reduced, radius, sun_height);
        const Color scattered = interpolate_scattered(reduced, radius, sun_height);
        for (int c = 0; c < 3; c++) {
            const double source = forward.c[c] * air.rayleigh[c] * phase_r +
                                  air.haze[c] * (sun.c[c] * phase_h + (forward.c[c] - sun.c[c]) * phase_f) +
                                  scattered.c[c] * (air.rayleigh[c] + air.haze[c]);
            const double absorbed = absorption(air.extinction[c] * (to - from));
            sum.c[c] += air.extinction[c] > 0.0 ? through[c] * source * absorbed / air.extinction[c] : 0.0;
            through[c] *= 1.0 - absorbed;
        }
    }
    return sum;
}

// computes the radiance of one row; columns lie symmetrically about the direction of the sun, which is the left edge
static void fill_view_row(float *row, const Atmosphere atmospheres[2], double mu, double mu_s)
{
    const double sines = sqrt((1.0 - mu * mu) * brume_fmax(1.0 - mu_s * mu_s, 0.0));
    for (int column = 0; column < BRUME_DAYLIGHT_COLUMNS / 2; column++) {
        const double nu = mu * mu_s + sines * brume_cos(2.0 * M_PI * (column + 0.5) / BRUME_DAYLIGHT_COLUMNS);
        const Color radiance = view_radiance(&atmospheres[0], &atmospheres[1], mu, mu_s, clamp(nu, -1.0, 1.0));
        float *const mirrored = row + (size_t)3 * (size_t)(BRUME_DAYLIGHT_COLUMNS - 1 - column);
        for (int c = 0; c < 3; c++) {
            row[3 * column + c] = BRUME_DAYLIGHT_IRRADIANCE * (float)radiance.c[c];
            mirrored[c] = row[3 * column + c];
        }
    }
}

BrumeStatus brume_daylight_fill(float *radiance, float turbidity, float height, BrumeError *error)
{
    Atmosphere *atmospheres = brume_alloc(2, sizeof *atmospheres);
    if (atmospheres == NULL) {
        return brume_out_of_memory(error, "a daylight sky");
    }
    set_haze(&atmospheres[0], (double)turbidity, 0.0);
    fill_transmittance(&atmospheres[0]);
    set_haze(&atmospheres[1], (double)turbidity, haze_g * haze_g);
    fill_transmittance(&atmospheres[1]);
    fill_scattered(&atmospheres[1]);
    const size_t stride = (size_t)3 * BRUME_DAYLIGHT_COLUMNS;
#pragma omp parallel for schedule(dynamic)
    for (int row = 0; row < BRUME_DAYLIGHT_ROWS / 2; row++) {
        const double mu = brume_cos(M_PI * (row + 0.5) / BRUME_DAYLIGHT_ROWS);
        fill_view_row(radiance + stride * (size_t)row, atmospheres, mu, clamp((double)height, -1.0, 1.0));
    }
    const float *horizon = radiance + stride * (BRUME_DAYLIGHT_ROWS / 2 - 1);
    for (size_t n = 0; n < stride * (BRUME_DAYLIGHT_ROWS / 2); n++) {
        radiance[stride * (BRUME_DAYLIGHT_ROWS / 2) + n] = horizon[n % stride];
    }
    brume_free(atmospheres);
    return BRUME_OK;
}

BrumeVec3 brume_sunlight(float turbidity, float height)
{
    Atmosphere atmosphere;
    set_haze(&atmosphere, (double)turbidity, 0.0);
    const double mu = clamp((double)height, -1.0, 1.0);
    const double sine = GROUND / OBSERVER;
    const double horizon = -sqrt(1.0 - sine * sine);
    const double visible = clamp(0.5 + (mu - horizon) / (2.0 * sine * SUN_RADIUS), 0.0, 1.0);
    const Color through = integrate_transmittance(&atmosphere, OBSERVER, brume_fmax(mu, horizon));
    const double scale = (double)BRUME_DAYLIGHT_IRRADIANCE * visible;
    return brume_vec3((float)(scale * through.c[0]), (float)(scale * through.c[1]), (float)(scale * through.c[2]));
}
