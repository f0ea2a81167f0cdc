/*
 * Closed vessels of thin walls with smoke inside, which are at rest, move, or turn by several cells in a step: nothing
 * gets out. Without arguments the test runs a few of them; `test_sim_leaks FIRST COUNT STEPS [one] [cut]` runs others
 * (scripts/leaks), with `one` each in one motion alone, moving or turning, with `cut` in cut cells.
 */
#include "sim_support.h"
#include "test_mesh.h"

#include "core/elementary.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/shape.h"
#include "core/vec3.h"

#include <stdlib.h>

enum { SIDE = 28, MOTIONS = 3, BOXES = 100, MESHES = 20, VESSELS = 2 * BOXES + MESHES };

static const char *const motion_names[MOTIONS] = {"at rest", "moving", "turning"};

// What a vessel is in its own frame, whose origin is its center; lengths in cells.
typedef struct Vessel {
    uint32_t seed;
    const char *name;
    BrumeVec3 half;  // half the inner sides of a box
    float thickness; // of its plates, or of a shell
    float radius;    // of a sphere, or the ring of a torus and a knot
    float tube;      // radius of the tube
    int mesh_count;
    BrumeMesh *meshes[2];
} Vessel;

static float drawn(const Vessel *vessel, uint32_t number, float from, float to)
{
    return from + (to - from) * brume_unit_float(brume_hash3(number, 17, vessel->seed));
}

static BrumeVec3 drawn_vector(const Vessel *vessel, uint32_t number, float most)
{
    return brume_vec3(drawn(vessel, number, -most, most), drawn(vessel, number + 1, -most, most),
                      drawn(vessel, number + 2, -most, most));
}

// a point of the trefoil knot, its largest extent 3 times `size`
static BrumeVec3 knot_point(float size, double t)
{
    const double x = brume_sin(t) + 2.0 * brume_sin(2.0 * t);
    const double y = brume_cos(t) - 2.0 * brume_cos(2.0 * t);
    return brume_vec3(size * (float)x, size * (float)y, -1.6f * size * (float)brume_sin(3.0 * t));
}

static double distance_to_knot(float size, BrumeVec3 point)
{
    enum { POINTS = 400 };
    static BrumeVec3 points[POINTS];
    static float size_of_points;
    double least = 1e9;
    for (int n = 0; n < POINTS; n++) {
        points[n] = size == size_of_points ? points[n] : knot_point(size, 2.0 * M_PI * n / POINTS);
        least = fmin(least, (double)brume_length(brume_sub(point, points[n])));
    }
    size_of_points = size;
    return least;
}

// how far a point is outside the inner side of the walls, or nearly [cells]
static double outside(const Vessel *vessel, BrumeVec3 p)
{
    if (vessel->half.x > 0.0f) {
        return (double)fmaxf(fabsf(p.x) - vessel->half.x,
                             fmaxf(fabsf(p.y) - vessel->half.y, fabsf(p.z) - vessel->half.z));
    }
    const double length = (double)brume_length(p);
    if (vessel->tube == 0.0f) { // a sphere, or the upper half of one
        const double below = vessel->mesh_count == 2 ? -(double)p.y : -1e9;
        return fmax(length - (double)vessel->radius, below);
    }
    if (strcmp(vessel->name, "knot") == 0) {
        return distance_to_knot(vessel->radius, p) - (double)vessel->tube;
    }
    const double across = sqrt((double)(p.x * p.x + p.z * p.z)) - (double)vessel->radius;
    return sqrt(across * across + (double)(p.y * p.y)) - (double)vessel->tube;
}

// plate `n` of a box: the sides x = -+, y = -+, z = -+, each across the whole box with its plates
static void find_plate(const Vessel *vessel, int n, BrumeVec3 *lower, BrumeVec3 *upper)
{
    float low[3];
    float high[3];
    for (int axis = 0; axis < 3; axis++) {
        const float inner = brume_component(vessel->half, axis);
        const float outer = inner + vessel->thickness;
        const bool across = axis == n / 2;
        low[axis] = across && n % 2 == 1 ? inner : -outer;
        high[axis] = across && n % 2 == 0 ? -inner : outer;
    }
    *lower = brume_vec3(low[0], low[1], low[2]);
    *upper = brume_vec3(high[0], high[1], high[2]);
}

static void turn_over(TestMesh *triangles, int first)
{
    for (int n = first; n < triangles->count; n++) {
        const BrumeVec3 corner = triangles->triangles[n][0];
        triangles->triangles[n][0] = triangles->triangles[n][1];
        triangles->triangles[n][1] = corner;
    }
}

