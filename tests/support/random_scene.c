/*
 * A scene is drawn around four scales: the side of a cell, a speed, a temperature, and the distance that air of that
 * speed moves in a frame, from an eighth of a cell to 128 cells. Rates, diffusivities and forces are drawn relative to
 * them, such that every term matters in some scenes and dominates in a few.
 */
#include "random_scene.h"

#include "core/memory.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "test_mesh.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/** The state of the random numbers, and the scales of the scene. */
typedef struct Generator {
    uint64_t state;
    BrumeSimDef *def;
    double dx;          // [m]
    double sides[3];    // of the box [m]
    double speed;       // [m/s]
    double frame;       // duration of a frame [s]
    double temperature; // [K]
} Generator;

// SplitMix64 (Steele, Lea, Flood 2014)
static uint64_t next_bits(Generator *g)
{
    g->state += 0x9e3779b97f4a7c15u;
    uint64_t z = g->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double unit(Generator *g) { return (double)(next_bits(g) >> 11) * 0x1p-53; }

static double between(Generator *g, double from, double to) { return from + (to - from) * unit(g); }

static int pick(Generator *g, int count) { return count > 0 ? (int)(next_bits(g) % (uint64_t)count) : 0; }

static bool chance(Generator *g, int percent) { return pick(g, 100) < percent; }

// from 2^lowest to 2^(highest + 1), every power of two as often as the others
static double magnitude(Generator *g, int lowest, int highest)
{
    const int power = lowest + pick(g, highest - lowest + 1);
    return ldexp(1.0 + unit(g), power);
}

static BrumeVec3 vector(Generator *g, double largest)
{
    const double x = between(g, -largest, largest);
    const double y = between(g, -largest, largest);
    const double z = between(g, -largest, largest);
    return brume_vec3((float)x, (float)y, (float)z);
}

static void set_component(BrumeVec3 *v, int axis, double value)
{
    *(axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z) = (float)value;
}

static BrumeVec3 position(Generator *g)
{
    const double x = (double)g->def->origin.x + g->sides[0] * unit(g);
    const double y = (double)g->def->origin.y + g->sides[1] * unit(g);
    const double z = (double)g->def->origin.z + g->sides[2] * unit(g);
    return brume_vec3((float)x, (float)y, (float)z);
}

static float clamped(double value, double lowest, double highest) { return (float)fmin(fmax(value, lowest), highest); }

// of a wall, an inflow, a body, an emitter [K above ambient]
static float temperature(Generator *g) { return clamped(between(g, -g->temperature, g->temperature), -250.0, 10000.0); }

static float density(Generator *g) { return chance(g, 70) ? (float)between(g, 0.0, 2.0) : 0.0f; }

static void draw_box(Generator *g)
{
    BrumeSimDef *def = g->def;
    const int range = chance(g, 25) ? 17 : 9;
    def->nx = 8 + pick(g, range);
    def->ny = 8 + pick(g, range);
    def->nz = 8 + pick(g, range);
    const int thin = pick(g, 100);
    def->ny = thin < 5 ? 1 : def->ny;
    def->nz = thin >= 95 ? 1 : def->nz;
    def->dx = (float)magnitude(g, -6, -2);
    g->dx = (double)def->dx;
    def->origin = vector(g, 2.0);
    g->sides[0] = def->nx * g->dx;
    g->sides[1] = def->ny * g->dx;
    g->sides[2] = def->nz * g->dx;
}

static void draw_time(Generator *g)
{
    static const int most_steps[] = {1, 1, 2, 3, 6, 12};
    BrumeSimDef *def = g->def;
    g->speed = magnitude(g, -3, 3);
    g->temperature = magnitude(g, 0, 7);
    const double travel = magnitude(g, -3, 6); // in a frame [cells]
    def->fps = (float)(g->speed / (travel * g->dx));
    g->frame = 1.0 / (double)def->fps;
    def->cfl = (float)magnitude(g, -2, 2);
    def->max_steps = most_steps[pick(g, 6)];
    def->min_steps = 1 + pick(g, def->max_steps < 4 ? def->max_steps : 4);
}

static const char *name_of(Generator *g, const char *(*name_at)(int))
{
    int count = 0;
    while (name_at(count)) {
        count++;
    }
    return name_at(pick(g, count));
}

static void draw_solver(Generator *g)
{
    static const int few[] = {1, 2, 5, 20};
    BrumeSimDef *def = g->def;
    do { // `collocated` and `practical` need boxes of their own (close_box)
        def->integrator = chance(g, 60) ? "second-order" : name_of(g, brume_integrator_name);
    } while (strcmp(def->integrator, "collocated") == 0 || strcmp(def->integrator, "practical") == 0);
    def->reversal_time = chance(g, 50) ? (float)(g->frame * magnitude(g, 1, 4)) : 0.0f;
    def->advection = chance(g, 70) ? "maccormack" : name_of(g, brume_advection_name);
    def->transport = chance(g, 60) ? "ppm" : name_of(g, brume_transport_name);
    def->pressure = chance(g, 40) ? "auto" : name_of(g, brume_pressure_name);
    def->trace_order = 2 + pick(g, 2);
    def->tolerance = (float)magnitude(g, -20, -3);
    def->max_iterations = chance(g, 70) ? 200 : few[pick(g, 4)];
    def->over_relaxation = (float)between(g, 0.5, 1.95);
    def->seed = (uint32_t)next_bits(g);
}

// a rate that acts on the scale of a frame [1/s]
static double rate(Generator *g, int lowest, int highest) { return magnitude(g, lowest, highest) / g->frame; }

// 0, or a diffusivity with D dt / dx^2 from 1/256 to 32 for a frame
static float diffusivity(Generator *g, int percent)
{
    return chance(g, percent) ? (float)(magnitude(g, -8, 4) * g->dx * g->dx / g->frame) : 0.0f;
}

static void draw_air(Generator *g)
{
    BrumeSimDef *def = g->def;
    const double gravity = magnitude(g, 0, 4);
    const double rise = g->speed / g->frame; // acceleration that doubles the speed in a frame [m/s^2]
    def->gravity = chance(g, 50) ? brume_vec3(0.0f, (float)-gravity, 0.0f) : vector(g, gravity);
    def->thermal_expansion =
        chance(g, 70) ? clamped(rise * magnitude(g, -6, 0) / (gravity * g->temperature), 0.0, 1000.0) : 0.0f;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        BrumeSmokeDef *smoke = &def->smoke[kind];
        smoke->weight = chance(g, 40)
                            ? clamped((chance(g, 50) ? 1.0 : -1.0) * rise * magnitude(g, -6, 0) / gravity, -10.0, 10.0)
                            : 0.0f;
        smoke->dissipation = chance(g, 20) ? (float)rate(g, -6, 1) : 0.0f;
        smoke->diffusivity = diffusivity(g, 25);
    }
    def->vorticity_confinement = chance(g, 35) ? (float)rate(g, -6, 1) : 0.0f;
    def->wind = chance(g, 40) ? vector(g, g->speed) : brume_vec3(0.0f, 0.0f, 0.0f);
    def->drag = chance(g, 25) ? (float)rate(g, -6, 2) : 0.0f;
    def->viscosity = diffusivity(g, 40);
    def->thermal_diffusivity = diffusivity(g, 50);
    def->cooling = chance(g, 25) ? (float)rate(g, -6, 2) : 0.0f;
    def->color_count = pick(g, 3);
}

