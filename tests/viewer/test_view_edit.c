// The select tool: picking by rays against shapes, the mathematics of its handles, and what drags do to the controls.
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch_check.h"
#include "sim/settings/settings.h"
#include "test_mesh.h"
#include "viewer/controls/undo_history.h"
#include "viewer/edit/add_presets.h"
#include "viewer/edit/flow_coefficients.h"
#include "viewer/edit/gizmo.h"
#include "viewer/edit/object_keys.h"
#include "viewer/edit/outlines.h"
#include "viewer/edit/picking.h"
#include "viewer/edit/scene_edits.h"
#include "viewer/edit/select_drag.h"

#include <stdio.h>
#include <string.h>

enum { WIDE = 800, HIGH = 400 };

static BrumeControls controls;
static BrumeScreen screen;

// a box of 2 m around the origin, seen from z = 4 with a quarter turn: at the origin, a meter is 50 points
static int set_up(void **state)
{
    (void)state;
    controls = brume_default_controls();
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        BrumeSimDef *sim = &controls.sim[n];
        sim->nx = sim->ny = sim->nz = 20;
        sim->dx = 0.1f;
        sim->origin = brume_vec3(-1.0f, -1.0f, -1.0f);
        sim->emitter_count = 2;
        sim->emitters[0] = sim->emitters[1] = brume_default_emitter_def();
        sim->emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .radius = 0.25f};
        sim->emitters[1].shape = (BrumeShape){
            .kind = BRUME_SHAPE_CYLINDER, .a = {0.0f, -0.5f, -0.5f}, .b = {0.0f, 0.5f, -0.5f}, .radius = 0.1f};
    }
    controls.present.count = 1;
    controls.present.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.4f, -0.1f, -0.1f}, .b = {0.6f, 0.1f, 0.1f}};
    controls.render_settings.light_count = 2;
    controls.render_settings.lights[1] = (BrumeLight){.kind = BRUME_LIGHT_RECTANGLE,
                                                      .position = {-0.5f, 0.5f, 0.0f},
                                                      .direction = {0.0f, 0.0f, 1.0f},
                                                      .up = {0.0f, 1.0f, 0.0f},
                                                      .width = 0.2f,
                                                      .height = 0.1f};
    controls.camera = (BrumeCamera){.position = {0.0f, 0.0f, 4.0f}, .field_of_view = 90.0f};
    controls.select.active = true;
    screen = (BrumeScreen){controls.camera, WIDE, HIGH, 1.0f};
    return 0;
}

static BrumeObject emitter(int n) { return (BrumeObject){BRUME_OBJECT_EMITTER, n}; }

static void assert_point(BrumeVec3 actual, float x, float y, float z)
{
    assert_near("x", actual.x, x, 2e-4);
    assert_near("y", actual.y, y, 2e-4);
    assert_near("z", actual.z, z, 2e-4);
}

static void test_projection_and_rays(void **state)
{
    (void)state;
    BrumeScreenPoint at;
    assert_true(brume_screen_project(&screen, brume_vec3(1.0f, 0.5f, 0.0f), &at));
    assert_near("value", at.x, 450.0f, 1e-3);
    assert_near("value", at.y, 175.0f, 1e-3);
    assert_near("value", brume_screen_scaled_point(&screen, brume_vec3(0.0f, 0.0f, 0.0f)), 0.02f, 1e-6);
    const BrumeRay ray = brume_screen_ray(&screen, at);
    assert_point(brume_ray_at(&ray, 4.0f / -ray.direction.z), 1.0f, 0.5f, 0.0f);
    assert_false(brume_screen_project(&screen, brume_vec3(0.0f, 0.0f, 4.5f), &at)); // behind the camera
    BrumeScreenPoint ends[2];
    assert_true(brume_screen_project_line(&screen, brume_vec3(0.0f, 0.0f, 0.0f), brume_vec3(0.0f, 0.0f, 9.0f), ends));
    assert_near("value", ends[0].x, 400.0f, 1e-3);
    assert_near("value", ends[1].x, 400.0f, 1e-3); // cut off in front of the camera
    assert_false(brume_screen_project_line(&screen, brume_vec3(0.0f, 0.0f, 5.0f), brume_vec3(0.0f, 0.0f, 9.0f), ends));
    screen.camera.projection = BRUME_ORTHOGRAPHIC;
    screen.camera.height = 4.0f;
    assert_true(brume_screen_project(&screen, brume_vec3(1.0f, 0.5f, 3.0f), &at));
    assert_near("value", at.x, 500.0f, 1e-3);
    assert_near("value", at.y, 150.0f, 1e-3);
    assert_point(brume_screen_ray(&screen, at).origin, 1.0f, 0.5f, 4.0f);
}

static void test_distances_to_shapes(void **state)
{
    (void)state;
    const BrumeRay ray = {{0.0f, 0.0f, 4.0f}, {0.0f, 0.0f, -1.0f}};
    const struct {
        BrumeShape shape;
        float distance;
    } cases[] = {
        {{.kind = BRUME_SHAPE_SPHERE, .radius = 0.5f}, 3.5f},
        {{.kind = BRUME_SHAPE_SPHERE, .a = {0.6f, 0.0f, 0.0f}, .radius = 0.5f}, -1.0f},
        {{.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 0.0f, 4.0f}, .radius = 0.5f}, 0.0f},  // from inside
        {{.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 0.0f, 6.0f}, .radius = 0.5f}, -1.0f}, // behind
        {{.kind = BRUME_SHAPE_BOX, .a = {-1.0f, -1.0f, -1.0f}, .b = {1.0f, 1.0f, 1.0f}}, 3.0f},
        {{.kind = BRUME_SHAPE_VOLUME, .a = {-1.0f, -1.0f, -1.0f}, .b = {1.0f, 1.0f, 2.0f}}, 2.0f}, // its box
        {{.kind = BRUME_SHAPE_CYLINDER, .a = {-1.0f, 0.0f, 0.0f}, .b = {1.0f, 0.0f, 0.0f}, .radius = 0.25f}, 3.75f},
        {{.kind = BRUME_SHAPE_CAPSULE, .a = {0.0f, 0.0f, -1.0f}, .b = {0.0f, 0.0f, 1.0f}, .radius = 0.25f}, 2.75f},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        assert_near("value", brume_pick_shape(&cases[n].shape, &ray), cases[n].distance, 1e-3);
    }
}

static BrumeObject pick(float x, float y) { return brume_pick_object(&controls, &screen, (BrumeScreenPoint){x, y}); }

static void test_nearest_object_wins(void **state)
{
    (void)state;
    assert_true(brume_same_object(pick(400, 200), emitter(0))); // the sphere in front of the cylinder
    assert_true(brume_same_object(pick(400, 182), emitter(1)));
    assert_true(brume_same_object(pick(425, 200), (BrumeObject){BRUME_OBJECT_BODY, 0}));
    assert_true(brume_same_object(pick(375, 175), (BrumeObject){BRUME_OBJECT_LIGHT, 1}));
    assert_int_equal(pick(500, 300).kind, BRUME_OBJECT_NONE);
    BrumeScreenPoint sun; // 0.6 of the box' diagonal away from its middle
    const BrumeVec3 towards = brume_scale(controls.render_settings.lights[0].direction, -0.6f * sqrtf(12.0f));
    assert_true(brume_screen_project(&screen, towards, &sun));
    assert_true(brume_same_object(pick(sun.x, sun.y), (BrumeObject){BRUME_OBJECT_LIGHT, 0}));
    controls.select.lights_only = true;
    assert_int_equal(pick(400, 200).kind, BRUME_OBJECT_NONE);
}

static void test_order_of_objects(void **state)
{
    (void)state;
    BrumeObject at = {BRUME_OBJECT_NONE, 0};
    const BrumeObject order[] = {
        emitter(0), emitter(1), {BRUME_OBJECT_BODY, 0}, {BRUME_OBJECT_LIGHT, 0}, {BRUME_OBJECT_LIGHT, 1}, emitter(0)};
    for (size_t n = 0; n < sizeof order / sizeof order[0]; n++) {
        at = brume_object_next(&controls, at, 1);
        assert_true(brume_same_object(at, order[n]));
    }
    at = brume_object_next(&controls, at, -1);
    assert_true(brume_same_object(at, order[4]));
}

// selects an object, and drags its handle from where it is by `dx`, `dy` points
static void drag(BrumeObject object, BrumeGizmoMode mode, BrumeScreenPoint from, float dx, float dy, BrumeSnap snap)
{
    BrumeGizmoDrag dragged;
    brume_select(&controls, object);
    controls.select.mode = mode;
    assert_true(brume_select_press(&dragged, &controls, &screen, from));
    for (int n = 1; n <= 4; n++) {
        const float part = 0.25f * (float)n;
        brume_gizmo_drag_to(&dragged, &controls, &screen, (BrumeScreenPoint){from.x + part * dx, from.y + part * dy},
                            snap);
    }
    assert_true(brume_select_release(&dragged, &controls));
}

