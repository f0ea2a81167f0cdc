#include "raymarch/path/sky_distribution.h"

#include "core/elementary.h"
#include "raymarch/fast_math.h"
#include "raymarch/light/skylight.h"

// height of a ring [on the unit sphere]
static float ring_height(const BrumeSkyDistribution *sky) { return (1.0f - sky->lowest) / BRUME_SKY_RINGS; }

BrumeSkyDistribution brume_sky_distribution(const BrumeRenderSettings *settings)
{
    BrumeSkyDistribution sky = {.lowest = settings->ground ? 0.0f : -1.0f};
    for (int ring = 0; ring < BRUME_SKY_RINGS; ring++) {
        const float y = sky.lowest + ((float)ring + 0.5f) * ring_height(&sky);
        const BrumeVec3 radiance = brume_sky_radiance(settings, brume_vec3(0.0f, y, 0.0f));
        sky.cumulative[ring + 1] = sky.cumulative[ring] + (radiance.x + radiance.y + radiance.z);
    }
    const float total = sky.cumulative[BRUME_SKY_RINGS];
    for (int ring = 1; ring <= BRUME_SKY_RINGS && total > 0.0f; ring++) {
        sky.cumulative[ring] /= total;
    }
    return sky;
}

// density of the directions of a ring [1/sr]
static float ring_density(const BrumeSkyDistribution *sky, int ring)
{
    const float share = sky->cumulative[ring + 1] - sky->cumulative[ring];
    return share / (2.0f * BRUME_PI * ring_height(sky));
}

BrumeVec3 brume_sky_sample(const BrumeSkyDistribution *sky, BrumePair random, float *density)
{
    int ring = 0;
    for (int half = BRUME_SKY_RINGS / 2; half > 0; half /= 2) { // the last ring that begins at or below random.u
        ring += sky->cumulative[ring + half] <= random.u ? half : 0;
    }
    const float share = sky->cumulative[ring + 1] - sky->cumulative[ring];
    const float within = share > 0.0f ? (random.u - sky->cumulative[ring]) / share : 0.5f;
    const float y = brume_clamp(sky->lowest + ((float)ring + within) * ring_height(sky), sky->lowest, 1.0f);
    const float radius = sqrtf(brume_max(0.0f, 1.0f - y * y));
    const float azimuth = 2.0f * BRUME_PI * random.v;
    *density = ring_density(sky, ring);
    return brume_vec3(radius * brume_cosf(azimuth), y, radius * brume_sinf(azimuth));
}

float brume_sky_density(const BrumeSkyDistribution *sky, BrumeVec3 direction)
{
    const float height = (direction.y - sky->lowest) / ring_height(sky);
    if (!(height >= 0.0f)) {
        return 0.0f;
    }
    const int ring = (int)height;
    return ring_density(sky, ring < BRUME_SKY_RINGS ? ring : BRUME_SKY_RINGS - 1);
}