// an opening within the face that contains the center of a cell
static void draw_opening(Generator *g, int axis, BrumeOpening *opening)
{
    const double shorter = fmin(g->sides[(axis + 1) % 3], g->sides[(axis + 2) % 3]);
    if (shorter < 4.0 * g->dx) {
        return;
    }
    const double radius = between(g, g->dx, 0.45 * shorter);
    opening->kind = chance(g, 50) ? BRUME_OPENING_ROUND : BRUME_OPENING_RECTANGLE;
    opening->radius = (float)radius;
    for (int along = 0; along < 3; along++) {
        const double lower = (double)brume_component(g->def->origin, along);
        const double center =
            along == axis ? lower : lower + between(g, 1.01 * radius, g->sides[along] - 1.01 * radius);
        set_component(&opening->center, along, center);
        set_component(&opening->size, along, 2.0 * radius);
    }
}

static void draw_inflow(Generator *g, int side, BrumeFaceDef *face)
{
    const int axis = side / 2;
    const double speed = g->speed * magnitude(g, -3, 0) * (chance(g, 85) ? 1.0 : -1.0); // or air is drawn out
    face->velocity = chance(g, 30) ? vector(g, g->speed) : brume_vec3(0.0f, 0.0f, 0.0f);
    set_component(&face->velocity, axis, side % 2 == 0 ? speed : -speed);
    face->temperature = chance(g, 60) ? temperature(g) : 0.0f;
    for (int kind = 0; kind <= g->def->color_count; kind++) {
        face->smoke[kind] = density(g);
    }
    face->profile = (BrumeInflowProfile)pick(g, 3);
    face->thickness = face->profile == BRUME_INFLOW_TANH ? (float)(g->dx * magnitude(g, -1, 2)) : 0.0f;
    if (chance(g, 50)) {
        draw_opening(g, axis, &face->opening);
        face->no_slip = face->opening.kind != BRUME_OPENING_FACE && chance(g, 50);
    }
}

static void draw_wall(Generator *g, int side, BrumeFaceDef *face)
{
    face->no_slip = chance(g, 50);
    if (face->no_slip && chance(g, 40)) {
        face->velocity = vector(g, g->speed);
        set_component(&face->velocity, side / 2, 0.0);
    }
    const int heat = pick(g, 10);
    face->fixed_temperature = heat < 4;
    face->temperature = heat < 4 ? temperature(g) : 0.0f;
    // a flux that changes the temperature of the cells at it by up to half of the scale in a frame
    face->heat_flux = heat > 7 ? (float)(between(g, -0.5, 0.5) * g->temperature * g->dx / g->frame) : 0.0f;
}