static void test_moves(void **state)
{
    (void)state;
    const BrumeShape *sphere = &controls.sim[0].emitters[0].shape;
    drag(emitter(0), BRUME_GIZMO_MOVE, (BrumeScreenPoint){460, 200}, 15, 40, BRUME_SNAP_NONE); // the arrow along x
    assert_point(sphere->a, 0.3f, 0.0f, 0.0f);
    drag(emitter(0), BRUME_GIZMO_MOVE, (BrumeScreenPoint){415, 140}, 30, -10, BRUME_SNAP_NONE); // along y
    assert_point(sphere->a, 0.3f, 0.2f, 0.0f);
    drag(emitter(0), BRUME_GIZMO_MOVE, (BrumeScreenPoint){450, 155}, -15, 10, BRUME_SNAP_NONE); // the plane across z
    assert_point(sphere->a, 0.0f, 0.0f, 0.0f);
    drag(emitter(0), BRUME_GIZMO_MOVE, (BrumeScreenPoint){400, 200}, 10, 5, BRUME_SNAP_NONE); // the middle
    assert_point(sphere->a, 0.2f, -0.1f, 0.0f);
    drag(emitter(0), BRUME_GIZMO_MOVE, (BrumeScreenPoint){460, 205}, -8, 0, BRUME_SNAP_COARSE); // by 0.16 in steps
    assert_point(sphere->a, 0.05f, -0.1f, 0.0f);
    drag(emitter(0), BRUME_GIZMO_MOVE, (BrumeScreenPoint){460, 205}, 1000, 0, BRUME_SNAP_NONE); // the box ends
    assert_point(sphere->a, 1.0f, -0.1f, 0.0f);
}

static BrumeGizmo gizmo_of(BrumeObject object, BrumeGizmoMode mode)
{
    BrumeGizmo gizmo;
    brume_select(&controls, object);
    controls.select.mode = mode;
    assert_true(brume_gizmo_of(&controls, object, mode, &screen, &gizmo));
    return gizmo;
}

static void assert_handle(const BrumeGizmo *gizmo, float x, float y, BrumeGizmoHandle wanted)
{
    const BrumeGizmoHandle handle = brume_gizmo_pick(gizmo, &screen, (BrumeScreenPoint){x, y});
    if (handle != wanted) {
        fail_msg("(%g, %g) is of handle %d, expected %d", (double)x, (double)y, (int)handle, (int)wanted);
    }
}

// an arrow can be pressed wherever it is drawn, and a few points around it; so can squares and rings
static void test_all_of_a_handle_is_hot(void **state)
{
    (void)state;
    const BrumeGizmo move = gizmo_of(emitter(0), BRUME_GIZMO_MOVE);
    for (int x = 418; x <= 505; x++) { // the tip ends at 500
        assert_handle(&move, (float)x, 200.0f, BRUME_HANDLE_X);
        assert_handle(&move, (float)x, 203.0f, BRUME_HANDLE_X);
    }
    assert_handle(&move, 484.0f, 205.0f, BRUME_HANDLE_X); // at the base of the tip
    assert_handle(&move, 508.0f, 200.0f, BRUME_HANDLE_NONE);
    assert_handle(&move, 400.0f, 101.0f, BRUME_HANDLE_Y);
    for (int at = 26; at <= 46; at++) { // the square across z
        assert_handle(&move, 400.0f + (float)at, 200.0f - (float)at, BRUME_HANDLE_XY);
    }
    const BrumeGizmo scale = gizmo_of((BrumeObject){BRUME_OBJECT_LIGHT, 1}, BRUME_GIZMO_SCALE);
    assert_handle(&scale, 375.0f + 84.0f + 5.5f, 175.0f - 5.5f, BRUME_HANDLE_X); // a corner of its square
    assert_handle(&scale, 375.0f + 84.0f + 10.0f, 175.0f, BRUME_HANDLE_X);
    const BrumeGizmo turn = gizmo_of((BrumeObject){BRUME_OBJECT_LIGHT, 1}, BRUME_GIZMO_TURN);
    assert_handle(&turn, 375.0f + 98.0f + 6.0f, 175.0f, BRUME_HANDLE_VIEW);
}

// a press that misses a handle by a few points does not end the selection
static void test_presses_near_handles(void **state)
{
    (void)state;
    BrumeGizmoDrag dragged;
    (void)gizmo_of(emitter(0), BRUME_GIZMO_MOVE);
    assert_false(brume_select_press(&dragged, &controls, &screen, (BrumeScreenPoint){512.0f, 204.0f}));
    assert_true(brume_same_object(controls.select.selected, emitter(0)));
    assert_false(brume_select_press(&dragged, &controls, &screen, (BrumeScreenPoint){425.0f, 206.0f + 8.0f}));
    assert_true(brume_same_object(controls.select.selected, emitter(0)));
    assert_false(brume_select_press(&dragged, &controls, &screen, (BrumeScreenPoint){530.0f, 200.0f}));
    assert_int_equal(controls.select.selected.kind, BRUME_OBJECT_NONE);
    // another object there is selected
    (void)gizmo_of(emitter(0), BRUME_GIZMO_MOVE);
    controls.present.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {2.3f, 0.0f, 0.0f}, .radius = 0.1f};
    assert_false(brume_select_press(&dragged, &controls, &screen, (BrumeScreenPoint){515.0f, 200.0f}));
    assert_true(brume_same_object(controls.select.selected, (BrumeObject){BRUME_OBJECT_BODY, 0}));
}

// on a display of twice the scale, handles and symbols have twice the size, and a drag is twice as long
static void test_sizes_follow_the_display(void **state)
{
    (void)state;
    screen.scale = 2.0f;
    const BrumeGizmo move = gizmo_of(emitter(0), BRUME_GIZMO_MOVE);
    assert_handle(&move, 400.0f + 2.0f * 105.0f, 200.0f, BRUME_HANDLE_X);
    assert_handle(&move, 400.0f + 2.0f * 108.0f, 200.0f, BRUME_HANDLE_NONE);
    static BrumeOutline outline;
    const BrumePose light = brume_object_pose(&controls, (BrumeObject){BRUME_OBJECT_LIGHT, 1});
    brume_object_outline(&controls, &light, &screen, &outline);
    const float radius = brume_length(brume_sub(outline.ends[0][0], light.light.position));
    assert_near("radius of the symbol [points]", radius / 0.02f, 18.0f, 1e-3);
    drag(emitter(0), BRUME_GIZMO_SCALE, (BrumeScreenPoint){400, 200}, 84, 0, BRUME_SNAP_NONE);
    assert_near("radius", controls.sim[0].emitters[0].shape.radius, 0.375f, 1e-5);
}

static void test_bodies_are_displaced(void **state)
{
    (void)state;
    const BrumeObject box = {BRUME_OBJECT_BODY, 0};
    drag(box, BRUME_GIZMO_MOVE, (BrumeScreenPoint){485, 200}, -5, 0, BRUME_SNAP_NONE);
    assert_point(controls.present.bodies[0].shape.a, 0.3f, -0.1f, -0.1f);
    assert_point(controls.present.displacement[0], -0.1f, 0.0f, 0.0f);
    assert_true(controls.present.moved == 1);
    assert_true(controls.present.placed == 0);
}

static void test_turns(void **state)
{
    (void)state;
    const BrumeShape *tube = &controls.sim[0].emitters[1].shape;
    BrumeScreenPoint middle;
    assert_true(brume_screen_project(&screen, brume_vec3(0.0f, 0.0f, -0.5f), &middle));
    // a quarter of the way around the ring about the viewing direction, counterclockwise
    BrumeGizmoDrag dragged;
    brume_select(&controls, emitter(1));
    controls.select.mode = BRUME_GIZMO_TURN;
    assert_true(brume_select_press(&dragged, &controls, &screen, (BrumeScreenPoint){middle.x + 98.0f, middle.y}));
    assert_int_equal(dragged.handle, BRUME_HANDLE_VIEW);
    for (int n = 1; n <= 9; n++) {
        const float angle = 0.1745329252f * (float)n;
        brume_gizmo_drag_to(&dragged, &controls, &screen,
                            (BrumeScreenPoint){middle.x + 98.0f * cosf(angle), middle.y - 98.0f * sinf(angle)},
                            BRUME_SNAP_NONE);
    }
    assert_string_equal(controls.select.drag_text, "+90.0°");
    assert_point(tube->rotation, 0.0f, 0.0f, 90.0f);
    const BrumeShapeFrame frame = brume_shape_frame(tube);
    assert_point(brume_frame_point(&frame, tube->a), 0.5f, 0.0f, -0.5f); // the lower end is at +x now
    assert_point(brume_frame_point(&frame, tube->b), -0.5f, 0.0f, -0.5f);
    brume_select_cancel(&dragged, &controls);
    assert_point(tube->a, 0.0f, -0.5f, -0.5f);
    assert_point(tube->rotation, 0.0f, 0.0f, 0.0f);
    // the direction of a light, about x from -z by a quarter: what pointed at the viewer points down
    const BrumePose light = brume_object_pose(&controls, (BrumeObject){BRUME_OBJECT_LIGHT, 1});
    const BrumePose turned = brume_pose_turned(&light, brume_vec3(1.0f, 0.0f, 0.0f), 1.5707963f);
    assert_point(turned.light.direction, 0.0f, -1.0f, 0.0f);
    assert_point(turned.light.up, 0.0f, 0.0f, 1.0f);
}