static void add_knot(TestMesh *triangles, float size, float tube)
{
    enum { AROUND = 120, ACROSS = 12 };
    BrumeVec3 rings[AROUND][ACROSS];
    for (int n = 0; n < AROUND; n++) {
        const double t = 2.0 * M_PI * n / AROUND;
        const BrumeVec3 center = knot_point(size, t);
        const BrumeVec3 along = brume_normalize(brume_sub(knot_point(size, t + 1e-3), center));
        const BrumeVec3 side = brume_normalize(brume_cross(along, brume_normalize(center)));
        const BrumeVec3 up = brume_cross(side, along);
        for (int m = 0; m < ACROSS; m++) {
            const double angle = 2.0 * M_PI * m / ACROSS;
            rings[n][m] = brume_add(center, brume_add(brume_scale(side, tube * (float)brume_cos(angle)),
                                                      brume_scale(up, tube * (float)brume_sin(angle))));
        }
    }
    for (int n = 0; n < AROUND; n++) {
        for (int m = 0; m < ACROSS; m++) {
            const BrumeVec3 *a = rings[n];
            const BrumeVec3 *b = rings[(n + 1) % AROUND];
            const int next = (m + 1) % ACROSS;
            test_mesh_add(triangles, a[m], b[m], b[next]);
            test_mesh_add(triangles, a[m], b[next], a[next]);
        }
    }
}

static void add_half_sphere(TestMesh *triangles, float radius)
{
    enum { AROUND = 40, ROWS = 10 };
    for (int row = 0; row < ROWS; row++) {
        for (int n = 0; n < AROUND; n++) {
            BrumeVec3 p[4];
            for (int c = 0; c < 4; c++) {
                const int above = row + c / 2;
                const double level = 0.5 * M_PI * above / ROWS;
                const double angle = 2.0 * M_PI * ((n + c % 2) % AROUND) / AROUND;
                const double circle = above == ROWS ? 0.0 : brume_cos(level);
                p[c] = brume_vec3(radius * (float)(circle * brume_cos(angle)), radius * (float)brume_sin(level),
                                  radius * (float)(circle * brume_sin(angle)));
            }
            test_mesh_add(triangles, p[0], p[2], p[3]);
            test_mesh_add(triangles, p[0], p[3], p[1]);
        }
    }
}

static void draw_mesh_vessel(Vessel *vessel, int kind)
{
    TestMesh triangles = {0};
    const BrumeVec3 origin = {0.0f, 0.0f, 0.0f};
    vessel->mesh_count = 1;
    switch (kind % 5) {
    case 0:
        vessel->name = "hollow sphere";
        vessel->radius = drawn(vessel, 1, 4.0f, 6.0f);
        test_mesh_add_sphere(&triangles, 3, origin, vessel->radius);
        turn_over(&triangles, 0);
        test_mesh_add_sphere(&triangles, 3, origin, vessel->radius + 0.05f + vessel->thickness);
        break;
    case 1:
        vessel->name = "torus without thickness";
        vessel->radius = drawn(vessel, 1, 4.0f, 5.0f);
        vessel->tube = drawn(vessel, 2, 2.0f, 3.0f);
        test_mesh_add_torus(&triangles, 40, 20, vessel->radius, vessel->tube);
        turn_over(&triangles, 0);
        break;
    case 2:
        vessel->name = "knot";
        vessel->radius = 2.2f;
        vessel->tube = 1.4f;
        add_knot(&triangles, vessel->radius, vessel->tube);
        turn_over(&triangles, 0);
        break;
    case 3:
        vessel->name = "bowl with a lid";
        vessel->radius = drawn(vessel, 1, 5.0f, 7.0f);
        vessel->mesh_count = 2;
        add_half_sphere(&triangles, vessel->radius);
        break;
    default: // plates that intersect each other, without a solid cell between, as triangles that are turned anyhow
        vessel->name = "intersecting sheets";
        vessel->half = brume_vec3(4.0f, 3.0f, 3.5f);
        for (int n = 0; n < 6; n++) {
            BrumeVec3 lower;
            BrumeVec3 upper;
            find_plate(vessel, n, &lower, &upper);
            float level[3] = {lower.x, lower.y, lower.z};
            float most[3] = {upper.x, upper.y, upper.z};
            level[n / 2] = most[n / 2] = (n % 2 == 0 ? -1.0f : 1.0f) * brume_component(vessel->half, n / 2);
            TestMesh sheet = {0};
            test_mesh_add_box(&sheet, brume_vec3(level[0], level[1], level[2]), brume_vec3(most[0], most[1], most[2]));
            for (int t = 0; t < sheet.count; t++) {
                test_mesh_add(&triangles, sheet.triangles[t][0], sheet.triangles[t][1], sheet.triangles[t][2]);
            }
            brume_free(sheet.triangles);
        }
        break;
    }
    vessel->meshes[0] = test_mesh_create(&triangles);
    if (vessel->mesh_count == 2) {
        test_mesh_add_disc(&triangles, 40, vessel->radius + 0.3f);
        vessel->meshes[1] = test_mesh_create(&triangles);
    }
}

