// Undo and redo of each kind of edit: the frames that follow an undo have the bits of a run without the edit, and those
// that follow a redo the bits of a run in which it was made once.
#include "sanitized.h"
#include "simulation_thread_support.h"
#include "test_mesh.h"
#include "viewer/controls/undo_history.h"
#include "viewer/edit/scene_edits.h"
#include "viewer/edit/select_drag.h"

enum { FRAMES_BEFORE = 2, FRAMES_AFTER = 3 };

static BrumeControls controls;
static BrumeUndoHistory *history;
static BrumeSimulationThread *thread;
static BrumeMesh *mesh;

/*
 * The edits. The scene has a cylinder that emits, a body, another one that emits, a point light and one color.
 */

static BrumeObject first(BrumeObjectKind kind) { return (BrumeObject){kind, 0}; }

static void move_first(BrumeObjectKind kind, BrumeVec3 by, bool pushes)
{
    const BrumePose pose = brume_object_pose(&controls, first(kind));
    const BrumePose moved = brume_pose_moved(&pose, by);
    brume_object_set_pose(&controls, first(kind), &moved, pushes);
}

static void turn_first(BrumeObjectKind kind, BrumeVec3 axis, float angle, bool pushes)
{
    const BrumePose pose = brume_object_pose(&controls, first(kind));
    const BrumePose turned = brume_pose_turned(&pose, axis, angle);
    brume_object_set_pose(&controls, first(kind), &turned, pushes);
}

static void scale_first(BrumeObjectKind kind, float factor)
{
    const BrumePose pose = brume_object_pose(&controls, first(kind));
    const BrumePose scaled = brume_pose_scaled(&pose, brume_vec3(factor, factor, factor));
    brume_object_set_pose(&controls, first(kind), &scaled, false);
}

static void move_emitter(void) { move_first(BRUME_OBJECT_EMITTER, brume_vec3(0.2f, 0.1f, 0.0f), false); }
static void turn_emitter(void) { turn_first(BRUME_OBJECT_EMITTER, brume_vec3(0.0f, 0.0f, 1.0f), 0.6f, false); }
static void scale_emitter(void) { scale_first(BRUME_OBJECT_EMITTER, 1.5f); }
static void add_emitter(void) { brume_object_add_shape(&controls, BRUME_OBJECT_EMITTER, BRUME_SHAPE_SPHERE); }

static void duplicate_first(BrumeObjectKind kind)
{
    brume_select(&controls, first(kind));
    brume_object_duplicate_selected(&controls);
}

static void delete_first(BrumeObjectKind kind)
{
    brume_select(&controls, first(kind));
    brume_object_delete_selected(&controls);
}

static void duplicate_emitter(void) { duplicate_first(BRUME_OBJECT_EMITTER); }
static void delete_emitter(void) { delete_first(BRUME_OBJECT_EMITTER); }
static void switch_emitter(void) { brume_object_switch(&controls, first(BRUME_OBJECT_EMITTER), false, NULL); }

static void move_body(void) { move_first(BRUME_OBJECT_BODY, brume_vec3(0.0f, -0.2f, 0.0f), true); }
static void place_body(void) { move_first(BRUME_OBJECT_BODY, brume_vec3(0.0f, -0.2f, 0.0f), false); }
static void turn_body(void) { turn_first(BRUME_OBJECT_BODY, brume_vec3(1.0f, 0.0f, 0.0f), 0.7f, true); }
static void place_turned_body(void) { turn_first(BRUME_OBJECT_BODY, brume_vec3(1.0f, 0.0f, 0.0f), 0.7f, false); }
static void scale_body(void) { scale_first(BRUME_OBJECT_BODY, 2.0f); }
static void add_body(void) { brume_object_add_shape(&controls, BRUME_OBJECT_BODY, BRUME_SHAPE_BOX); }
static void add_mesh(void) { (void)brume_object_add_mesh(&controls, mesh); }
static void duplicate_body(void) { duplicate_first(BRUME_OBJECT_BODY); }
static void delete_body(void) { delete_first(BRUME_OBJECT_BODY); }
static void delete_emitting_body(void)
{
    brume_select(&controls, (BrumeObject){BRUME_OBJECT_BODY, 1});
    brume_object_delete_selected(&controls);
    assert_int_equal(controls.sim[0].emitter_count, 1);
}
static void switch_body(void) { brume_object_switch(&controls, first(BRUME_OBJECT_BODY), false, NULL); }

static void set_confinement(void) { controls.sim[0].vorticity_confinement = 4.0f; }
static void set_cooling(void) { controls.sim[0].cooling = 5.0f; }
static void set_frame_rate(void) { controls.sim[0].fps = 12.0f; }
static void set_solver(void) { controls.sim[0].tolerance = 1e-2f; }

static void set_resolution(void)
{
    BrumeSimDef *sim = &controls.sim[0];
    sim->nx = sim->nz = CELLS / 2;
    sim->ny = (CELLS + 8) / 2;
    sim->dx *= 2.0f;
}

