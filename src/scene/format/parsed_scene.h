/**
 * @file parsed_scene.h
 * The values of the keys of a scene file, before they are resolved: shapes, faces, sources and lights in the form in
 * which the file gives them. The tables of schema.h set the members. Values that need no resolving are members of
 * `scene`.
 */
#ifndef BRUME_SCENE_FORMAT_PARSED_SCENE_H
#define BRUME_SCENE_FORMAT_PARSED_SCENE_H

#include "brume/scene.h"

/** A grid of a volume file. */
typedef struct BrumeParsedVolume {
    char file[1024]; ///< empty: absent
    char grid[64];   ///< empty: absent
    char hash[17];   ///< 16 hexadecimal digits; empty: absent
} BrumeParsedVolume;

/** A shape by its keys, of which the kind decides which are used. */
typedef struct BrumeParsedShape {
    int kind; ///< BrumeShapeKind
    BrumeVec3 center, size, from, to, axis;
    float radius, radius_to, tube_radius;
    BrumeParsedVolume volume;
    float threshold;
    BrumeMeshReadDef read; ///< of a mesh; its unit is NAN where it is absent
    BrumeVec3 position, rotation, scale, pivot;
    char parent[BRUME_BODY_NAME_SIZE]; ///< name or number of a body; empty: absent
} BrumeParsedShape;

/** The keys of `boundaries`: all faces, then pairs of faces, then single faces. A more specific key takes precedence.
 */
enum {
    BRUME_BOUNDARY_ALL,
    BRUME_BOUNDARY_AXES,
    BRUME_BOUNDARY_FACES = BRUME_BOUNDARY_AXES + 3,
    BRUME_BOUNDARY_COUNT = BRUME_BOUNDARY_FACES + 6
};

typedef struct BrumeParsedSmoke {
    BrumeSmokeDef flow;
    BrumeSmokeMedium medium;
    BrumeCurve curve;
} BrumeParsedSmoke;

typedef struct BrumeParsedParticle {
    BrumeParticleDef flow;
    BrumeParticleLook look;
} BrumeParsedParticle;

typedef struct BrumeParsedInitial {
    BrumeInitialDef def; ///< without its samples
    BrumeParsedVolume volume;
} BrumeParsedInitial;

typedef struct BrumeParsedEmitter {
    BrumeParsedShape shape;
    char body[BRUME_BODY_NAME_SIZE]; ///< name or number; empty: absent
    BrumeParsedVolume flow;          ///< of the force `flow`
    BrumeEmitterDef def;             ///< without its shape, the modes of its sources and samples
} BrumeParsedEmitter;

typedef struct BrumeParsedBody {
    BrumeParsedShape shape;
    BrumeBodyDef def; ///< its name, slip, temperature and heat flux
    BrumeVec3 albedo;
    char texture[1024]; ///< empty: absent
    bool visible;
    bool enabled;
    bool collide;
} BrumeParsedBody;

typedef struct BrumeParsedLight {
    BrumeLight light;
    float azimuth, elevation;
    BrumeVec3 target;
} BrumeParsedLight;

/** A camera, or a keyframe. */
typedef struct BrumeParsedCamera {
    double time; ///< of a keyframe [s]
    BrumeCamera camera;
    BrumeVec3 focus_on; ///< a point that is in focus [m]
    float focal_length; ///< in place of the field of view, with a sensor of 24 mm height [mm]
    float f_number;     ///< in place of the radius of the lens: focal length over its diameter
} BrumeParsedCamera;

typedef struct BrumeParsedSky {
    char file[1024];                  ///< empty: absent
    float sun_azimuth, sun_elevation; ///< [degrees]
} BrumeParsedSky;

typedef struct BrumeParsedProbe {
    BrumeProbe def;                             ///< without its kind and its quantities
    int kind;                                   ///< BrumeProbeKind
    int quantity_count;                         ///< -1: absent
    int quantities[BRUME_PROBE_QUANTITY_COUNT]; ///< BrumeProbeQuantity
} BrumeParsedProbe;

enum {
    BRUME_MAX_CHANGES = 200000,        ///< items of a timeline
    BRUME_MAX_SETTINGS_CHANGES = 10000 ///< items that change settings, of which each stores a BrumeSimDef
};

/** An item of the timeline. Items are read one by one, so that there is no array of them. */
typedef struct BrumeParsedChange {
    int frame;
    BrumeStroke stroke; ///< the default of each stroke
    BrumeMove move;     ///< the default of each move
} BrumeParsedChange;

typedef struct BrumeParsedScene {
    BrumeScene scene;
    double size[3];
    int resolution[3];                             ///< one number is followed by zeros
    BrumeFaceDef boundaries[BRUME_BOUNDARY_COUNT]; ///< without the kind of the opening, and fixed_temperature
    BrumeParsedSmoke smoke[BRUME_SMOKE_KINDS];
    BrumeParsedParticle particles[BRUME_PARTICLE_KINDS];
    BrumeParsedSky sky;
    char ground_file[1024]; ///< empty: absent
    int emitter_count;
    BrumeParsedEmitter emitters[BRUME_MAX_EMITTERS];
    int body_count;
    BrumeParsedBody bodies[BRUME_MAX_BODIES];
    int initial_count;
    BrumeParsedInitial initials[BRUME_MAX_INITIAL];
    int light_count;
    BrumeParsedLight lights[BRUME_MAX_LIGHTS];
    BrumeParsedCamera camera; ///< without keyframes; with them, it gives their projection
    int camera_key_count;
    BrumeParsedCamera camera_keys[BRUME_MAX_CAMERA_KEYS];
    int probe_count;
    BrumeParsedProbe probes[BRUME_MAX_PROBES];
    BrumeParsedChange change;
    struct BrumeVolumeFiles *files; ///< the volume files that have been read (resolve/volume_files.h)
    int min_color_count;            ///< color densities in use regardless of emitters and inflows
} BrumeParsedScene;

#endif