static void draw_faces(Generator *g)
{
    BrumeSimDef *def = g->def;
    const int cells[3] = {def->nx, def->ny, def->nz};
    const bool all_periodic = chance(g, 8);
    const bool prescribed = strcmp(def->integrator, "prescribed") == 0; // no velocity but the initial one fits it
    int inflow = -1;
    bool open = false;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        BrumeFaceDef *face = &def->faces[side];
        *face = (BrumeFaceDef){.kind = BRUME_WALL};
        if (side % 2 == 1 && def->faces[side - 1].kind == BRUME_PERIODIC) {
            face->kind = BRUME_PERIODIC;
            continue;
        }
        const int kind = pick(g, 100);
        if (cells[side / 2] == 1 || all_periodic || (side % 2 == 0 && kind < 18)) {
            face->kind = BRUME_PERIODIC;
        } else if (kind < 60 || (kind >= 82 && prescribed)) {
            draw_wall(g, side, face);
        } else if (kind < 82) {
            face->kind = BRUME_OPEN;
            open = true;
        } else {
            face->kind = BRUME_INFLOW;
            draw_inflow(g, side, face);
            inflow = side;
        }
    }
    if (inflow >= 0 && !open) { // air that enters has to leave
        def->faces[inflow ^ 1] = (BrumeFaceDef){.kind = BRUME_OPEN};
    }
}

// the mesh of a file that is only a name, 'drawn-' and a number
static BrumeStatus read_drawn_mesh(void *context, const char *path, const BrumeMeshReadDef *def, BrumeMesh **mesh,
                                   BrumeError *error)
{
    (void)context;
    (void)error;
    const BrumeVec3 center = {0.0f, 0.0f, 0.0f};
    const BrumeVec3 beside = {0.4f, 0.3f, -0.2f};
    TestMesh triangles = {.file = path, .read = *def};
    switch (path[strlen("drawn-")]) {
    case '0': // closed, also where it intersects itself
        test_mesh_add_torus(&triangles, 24, 12, 0.8f, 0.3f);
        break;
    case '1':
        test_mesh_add_sphere(&triangles, 2, center, 0.7f);
        test_mesh_add_box(&triangles, brume_scale(beside, -2.0f), beside);
        break;
    case '2': // walls
        test_mesh_add_disc(&triangles, 16, 1.0f);
        break;
    case '3':
        test_mesh_add_moebius(&triangles, 24);
        break;
    case '4': // broken
        test_mesh_add_sphere(&triangles, 3, center, 0.8f);
        triangles.count -= 7;
        break;
    default:
        test_mesh_add_soup(&triangles, 40, 5);
        for (int n = 0; n < 3 * triangles.count; n++) { // from the unit cube, so that it is around its place
            BrumeVec3 *corner = &triangles.triangles[n / 3][n % 3];
            *corner = brume_sub(*corner, brume_vec3(0.5f, 0.5f, 0.5f));
        }
        break;
    }
    *mesh = test_mesh_create(&triangles);
    return BRUME_OK;
}

static const BrumeSceneReaders readers = {.mesh = read_drawn_mesh};

static BrumeShape draw_shape(Generator *g, double smallest, double largest, bool is_body)
{
    static const BrumeShapeKind kinds[] = {BRUME_SHAPE_SPHERE,  BRUME_SHAPE_BOX,   BRUME_SHAPE_CYLINDER,
                                           BRUME_SHAPE_CAPSULE, BRUME_SHAPE_TORUS, BRUME_SHAPE_CONE,
                                           BRUME_SHAPE_MESH,    BRUME_SHAPE_MESH,  BRUME_SHAPE_PLANE};
    const double longest = fmax(g->sides[0], fmax(g->sides[1], g->sides[2]));
    const double size = longest * between(g, smallest, largest);
    BrumeShape shape = {.kind = kinds[pick(g, is_body ? 9 : 7)], .a = position(g)};
    switch (shape.kind) {
    case BRUME_SHAPE_SPHERE:
        shape.radius = (float)size;
        break;
    case BRUME_SHAPE_BOX: {
        const double x = size * between(g, 0.3, 2.0);
        const double y = size * between(g, 0.3, 2.0);
        const double z = size * between(g, 0.3, 2.0);
        const BrumeVec3 half = brume_vec3((float)x, (float)y, (float)z);
        shape.b = brume_add(shape.a, half);
        shape.a = brume_sub(shape.a, half);
        break;
    }
    case BRUME_SHAPE_CYLINDER:
    case BRUME_SHAPE_CAPSULE:
        shape.b = position(g);
        shape.radius = (float)(size * between(g, 0.3, 0.8));
        break;
    case BRUME_SHAPE_CONE:
        shape.b = position(g);
        shape.radius = (float)(size * between(g, 0.3, 0.8));
        shape.second_radius = chance(g, 50) ? 0.0f : (float)(size * between(g, 0.1, 0.8));
        break;
    case BRUME_SHAPE_TORUS:
        shape.radius = (float)size;
        shape.second_radius = (float)(size * between(g, 0.1, 0.5));
        break;
    case BRUME_SHAPE_PLANE: // below the lower half of the box
        shape.a.y = (float)((double)g->def->origin.y + g->sides[1] * between(g, 0.05, 0.4));
        break;
    case BRUME_SHAPE_MESH: {
        char file[] = "drawn-0";
        file[sizeof file - 2] = (char)('0' + pick(g, 6));
        const BrumeMeshReadDef def = {.unit = 1.0f, .up = 1, .flip = file[sizeof file - 2] == '3'};
        BrumeError error;
        BrumeMesh *mesh;
        (void)read_drawn_mesh(NULL, file, &def, &mesh, &error);
        shape.mesh = mesh;
        shape.scale = brume_vec3((float)(size * between(g, 0.5, 2.0)), (float)(size * between(g, 0.5, 2.0)),
                                 (float)(size * between(g, 0.5, 2.0)));
        shape.rotation = vector(g, 180.0);
        return shape;
    }
    case BRUME_SHAPE_VOLUME: // not drawn
        break;
    }
    if (pick(g, 2) == 0 && shape.kind != BRUME_SHAPE_PLANE) {
        for (int n = 0; n < 2; n++) {
            BrumeVec3 *value = n == 0 ? &shape.rotation : &shape.scale;
            const double least = n == 0 ? -400.0 : 0.8;
            const double most = n == 0 ? 400.0 : 1.3;
            value->x = (float)between(g, least, most);
            value->y = (float)between(g, least, most);
            value->z = (float)between(g, least, most);
        }
    }
    return shape;
}