static Vessel draw_vessel(int number)
{
    const bool is_box = number < 2 * BOXES;
    Vessel vessel = {.seed = (uint32_t)(is_box ? number % BOXES : number), .name = "box"};
    vessel.thickness = number % 10 == 0 ? 0.01f : drawn(&vessel, 0, 0.01f, 1.0f);
    if (!is_box) {
        draw_mesh_vessel(&vessel, number - 2 * BOXES);
        return vessel;
    }
    vessel.half =
        brume_vec3(drawn(&vessel, 1, 2.5f, 4.0f), drawn(&vessel, 2, 2.5f, 4.0f), drawn(&vessel, 3, 2.5f, 4.0f));
    if (number >= BOXES) {
        TestMesh triangles = {0};
        vessel.name = "box of triangles";
        vessel.mesh_count = 1;
        for (int n = 0; n < 6; n++) {
            BrumeVec3 lower;
            BrumeVec3 upper;
            find_plate(&vessel, n, &lower, &upper);
            test_mesh_add_box(&triangles, lower, upper);
        }
        vessel.meshes[0] = test_mesh_create(&triangles);
    }
    return vessel;
}

// the bodies turn about the center of the vessel
static BrumeSimDef def_of(const Vessel *vessel, const char *solids)
{
    const float dx = 1.0f / SIDE;
    BrumeSimDef def = box_def(SIDE, SIDE, SIDE, dx, vessel->seed % 3 == 0 ? BRUME_OPEN : BRUME_WALL);
    def.gravity = brume_vec3(0.0f, -9.81f, 0.0f);
    def.tolerance = 1e-4f;
    def.solids = solids;
    const BrumeVec3 center = brume_add(brume_vec3(0.5f, 0.5f, 0.5f), brume_scale(drawn_vector(vessel, 20, 1.0f), dx));
    def.body_count = vessel->mesh_count > 0 ? vessel->mesh_count : 6;
    for (int n = 0; n < def.body_count; n++) {
        BrumeShape *shape = &def.bodies[n].shape;
        *shape = (BrumeShape){.kind = vessel->mesh_count > 0 ? BRUME_SHAPE_MESH : BRUME_SHAPE_BOX};
        if (vessel->mesh_count > 0) {
            shape->mesh = vessel->meshes[n];
            shape->scale = brume_vec3(dx, dx, dx);
        } else {
            find_plate(vessel, n, &shape->a, &shape->b);
            shape->a = brume_scale(shape->a, dx);
            shape->b = brume_scale(shape->b, dx);
            shape->pivot = brume_scale(brume_add(shape->a, shape->b), -0.5f);
        }
        shape->rotation = drawn_vector(vessel, 30, 180.0f);
        shape->position = center;
    }
    return def;
}

// the place of a point in the vessel [cells]
static BrumeVec3 own_point(const BrumeSimDef *def, const BrumeShapeFrame *frame, int i, int j, int k)
{
    const BrumeVec3 from = brume_sub(brume_cell_center(def, i, j, k), frame->pivot);
    return brume_scale(
        brume_vec3(brume_dot(frame->axes[0], from), brume_dot(frame->axes[1], from), brume_dot(frame->axes[2], from)),
        1.0f / def->dx);
}

// the smoke in the air, and that of it which is outside [unit cells]
typedef struct Contents {
    double all, outside;
} Contents;

static Contents find_contents(const BrumeSim *sim, const Vessel *vessel)
{
    const BrumeShapeFrame frame = brume_shape_frame(&sim->def.bodies[0].shape);
    const float wall = vessel->half.x > 0.0f || strcmp(vessel->name, "hollow sphere") == 0 ? vessel->thickness : 0.0f;
    Contents contents = {0};
    for (int k = 1; k <= SIDE; k++) {
        for (int j = 1; j <= SIDE; j++) {
            for (int i = 1; i <= SIDE; i++) {
                const ptrdiff_t c = brume_field_index(&sim->fields[0], i, j, k);
                const double smoke = (double)sim->fields[BRUME_FIELD_DENSITY].data[c];
                if (smoke == 0.0) { // as in bodies
                    continue;
                }
                const double by = outside(vessel, own_point(&sim->def, &frame, i, j, k));
                contents.all += smoke;
                contents.outside += by > (double)wall + 0.06 ? fabs(smoke) : 0.0;
            }
        }
    }
    return contents;
}

