#include "raymarch/blackbody.h"

#include "core/elementary.h"
#include "raymarch/curve.h"

#include <string.h>

enum { WAVELENGTHS = 94 };
static const double shortest = 360e-9; // [m]
static const double spacing = 5e-9;    // [m]; the integral is a sum over the midpoints

static const double units_per_watt = 683.0 / 179.0; // see blackbody.h

double brume_planck(double wavelength, double temperature)
{
    const double c1 = 1.191042972397188e-16; // 2 h c^2 [W m^2 / sr]
    const double c2 = 1.438776877503934e-2;  // h c / k [m K]
    const double w2 = wavelength * wavelength;
    return c1 / (w2 * w2 * wavelength * (brume_exp(c2 / (wavelength * temperature)) - 1.0));
}

// a Gaussian function of a wavelength [nm] with another width on each side of its mean
static double lobe(double x, double mean, double width_below, double width_above)
{
    const double t = (x - mean) / (x < mean ? width_below : width_above);
    return brume_exp(-0.5 * t * t);
}

// the color matching functions of the CIE 1931 observer at a wavelength x [nm]
static void color_matching(double x, double xyz[3])
{
    xyz[0] =
        1.056 * lobe(x, 599.8, 37.9, 31.0) + 0.362 * lobe(x, 442.0, 16.0, 26.7) - 0.065 * lobe(x, 501.1, 20.4, 26.2);
    xyz[1] = 0.821 * lobe(x, 568.8, 46.9, 40.5) + 0.286 * lobe(x, 530.9, 16.3, 31.1);
    xyz[2] = 1.217 * lobe(x, 437.0, 11.8, 36.0) + 0.681 * lobe(x, 459.0, 26.0, 13.8);
}

// the color matching functions at all wavelengths of the integral
typedef struct Observer {
    double xyz[WAVELENGTHS][3];
} Observer;

static double wavelength_at(int n) { return shortest + (n + 0.5) * spacing; }

static void fill_observer(Observer *observer)
{
    for (int n = 0; n < WAVELENGTHS; n++) {
        color_matching(1e9 * wavelength_at(n), observer->xyz[n]);
    }
}

// the XYZ color of the radiance of a black body [W / (m^2 sr)] at a temperature [K]
static void integrate(const Observer *observer, double temperature, double xyz[3])
{
    xyz[0] = xyz[1] = xyz[2] = 0.0;
    for (int n = 0; n < WAVELENGTHS; n++) {
        const double radiance = spacing * brume_planck(wavelength_at(n), temperature);
        for (int c = 0; c < 3; c++) {
            xyz[c] += radiance * observer->xyz[n][c];
        }
    }
}

// linear sRGB (IEC 61966-2-1) in the units of radiance; components outside of the gamut become 0
static void srgb_from_xyz(const double xyz[3], double rgb[3])
{
    static const double rows[3][3] = {
        {3.2406255, -1.5372080, -0.4986286},
        {-0.9689307, 1.8757561, 0.0415175},
        {0.0557101, -0.2040211, 1.0569959},
    };
    for (int c = 0; c < 3; c++) {
        const double value = rows[c][0] * xyz[0] + rows[c][1] * xyz[1] + rows[c][2] * xyz[2];
        rgb[c] = value > 0.0 ? units_per_watt * value : 0.0;
    }
}

void brume_blackbody_xyz(double temperature, double xyz[3])
{
    Observer observer;
    fill_observer(&observer);
    integrate(&observer, temperature, xyz);
}

BrumeVec3 brume_blackbody_radiance(double temperature)
{
    double xyz[3];
    double rgb[3];
    brume_blackbody_xyz(temperature, xyz);
    srgb_from_xyz(xyz, rgb);
    return brume_vec3((float)rgb[0], (float)rgb[1], (float)rgb[2]);
}

void brume_blackbody_table_fill(BrumeBlackbodyTable *table, const BrumeEmission *emission)
{
    if (memcmp(&table->emission, emission, sizeof *emission) == 0) {
        return;
    }
    const bool has_curve = emission->curve.count > 0;
    const BrumeCubics factors = has_curve ? brume_curve_cubics(&emission->curve) : (BrumeCubics){.count = 0};
    Observer observer;
    fill_observer(&observer);
    table->root[0] = brume_vec3(0.0f, 0.0f, 0.0f);
    for (int n = 1; n < BRUME_BLACKBODY_ENTRIES; n++) {
        const double reciprocal = 1.0 / (double)BRUME_BLACKBODY_COLDEST - n / (double)BRUME_BLACKBODY_SPACING;
        double xyz[3];
        double rgb[3];
        integrate(&observer, 1.0 / reciprocal, xyz);
        srgb_from_xyz(xyz, rgb);
        const float of_curve = has_curve ? brume_cubics_at(&factors, (float)(1.0 / reciprocal)) : 1.0f;
        const double factor = (double)emission->intensity * (double)of_curve;
        float root[3];
        for (int c = 0; c < 3; c++) {
            root[c] = (float)sqrt(sqrt(factor * rgb[c]));
        }
        table->root[n] = brume_vec3(root[0], root[1], root[2]);
    }
    table->emission = *emission;
}