static BrumeSource draw_source(Generator *g, double value)
{
    const bool set = chance(g, 60);
    return (BrumeSource){set ? BRUME_SOURCE_SET : BRUME_SOURCE_RATE,
                         clamped(set ? value : value / g->frame, -1e5, 1e5)};
}

static void draw_emitter(Generator *g, BrumeEmitterDef *emitter)
{
    *emitter = brume_default_emitter_def();
    emitter->shape = draw_shape(g, 0.05, 0.25, false);
    if (chance(g, 30)) {
        emitter->start = (float)(g->frame * between(g, 0.0, 6.0));
        emitter->end = emitter->start + (float)(g->frame * between(g, 0.1, 6.0));
    }
    const int kind = pick(g, g->def->color_count + 1);
    emitter->smoke[kind] = draw_source(g, between(g, 0.0, 2.0));
    if (chance(g, 60)) {
        emitter->temperature = draw_source(g, (double)temperature(g));
    }
    if (chance(g, 35)) {
        const bool set = chance(g, 60);
        emitter->velocity.mode = set ? BRUME_SOURCE_SET : BRUME_SOURCE_RATE;
        emitter->velocity.value = vector(g, set ? g->speed : g->speed / g->frame);
    }
    if (chance(g, 40)) {
        emitter->noise = (float)unit(g);
        emitter->noise_scale = fmaxf((float)(g->dx * magnitude(g, 0, 3)), 1e-3f);
        emitter->noise_speed = clamped(rate(g, -3, 2), 0.0, 1000.0);
    }
}

static void draw_body(Generator *g, BrumeBodyDef *body)
{
    *body = (BrumeBodyDef){.shape = draw_shape(g, 0.06, 0.2, true), .slip = (BrumeSlip)pick(g, 3)};
    if (g->def->thermal_diffusivity > 0.0f && chance(g, 50)) {
        body->fixed_temperature = true;
        body->temperature = temperature(g);
    }
}

static void draw_flow(Generator *g, BrumeInitialDef *initial)
{
    static const char *const formulas[2][3] = {{"y*z", "-0.5*x", "0.3*x*y"}, {"-y", "x + 0.2*z", "0.1"}};
    const double size = fmin(g->sides[0], fmax(g->sides[1], g->sides[2]));
    initial->quantity = BRUME_INITIAL_VELOCITY;
    initial->speed = (float)(g->speed * magnitude(g, -3, -1));
    initial->center = position(g);
    initial->axis = pick(g, 3);
    initial->radius = (float)(size * between(g, 0.1, 0.3));
    initial->thickness = (float)(size * between(g, 0.05, 0.2));
    switch (pick(g, 9)) {
    case 0:
        initial->kind = BRUME_INITIAL_UNIFORM;
        initial->velocity = vector(g, g->speed);
        break;
    case 1:
        initial->kind = BRUME_INITIAL_TAYLOR_GREEN;
        break;
    case 2:
        initial->kind = BRUME_INITIAL_SHEAR;
        initial->along = pick(g, 3);
        initial->across = (initial->along + 1 + pick(g, 2)) % 3;
        initial->perturbation = 0.1f * initial->speed;
        initial->width = chance(g, 50) ? (float)(0.3 * size) : 0.0f;
        break;
    case 3:
        initial->kind = BRUME_INITIAL_VORTEX;
        initial->profile = (BrumeInitialProfile)(BRUME_INITIAL_RANKINE + pick(g, 3));
        break;
    case 4:
        initial->kind = BRUME_INITIAL_VORTEX_RING;
        initial->circulation = initial->speed * initial->radius;
        initial->direction = brume_vec3(0.3f, 1.0f, 0.2f);
        break;
    case 5:
        initial->kind = BRUME_INITIAL_ROTATION;
        initial->rate = initial->speed / (float)size;
        break;
    case 6:
        initial->kind = BRUME_INITIAL_DEFORMATION;
        break;
    case 7:
        initial->kind = BRUME_INITIAL_NOISE;
        initial->scale = (float)(g->dx * magnitude(g, 1, 2));
        initial->seed = (uint32_t)pick(g, 1000);
        break;
    default: {
        const int chosen = pick(g, 2);
        initial->kind = BRUME_INITIAL_FORMULA;
        for (int n = 0; n < 3; n++) {
            (void)snprintf(initial->formula[n], sizeof initial->formula[n], "%s", formulas[chosen][n]);
        }
    }
    }
}