// drags the ring about the viewing direction around the body at (400, 200), by steps of 15 degrees
static void drag_ring(int steps)
{
    BrumeGizmoDrag dragged;
    brume_select(&controls, (BrumeObject){BRUME_OBJECT_BODY, 0});
    controls.select.mode = BRUME_GIZMO_TURN;
    assert_true(brume_select_press(&dragged, &controls, &screen, (BrumeScreenPoint){498.0f, 200.0f}));
    for (int n = 1; n <= steps; n++) {
        const float angle = 0.2617993878f * (float)n;
        brume_gizmo_drag_to(&dragged, &controls, &screen,
                            (BrumeScreenPoint){400.0f + 98.0f * cosf(angle), 200.0f - 98.0f * sinf(angle)},
                            BRUME_SNAP_NONE);
    }
    assert_true(brume_select_release(&dragged, &controls));
}

// A body is turned by its rotation, which pushes the air; more than once around, the angles go on.
static void test_bodies_are_turned(void **state)
{
    (void)state;
    const BrumePresentBodies *present = &controls.present;
    BrumeShape *shape = &controls.present.bodies[0].shape;
    *shape =
        (BrumeShape){.kind = BRUME_SHAPE_CAPSULE, .a = {-0.2f, 0.0f, 0.0f}, .b = {0.2f, 0.0f, 0.0f}, .radius = 0.1f};
    drag_ring(40);
    assert_point(shape->rotation, 0.0f, 0.0f, 600.0f);
    assert_point(present->turn[0], 0.0f, 0.0f, 600.0f);
    assert_point(present->displacement[0], 0.0f, 0.0f, 0.0f);
    assert_true(present->moved == 1 && present->placed == 0);
    drag_ring(4);
    assert_point(present->turn[0], 0.0f, 0.0f, 660.0f);
}

static void type(BrumeGizmoDrag *dragged, const char *text)
{
    for (; *text; text++) {
        assert_true(brume_gizmo_type(dragged, &controls, *text));
    }
}

// numbers that are typed take the place of the way of the pointer
static void test_typed_numbers(void **state)
{
    (void)state;
    const BrumeShape *sphere = &controls.sim[0].emitters[0].shape;
    BrumeGizmoDrag dragged;
    brume_select(&controls, emitter(0));
    controls.select.mode = BRUME_GIZMO_MOVE;
    assert_true(brume_select_press(&dragged, &controls, &screen, (BrumeScreenPoint){460, 200})); // along x
    type(&dragged, "0,375");
    assert_point(sphere->a, 0.375f, 0.0f, 0.0f);
    assert_string_equal(controls.select.drag_text, "x +0.375 m  [0.375]");
    brume_gizmo_drag_to(&dragged, &controls, &screen, (BrumeScreenPoint){300, 200}, BRUME_SNAP_NONE);
    assert_point(sphere->a, 0.375f, 0.0f, 0.0f);
    type(&dragged, "\b\b");
    assert_point(sphere->a, 0.3f, 0.0f, 0.0f);
    type(&dragged, "-");
    assert_point(sphere->a, -0.3f, 0.0f, 0.0f);
    type(&dragged, ".-");
    assert_point(sphere->a, 0.3f, 0.0f, 0.0f); // it has a point already
    assert_false(brume_gizmo_type(&dragged, &controls, 'x'));
    type(&dragged, "\b\b\b\b"); // nothing is typed: the pointer again
    assert_point(sphere->a, -1.0f, 0.0f, 0.0f);
    type(&dragged, "0.125");
    assert_true(brume_select_release(&dragged, &controls));
    assert_point(sphere->a, 0.125f, 0.0f, 0.0f);
    assert_string_equal(controls.select.typed, "");
    // the handle in the middle, along the way of the pointer
    assert_true(brume_select_press(&dragged, &controls, &screen, (BrumeScreenPoint){406, 200}));
    brume_gizmo_drag_to(&dragged, &controls, &screen, (BrumeScreenPoint){409, 196}, BRUME_SNAP_NONE);
    type(&dragged, ".5");
    assert_true(brume_select_release(&dragged, &controls));
    assert_point(sphere->a, 0.425f, 0.4f, 0.0f);
    // degrees, and a factor
    const BrumeObject box = {BRUME_OBJECT_BODY, 0};
    controls.present.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {-0.1f, -0.1f, -0.1f}, .b = {0.1f, 0.1f, 0.1f}};
    brume_select(&controls, box);
    controls.select.mode = BRUME_GIZMO_TURN;
    assert_true(brume_select_press(&dragged, &controls, &screen, (BrumeScreenPoint){498, 200}));
    type(&dragged, "-450");
    assert_true(brume_select_release(&dragged, &controls));
    assert_point(controls.present.bodies[0].shape.rotation, 0.0f, 0.0f, -450.0f);
    controls.present.bodies[0].shape.rotation.z = 0.0f;
    controls.select.mode = BRUME_GIZMO_SCALE;
    assert_true(brume_select_press(&dragged, &controls, &screen, (BrumeScreenPoint){400, 200}));
    type(&dragged, "2.5");
    assert_true(brume_select_release(&dragged, &controls));
    assert_point(controls.present.bodies[0].shape.b, 0.25f, 0.25f, 0.25f);
}

// The coefficients of a body in a stream: published areas of projections, and the force in units of 1/2 U^2 A.
static void test_flow_coefficients(void **state)
{
    (void)state;
    BrumeSimDef sim = brume_default_sim_def();
    assert_point(brume_free_stream(&sim), 0.0f, 0.0f, 0.0f);
    sim.wind = brume_vec3(1.0f, 2.0f, 3.0f);
    assert_point(brume_free_stream(&sim), 1.0f, 2.0f, 3.0f);
    sim.faces[BRUME_FACE_X_MIN] = (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {2.0f, 0.0f, 0.0f}};
    sim.faces[BRUME_FACE_Y_MIN] = (BrumeFaceDef){.kind = BRUME_INFLOW, .velocity = {0.0f, 0.5f, 0.0f}};
    assert_point(brume_free_stream(&sim), 2.0f, 0.0f, 0.0f);
    const BrumeVec3 x = {1.0f, 0.0f, 0.0f};
    const float pi = 3.14159265f;
    const BrumeShape sphere = {.kind = BRUME_SHAPE_SPHERE, .a = {5.0f, 1.0f, 0.0f}, .radius = 0.5f};
    assert_near("sphere", brume_frontal_area(&sphere, x), 0.25 * pi, 0.002 * 0.25 * pi);
    BrumeShape box = {.kind = BRUME_SHAPE_BOX, .b = {1.0f, 2.0f, 3.0f}};
    assert_near("box", brume_frontal_area(&box, x), 6.0, 0.1);
    box.rotation = brume_vec3(0.0f, 90.0f, 0.0f);
    assert_near("turned box", brume_frontal_area(&box, x), 2.0, 0.05);
    box.rotation = brume_vec3(0.0f, 45.0f, 0.0f);
    assert_near("box from its edge", brume_frontal_area(&box, x), 2.0 * 4.0 * sqrt(0.5), 0.1);
    const BrumeShape plane = {.kind = BRUME_SHAPE_PLANE};
    assert_near("half space", brume_frontal_area(&plane, x), 0.0, 0.0);
    const BrumeFlowCoefficients found =
        brume_flow_coefficients(brume_vec3(3.0f, 1.5f, 9.0f), brume_vec3(2.0f, 0.0f, 0.0f), 0.5f);
    assert_near("drag", found.drag, 3.0, 1e-5);
    assert_near("lift", found.lift, 1.5, 1e-5);
    const BrumeFlowCoefficients rising =
        brume_flow_coefficients(brume_vec3(3.0f, 1.5f, 9.0f), brume_vec3(0.0f, 2.0f, 0.0f), 0.5f);
    assert_near("drag", rising.drag, 1.5, 1e-5);
    assert_near("lift", rising.lift, 3.0, 1e-5);
}

// bodies are shown and hidden, which the simulation does not notice
static void test_visible_bodies(void **state)
{
    (void)state;
    static BrumeScene scene;
    scene.sim = controls.sim[0];
    scene.sim.body_count = 2;
    scene.camera_key_count = 1;
    scene.render_settings = controls.render_settings;
    scene.render_settings.surface_count = 1;
    memset(scene.surface_of, -1, sizeof scene.surface_of);
    scene.sim.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .radius = 0.5f};
    scene.sim.bodies[1].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .radius = 0.25f};
    scene.render_settings.surfaces[0] = (BrumeSurface){.shape = scene.sim.bodies[0].shape, {0.1f, 0.2f, 0.3f}};
    scene.surface_of[0] = 0;
    brume_controls_load_scene(&controls, &scene);
    assert_true(brume_body_is_visible(&controls, 0) && !brume_body_is_visible(&controls, 1)); // `visible: false`
    brume_body_show(&controls, 1, true);
    brume_body_show(&controls, 0, false);
    assert_true(!brume_body_is_visible(&controls, 0) && brume_body_is_visible(&controls, 1));
    assert_true(controls.surface_of[0] == 0 && controls.surface_of[1] == 1);
    BrumeRenderSettings look = controls.render_settings;
    brume_place_surfaces(&look, controls.surface_of, &scene.sim);
    assert_near("radius", look.surfaces[0].shape.radius, 0.0, 0.0); // no ray hits it
    assert_near("radius", look.surfaces[1].shape.radius, 0.25, 0.0);
    brume_body_show(&controls, 0, true);
    look = controls.render_settings;
    brume_place_surfaces(&look, controls.surface_of, &scene.sim);
    assert_near("radius", look.surfaces[0].shape.radius, 0.5, 0.0);
    assert_near("albedo", look.surfaces[0].albedo.z, 0.3, 1e-6);
    assert_near("radius", look.surfaces[1].shape.radius, 0.25, 0.0);
    assert_true((controls.present.placed | controls.present.moved) == 0);
}

