#include "raymarch/cpu/packet_shadows.h"

#include "core/vec3.h"
#include "raymarch/cpu/march_packet.h"
#include "raymarch/cpu/surfaces.h"

#include <math.h>

void brume_packet_shadows(const BrumeLitMedium *lit, const BrumeMarchPacket *packet,
                          float smoke[BRUME_PACKET_RAYS][BRUME_MAX_LIGHTS])
{
    BrumeMarchPacket shadow = {.count = 0};
    int of[BRUME_PACKET_RAYS];
    for (int n = 0; n < packet->count; n++) {
        if (packet->surfaces[n] == BRUME_HIT_GROUND) {
            const BrumeRay ray = brume_packet_ray(packet, n);
            const BrumeVec3 start = brume_ground_shadow_start(lit, &ray, packet->limits[n]);
            brume_set_packet_ray(&shadow, shadow.count, (BrumeRay){.origin = start});
            of[shadow.count++] = n;
        }
    }
    for (int n = shadow.count; n < BRUME_PACKET_RAYS; n++) { // all lanes of vectors have valid rays
        const BrumeRay first = brume_packet_ray(&shadow, 0);
        brume_set_packet_ray(&shadow, n, first);
    }
    for (int light = 0; light < lit->settings.light_count && shadow.count > 0; light++) {
        if (!brume_has_single_shadow_ray(lit, light)) {
            continue;
        }
        const BrumeVec3 towards = brume_scale(lit->sources[light].light.direction, -1.0f);
        for (int n = 0; n < BRUME_PACKET_RAYS; n++) {
            shadow.direction[0][n] = towards.x;
            shadow.direction[1][n] = towards.y;
            shadow.direction[2][n] = towards.z;
            shadow.limits[n] = INFINITY;
        }
        brume_packet_transmittance(lit, &shadow);
        for (int n = 0; n < shadow.count; n++) {
            smoke[of[n]][light] = shadow.results[n].transmittance;
        }
    }
}