static void draw_scalar(Generator *g, BrumeInitialDef *initial)
{
    const double size = fmin(g->sides[0], fmax(g->sides[1], g->sides[2]));
    const bool heat = chance(g, 50);
    initial->quantity = heat ? BRUME_INITIAL_TEMPERATURE : BRUME_INITIAL_DENSITY + pick(g, g->def->color_count + 1);
    initial->value = heat ? temperature(g) : (float)between(g, 0.1, 2.0);
    initial->center = position(g);
    initial->axis = pick(g, 3);
    initial->radius = (float)(size * between(g, 0.1, 0.4));
    initial->thickness = (float)(size * between(g, 0.02, 0.2));
    switch (pick(g, 6)) {
    case 0:
        initial->kind = BRUME_INITIAL_UNIFORM;
        break;
    case 1:
        initial->kind = BRUME_INITIAL_BLOB;
        initial->profile = (BrumeInitialProfile)(BRUME_INITIAL_GAUSSIAN + pick(g, 3));
        break;
    case 2:
        initial->kind = BRUME_INITIAL_DISC;
        initial->slot_width = 0.3f * initial->radius;
        initial->slot_depth = initial->radius;
        break;
    case 3:
        initial->kind = BRUME_INITIAL_LAYER;
        initial->profile = (BrumeInitialProfile)(BRUME_INITIAL_TANH + pick(g, 2));
        initial->across = pick(g, 3);
        initial->lower = heat ? temperature(g) : (float)between(g, 0.0, 1.0);
        initial->upper = heat ? temperature(g) : (float)between(g, 0.0, 1.0);
        break;
    case 4:
        initial->kind = BRUME_INITIAL_MODE;
        initial->quantity = BRUME_INITIAL_TEMPERATURE;
        initial->value = temperature(g);
        break;
    default:
        initial->kind = BRUME_INITIAL_NOISE;
        initial->scale = (float)(g->dx * magnitude(g, 1, 2));
        break;
    }
}

/** Lets a shape follow a body, about where it is. */
static void follow(Generator *g, BrumeShape *shape, int *parent, int body)
{
    BrumeShape *const outer = &g->def->bodies[body].shape;
    const BrumeVec3 pivot = brume_shape_pivot(outer);
    const float size = outer->kind == BRUME_SHAPE_MESH ? outer->scale.x : 1.2f; // a mesh is as large as its scale
    outer->scale = brume_vec3(size, size, size);
    shape->a = brume_sub(shape->a, pivot);
    shape->b = brume_sub(shape->b, pivot);
    *parent = body + 1;
}

static void draw_parents(Generator *g)
{
    BrumeSimDef *def = g->def;
    for (int n = 0; n < def->body_count; n++) {
        BrumeBodyDef *body = &def->bodies[n];
        body->passable = chance(g, 15);
        if (chance(g, 30)) {
            (void)snprintf(body->name, sizeof body->name, "body %d", n);
        }
        if (n > 0 && chance(g, 30)) {
            follow(g, &body->shape, &body->parent, n - 1);
        }
    }
    for (int n = 0; n < def->emitter_count && def->body_count > 0; n++) {
        BrumeEmitterDef *emitter = &def->emitters[n];
        if (chance(g, 20)) {
            follow(g, &emitter->shape, &emitter->parent, 0);
        } else if (chance(g, 20)) {
            brume_mesh_release(emitter->shape.mesh);
            emitter->shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE};
            emitter->body = 1;
        }
        if (chance(g, 20)) {
            emitter->from = BRUME_EMIT_SURFACE;
            emitter->thickness = (float)(g->dx * between(g, 0.3, 3.0));
            emitter->softness = 0.0f;
            emitter->source_velocity = emitter->velocity.mode == BRUME_SOURCE_SET ? 1.0f : 0.0f;
        }
    }
}

// Every third scene has a force of each emitter, from numbers of its own, so that all else is as without it.
static void add_forces(BrumeSimDef *def, uint32_t seed)
{
    Generator g = {
        .state = ~((uint64_t)seed << 32), .def = def, .dx = (double)def->dx, .frame = 1.0 / (double)def->fps};
    for (int n = 0; n < def->emitter_count && seed % 3 == 1; n++) {
        BrumeEmitterDef *emitter = &def->emitters[n];
        BrumeForceDef *force = &emitter->force;
        static const BrumeForceKind kinds[] = {BRUME_FORCE_WIND, BRUME_FORCE_DRAG, BRUME_FORCE_VORTEX,
                                               BRUME_FORCE_TURBULENCE, BRUME_FORCE_ATTRACTION};
        force->kind = kinds[pick(&g, 5)];
        force->velocity = vector(&g, g.dx / g.frame);
        force->spin = vector(&g, 0.3 / g.frame);
        force->rate = clamped(magnitude(&g, -3, 4) / g.frame, 0.0, 1e6);
        force->strength = clamped(magnitude(&g, -6, -1) * g.dx / (g.frame * g.frame), 0.0, 1e6);
        force->scale = clamped(g.dx * magnitude(&g, 1, 3), 1e-3, 1e4);
        force->speed = clamped(magnitude(&g, -3, 1) / g.frame, 0.0, 1000.0);
        force->density = (float)magnitude(&g, -4, 0);
        force->range = clamped(g.dx * magnitude(&g, 0, 3), 1e-4, 1e4);
        const bool may_attract = emitter->shape.kind != BRUME_SHAPE_VOLUME && emitter->from == BRUME_EMIT_VOLUME;
        if (force->kind == BRUME_FORCE_ATTRACTION && !may_attract) {
            force->kind = BRUME_FORCE_DRAG;
        }
    }
}