// the same rotation has several angles: those of a small turn are near the former ones, also where they are not unique
static void test_angles_of_rotations(void **state)
{
    (void)state;
    BrumePose pose = {.kind = BRUME_OBJECT_BODY, .shape = {.kind = BRUME_SHAPE_BOX, .b = {1.0f, 2.0f, 3.0f}}};
    const BrumeVec3 y = {0.0f, 1.0f, 0.0f};
    for (int n = 1; n <= 72; n++) { // passes ±90 degrees about y
        pose = brume_pose_turned(&pose, y, 0.0872664626f);
        assert_near("x", pose.shape.rotation.x, 0.0, 0.05);
        assert_near("y", pose.shape.rotation.y, 5.0 * n, 0.05);
        assert_near("z", pose.shape.rotation.z, 0.0, 0.05);
    }
    // any turn of any rotation: the axes of the frame are turned
    for (int n = 0; n < 200; n++) {
        const float f = (float)n;
        pose.shape.rotation = brume_vec3(37.0f * f, n % 5 == 0 ? 90.0f : 11.0f * f, 71.0f * f - 900.0f);
        const BrumeVec3 axis = brume_normalize(brume_vec3(cosf(f), sinf(3.0f * f), cosf(7.0f * f)));
        const BrumePose turned = brume_pose_turned(&pose, axis, 0.1f * f);
        const BrumeShapeFrame before = brume_shape_frame(&pose.shape);
        const BrumeShapeFrame after = brume_shape_frame(&turned.shape);
        for (int m = 0; m < 3; m++) { // Rodrigues' formula
            const BrumeVec3 v = before.axes[m];
            const BrumeVec3 along = brume_scale(axis, brume_dot(axis, v));
            const BrumeVec3 across = brume_sub(v, along);
            const BrumeVec3 expected = brume_add(along, brume_add(brume_scale(across, cosf(0.1f * f)),
                                                                  brume_scale(brume_cross(axis, v), sinf(0.1f * f))));
            assert_near("axis", brume_length(brume_sub(after.axes[m], expected)), 0.0, 2e-5);
        }
    }
}

// a mesh is added where it fits, and has all handles
static void test_meshes(void **state)
{
    (void)state;
    memset(controls.surface_of, -1, sizeof controls.surface_of);
    controls.present.count = 0;
    TestMesh triangles = {0};
    test_mesh_add_box(&triangles, brume_vec3(1.0f, 0.0f, 0.0f), brume_vec3(1.4f, 0.2f, 0.2f));
    BrumeMesh *mesh = test_mesh_create(&triangles);
    assert_near("factor", brume_object_add_mesh(&controls, mesh), 1.0, 0.0);
    const BrumeObject body = {BRUME_OBJECT_BODY, 0};
    assert_true(brume_same_object(controls.select.selected, body));
    (void)snprintf(controls.present.bodies[0].name, sizeof controls.present.bodies[0].name, "fish");
    controls.sim[0].emitters[0].body = 1;
    char name[48];
    brume_object_name(&controls, emitter(0), name, sizeof name);
    assert_string_equal(name, "emitter 1, fish"); // of the body that it has
    controls.sim[0].emitters[0].body = 0;
    BrumeShape *shape = &controls.present.bodies[0].shape;
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(shape, &lower, &upper);
    assert_point(lower, -0.2f, -0.1f, -0.1f); // its middle is that of the box
    assert_point(upper, 0.2f, 0.1f, 0.1f);
    // picked by its triangles
    const BrumeRay ray = {{0.0f, 0.0f, 4.0f}, {0.0f, 0.0f, -1.0f}};
    const BrumeRay beside = {{0.0f, 0.15f, 4.0f}, {0.0f, 0.0f, -1.0f}};
    assert_near("distance", brume_pick_shape(shape, &ray), 3.9, 1e-4);
    assert_near("distance", brume_pick_shape(shape, &beside), -1.0, 0.0);
    // turned about its middle, and scaled along its own axis
    drag_ring(6);
    assert_point(shape->rotation, 0.0f, 0.0f, 90.0f);
    brume_shape_bounds(shape, &lower, &upper);
    assert_point(lower, -0.1f, -0.2f, -0.1f);
    assert_point(upper, 0.1f, 0.2f, 0.1f);
    assert_true(controls.present.moved == 1);
    drag(body, BRUME_GIZMO_SCALE, (BrumeScreenPoint){400, 200 - 60}, 0, -60, BRUME_SNAP_NONE);
    assert_point(shape->scale, 2.0f, 1.0f, 1.0f);
    brume_shape_bounds(shape, &lower, &upper);
    assert_point(lower, -0.1f, -0.4f, -0.1f);
    // its outline is the box of its own frame: each of the 12 lines is along an axis here, and in the bounds
    static BrumeOutline outline;
    const BrumePose pose = brume_object_pose(&controls, body);
    brume_object_outline(&controls, &pose, &screen, &outline);
    assert_int_equal(outline.count, 12);
    BrumeVec3 extreme = {0.0f, 0.0f, 0.0f};
    for (int n = 0; n < 12; n++) {
        for (int end = 0; end < 2; end++) {
            const BrumeVec3 corner = outline.ends[n][end];
            extreme = brume_vec3(fmaxf(extreme.x, corner.x), fmaxf(extreme.y, corner.y), fmaxf(extreme.z, corner.z));
        }
    }
    assert_point(extreme, upper.x, upper.y, upper.z);
    // at a frame that has deformed it, outline and picking have the box around it there
    BrumePresentBodies *present = &controls.present;
    present->deformed = 1;
    present->lower[0] = brume_vec3(1.0f, 0.5f, 0.0f); // .5 m beside the first frame, along the own y axis
    present->upper[0] = brume_vec3(1.4f, 0.7f, 0.2f);
    brume_object_outline(&controls, &pose, &screen, &outline);
    for (int n = 0; n < outline.count; n++) { // that axis is -x in the world
        assert_near("corner", fabsf(outline.ends[n][0].x + 0.5f), 0.1, 1e-5);
        assert_near("corner", fabsf(outline.ends[n][0].y), 0.4, 1e-5);
    }
    const BrumeShape bent = brume_shown_shape(&controls, shape);
    const BrumeRay there = {{-0.5f, 0.0f, 4.0f}, {0.0f, 0.0f, -1.0f}};
    assert_near("distance", brume_pick_shape(&bent, &there), 3.9, 1e-3);
    assert_near("distance", brume_pick_shape(&bent, &ray), -1.0, 0.0);
    present->deformed = 0;
    // a copy shares the triangles; another one of the same file is beside it
    brume_object_duplicate_selected(&controls);
    assert_ptr_equal(controls.present.bodies[1].shape.mesh, mesh);
    assert_near("factor", brume_object_add_mesh(&controls, mesh), 1.0, 0.0);
    assert_true(brume_length(
                    brume_sub(brume_shape_pivot(&controls.present.bodies[2].shape), brume_shape_pivot(shape))) > 0.05f);
    brume_mesh_release(mesh);
    // one that just fits, one that is larger than the box, and one that is tiny in it
    brume_controls_box(&controls, &lower, &upper);
    test_mesh_add_box(&triangles, brume_vec3(0.0f, 0.0f, 0.0f), brume_vec3(0.97f * (upper.x - lower.x), 0.1f, 0.1f));
    mesh = test_mesh_create(&triangles);
    assert_near("factor", brume_object_add_mesh(&controls, mesh), 1.0, 0.0);
    brume_mesh_release(mesh);
    controls.present.count--;
    test_mesh_add_box(&triangles, brume_vec3(0.0f, 0.0f, 0.0f), brume_vec3(3000.0f, 1000.0f, 1000.0f));
    mesh = test_mesh_create(&triangles);
    assert_near("factor", brume_object_add_mesh(&controls, mesh), 0.00033, 1e-9);
    brume_shape_bounds(&controls.present.bodies[3].shape, &lower, &upper);
    assert_near("side", upper.x - lower.x, 0.99, 1e-4);
    brume_mesh_release(mesh);
    test_mesh_add_box(&triangles, brume_vec3(0.0f, 0.0f, 0.0f), brume_vec3(0.01f, 0.01f, 0.01f));
    mesh = test_mesh_create(&triangles);
    assert_near("factor", brume_object_add_mesh(&controls, mesh), 100.0, 1e-3);
    brume_mesh_release(mesh);
}