static void add_color(void)
{
    controls.sim[0].color_count = 2;
    controls.sim[0].emitters[0].smoke[2] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
}

static void set_key(void)
{
    assert_true(brume_keys_set(&controls.animation, "air.drag", 0.0, 5.0));
    (void)brume_animation_apply_sim(&controls.animation, 0.0, &controls.sim[0]); // as the states of the history have it
}

static void move_light(void) { move_first(BRUME_OBJECT_LIGHT, brume_vec3(0.2f, 0.1f, 0.0f), false); }
static void add_light(void) { brume_object_add_light(&controls, BRUME_LIGHT_SPOT); }
static void duplicate_light(void) { duplicate_first(BRUME_OBJECT_LIGHT); }
static void delete_light(void) { delete_first(BRUME_OBJECT_LIGHT); }
static void switch_light(void) { brume_object_switch(&controls, first(BRUME_OBJECT_LIGHT), false, NULL); }
static void set_exposure(void) { controls.render_settings.exposure = 3.0f; }
static void compare_looks(void) { brume_controls_toggle_looks(&controls); }

typedef enum Effect {
    SETTINGS, // on the simulation, from the next frame on
    BODIES,   // on the simulation, as an edit that has a number
    BOTH,     // on settings and bodies in one step
    PICTURE   // none on the simulation
} Effect;

static const struct {
    const char *name;
    Effect effect;
    void (*make)(void);
} edits[] = {
    {"move an emitter", SETTINGS, move_emitter},
    {"turn an emitter", SETTINGS, turn_emitter},
    {"scale an emitter", SETTINGS, scale_emitter},
    {"add an emitter", SETTINGS, add_emitter},
    {"duplicate an emitter", SETTINGS, duplicate_emitter},
    {"delete an emitter", SETTINGS, delete_emitter},
    {"switch an emitter off", SETTINGS, switch_emitter},
    {"move a body", BODIES, move_body},
    {"place a body", BODIES, place_body},
    {"turn a body", BODIES, turn_body},
    {"place a turned body", BODIES, place_turned_body},
    {"scale a body", BODIES, scale_body},
    {"add a body", BODIES, add_body},
    {"add a mesh", BODIES, add_mesh},
    {"duplicate a body", BODIES, duplicate_body},
    {"delete a body", BODIES, delete_body},
    {"delete a body that emits", BOTH, delete_emitting_body},
    {"switch a body off", BODIES, switch_body},
    {"confinement", SETTINGS, set_confinement},
    {"cooling", SETTINGS, set_cooling},
    {"frames a second", SETTINGS, set_frame_rate},
    {"tolerance of the pressure", SETTINGS, set_solver},
    {"resolution", SETTINGS, set_resolution},
    {"a color", SETTINGS, add_color},
    {"a key", SETTINGS, set_key},
    {"move a light", PICTURE, move_light},
    {"add a light", PICTURE, add_light},
    {"duplicate a light", PICTURE, duplicate_light},
    {"delete a light", PICTURE, delete_light},
    {"switch a light off", PICTURE, switch_light},
    {"exposure", PICTURE, set_exposure},
    {"compare two looks", PICTURE, compare_looks},
};

/*
 * The run.
 */

static void start(void)
{
    controls = brume_default_controls();
    BrumeSimDef *sim = &controls.sim[0];
    *sim = small_def();
    sim->color_count = 1;
    sim->emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_CYLINDER, .a = {0.5f, 0.1f, 0.5f}, .b = {0.5f, 0.4f, 0.5f}, .radius = 0.15f};
    sim->bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.2f, 0.7f, 0.4f}, .b = {0.8f, 0.8f, 0.6f}};
    sim->emitter_count = 2;
    sim->emitters[1] = sim->emitters[0];
    sim->emitters[1].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE};
    sim->emitters[1].body = 2;
    sim->emitters[1].from = BRUME_EMIT_SURFACE;
    sim->emitters[1].thickness = 0.1f;
    sim->body_count = 2;
    sim->bodies[1].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.3f, 1.1f, 0.5f}, .radius = 0.12f};
    controls.sim[1] = *sim;
    controls.present.count = 2;
    memcpy(controls.present.bodies, sim->bodies, 2 * sizeof sim->bodies[0]);
    controls.render_settings.light_count = 1;
    controls.render_settings.lights[0] =
        (BrumeLight){.kind = BRUME_LIGHT_POINT, .position = {0.5f, 2.0f, 0.5f}, .intensity = 1.0f};
    assert_int_equal(brume_undo_history_create(&history, &controls, NULL), BRUME_OK);
    const BrumeSimulationThreadDef def = {.settings = *sim, .threads = 2, .memory = (size_t)1 << 28};
    assert_int_equal(brume_simulation_thread_create(&thread, &def, NULL), BRUME_OK);
    brume_simulation_thread_set_speed_limit(thread, INFINITY);
    (void)advance(thread, FRAMES_BEFORE);
}