// Every fifth scene has fuel, from numbers of its own, if a side of its box is open or can be.
static void add_fire(BrumeSimDef *def, uint32_t seed)
{
    Generator g = {
        .state = ~((uint64_t)seed << 32) + 1, .def = def, .dx = (double)def->dx, .frame = 1.0 / (double)def->fps};
    int open = -1;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        open = def->faces[side].kind == BRUME_OPEN || (open < 0 && def->faces[side].kind == BRUME_WALL) ? side : open;
    }
    if (seed % 5 != 2 || open < 0 || def->emitter_count == 0) {
        return;
    }
    def->faces[open] = (BrumeFaceDef){.kind = BRUME_OPEN};
    def->integrator = "second-order";
    def->transport = "ppm";
    BrumeFireDef *fire = &def->fire;
    fire->model = chance(&g, 50) ? BRUME_FIRE_MIXING : BRUME_FIRE_IGNITION;
    fire->radiated = chance(&g, 50) ? (float)unit(&g) : 0.0f;
    fire->absorption = chance(&g, 50) ? (float)magnitude(&g, -3, 3) : 0.0f;
    fire->soot = (float)magnitude(&g, -2, 5);
    fire->soot_kind = pick(&g, def->color_count + 1);
    fire->ignition = (float)between(&g, -50.0, 50.0);
    fire->rate = clamped(magnitude(&g, -3, 4) / g.frame, 0.0, 1e5);
    // heat that expands the gas of some cells by up to twice its volume in a frame [kJ]
    const double heat = 355.0 * 30.0 * pow(g.dx, 3.0);
    for (int n = 0; n < def->emitter_count; n++) {
        BrumeEmitterDef *emitter = &def->emitters[n];
        if (chance(&g, 60)) {
            emitter->power = (BrumeSource){BRUME_SOURCE_RATE, clamped(heat * magnitude(&g, -5, 0) / g.frame, 0.0, 1e9)};
        } else {
            emitter->fuel = (BrumeSource){BRUME_SOURCE_SET, (float)between(&g, 0.0, 0.3)};
        }
    }
}

// Some scenes have vapor that condenses, if there is no fuel.
static void add_vapor(BrumeSimDef *def, uint32_t seed)
{
    Generator g = {.state = ~((uint64_t)seed << 31) + 7, .def = def};
    if (seed % 5 != 4 || brume_has_fuel(def) || def->color_count == 0) {
        return;
    }
    def->vapor.kind = 2;
    def->vapor.ambient = chance(&g, 50) ? (float)between(&g, 0.0, 0.02) : 0.0f;
    def->vapor.temperature = (float)between(&g, 250.0, 320.0);
}

// Every third scene has particles of all kinds from its emitters.
static void add_particles(BrumeSimDef *def, uint32_t seed)
{
    Generator g = {
        .state = ~((uint64_t)seed << 30) + 3, .def = def, .dx = (double)def->dx, .frame = 1.0 / (double)def->fps};
    if (seed % 3 != 1) {
        return;
    }
    for (int n = 0; n < def->emitter_count; n++) {
        for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
            def->emitters[n].particles[kind] = clamped(between(&g, 0.0, 40.0) / g.frame, 0.0, 1e8);
        }
    }
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        BrumeParticleDef *particle = &def->particles[kind];
        particle->diameter = clamped(g.dx * magnitude(&g, -3, 0), 1e-7, 1000.0);
        particle->thickness = clamped((double)particle->diameter * magnitude(&g, -2, 0), 1e-7, 10.0);
        particle->density = (float)magnitude(&g, -1, 4);
        particle->life = chance(&g, 50) ? clamped(g.frame * between(&g, 1.0, 20.0), 1e-3, 1e6) : 0.0f;
        particle->bounce = (float)unit(&g);
        particle->friction = (float)unit(&g);
    }
    def->particles[BRUME_PARTICLE_EMBERS].reacts = chance(&g, 30);
}

// Every ninth scene has an integrator that needs a closed box through which no body goes.
static void close_box(BrumeSimDef *def, uint32_t seed)
{
    const bool collocated = seed % 2 == 0 && def->ny > 1 && def->nz > 1;
    if (seed % 9 != 4 || def->far_factor > 1 || brume_has_fuel(def)) {
        return;
    }
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const bool wraps = !collocated && def->faces[side].kind == BRUME_PERIODIC;
        def->faces[side] = (BrumeFaceDef){.kind = wraps ? BRUME_PERIODIC : BRUME_WALL};
    }
    def->integrator = collocated ? "collocated" : "practical";
    def->fraction_bits = collocated && seed % 4 == 0 ? 20 : 0;
    def->accounting = seed % 5 == 0 ? BRUME_ACCOUNTING_FORWARD : BRUME_ACCOUNTING_FORWARD_REVERSE;
    def->wave_speed = clamped((double)(1 + seed % 3) * (double)def->dx * (double)def->fps, 0.01, 10000.0);
    def->solids = "cells";
    for (int n = 0; n < def->body_count; n++) {
        def->bodies[n].passable = true;
    }
    if (brume_pressure_unmet_need(def->pressure, false, brume_all_periodic(def))) {
        def->pressure = "auto";
    }
}