// the values of which a mode of the handles sets keys
static void test_keys_of_modes(void **state)
{
    (void)state;
    static const struct {
        BrumeShapeKind kind;
        const char *paths[BRUME_GIZMO_MODES][4];
    } cases[] = {
        {BRUME_SHAPE_SPHERE, {{"center"}, {"rotation"}, {"radius"}}},
        {BRUME_SHAPE_BOX, {{"from", "to"}, {"rotation"}, {"from", "to"}}},
        {BRUME_SHAPE_CONE, {{"from", "to"}, {"rotation"}, {"from", "to", "radius", "radius_to"}}},
        {BRUME_SHAPE_TORUS, {{"center"}, {"rotation"}, {"radius", "tube_radius"}}},
        {BRUME_SHAPE_MESH, {{"center"}, {"rotation"}, {"scale"}}},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        controls.present.bodies[0].shape =
            (BrumeShape){.kind = cases[n].kind, .b = {0.0f, 1.0f, 0.0f}, .radius = 1.0f, .second_radius = 0.5f};
        for (int mode = 0; mode < BRUME_GIZMO_MODES; mode++) {
            BrumeAnimatedMember members[BRUME_POSE_MEMBERS];
            const BrumeObject body = {BRUME_OBJECT_BODY, 0};
            const int count = brume_object_members(&controls, body, (BrumeGizmoMode)mode, members);
            for (int m = 0; m < count; m++) {
                const char *name = strrchr(members[m].setting->path, '.') + 1;
                assert_non_null(cases[n].paths[mode][m]);
                assert_string_equal(name, cases[n].paths[mode][m]);
            }
            assert_true(count == 4 || !cases[n].paths[mode][count]);
        }
    }
}

static void test_scales(void **state)
{
    (void)state;
    drag(emitter(1), BRUME_GIZMO_SCALE, (BrumeScreenPoint){400, 200 - 80}, 0, -80, BRUME_SNAP_NONE); // its length
    const BrumeShape *tube = &controls.sim[0].emitters[1].shape;
    assert_point(tube->a, 0.0f, -1.0f, -0.5f);
    assert_point(tube->b, 0.0f, 1.0f, -0.5f);
    assert_near("value", tube->radius, 0.1f, 1e-6);
    drag(emitter(0), BRUME_GIZMO_SCALE, (BrumeScreenPoint){400, 200}, 42, 0, BRUME_SNAP_NONE); // the middle: all
    assert_near("value", controls.sim[0].emitters[0].shape.radius, 0.375f, 1e-5);
    drag((BrumeObject){BRUME_OBJECT_LIGHT, 1}, BRUME_GIZMO_SCALE, (BrumeScreenPoint){375 + 60, 175}, 33, 0,
         BRUME_SNAP_COARSE); // 1.55 in steps
    assert_near("value", controls.render_settings.lights[1].width, 0.2f * (float)1.6, 1e-5);
    assert_near("value", controls.render_settings.lights[1].height, 0.1f, 1e-6);
    const BrumePose box = brume_object_pose(&controls, (BrumeObject){BRUME_OBJECT_BODY, 0});
    const BrumePose scaled = brume_pose_scaled(&box, brume_vec3(2.0f, 1.0f, 0.5f));
    assert_point(scaled.shape.a, 0.3f, -0.1f, -0.05f);
    assert_point(scaled.shape.b, 0.7f, 0.1f, 0.05f);
}

static void test_modes_without_effect(void **state)
{
    (void)state;
    brume_select(&controls, emitter(0));
    controls.select.mode = BRUME_GIZMO_TURN;
    assert_int_equal(brume_select_mode(&controls), BRUME_GIZMO_SCALE); // a sphere is not turned
    brume_select(&controls, (BrumeObject){BRUME_OBJECT_LIGHT, 0});
    controls.select.mode = BRUME_GIZMO_SCALE;
    assert_int_equal(brume_select_mode(&controls), BRUME_GIZMO_TURN); // a sun is turned only
    controls.render_settings.light_count = 0;
    brume_select_update(&controls);
    assert_int_equal(controls.select.selected.kind, BRUME_OBJECT_NONE);
}

static void assert_same_shape(const BrumeShape *a, const BrumeShape *b)
{
    static const BrumeVec3 corners[] = {{0.3f, 0.0f, 0.0f}, {0.0f, 0.2f, 0.0f}, {0.0f, 0.0f, 0.1f}};
    const BrumeShapeFrame frames[] = {brume_shape_frame(a), brume_shape_frame(b)};
    for (size_t n = 0; n < sizeof corners / sizeof corners[0]; n++) {
        const BrumeVec3 expected = brume_frame_point(&frames[0], brume_add(a->a, corners[n]));
        const BrumeVec3 point = brume_frame_point(&frames[1], brume_add(b->a, corners[n]));
        assert_point(point, expected.x, expected.y, expected.z);
    }
}

static double key_at(const char *path, int key)
{
    const BrumeAnimatedValue *value = brume_keys_find(&controls.animation, path);
    assert_non_null(value);
    assert_true(key < value->key_count);
    return value->keys[key].value;
}

// a body or an emitter keeps its place when it gets or loses a parent; a parent has one factor of scale
static void test_followers_keep_their_place(void **state)
{
    (void)state;
    const BrumeObject leader = {BRUME_OBJECT_BODY, 0};
    const BrumeObject follower = {BRUME_OBJECT_BODY, 1};
    BrumePresentBodies *present = &controls.present;
    present->count = 3;
    present->bodies[0].shape.rotation = brume_vec3(0.0f, 30.0f, 0.0f);
    present->bodies[0].shape.scale = brume_vec3(0.5f, 0.5f, 0.5f);
    present->bodies[1].shape = (BrumeShape){
        .kind = BRUME_SHAPE_BOX, .a = {-0.2f, 0.0f, 0.0f}, .b = {0.2f, 0.1f, 0.1f}, .rotation = {10.0f, 20.0f, 190.0f}};
    present->bodies[2].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .radius = 0.1f, .scale = {1.0f, 2.0f, 1.0f}};
    const BrumeShape before = present->bodies[1].shape;
    assert_false(brume_object_can_follow(&controls, leader, 1));
    assert_false(brume_object_can_follow(&controls, follower, 3)); // unequal factors
    assert_true(brume_object_can_follow(&controls, follower, 1));
    brume_object_follow(&controls, follower, 1);
    assert_int_equal(brume_object_parent(&controls, follower), 1);
    assert_true(present->placed == 2);
    BrumeShape now = brume_object_pose(&controls, follower).shape;
    assert_same_shape(&before, &now);
    assert_point(present->bodies[1].shape.position, 0.0f, 0.0f, 0.0f); // the ends of the shape have moved
    assert_point(brume_shape_pivot(&present->bodies[1].shape), -0.91603f, 0.1f, -0.4134f);
    assert_false(brume_object_can_follow(&controls, leader, 2)); // it would follow itself

    // a dragged follower turns by the angle of the drag, not by a turn more
    BrumePose pose = brume_object_pose(&controls, follower);
    pose = brume_pose_turned(&pose, brume_vec3(0.0f, 1.0f, 0.0f), 0.1f);
    brume_object_set_pose(&controls, follower, &pose, true);
    assert_true(brume_length(present->turn[1]) < 10.0f);
    now = brume_object_pose(&controls, follower).shape;
    assert_same_shape(&pose.shape, &now);

    // a parent is scaled along all axes alike
    pose = brume_object_pose(&controls, leader);
    pose.shape.scale = brume_vec3(4.0f, 0.5f, 0.5f);
    brume_object_set_pose(&controls, leader, &pose, false);
    assert_point(present->bodies[0].shape.scale, 1.0f, 1.0f, 1.0f);

    const BrumeShape world = brume_object_pose(&controls, follower).shape;
    brume_object_follow(&controls, follower, 0);
    assert_int_equal(present->bodies[1].parent, 0);
    assert_same_shape(&world, &present->bodies[1].shape);

    const BrumeShape cylinder = brume_object_pose(&controls, emitter(1)).shape;
    brume_object_follow(&controls, emitter(1), 1);
    assert_int_equal(controls.sim[0].emitters[1].parent, 1);
    now = brume_object_pose(&controls, emitter(1)).shape;
    assert_same_shape(&cylinder, &now);
    controls.sim[0].emitters[0].body = 1;
    assert_false(brume_object_can_follow(&controls, emitter(0), 1)); // its shape is that of a body

    // what is on a body that is deleted stays where it is, on none
    brume_object_follow(&controls, follower, 1);
    const BrumeShape own = brume_object_pose(&controls, follower).shape;
    brume_select(&controls, leader);
    brume_object_delete_selected(&controls);
    assert_false(brume_object_exists(&controls, leader));
    assert_int_equal(present->bodies[1].parent, 0);
    assert_int_equal(controls.sim[0].emitter_count, 1); // without the one that has its shape
    assert_int_equal(controls.sim[0].emitters[0].parent, 0);
    assert_same_shape(&own, &present->bodies[1].shape);
    assert_same_shape(&cylinder, &controls.sim[0].emitters[0].shape);
}

