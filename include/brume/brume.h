/**
 * @file brume.h
 * The public interface of Brume: simulates smoke in a box and renders it. docs/embedding.md is the guide.
 *
 *     BrumeSimDef def = brume_default_sim_def();
 *     BrumeSim *sim;
 *     BrumeError error;
 *     if (brume_sim_create(&sim, &def, &error) != BRUME_OK || brume_sim_frame(sim, NULL, &error) != BRUME_OK) {
 *         puts(error.text);
 *     }
 *     brume_sim_destroy(sim);
 *
 * Units are SI, temperatures are in kelvin above ambient, y points up. A handle is used by one thread at a time, but
 * functions that take it as `const` may run concurrently; different handles are independent. Inside a call, an OpenMP
 * team shares the work; results do not depend on its size. A `BrumeError *error` parameter may be NULL. No other
 * pointer may be NULL unless its function says so. The library never prints and never exits.
 */
#ifndef BRUME_BRUME_H
#define BRUME_BRUME_H

#include "brume/animation.h"
#include "brume/base.h"
#include "brume/camera.h"
#include "brume/curve.h"
#include "brume/error.h"
#include "brume/export.h"
#include "brume/field.h"
#include "brume/image.h"
#include "brume/initial.h"
#include "brume/measures.h"
#include "brume/mesh.h"
#include "brume/objects.h"
#include "brume/probe.h"
#include "brume/render_settings.h"
#include "brume/renderer.h"
#include "brume/samples.h"
#include "brume/scene.h"
#include "brume/shape.h"
#include "brume/sim.h"
#include "brume/sim_def.h"
#include "brume/stroke.h"
#include "brume/texture.h"
#include "brume/threads.h"
#include "brume/timeline.h"
#include "brume/vec3.h"
#include "brume/volume.h"

#endif
