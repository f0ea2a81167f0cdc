/**
 * @file brume.h
 * Brume as a library: smoke in a box, and its picture.
 *
 *     BrumeSimDef def = brume_default_sim_def();
 *     BrumeSim *sim;
 *     if (brume_sim_create(&sim, &def, &error) != BRUME_OK) { puts(error.text); }
 *     brume_sim_frame(sim, NULL, &error);
 *
 * Units are SI, temperatures are kelvin above ambient, y points up. Handles are used by one thread at a time;
 * different handles are independent. Inside a call, work is shared by an OpenMP team; results do not depend on its
 * size. Nothing here prints or exits.
 */
#ifndef BRUME_H
#define BRUME_H

#ifdef __cplusplus
extern "C" {
#endif

#include "core/error.h"
#include "core/field.h"
#include "core/threads.h"
#include "io/image.h"
#include "raymarch/camera.h"
#include "raymarch/look.h"
#include "raymarch/renderer.h"
#include "raymarch/volume.h"
#include "scene/scene.h"
#include "sim/sim.h"
#include "sim/sim_def.h"
#include "sim/stroke.h"
#include "sim/timeline.h"

/** The version as text, for example "0.1.0". */
const char *brume_version(void);

#ifdef __cplusplus
}
#endif

#endif