// an emitter gets the surface of a body, without the keys of its own shape; and a sphere around it again
static void test_emitting_bodies(void **state)
{
    (void)state;
    BrumePresentBodies *present = &controls.present;
    BrumeEmitterDef *def = &controls.sim[0].emitters[1];
    present->count = 2;
    present->bodies[1].shape = (BrumeShape){.kind = BRUME_SHAPE_VOLUME};
    def->softness = 0.05f;
    def->parent = 1;
    assert_true(brume_keys_set(&controls.animation, "emitters.0.center.1", 0.0, 0.0));
    assert_true(brume_keys_set(&controls.animation, "emitters.1.radius", 0.0, 0.1));
    assert_true(brume_keys_set(&controls.animation, "emitters.1.density", 0.0, 1.0));
    assert_true(brume_keys_set(&controls.animation, "emitters.1.from.0", 0.0, 0.1));
    assert_false(brume_object_can_emit_from(&controls, 2)); // a volume has no surface
    assert_false(brume_object_can_emit_from(&controls, 3));
    brume_object_emit_from(&controls, 1, 1);
    assert_int_equal(def->body, 1);
    assert_int_equal(def->parent, 0);
    assert_int_equal(def->from, BRUME_EMIT_SURFACE);
    assert_near("thickness", def->thickness, 0.2, 1e-6); // two cells
    assert_near("softness", def->softness, 0.0, 0.0);
    assert_int_equal(controls.animation.count, 2);
    assert_non_null(brume_keys_find(&controls.animation, "emitters.0.center.1"));
    assert_non_null(brume_keys_find(&controls.animation, "emitters.1.density"));
    const BrumeShape body = brume_object_pose(&controls, emitter(1)).shape;
    assert_same_shape(&body, &present->bodies[0].shape);
    assert_null(brume_emitter_fault(def, present->bodies));

    brume_object_emit_from(&controls, 1, 0);
    assert_int_equal(def->body, 0);
    assert_int_equal(def->shape.kind, BRUME_SHAPE_SPHERE);
    assert_point(def->shape.a, 0.5f, 0.0f, 0.0f);
    assert_near("radius", def->shape.radius, 0.1 * sqrt(3.0), 1e-5); // around the box of the body
    assert_null(brume_emitter_fault(def, present->bodies));

    // what emits from a body is deleted with it, in both variants
    brume_object_emit_from(&controls, 0, 1);
    const BrumeEmitterDef other = *def;
    controls.compare = true;
    controls.sim[1] = controls.sim[0];
    controls.sim[1].emitters[1].body = 1;
    brume_select(&controls, (BrumeObject){BRUME_OBJECT_BODY, 0});
    brume_object_delete_selected(&controls);
    assert_int_equal(controls.sim[0].emitter_count, 1);
    assert_memory_equal(&controls.sim[0].emitters[0], &other, sizeof other);
    assert_int_equal(controls.sim[1].emitter_count, 0);
    assert_int_equal(controls.animation.count, 1); // its keys have the new number
    assert_non_null(brume_keys_find(&controls.animation, "emitters.0.density"));
}

// keys go to the frame of a parent that moves, each at its time, and back
static void test_keys_of_followers(void **state)
{
    (void)state;
    const BrumeObject follower = {BRUME_OBJECT_BODY, 1};
    controls.present.count = 2;
    controls.present.bodies[1].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .radius = 0.1f, .a = {0.1f, 0, 0}};
    assert_true(brume_keys_set(&controls.animation, "bodies.0.rotation.1", 0.0, 0.0));
    assert_true(brume_keys_set(&controls.animation, "bodies.0.rotation.1", 1.0, 90.0));
    assert_true(brume_keys_set(&controls.animation, "bodies.1.center.0", 0.0, 0.1));
    assert_true(brume_keys_set(&controls.animation, "bodies.1.center.0", 1.0, 0.7));
    brume_object_follow(&controls, follower, 1);
    assert_near("x at 0", key_at("bodies.1.center.0", 0), 0.1 - 0.5, 1e-6);
    assert_near("z at 0", key_at("bodies.1.center.2", 0), 0.0, 1e-6);
    assert_near("x at 1", key_at("bodies.1.center.0", 1), 0.0, 1e-6);
    assert_near("z at 1", key_at("bodies.1.center.2", 1), 0.2, 1e-6); // a quarter turn takes x to -z
    assert_null(brume_keys_find(&controls.animation, "bodies.1.rotation.1"));
    brume_object_follow(&controls, follower, 0);
    assert_near("x at 0", key_at("bodies.1.center.0", 0), 0.1, 1e-6);
    assert_near("x at 1", key_at("bodies.1.center.0", 1), 0.7, 1e-6);

    // keys of its position, in place of its center
    for (int n = 0; n < 3; n++) {
        brume_keys_clear(&controls.animation,
                         brume_keys_find(&controls.animation, (const char *[]){"bodies.1.center.0", "bodies.1.center.1",
                                                                               "bodies.1.center.2"}[n]));
    }
    assert_true(brume_keys_set(&controls.animation, "bodies.1.position.0", 1.0, 0.6));
    const BrumeVec3 center = controls.present.bodies[1].shape.a;
    brume_object_follow(&controls, follower, 1);
    assert_near("x at 1", key_at("bodies.1.position.0", 0), 0.0 - (double)center.x, 1e-6);
    assert_near("z at 1", key_at("bodies.1.position.2", 0), 0.2 - (double)center.z, 1e-6);
    assert_point(controls.present.bodies[1].shape.a, center.x, center.y, center.z);
}

// a hidden body keeps its color and the keys of it
static void test_color_of_a_hidden_body(void **state)
{
    (void)state;
    controls.surface_of[0] = 0;
    controls.render_settings.surface_count = controls.other_look.surface_count = 1;
    controls.render_settings.surfaces[0].albedo = brume_vec3(0.1f, 0.2f, 0.3f);
    brume_body_show(&controls, 0, false);
    assert_false(brume_body_is_visible(&controls, 0));
    assert_near("albedo", controls.render_settings.surfaces[0].albedo.z, 0.3f, 0.0);
    BrumeAnimatedMember member;
    assert_true(brume_animated_find("bodies.0.albedo.1", &member));
    const float *number = brume_controls_number(&controls, &member);
    assert_non_null(number);
    assert_near("number", *number, 0.2f, 0.0);
}

static void test_bodies_are_added_and_deleted(void **state)
{
    (void)state;
    memset(controls.surface_of, -1, sizeof controls.surface_of);
    controls.surface_of[0] = 0;
    controls.render_settings.surface_count = 1;
    controls.render_settings.surfaces[0].albedo = brume_vec3(0.1f, 0.2f, 0.3f);
    brume_select(&controls, (BrumeObject){BRUME_OBJECT_BODY, 0});
    brume_object_duplicate_selected(&controls);
    assert_int_equal(controls.present.count, 2);
    assert_true(controls.present.placed == 2);
    assert_true(brume_same_object(controls.select.selected, (BrumeObject){BRUME_OBJECT_BODY, 1}));
    assert_point(controls.present.bodies[1].shape.a, 0.5f, -0.1f, -0.1f); // two steps beside it
    assert_int_equal(controls.surface_of[1], 1);
    assert_int_equal(controls.render_settings.surface_count, 2);
    assert_near("albedo", controls.render_settings.surfaces[1].albedo.z, 0.3f, 1e-6);
    brume_object_delete_selected(&controls);
    assert_true(controls.present.bodies[1].disabled);
    assert_false(brume_object_exists(&controls, (BrumeObject){BRUME_OBJECT_BODY, 1}));
    assert_int_equal(controls.select.selected.kind, BRUME_OBJECT_NONE);
    controls.present.bodies[1].disabled = false; // as after an undo
    assert_true(brume_object_exists(&controls, (BrumeObject){BRUME_OBJECT_BODY, 1}));
    brume_object_switch(&controls, (BrumeObject){BRUME_OBJECT_BODY, 1}, false, NULL);
    assert_true(controls.present.bodies[1].disabled);
    assert_true(brume_object_exists(&controls, (BrumeObject){BRUME_OBJECT_BODY, 1})); // it is switched off only
}

// bodies that were edited have the values of the scene again, those that were added are gone, and those that the
// scene moves by itself stay
static void test_bodies_are_reset(void **state)
{
    (void)state;
    static BrumeScene scene;
    BrumePresentBodies *present = &controls.present;
    scene.sim = controls.sim[0];
    scene.sim.body_count = present->count = 4;
    for (int n = 0; n < 4; n++) {
        present->bodies[n] = present->bodies[0];
        scene.sim.bodies[n] = present->bodies[0];
    }
    brume_bodies_reset(&controls, &scene);
    assert_true(present->placed == 0 && present->moved == 0); // nothing differs
    BrumeMove move = {.body = 3};
    BrumeChange change = {.move_count = 1, .moves = &move};
    scene.timeline = (BrumeTimeline){.count = 1, .changes = &change};
    present->bodies[1].disabled = true;
    present->deleted = 2;
    present->bodies[2].shape.a.x = 0.3f;
    present->bodies[3].shape.a.x = 0.3f;
    present->bodies[4] = present->bodies[5] = present->bodies[0];
    present->bodies[5].disabled = true;
    present->count = 6;
    brume_bodies_reset(&controls, &scene);
    assert_true(present->placed == (2 | 4 | 16));
    assert_true(present->deleted == 16);
    assert_false(present->bodies[1].disabled);
    assert_near("x", present->bodies[2].shape.a.x, 0.4f, 0.0);
    assert_near("x", present->bodies[3].shape.a.x, 0.3f, 0.0);
    assert_true(present->bodies[4].disabled);
    scene.timeline = (BrumeTimeline){0};
}

