// The bytes of the members of structs: their sizes without padding, because it is compiled with packed structs.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma pack(1)
#include "brume/camera.h"
#include "brume/render_settings.h"
#include "brume/sim_def.h"
#include "brume/stroke.h"
#include "brume/timeline.h"
#include "packed_sizes.h"

const BrumePackedSizes packed_sizes = {
    .sim_def = sizeof(BrumeSimDef) - sizeof(struct BrumeTeam *), // which is not a setting
    .stroke = sizeof(BrumeStroke),
    .move = sizeof(BrumeMove),
    .render_settings = sizeof(BrumeRenderSettings),
    .camera = sizeof(BrumeCamera),
};