static void draw_lists(Generator *g)
{
    BrumeSimDef *def = g->def;
    def->emitter_count = pick(g, 4);
    for (int n = 0; n < def->emitter_count; n++) {
        draw_emitter(g, &def->emitters[n]);
    }
    def->body_count = chance(g, 60) ? 1 + pick(g, 3) : 0;
    for (int n = 0; n < def->body_count; n++) {
        draw_body(g, &def->bodies[n]);
    }
    draw_parents(g);
    def->initial_count = pick(g, 5);
    for (int n = 0; n < def->initial_count; n++) {
        def->initial[n] = brume_default_initial_def();
        (chance(g, 50) ? draw_flow : draw_scalar)(g, &def->initial[n]);
        BrumeVec3 *waves = &def->initial[n].waves;
        *waves = brume_vec3(1.0f, def->ny == 1 ? 0.0f : 1.0f, def->nz == 1 ? 0.0f : 1.0f);
    }
    if (brume_pressure_unmet_need(def->pressure, brume_has_bodies(def), brume_all_periodic(def))) {
        def->pressure = "auto";
    }
}

static BrumeStroke draw_stroke(Generator *g, int frame)
{
    BrumeStroke stroke = {
        .start = (frame + between(g, 0.0, 0.4)) * g->frame,
        .end = (frame + between(g, 0.5, 1.0)) * g->frame,
        .from = position(g),
        .to = position(g),
        .radius = (float)(g->dx * magnitude(g, 0, 1)),
    };
    stroke.from_slope = brume_sub(stroke.to, stroke.from);
    stroke.to_slope = vector(g, 0.3 * g->sides[0]);
    stroke.smoke[pick(g, g->def->color_count + 1)] = density(g);
    stroke.temperature = chance(g, 40) ? (float)between(g, 0.0, g->temperature) : 0.0f;
    stroke.fuel = brume_has_fuel(g->def) ? stroke.smoke[0] : 0.0f;
    if (chance(g, 60)) {
        stroke.push = clamped(rate(g, -1, 5), 0.0, 1e6);
        stroke.velocity = vector(g, g->speed);
    }
    stroke.erase = chance(g, 30) ? density(g) : 0.0f;
    if (stroke.push > 0.0f && chance(g, 40)) {
        stroke.suck = (float)(between(g, -0.5, 0.5) * g->speed);
        stroke.twist = (float)(between(g, -0.5, 0.5) * g->speed / (double)stroke.radius);
        stroke.axis = brume_vec3((float)between(g, 0.1, 1.0), (float)between(g, -1.0, 1.0), 0.3f);
    }
    return stroke;
}

// settings that change while the simulation runs
static void draw_change(Generator *g, BrumeSimDef *changed)
{
    switch (pick(g, 5)) {
    case 0:
        changed->wind = vector(g, g->speed);
        break;
    case 1:
        changed->viscosity = diffusivity(g, 80);
        break;
    case 2:
        changed->gravity = brume_scale(changed->gravity, -1.0f);
        break;
    case 3:
        changed->integrator = chance(g, 50) ? "second-order" : "split";
        changed->fraction_bits = 0; // which only `collocated` has
        changed->transport = name_of(g, brume_transport_name);
        if (brume_has_fuel(changed)) {
            changed->integrator = "second-order";
            changed->transport = "ppm";
        }
        break;
    default: // finer by a whole factor, which leaves the box as it is
        if (changed->nx <= 12 && changed->ny <= 12 && changed->nz <= 12 && changed->ny > 1 && changed->nz > 1) {
            changed->nx *= 2;
            changed->ny *= 2;
            changed->nz *= 2;
            changed->dx *= 0.5f;
        }
        break;
    }
}