// what is added is in the picture, and not where another one is
static void test_added_objects_are_in_the_picture(void **state)
{
    (void)state;
    controls.render_settings.light_count = 0;
    controls.present.count = 0;
    controls.select.aspect = (float)WIDE / (float)HIGH;
    // from the front, from far above, and from within the box
    const BrumeCamera cameras[] = {
        {.position = {0.0f, 0.0f, 4.0f}, .field_of_view = 90.0f},
        {.position = {0.0f, 9.0f, 5.0f}, .target = {0.0f, 0.0f, 0.0f}, .field_of_view = 40.0f},
        {.position = {0.0f, 0.0f, 0.5f}, .field_of_view = 60.0f},
    };
    for (int n = 0; n < BRUME_MAX_LIGHTS; n++) {
        controls.camera = screen.camera = cameras[n / 3];
        brume_object_add_light(&controls, (BrumeLightKind)(BRUME_LIGHT_POINT + n % 3));
        const BrumeLight *lights = controls.render_settings.lights;
        BrumeScreenPoint at;
        assert_true(brume_screen_project(&screen, lights[n].position, &at));
        assert_true(at.x > 20.0f && at.x < WIDE - 20.0f && at.y > 20.0f && at.y < 0.5f * (float)HIGH);
        const BrumeVec3 p = lights[n].position;
        assert_true(n / 3 == 2 || fmaxf(fmaxf(fabsf(p.x), fabsf(p.y)), fabsf(p.z)) > 1.0f); // outside of the box
        for (int m = 0; m < n; m++) {
            assert_true(brume_length(brume_sub(lights[m].position, p)) > 0.03f);
        }
    }
    for (int n = 0; n < 9; n++) {
        brume_object_add_shape(&controls, BRUME_OBJECT_BODY, BRUME_SHAPE_SPHERE);
        const BrumeVec3 p = controls.present.bodies[n].shape.a;
        assert_true(fmaxf(fabsf(p.x), fabsf(p.z)) < 0.7f);
        for (int m = 0; m < n; m++) {
            assert_true(brume_length(brume_sub(controls.present.bodies[m].shape.a, p)) > 0.05f);
        }
    }
}

// each kind but a flow; a simulation can be created with them, and turbulence follows the air
static void test_forces_are_added(void **state)
{
    (void)state;
    BrumeSimDef *sim = &controls.sim[0];
    *sim = brume_default_sim_def();
    sim->emitter_count = 0;
    for (int kind = BRUME_FORCE_WIND; kind <= BRUME_FORCE_ATTRACTION; kind++) {
        const int count = sim->emitter_count;
        brume_object_add_force(&controls, (BrumeForceKind)kind);
        if (kind == BRUME_FORCE_FLOW) {
            assert_int_equal(sim->emitter_count, count);
            continue;
        }
        assert_int_equal(sim->emitter_count, count + 1);
        assert_int_equal(sim->emitters[count].force.kind, kind);
        assert_int_equal(controls.select.selected.index, count);
        char name[48];
        char expected[48];
        brume_object_name(&controls, controls.select.selected, name, sizeof name);
        (void)snprintf(expected, sizeof expected, "emitter %d, %s", count + 1, brume_force_name((BrumeForceKind)kind));
        assert_string_equal(name, expected);
        for (int n = 0; n < count; n++) {
            assert_true(brume_length(brume_sub(sim->emitters[n].shape.a, sim->emitters[count].shape.a)) > 0.01f);
        }
    }
    assert_true(sim->texture_period == 1.0f);
    BrumeSim *created = NULL;
    BrumeError error;
    assert_int_equal(brume_sim_create(&created, sim, &error), BRUME_OK);
    brume_sim_destroy(created);
}

// Each fire burns with settings that a simulation can have; its flames have half the height of the box, or less, by the
// correlation of Heskestad. Undo restores the settings and the look.
static void test_fires_are_added(void **state)
{
    (void)state;
    BrumeUndoHistory *history;
    BrumeError error;
    int edit;
    BrumeSimDef *sim = &controls.sim[0];
    *sim = brume_default_sim_def();
    controls.present.count = 0;
    controls.select.time = 2.0;
    assert_int_equal(brume_undo_history_create(&history, &controls, &error), BRUME_OK);
    for (int n = 0; brume_fire_name(n); n++) {
        brume_object_add_fire(&controls, n);
        brume_undo_history_add(history, &controls);
        assert_int_equal(brume_sim_check(sim, &error), BRUME_OK);
        assert_int_equal(sim->emitter_count, 1);
        assert_int_equal(sim->fire.model, BRUME_FIRE_MIXING);
        assert_near("glow", controls.render_settings.emission.intensity, 1.0, 0.0);
        char name[48];
        brume_object_name(&controls, controls.select.selected, name, sizeof name);
        assert_string_equal(name, "emitter 1, fire");
        const BrumeEmitterDef *emitter = &sim->emitters[0];
        if (emitter->power.mode == BRUME_SOURCE_RATE) {
            const double flames =
                0.235 * pow((double)emitter->power.value, 0.4) - 1.02 * 2.0 * (double)emitter->shape.radius;
            assert_near("flames", flames, n < 2 ? 0.5 : 0.35, 1e-5);
            assert_near("floor", emitter->shape.a.y, sim->origin.y, 0.0);
        } else {
            assert_near("fuel", emitter->fuel.value, 1.0, 0.0);
            assert_near("end", emitter->end, 2.3, 1e-6);
        }
        assert_true(brume_undo_history_step(history, true, &controls, &edit));
        assert_int_equal(sim->emitter_count, 0);
        assert_int_equal(sim->fire.model, BRUME_FIRE_NONE);
        assert_near("glow", controls.render_settings.emission.intensity, 0.0, 0.0);
    }
    brume_undo_history_destroy(history);
}

// the first fuel decides what burns; soot is a kind of smoke of its own, and the look keeps its glow
static void test_fires_share_their_fuel(void **state)
{
    (void)state;
    BrumeError error;
    BrumeSimDef *sim = &controls.sim[0];
    controls.render_settings.emission.intensity = 0.5f;
    sim->emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    brume_object_add_fire(&controls, 1);
    brume_object_add_fire(&controls, 0);
    assert_int_equal(sim->emitter_count, 4);
    assert_near("heat", sim->fire.heat, 16000.0, 0.0); // of wood
    assert_int_equal(sim->fire.soot_kind, 1);
    assert_int_equal(sim->color_count, 1);
    assert_near("soot", controls.render_settings.smoke[1].albedo.x, 0.28, 1e-6);
    assert_near("glow", controls.render_settings.emission.intensity, 0.5, 0.0);
    assert_true(brume_length(brume_sub(sim->emitters[2].shape.a, sim->emitters[3].shape.a)) > 0.01f);
    // a closed box has no fire
    sim->fire.model = BRUME_FIRE_NONE;
    sim->emitter_count = 0;
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        sim->faces[face].kind = BRUME_WALL;
    }
    brume_object_add_fire(&controls, 0);
    assert_int_equal(sim->emitter_count, 0);
    assert_int_equal(brume_fire_start(&controls, &error), BRUME_BAD_INPUT);
    assert_non_null(strstr(error.text, "needs an open side"));
    assert_int_equal(sim->fire.model, BRUME_FIRE_NONE);
}

static void test_every_kind_is_added(void **state)
{
    (void)state;
    static const BrumeShapeKind shapes[] = {BRUME_SHAPE_SPHERE,  BRUME_SHAPE_BOX,  BRUME_SHAPE_CYLINDER,
                                            BRUME_SHAPE_CAPSULE, BRUME_SHAPE_CONE, BRUME_SHAPE_TORUS};
    for (int kind = BRUME_OBJECT_EMITTER; kind <= BRUME_OBJECT_LIGHT; kind++) {
        for (int n = 0; n < (kind == BRUME_OBJECT_LIGHT ? 4 : 6); n++) {
            const int count = brume_object_count(&controls, (BrumeObjectKind)kind);
            if (kind == BRUME_OBJECT_LIGHT) {
                brume_object_add_light(&controls, (BrumeLightKind)n);
            } else {
                brume_object_add_shape(&controls, (BrumeObjectKind)kind, shapes[n]);
                const BrumeShape added = brume_object_pose(&controls, controls.select.selected).shape;
                BrumeVec3 lower;
                BrumeVec3 upper;
                brume_shape_bounds(&added, &lower, &upper);
                assert_true(added.kind == shapes[n] && upper.x - lower.x > 0.05f && upper.y - lower.y > 0.05f);
            }
            assert_int_equal(brume_object_count(&controls, (BrumeObjectKind)kind), count + 1);
            assert_int_equal(controls.select.selected.index, count);
            BrumeGizmo gizmo;
            assert_true(
                brume_gizmo_of(&controls, controls.select.selected, brume_select_mode(&controls), &screen, &gizmo));
        }
    }
    // the second light is deleted: the others follow
    const BrumeLight third = controls.render_settings.lights[2];
    assert_true(brume_keys_set(&controls.animation, "lights.1.intensity", 0.0, 5.0));
    assert_true(brume_keys_set(&controls.animation, "lights.2.intensity", 0.0, 7.0));
    brume_select(&controls, (BrumeObject){BRUME_OBJECT_LIGHT, 1});
    brume_object_delete_selected(&controls);
    assert_int_equal(controls.render_settings.light_count, 5);
    assert_memory_equal(&controls.render_settings.lights[1], &third, sizeof third);
    assert_int_equal(controls.animation.count, 1); // and so do their keys
    assert_string_equal(controls.animation.values[0].path, "lights.1.intensity");
    assert_true(fabs(controls.animation.values[0].keys[0].value - 7.0) < 1e-12);
    // a light that is switched off has its intensity again
    const BrumeObject light = {BRUME_OBJECT_LIGHT, 1};
    brume_object_switch(&controls, light, false, NULL);
    assert_false(brume_object_is_on(&controls, light));
    brume_object_switch(&controls, light, true, NULL);
    assert_memory_equal(&controls.render_settings.lights[1], &third, sizeof third);
    while (brume_object_has_room(&controls, BRUME_OBJECT_LIGHT)) {
        brume_object_add_light(&controls, BRUME_LIGHT_POINT);
    }
    assert_int_equal(controls.render_settings.light_count, BRUME_MAX_LIGHTS);
    brume_object_add_light(&controls, BRUME_LIGHT_POINT);
    assert_int_equal(controls.render_settings.light_count, BRUME_MAX_LIGHTS);
}