static void stop(void)
{
    brume_simulation_thread_destroy(thread);
    brume_undo_history_destroy(history);
}

// passes settings and keys to the simulation
static void send_settings(void)
{
    brume_simulation_thread_set_settings(thread, 0, &controls.sim[0]);
    brume_simulation_thread_set_animation(thread, &controls.animation);
}

// makes an edit, adds it to the history and passes it to the simulation
static void make(int edit)
{
    edits[edit].make();
    if (edits[edit].effect == SETTINGS || edits[edit].effect == PICTURE) {
        brume_undo_history_add(history, &controls);
    }
    if (edits[edit].effect != BODIES) {
        send_settings();
    }
    if (edits[edit].effect != BODIES && edits[edit].effect != BOTH) {
        return;
    }
    BrumePresentBodies *present = &controls.present;
    assert_true((present->moved | present->placed) != 0);
    brume_undo_history_add_body_edit(history, &controls, 1);
    for (int n = 0; n < present->count; n++) {
        const bool replaces = (present->placed >> n & 1) != 0;
        if (replaces || (present->moved >> n & 1) != 0) {
            const BrumeBodyMotion motion = {.edit = 1,
                                            .body = n,
                                            .survives_restart = true,
                                            .displacement = present->displacement[n],
                                            .turn = present->turn[n],
                                            .replaces = replaces,
                                            .def = present->bodies[n]};
            brume_simulation_thread_move_body(thread, &motion);
        }
    }
    present->moved = present->placed = 0;
}

static void undo_or_redo(bool undo)
{
    int number = 0;
    assert_true(brume_undo_history_step(history, undo, &controls, &number));
    if (number > 0) {
        brume_simulation_thread_set_undone(thread, number, undo);
    }
    send_settings();
}

static uint64_t final_hash(void)
{
    BrumeReplay replay = get_replay(thread, 0); // waits until nothing is computed again
    assert_int_equal(replay.frame, FRAMES_BEFORE + FRAMES_AFTER);
    assert_true(run_replay(&replay) == replay.hash || controls.animation.count > 0); // keys are saved beside it
    brume_timeline_clear(&replay.timeline);
    return replay.hash;
}

// Runs with an edit that is undone and redone `switches` times in all before the frames that follow it, or, with
// `later`, after them. Returns the hash of the state after these frames.
static uint64_t run(int edit, int switches, bool later)
{
    start();
    const BrumeRenderSettings look = controls.render_settings;
    const BrumeSimDef settings = controls.sim[0];
    make(edit);
    const BrumeRenderSettings edited_look = controls.render_settings;
    const BrumeSimDef edited_settings = controls.sim[0];
    if (later) {
        (void)advance(thread, FRAMES_AFTER);
    }
    for (int n = 0; n < switches; n++) {
        undo_or_redo(n % 2 == 0);
        const bool undone = n % 2 == 0;
        BrumeSimDef now = controls.sim[0];
        now.color_count = undone ? settings.color_count : now.color_count; // a color that was added stays, empty
        assert_memory_equal(&now, undone ? &settings : &edited_settings, sizeof now);
        if (edits[edit].effect != BODIES) { // whose surfaces stay
            assert_memory_equal(&controls.render_settings, undone ? &look : &edited_look, sizeof look);
        }
        assert_true(controls.compare_looks == (!undone && edits[edit].make == compare_looks));
    }
    if (!later) {
        (void)advance(thread, FRAMES_AFTER);
    }
    const uint64_t hash = final_hash();
    stop();
    return hash;
}

static uint64_t run_without_edit(int colors)
{
    start();
    controls.sim[0].color_count = colors;
    send_settings();
    (void)advance(thread, FRAMES_AFTER);
    const uint64_t hash = final_hash();
    stop();
    return hash;
}

static void test_every_edit(void **state)
{
    (void)state;
    TestMesh triangles = {0};
    test_mesh_add_torus(&triangles, 16, 8, 0.2f, 0.08f);
    mesh = test_mesh_create(&triangles);
    const uint64_t without_edit = run_without_edit(1);
    const uint64_t with_empty_color = run_without_edit(2);
    for (int edit = 0; edit < (int)(sizeof edits / sizeof edits[0]); edit++) {
        const uint64_t never = edits[edit].make == add_color ? with_empty_color : without_edit;
        const uint64_t once = run(edit, 0, false);
        const bool changes = edits[edit].effect != PICTURE;
        if ((once != never) != changes) {
            fail_msg("%s: %s", edits[edit].name, changes ? "no effect" : "changes the simulation");
        }
        for (int later = 0; later <= (edits[edit].effect == BODIES ? 1 : 0); later++) {
            for (int switches = 1; switches <= fewer_under_sanitizers(3, 1); switches++) {
                if (run(edit, switches, later != 0) != (switches % 2 == 0 ? once : never)) {
                    fail_msg("%s, %s, %d times undone and redone: another state", edits[edit].name,
                             later != 0 ? "frames later" : "before a frame", switches);
                }
            }
        }
    }
    brume_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_edit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
