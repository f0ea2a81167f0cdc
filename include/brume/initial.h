/**
 * @file initial.h
 * The initial state of a simulation: fields in SI units that are added up when it is created, and particles.
 */
#ifndef BRUME_INITIAL_H
#define BRUME_INITIAL_H

#include "brume/export.h"
#include "brume/particle.h"
#include "brume/samples.h"
#include "brume/vec3.h"

#include <stdbool.h>
#include <stdint.h>

BRUME_BEGIN_DECLS

/** BRUME_MAX_FORMULA counts the bytes of the text of a formula, without its terminating 0. */
enum { BRUME_MAX_INITIAL = 16, BRUME_MAX_FORMULA = 255 };

/** The quantity that an initial field adds to. */
typedef enum BrumeInitialQuantity {
    BRUME_INITIAL_VELOCITY,
    BRUME_INITIAL_POTENTIAL, ///< vector potential of the velocity [m^2/s], which adds its curl; formulas only
    BRUME_INITIAL_TEMPERATURE,
    BRUME_INITIAL_DENSITY, ///< the first of BRUME_SMOKE_KINDS
} BrumeInitialQuantity;

/** The kind of an initial field. docs/equations.md has the formulas. */
typedef enum BrumeInitialKind {
    BRUME_INITIAL_UNIFORM,      ///< `velocity`, or `value` of a scalar
    BRUME_INITIAL_TAYLOR_GREEN, ///< vortices of Taylor and Green 1937: `speed`, `axis`, `waves`
    BRUME_INITIAL_SHEAR,       ///< a shear layer or a jet: `speed`, `thickness`, `width`, `perturbation`, `spread`, ...
    BRUME_INITIAL_VORTEX,      ///< a straight vortex: `profile`, `speed`, `radius`, `center`, `axis`
    BRUME_INITIAL_VORTEX_RING, ///< `circulation`, `radius`, `thickness` of the core, `center`, `direction`
    BRUME_INITIAL_ROTATION,    ///< rigid rotation: `rate`, `center`, `axis`
    BRUME_INITIAL_DEFORMATION, ///< the deforming flow of LeVeque 1996: `speed`
    BRUME_INITIAL_BLOB,        ///< a sphere: `profile`, `value`, `radius`, `center`
    BRUME_INITIAL_DISC,        ///< a cylinder with a slot: `value`, `radius`, `slot_width`, `slot_depth`, `axis`
    BRUME_INITIAL_LAYER,       ///< from `lower` to `upper` along `across`: `profile`, `thickness`, `center`
    BRUME_INITIAL_MODE,        ///< a product of cosines: `value`, `waves`, `phase`
    BRUME_INITIAL_NOISE,       ///< smooth noise: `speed` or `value`, `scale`, `seed`, `center`, `spread`
    BRUME_INITIAL_FORMULA,     ///< texts in x, y and z
    BRUME_INITIAL_VOLUME,      ///< values of a grid: `samples`, `factor`, `placed`, `center`, `size`
    BRUME_INITIAL_POINTS,      ///< particles of the kind `particles` at the points in `samples[0]`
    BRUME_INITIAL_KIND_COUNT,
} BrumeInitialKind;

/**
 * A point in the samples of BRUME_INITIAL_POINTS: BRUME_POINT_NUMBERS values along x from these on, vectors of three.
 * The points follow each other along y, then z; the positions of the values and their spacing have no meaning.
 */
typedef enum BrumePointNumber {
    BRUME_POINT_POSITION = 0, ///< [m]; no particle outside the box
    BRUME_POINT_VELOCITY = 3, ///< [m/s]
    BRUME_POINT_NORMAL = 6,   ///< of a plate, of any length; 0: random
    BRUME_POINT_DIAMETER = 9, ///< [m]; 0: that of the kind, below 0: there is no point
    BRUME_POINT_NUMBERS = 10,
} BrumePointNumber;

/** The radial profile of a vortex or a blob, and the profile of a layer. */
typedef enum BrumeInitialProfile {
    BRUME_INITIAL_RANKINE,  ///< vortex: uniform vorticity inside the radius
    BRUME_INITIAL_LAMB,     ///< vortex: Gaussian vorticity
    BRUME_INITIAL_TAYLOR,   ///< vortex: vorticity (2 - r^2/a^2) exp((1 - r^2/a^2) / 2) speed / a, without circulation
    BRUME_INITIAL_GAUSSIAN, ///< blob: exp(-r^2 / radius^2)
    BRUME_INITIAL_COSINE,   ///< blob: (1 + cos(pi r / radius)) / 2 inside the radius
    BRUME_INITIAL_SHARP,    ///< blob: constant inside the radius
    BRUME_INITIAL_TANH,     ///< layer
    BRUME_INITIAL_LINEAR,   ///< layer
} BrumeInitialProfile;

/** An initial field. A kind uses the members that its comment lists; the others are ignored. */
typedef struct BrumeInitialDef {
    BrumeInitialKind kind;
    int quantity; ///< BrumeInitialQuantity; BRUME_INITIAL_DENSITY + n for smoke of kind n
    BrumeInitialProfile profile;
    int axis;         ///< 0 x, 1 y, 2 z: the axis that vortices and rotation turn about, and along which a disc extends
    int along;        ///< direction of the flow of a shear layer, as `axis`
    int across;       ///< direction along which a shear layer or a layer varies, as `axis`
    BrumeVec3 center; ///< [m]
    BrumeVec3 direction; ///< of a ring's motion; any length above 0
    BrumeVec3 velocity;  ///< [m/s]
    BrumeVec3 waves;     ///< wavelengths in the box along each axis; an axis of one cell has 0
    BrumeVec3 phase;     ///< of a mode along each axis [wavelengths]
    float speed;         ///< [m/s]
    float value;         ///< [K above ambient] or density [1]
    float lower, upper;  ///< values on both sides of a layer
    float radius;        ///< [m]
    float thickness;     ///< of a layer, of the core of a ring [m]
    float width;         ///< of a jet between two shear layers [m]; 0: a single layer
    float perturbation;  ///< of a shear layer: amplitude of the velocity across it [m/s]
    float spread;        ///< of the perturbation across a layer, or of noise [m]; 0: it does not decay
    float circulation;   ///< [m^2/s]
    float rate;          ///< [rad/s]
    float slot_width;    ///< [m]; 0: no slot
    float slot_depth;    ///< from the rim of the disc [m]
    float scale;         ///< wavelength of the noise [m]
    float factor;        ///< of the values of a volume
    bool placed;         ///< volume: its box has `center` and `size`; otherwise the samples are at their own positions
    BrumeVec3 size;      ///< of the box of a placed volume [m]
    uint32_t seed;
    BrumeParticleKind particles; ///< of points
    /** Formulas of the three components of a velocity or potential, or of a scalar in the first. */
    char formula[3][BRUME_MAX_FORMULA + 1];
    /**
     * Of a volume: the samples of the three components of a velocity, or of a scalar in the first. The field is 0
     * outside their box. Of points: BrumePointNumber in the first. NULL is allowed in settings of a simulation that
     * exists, where initial fields have no effect.
     */
    const BrumeSamples *samples[3];
} BrumeInitialDef;

/** An initial field without effect: uniform velocity 0. */
BRUME_API BrumeInitialDef brume_default_initial_def(void);

BRUME_END_DECLS

#endif