static BrumeStatus draw_timeline(Generator *g, BrumeTimeline *timeline, BrumeError *error)
{
    const BrumeSimDef *def = g->def;
    const bool has_strokes = chance(g, 30);
    const bool has_changes = chance(g, 15);
    BrumeVec3 velocities[BRUME_MAX_BODIES] = {{0.0f, 0.0f, 0.0f}};
    BrumeVec3 rates[BRUME_MAX_BODIES] = {{0.0f, 0.0f, 0.0f}}; // from a fraction of a degree to 90 degrees in a frame
    for (int n = 0; n < def->body_count; n++) {
        const bool moves = chance(g, 45) && strcmp(def->integrator, "prescribed") != 0;
        const bool turns = chance(g, 45) && strcmp(def->integrator, "prescribed") != 0;
        velocities[n] = moves ? vector(g, g->speed * magnitude(g, -2, 0)) : brume_vec3(0.0f, 0.0f, 0.0f);
        rates[n] = turns ? vector(g, 45.0 * magnitude(g, -6, 0) / g->frame) : brume_vec3(0.0f, 0.0f, 0.0f);
    }
    BrumeSimDef settings = *def;
    BrumeStatus status = BRUME_OK;
    for (int frame = 0; frame < RANDOM_SCENE_FRAMES && status == BRUME_OK; frame++) {
        BrumeStroke strokes[2];
        BrumeMove moves[BRUME_MAX_BODIES];
        BrumeChange change = {.frame = frame, .strokes = strokes, .moves = moves};
        while (has_strokes && change.stroke_count < 2 && chance(g, 35)) {
            strokes[change.stroke_count++] = draw_stroke(g, frame);
        }
        for (int n = 0; n < def->body_count; n++) {
            if (brume_length(velocities[n]) + brume_length(rates[n]) > 0.0f && chance(g, 80)) {
                moves[change.move_count++] =
                    (BrumeMove){.body = n, .velocity = velocities[n], .rotation_rate = rates[n]};
            }
        }
        if (has_changes && frame > 0 && chance(g, 20)) {
            draw_change(g, &settings);
            change.settings = &settings;
        }
        if (change.settings || change.stroke_count > 0 || change.move_count > 0) {
            status = brume_timeline_add(timeline, &change, error);
        }
    }
    return status;
}

// Every seventh scene has a coarse far field: in a box that is longer at the upper end of an axis, half of them in air
// at rest.
static void add_far_field(BrumeSimDef *def, uint32_t seed)
{
    const int factor = seed % 14 == 3 ? 4 : 2;
    bool may_be_coarse = seed % 7 == 3 && def->ny > 1 && def->nz > 1;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const BrumeOpening *opening = &def->faces[side].opening; // contains the center of a large cell, too
        may_be_coarse =
            may_be_coarse && (opening->kind == BRUME_OPENING_FACE || opening->radius > (float)factor * def->dx);
    }
    if (!may_be_coarse) {
        return;
    }
    def->far_factor = factor;
    int *const cells[3] = {&def->nx, &def->ny, &def->nz};
    for (int axis = 0; axis < 3; axis++) {
        const int least = 8 * def->far_factor;
        const int rounded = (*cells[axis] + 7) / 8 * 8;
        *cells[axis] = (rounded > least ? rounded : least) + (axis == (int)(seed % 3) ? 40 : 0);
    }
    if (seed % 4 < 2) {
        def->initial_count = 0;
        def->wind = brume_vec3(0.0f, 0.0f, 0.0f);
        for (int side = 0; side < BRUME_FACE_COUNT; side++) {
            def->faces[side].kind = def->faces[side].kind == BRUME_INFLOW ? BRUME_OPEN : def->faces[side].kind;
        }
    }
}

BrumeStatus random_scene(BrumeScene **scene, char **text, uint32_t seed, BrumeError *error)
{
    BrumeScene *drawn = NULL;
    char name[32];
    *scene = NULL;
    *text = NULL;
    (void)snprintf(name, sizeof name, "random-%u", seed);
    BrumeStatus status = brume_scene_parse(&drawn, "{}", name, NULL, 0, NULL, error);
    if (status != BRUME_OK) {
        return status;
    }
    Generator g = {.state = (uint64_t)seed << 32, .def = &drawn->sim};
    drawn->frames = RANDOM_SCENE_FRAMES;
    draw_box(&g);
    draw_time(&g);
    draw_solver(&g);
    draw_air(&g);
    draw_faces(&g);
    draw_lists(&g);
    const bool whole = strcmp(drawn->sim.integrator, "classic") == 0 || strcmp(drawn->sim.pressure, "relaxation") == 0;
    drawn->sim.solids = seed % 2 == 0 && !whole ? "cut" : "cells"; // whatever else is drawn
    drawn->sim.storage = seed % 4 == 1 ? BRUME_STORAGE_HALF : BRUME_STORAGE_FLOAT;
    add_far_field(&drawn->sim, seed);
    add_forces(&drawn->sim, seed);
    add_fire(&drawn->sim, seed);
    close_box(&drawn->sim, seed);
    if (seed % 8 == 5) {
        drawn->sim.smoke[0].dissipation = clamped(-0.3 * (double)drawn->sim.fps, -100.0, 0.0);
        drawn->sim.dry_friction = 0.01f * drawn->sim.dx * drawn->sim.fps * drawn->sim.fps;
        drawn->sim.quadratic_drag = 0.1f / drawn->sim.dx;
    }
    add_vapor(&drawn->sim, seed);
    add_particles(&drawn->sim, seed);
    for (int n = 0; n < drawn->sim.body_count; n++) {
        drawn->surface_of[n] = -1;
    }
    status = draw_timeline(&g, &drawn->timeline, error);
    if (status == BRUME_OK) {
        status = brume_scene_write(drawn, NULL, text, error);
    }
    brume_scene_destroy(drawn);
    if (status == BRUME_OK) {
        status = brume_scene_parse(scene, *text, name, NULL, 0, &readers, error);
    }
    if (status != BRUME_OK && *text) {
        (void)fprintf(stderr, "%s\n", *text);
        brume_free(*text);
        *text = NULL;
    }
    return status;
}
