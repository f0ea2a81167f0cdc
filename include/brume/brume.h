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
#ifndef BRUME_BRUME_H
#define BRUME_BRUME_H

#include "brume/base.h"
#include "brume/camera.h"
#include "brume/error.h"
#include "brume/export.h"
#include "brume/field.h"
#include "brume/image.h"
#include "brume/render_settings.h"
#include "brume/renderer.h"
#include "brume/scene.h"
#include "brume/shape.h"
#include "brume/sim.h"
#include "brume/sim_def.h"
#include "brume/stroke.h"
#include "brume/threads.h"
#include "brume/timeline.h"
#include "brume/vec3.h"
#include "brume/volume.h"

#endif