static void test_rakes(void **state)
{
    (void)state;
    BrumeRenderSettings *look = &controls.render_settings;
    controls.sim[0].wind = brume_vec3(3.0f, 0.0f, 0.0f);
    brume_object_add_rake(&controls);
    const BrumeObject object = {BRUME_OBJECT_RAKE, 0};
    assert_int_equal(look->rake_count, 1);
    assert_true(brume_same_object(controls.select.selected, object));
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(&controls, &lower, &upper);
    const BrumeVec3 side = brume_sub(upper, lower);
    assert_near("x of the rake", look->rakes[0].from.x, lower.x + 0.05f * side.x, 1e-5);
    assert_near("its other end", look->rakes[0].to.x, look->rakes[0].from.x, 1e-6);
    assert_near("its height", look->rakes[0].to.y - look->rakes[0].from.y, 0.7f * side.y, 1e-5);
    // moved, turned and scaled as a shape with an axis
    BrumePose pose = brume_object_pose(&controls, object);
    pose = brume_pose_moved(&pose, brume_vec3(0.1f, 0.0f, 0.0f));
    brume_object_set_pose(&controls, object, &pose, false);
    assert_near("moved", look->rakes[0].from.x, lower.x + 0.05f * side.x + 0.1f, 1e-5);
    pose = brume_object_pose(&controls, object);
    pose = brume_pose_turned(&pose, brume_vec3(1.0f, 0.0f, 0.0f), 1.57079633f);
    brume_object_set_pose(&controls, object, &pose, false);
    assert_near("turned", look->rakes[0].to.z - look->rakes[0].from.z, 0.7f * side.y, 1e-5);
    assert_near("turned", look->rakes[0].to.y, look->rakes[0].from.y, 1e-5);
    // picked by the ray through its middle
    const BrumeRake before = look->rakes[0];
    BrumeScreenPoint at;
    assert_true(brume_screen_project(&screen, brume_scale(brume_add(before.from, before.to), 0.5f), &at));
    assert_true(brume_same_object(brume_pick_object(&controls, &screen, at), object));
    // switched off and on, copied, deleted
    brume_object_switch(&controls, object, false, NULL);
    assert_int_equal(look->rakes[0].count, 0);
    assert_false(brume_object_is_on(&controls, object));
    brume_object_switch(&controls, object, true, NULL);
    assert_memory_equal(&look->rakes[0], &before, sizeof before);
    brume_object_duplicate_selected(&controls);
    assert_int_equal(look->rake_count, 2);
    assert_true(look->rakes[1].from.x > before.from.x);
    brume_select(&controls, object);
    brume_object_delete_selected(&controls);
    assert_int_equal(look->rake_count, 1);
    assert_true(look->rakes[0].from.x > before.from.x);
    assert_int_equal(controls.select.selected.kind, BRUME_OBJECT_NONE);
    while (brume_object_has_room(&controls, BRUME_OBJECT_RAKE)) {
        brume_object_add_rake(&controls);
    }
    assert_int_equal(look->rake_count, BRUME_MAX_RAKES);
}

// Going on from an earlier frame keeps the emitters that were added later and have a key before it.
static void test_emitters_with_earlier_keys_stay(void **state)
{
    (void)state;
    BrumeSimDef present = brume_default_sim_def();
    BrumeAnimation animation = {.count = 2};
    present.emitter_count = 3;
    present.color_count = 2;
    present.emitters[1].shape.radius = 0.25f;
    animation.values[0] =
        (BrumeAnimatedValue){.path = "emitters.1.density", .key_count = 2, .keys = {{0.5, 1.0}, {2.0, 0.0}}};
    animation.values[1] = (BrumeAnimatedValue){.path = "emitters.2.density", .key_count = 1, .keys = {{0.75, 1.0}}};
    for (int n = 0; n < 4; n++) {
        static const double times[] = {0.25, 0.5, 0.75, 0.75};
        static const int counts[] = {1, 2, 3, 0}; // at last without the first one, which has no key
        BrumeSimDef sim = brume_default_sim_def();
        sim.emitter_count = n < 3;
        brume_keep_keyed_emitters(&sim, &present, &animation, times[n]);
        assert_int_equal(sim.emitter_count, counts[n]);
        assert_int_equal(sim.color_count, counts[n] > 1 ? 2 : 0);
        assert_true(counts[n] < 2 || sim.emitters[1].shape.radius == 0.25f);
    }
}

static void test_snap_steps(void **state)
{
    (void)state;
    assert_near("value", brume_snap_step(1.0f), 0.05f, 1e-6);
    assert_near("value", brume_snap_step(9.0f), 0.05f, 1e-6);
    assert_near("value", brume_snap_step(40.0f), 0.5f, 1e-5);
}

static void test_outlines(void **state)
{
    (void)state;
    static BrumeOutline outline;
    const BrumePose box = brume_object_pose(&controls, (BrumeObject){BRUME_OBJECT_BODY, 0});
    brume_object_outline(&controls, &box, &screen, &outline);
    assert_int_equal(outline.count, 12);
    const BrumePose sphere = brume_object_pose(&controls, emitter(0));
    brume_object_outline(&controls, &sphere, &screen, &outline);
    for (int n = 0; n < outline.count; n++) {
        assert_near("value", brume_length(outline.ends[n][0]), 0.25f, 1e-5); // all of it is on the surface
    }
    // the lines of a circle are so short that they look round at any size
    for (int n = 0; n <= 10; n++) {
        const float points = ldexpf(1.0f, n);
        const float half = 3.14159265f / (float)brume_circle_lines(points);
        assert_true(points * (1.0f - cosf(half)) < 0.15f);
    }
    const BrumeShape large = {.kind = BRUME_SHAPE_CAPSULE, .a = {0.0f, -1.0f, 0.0f}, .b = {0.0f, 1.0f, 0.0f}, 60.0f};
    const BrumePose capsule = {.kind = BRUME_OBJECT_EMITTER, .shape = large};
    brume_object_outline(&controls, &capsule, &screen, &outline);
    assert_int_equal(outline.count, 4 * BRUME_MAX_CIRCLE_LINES + 4); // all lines have room
    const BrumePose light = brume_object_pose(&controls, (BrumeObject){BRUME_OBJECT_LIGHT, 1});
    brume_object_outline(&controls, &light, &screen, &outline);
    bool has_corner = false;
    for (int n = 0; n < outline.count; n++) {
        has_corner = has_corner || brume_length(brume_sub(outline.ends[n][0], brume_vec3(-0.4f, 0.55f, 0.0f))) < 1e-5f;
    }
    assert_true(has_corner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_projection_and_rays, set_up),
        cmocka_unit_test_setup(test_distances_to_shapes, set_up),
        cmocka_unit_test_setup(test_nearest_object_wins, set_up),
        cmocka_unit_test_setup(test_order_of_objects, set_up),
        cmocka_unit_test_setup(test_moves, set_up),
        cmocka_unit_test_setup(test_all_of_a_handle_is_hot, set_up),
        cmocka_unit_test_setup(test_presses_near_handles, set_up),
        cmocka_unit_test_setup(test_sizes_follow_the_display, set_up),
        cmocka_unit_test_setup(test_bodies_are_displaced, set_up),
        cmocka_unit_test_setup(test_turns, set_up),
        cmocka_unit_test_setup(test_bodies_are_turned, set_up),
        cmocka_unit_test_setup(test_typed_numbers, set_up),
        cmocka_unit_test_setup(test_flow_coefficients, set_up),
        cmocka_unit_test_setup(test_visible_bodies, set_up),
        cmocka_unit_test_setup(test_angles_of_rotations, set_up),
        cmocka_unit_test_setup(test_meshes, set_up),
        cmocka_unit_test_setup(test_keys_of_modes, set_up),
        cmocka_unit_test_setup(test_scales, set_up),
        cmocka_unit_test_setup(test_modes_without_effect, set_up),
        cmocka_unit_test_setup(test_bodies_are_added_and_deleted, set_up),
        cmocka_unit_test_setup(test_bodies_are_reset, set_up),
        cmocka_unit_test_setup(test_added_objects_are_in_the_picture, set_up),
        cmocka_unit_test_setup(test_every_kind_is_added, set_up),
        cmocka_unit_test_setup(test_forces_are_added, set_up),
        cmocka_unit_test_setup(test_fires_are_added, set_up),
        cmocka_unit_test_setup(test_fires_share_their_fuel, set_up),
        cmocka_unit_test_setup(test_rakes, set_up),
        cmocka_unit_test_setup(test_emitters_with_earlier_keys_stay, set_up),
        cmocka_unit_test_setup(test_followers_keep_their_place, set_up),
        cmocka_unit_test_setup(test_keys_of_followers, set_up),
        cmocka_unit_test_setup(test_emitting_bodies, set_up),
        cmocka_unit_test_setup(test_color_of_a_hidden_body, set_up),
        cmocka_unit_test_setup(test_snap_steps, set_up),
        cmocka_unit_test_setup(test_outlines, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