static void fill_vessel(BrumeSim *sim, const Vessel *vessel)
{
    const BrumeShapeFrame frame = brume_shape_frame(&sim->def.bodies[0].shape);
    for (int k = 1; k <= SIDE; k++) {
        for (int j = 1; j <= SIDE; j++) {
            for (int i = 1; i <= SIDE; i++) {
                const ptrdiff_t c = brume_field_index(&sim->fields[0], i, j, k);
                const BrumeVec3 at = own_point(&sim->def, &frame, i, j, k);
                const bool air = (sim->geometry->cells.flags[c] & BRUME_CELL_FLUID) != 0;
                const bool filled = air && outside(vessel, at) < -0.06 && at.x < 0.3f;
                sim->fields[BRUME_FIELD_DENSITY].data[c] = filled ? 1.0f : 0.0f;
                sim->fields[BRUME_FIELD_TEMPERATURE].data[c] = filled ? 40.0f : 0.0f;
            }
        }
    }
    brume_set_scalar_ghosts(sim);
}

// a vessel moves by up to 3 cells in a step, or turns by up to 30 degrees about each axis, to and fro
static void move_vessel(BrumeSim *sim, const Vessel *vessel, int motion, int n, double dt)
{
    const float rate = (float)(1.0 / dt);
    const float sign = (n + 1) / 2 % 2 == 0 ? 1.0f : -1.0f; // + - - + + - -
    BrumeVec3 way = brume_scale(brume_normalize(drawn_vector(vessel, 40, 1.0f)), sign * drawn(vessel, 50, 0.2f, 3.0f));
    BrumeVec3 turn = brume_scale(drawn_vector(vessel, 60, 30.0f), n / 20 % 2 == 0 ? 1.0f : -1.0f);
    way = brume_scale(way, motion == 1 ? rate * sim->def.dx : 0.0f);
    turn = brume_scale(turn, motion == 2 ? rate : 0.0f);
    for (int body = 0; motion > 0 && body < sim->def.body_count; body++) {
        brume_sim_move_and_turn(sim, body, way, turn);
    }
}

// whether nothing gets out of a vessel in `steps` steps, and nothing is lost
static bool is_tight(int number, int motion, int steps, const char *solids)
{
    const double dt = 1.0 / 48.0;
    Vessel vessel = draw_vessel(number);
    BrumeSimDef def = def_of(&vessel, solids);
    def.fps = (float)(1.0 / dt);
    BrumeSim *sim = create(&def);
    fill_vessel(sim, &vessel);
    const Contents before = find_contents(sim, &vessel);
    double lost = 0.0;
    double out = 0.0;
    for (int n = 0; n < steps; n++) {
        move_vessel(sim, &vessel, motion, n, dt);
        step(sim, dt, NULL);
        const Contents now = find_contents(sim, &vessel);
        out = fmax(out, now.outside / before.all);
        lost = fmax(lost, fabs(now.all / before.all - 1.0));
    }
    const bool holds = out <= 1e-6 && lost <= 1e-5;
    printf("vessel %d, %s of %.2f cells, %s, %s: %.3g outside, total changed by %.3g: %s\n", number, vessel.name,
           (double)vessel.thickness, solids, motion_names[motion], out, lost, holds ? "ok" : "FAILED");
    (void)fflush(stdout);
    brume_sim_destroy(sim);
    brume_mesh_release(vessel.meshes[0]);
    brume_mesh_release(vessel.meshes[1]);
    return holds;
}

static bool has_option(int argc, char **argv, const char *option)
{
    bool has = false;
    for (int n = 4; n < argc; n++) {
        has = has || strcmp(argv[n], option) == 0;
    }
    return has;
}

int main(int argc, char **argv)
{
    const int few[] = {0, 107, 203, 210, 102, 110, 189, 202}; // from CUT on in cut cells: walls of .56, .01, .99 cells
    enum { CUT = 4 };                                         // and without thickness
    const int first = argc > 3 ? (int)strtol(argv[1], NULL, 10) : 0;
    const int count = argc > 3 ? (int)strtol(argv[2], NULL, 10) : (int)(sizeof few / sizeof few[0]);
    const bool one_motion = has_option(argc, argv, "one");
    int failed = 0;
    for (int n = 0; n < count; n++) {
        const int number = argc > 3 ? first + n : few[n];
        const bool cut = argc > 3 ? has_option(argc, argv, "cut") : n >= CUT;
        const int steps = argc > 3 ? (int)strtol(argv[3], NULL, 10) : cut ? 18 : 8;
        for (int motion = 0; motion < MOTIONS; motion++) {
            if (!one_motion || motion == 1 + number / 3 % 2) {
                failed += !is_tight(number, motion, steps, cut ? "cut" : "cells");
            }
        }
    }
    printf("%d of %d vessels failed\n", failed, (one_motion ? 1 : MOTIONS) * count);
    return failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
