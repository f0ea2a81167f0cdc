/*
 * Friction of walls that cut the cells, on flows with exact answers: Couette between turning cylinders, and Poiseuille
 * in a channel turned by 30 degrees. BRUME_VERBOSE=1 prints the errors, on finer grids too.
 */
#include "core/field.h"
#include "core/random.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/diffusion_operator.h"
#include "sim/grid/cut_cells.h"
#include "sim/measures/monitor.h"
#include "sim_support.h"

#include <stdlib.h>

// a flow along x and y in a box one cell thick, between walls that cut its cells
typedef struct Flow {
    const char *name;
    int nx, ny;
    float dx;
    float spins[2]; // of the solids 1 and 2 about `middle` [1/s]
    double (*distance)(const double at[2]);
    int (*solid)(const double at[2]); // which solid is near
    double (*velocity)(int axis, const double at[2]);
    float force[2]; // [m/s^2]
} Flow;

// cylinders that turn in opposite directions: u = A r + B / r

static const double middle[2] = {0.503, 0.497};
static const double inner_radius = 0.17; // [m]
static const double outer_radius = 0.44;
static const double inner_spin = 2.0; // [1/s]
static const double outer_spin = -0.75;

static double radius_at(const double at[2])
{
    const double x = at[0] - middle[0];
    const double y = at[1] - middle[1];
    return sqrt(x * x + y * y);
}

static double distance_to_cylinders(const double at[2])
{
    const double r = radius_at(at);
    return fmin(r - inner_radius, outer_radius - r);
}

static int cylinder_at(const double at[2]) { return radius_at(at) < 0.5 * (inner_radius + outer_radius) ? 1 : 2; }

static double couette_slope(void)
{
    const double a = inner_radius * inner_radius;
    const double b = outer_radius * outer_radius;
    return (inner_spin - outer_spin) * a * b / (b - a); // B [m^2/s]
}

static double couette_velocity(int axis, const double at[2])
{
    const double r = radius_at(at);
    const double spin = inner_spin + couette_slope() * (1.0 / (r * r) - 1.0 / (inner_radius * inner_radius));
    return axis == 0 ? -spin * (at[1] - middle[1]) : spin * (at[0] - middle[0]);
}

static Flow couette(int n)
{
    return (Flow){
        .name = "Couette",
        .nx = n,
        .ny = n,
        .dx = 1.0f / (float)n,
        .spins = {(float)inner_spin, (float)outer_spin},
        .distance = distance_to_cylinders,
        .solid = cylinder_at,
        .velocity = couette_velocity,
    };
}

// A channel along (26, 15), which is 29.98 degrees, in a periodic box of 1.3 m x .75 m: u = f (h^2 - n^2) / (2 nu).

static const double half_width = 0.21; // [m]
static const double channel_force = 3.0;

static double across_channel(const double at[2])
{
    const double length = sqrt(26.0 * 26.0 + 15.0 * 15.0);
    const double period = 0.75 * 26.0 / length;
    const double n = (26.0 * (at[1] - 0.4013) - 15.0 * at[0]) / length;
    return n - period * floor(n / period + 0.5);
}

static double distance_to_channel(const double at[2]) { return half_width - fabs(across_channel(at)); }

static int channel_wall(const double at[2])
{
    (void)at;
    return 1;
}

static double poiseuille_velocity(int axis, const double at[2])
{
    const double n = across_channel(at);
    const double along = axis == 0 ? 26.0 : 15.0;
    return along / sqrt(26.0 * 26.0 + 15.0 * 15.0) * 0.5 * channel_force * (half_width * half_width - n * n);
}

static Flow poiseuille(int n)
{
    const double length = sqrt(26.0 * 26.0 + 15.0 * 15.0);
    return (Flow){
        .name = "Poiseuille",
        .nx = 26 * n,
        .ny = 15 * n,
        .dx = 0.05f / (float)n,
        .distance = distance_to_channel,
        .solid = channel_wall,
        .velocity = poiseuille_velocity,
        .force = {(float)(channel_force * 26.0 / length), (float)(channel_force * 15.0 / length)},
    };
}

// the point of entry (i, j) of a quantity
static void place(const Flow *flow, int location, int i, int j, double at[2])
{
    at[0] = (i - (location == 0 ? 1.0 : 0.5)) * (double)flow->dx;
    at[1] = (j - (location == 1 ? 1.0 : 0.5)) * (double)flow->dx;
}

static void cut(BrumeCells *cells, const Flow *flow, const BrumeField *distance)
{
    BrumeError error;
    assert_int_equal(brume_cells_cut_at(cells, distance, &error), BRUME_OK);
    for (int j = 0; j <= flow->ny + 1; j++) {
        for (int i = 0; i <= flow->nx + 1; i++) {
            for (int k = 0; k <= 2; k++) {
                const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
                double at[2];
                place(flow, BRUME_AT_CENTER, i, j, at);
                cells->wall_ids[c] = (uint8_t)(cells->wall_ids[c] > 0 ? flow->solid(at) : 0);
                cells->body_ids[c] = (uint8_t)(cells->body_ids[c] > 0 ? flow->solid(at) : 0);
            }
        }
    }
    assert_int_equal(brume_cells_find_friction_faces(cells, &error), BRUME_OK);
}

// a simulation of viscosity 1 m^2/s whose cells the walls cut, at rest
static BrumeSim *create_flow(const Flow *flow, BrumeSlip slip)
{
    BrumeSimDef def = box_def(flow->nx, flow->ny, 1, flow->dx, BRUME_PERIODIC);
    def.viscosity = 1.0f;
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.pressure = "mgpcg";
    def.tolerance = 1e-5f;
    def.body_count = 2; // the distance takes the place of their shapes
    for (int n = 0; n < 2; n++) {
        def.bodies[n].shape = (BrumeShape){
            .kind = BRUME_SHAPE_SPHERE, .a = brume_vec3((float)middle[0], (float)middle[1], 0.0f), .radius = 1.0f};
        def.bodies[n].disabled = true;
        def.bodies[n].slip = slip;
    }
    BrumeSim *sim = create(&def);
    BrumeField distance;
    BrumeCells cells;
    BrumeError error;
    assert_int_equal(brume_field_create(&distance, sim->fields[0].grid, &error), BRUME_OK);
    assert_int_equal(brume_cells_create(&cells, &def, &error), BRUME_OK);
    for (int k = 1; k <= 2; k++) {
        for (int j = 1; j <= flow->ny + 1; j++) {
            for (int i = 1; i <= flow->nx + 1; i++) {
                const double at[2] = {(i - 1) * (double)flow->dx, (j - 1) * (double)flow->dx};
                distance.data[brume_field_index(&distance, i, j, k)] = (float)flow->distance(at);
            }
        }
    }
    cut(&cells, flow, &distance);
    brume_geometry_destroy(sim->geometry);
    assert_int_equal(brume_geometry_from_cells(&sim->geometry, &cells, &def, NULL, &error), BRUME_OK);
    brume_field_destroy(&distance);
    for (int n = 0; n < 2; n++) {
        sim->surface_velocity[n] = (BrumeRigidVelocity){
            .spin = {0.0f, 0.0f, flow->spins[n]},
            .pivot = {(float)middle[0], (float)middle[1], 0.0f},
        };
    }
    brume_set_velocity_boundary(sim);
    return sim;
}

static double linear(double x, double y, double z, const void *context)
{
    const double *a = context;
    return a[0] + a[1] * x + a[2] * y + a[3] * z;
}

typedef struct Errors {
    double mean, largest;
} Errors;

// the velocity of the solid near a point, continued to another point
static double wall_velocity(const Flow *flow, int axis, const double near_point[2], const double at[2])
{
    const double spin = (double)flow->spins[flow->solid(near_point) - 1];
    return axis == 0 ? -spin * (at[1] - middle[1]) : spin * (at[0] - middle[0]);
}

// What a face of cut cells holds: the mean over its open part of the velocity relative to the wall, and the velocity of
// the wall at its center. From points along the face; `at` is its center.
static double mean_velocity(const Flow *flow, int axis, const double at[2])
{
    enum { POINTS = 1000 };
    double sum = 0.0;
    int count = 0;
    for (int n = 0; n < POINTS; n++) {
        double point[2] = {at[0], at[1]};
        point[1 - axis] += ((n + 0.5) / POINTS - 0.5) * (double)flow->dx;
        if (flow->distance(point) > 0.0) {
            sum += flow->velocity(axis, point) - wall_velocity(flow, axis, at, point);
            count++;
        }
    }
    return wall_velocity(flow, axis, at, at) + (count > 0 ? sum / count : 0.0);
}

// of the velocity on open faces, relative to the largest velocity
static Errors measure_errors(const BrumeSim *sim, const Flow *flow)
{
    const BrumeCells *cells = &sim->geometry->cells;
    Errors errors = {0};
    double faces = 0.0;
    double scale = 0.0;
    for (int axis = 0; axis < 2; axis++) {
        for (int j = 1; j <= flow->ny; j++) {
            for (int i = 1; i <= flow->nx; i++) {
                const ptrdiff_t c = brume_field_index(&sim->fields[axis], i, j, 1);
                double at[2];
                place(flow, axis, i, j, at);
                const float open = cells->fractions->face[axis].data[c];
                if (open > 0.0f) {
                    const double exact = open < 1.0f ? mean_velocity(flow, axis, at) : flow->velocity(axis, at);
                    const double error = fabs((double)sim->fields[axis].data[c] - exact);
                    errors.mean += error;
                    errors.largest = fmax(errors.largest, error);
                    scale = fmax(scale, fabs(exact));
                    faces += 1.0;
                }
            }
        }
    }
    errors.mean /= faces * scale;
    errors.largest /= scale;
    return errors;
}

// the steady state of friction alone, by steps that are much longer than the time to reach it
static void diffuse_to_steady_state(BrumeSim *sim, const Flow *flow)
{
    const float dt = 3.0f;
    for (int n = 0; n < 3; n++) {
        for (int axis = 0; axis < 2; axis++) {
            BrumeField *u = &sim->fields[axis];
            for (int j = 1; j <= flow->ny; j++) {
                for (int i = 1; i <= flow->nx; i++) {
                    u->data[brume_field_index(u, i, j, 1)] += dt * flow->force[axis];
                }
            }
            brume_set_boundary(sim, (BrumeFieldId)axis, u);
            brume_establish(sim, BRUME_VALID_VELOCITY);
            (void)brume_diffuse(sim, (BrumeFieldId)axis, 1.0f, dt);
        }
    }
}

static Errors diffuse_flow(const Flow *flow)
{
    BrumeSim *sim = create_flow(flow, BRUME_SLIP_NO);
    diffuse_to_steady_state(sim, flow);
    const Errors errors = measure_errors(sim, flow);
    brume_sim_destroy(sim);
    return errors;
}

// adds the force of the flow
static void add_force(void *context, BrumeSim *sim, double dt)
{
    const Flow *flow = context;
    for (int axis = 0; axis < 2; axis++) {
        BrumeField *u = &sim->fields[axis];
        for (int j = 1; j <= flow->ny; j++) {
            for (int i = 1; i <= flow->nx; i++) {
                u->data[brume_field_index(u, i, j, 1)] += (float)dt * flow->force[axis];
            }
        }
    }
}

// a step of the whole solver with the given velocities of the walls
static void run_stages(BrumeSim *sim, double dt)
{
    BrumeError error = {0};
    BrumeStepStats stats = {0};
    BrumeStep one = {.sim = sim, .dt = dt, .initial_speed = sim->max_speed, .stats = &stats, .error = &error};
    sim->transport_velocity = sim->fields;
    for (int n = 0; n < sim->integrator->stage_count; n++) {
        assert_int_equal(sim->integrator->stages[n].run(&one), BRUME_OK);
    }
}

// the steady state of whole steps from rest
static Errors step_flow(const Flow *flow)
{
    const double dt = 20.0 * (double)flow->dx * (double)flow->dx; // [s]
    BrumeSim *sim = create_flow(flow, BRUME_SLIP_NO);
    Flow forced = *flow;
    if (forced.force[0] > 0.0f) {
        sim->hooks.forces = add_force;
        sim->hooks.context = &forced;
    }
    (void)brume_measure_flow(sim);
    brume_make_divergence_free(sim);
    for (int n = 0; n * dt < 0.2; n++) {
        run_stages(sim, dt);
    }
    const Errors errors = measure_errors(sim, flow);
    brume_sim_destroy(sim);
    return errors;
}

// the order of the mean error is at least 1.8
static void check_orders(const char *name, Flow (*make)(int n), Errors (*run)(const Flow *flow), double largest_order,
                         int first, int last, int finest)
{
    Errors coarse = {0};
    Errors former = {0};
    for (int n = first; n <= (getenv("BRUME_VERBOSE") ? finest : last); n *= 2) {
        const Flow flow = make(n);
        const Errors errors = run(&flow);
        coarse = n == first ? errors : coarse;
        if (getenv("BRUME_VERBOSE")) {
            print_message("%-20s %4d: mean %.3e (order %.2f), largest %.3e (order %.2f)\n", name, flow.nx, errors.mean,
                          log2(former.mean / errors.mean), errors.largest, log2(former.largest / errors.largest));
        }
        if (n == last) {
            const double doublings = log2((double)last / first);
            assert_at_least(log2(coarse.mean / errors.mean) / doublings, 1.8);
            assert_at_least(log2(coarse.largest / errors.largest) / doublings, largest_order);
        }
        former = errors;
    }
}

static void test_friction(void **state)
{
    (void)state;
    check_orders("friction, Couette", couette, diffuse_flow, 1.6, 16, 64, 256);
    check_orders("friction, Poiseuille", poiseuille, diffuse_flow, 1.8, 1, 4, 8);
}

static void test_steps(void **state)
{
    (void)state;
    check_orders("steps, Couette", couette, step_flow, 1.3, 32, 128, 256);
    check_orders("steps, Poiseuille", poiseuille, step_flow, 1.8, 2, 4, 8);
}

// whether a face is outside the layers at walls
static bool is_unknown(const BrumeDiffusionOperator *op, ptrdiff_t c)
{
    const int32_t count = op->walls->rows[op->sim->def.ny * op->sim->def.nz];
    bool in_layer = false;
    for (int32_t n = 0; n < count; n++) {
        const BrumeFrictionFace *face = &op->walls->entries[n];
        in_layer = in_layer || (face->index == c && face->in_layer && op->weights[face->id] > 0.0f);
    }
    return brume_is_diffused(op, c) && !in_layer;
}

// a.A b over the unknowns of a component
static double product(const BrumeDiffusionOperator *op, const BrumeField *a, const BrumeField *b)
{
    float row[512];
    double sum = 0.0;
    for (int k = op->from[2]; k <= op->to[2]; k++) {
        for (int j = op->from[1]; j <= op->to[1]; j++) {
            const ptrdiff_t c = brume_field_index(a, op->from[0], j, k);
            brume_apply_diffusion_to_difference(op, row, b, c);
            for (int i = 0; i < op->count; i++) {
                sum += (double)a->data[c + i] * (double)row[i];
            }
        }
    }
    return sum;
}

// with and without slip, at walls of both kinds
static void test_operator_is_symmetric_and_positive(void **state)
{
    (void)state;
    const Flow flows[] = {couette(24), poiseuille(2)};
    for (int n = 0; n < 6; n++) {
        BrumeSim *sim = create_flow(&flows[n % 2], n < 2 ? BRUME_SLIP_FREE : BRUME_SLIP_NO);
        sim->def.bodies[0].slip = n < 4 ? sim->def.bodies[1].slip : BRUME_SLIP_FREE;
        for (int axis = 0; axis < 3; axis++) {
            BrumeDiffusionOperator op = brume_diffusion_operator(sim, (BrumeFieldId)axis);
            BrumeField *a = &sim->scratch[0];
            BrumeField *b = &sim->scratch[1];
            for (int m = 0; m < 2; m++) {
                BrumeField *field = m == 0 ? a : b;
                for (ptrdiff_t c = 0; c < (ptrdiff_t)brume_grid_entries(a->grid); c++) {
                    field->data[c] = 0.0f;
                }
                for (int j = 1; j <= a->grid.ny; j++) {
                    for (int i = 1; i <= a->grid.nx; i++) {
                        const ptrdiff_t c = brume_field_index(a, i, j, 1);
                        field->data[c] = is_unknown(&op, c)
                                             ? brume_unit_float(brume_hash3((uint32_t)c, (uint32_t)m, 1)) - 0.5f
                                             : 0.0f;
                    }
                }
                brume_set_difference_sides(sim, op.id, field);
            }
            const double square = product(&op, a, a);
            assert_near(product(&op, a, b), product(&op, b, a), 1e-5 * square);
            assert_at_least(square, 0.01);
        }
        brume_sim_destroy(sim);
    }
}

// the torque of air of viscosity 1 m^2/s on the cylinders is -4 pi B and 4 pi B times the thickness
static void test_torques_on_cylinders(void **state)
{
    (void)state;
    static BrumeMeasures measures;
    const int last = getenv("BRUME_VERBOSE") ? 256 : 64;
    for (int n = 32; n <= last; n *= 2) {
        const Flow flow = couette(n);
        BrumeSim *sim = create_flow(&flow, BRUME_SLIP_NO);
        const double pressure[4] = {10.0, 3.0, -2.0, 0.5};
        set_entries(sim, BRUME_FIELD_PRESSURE, &sim->fields[BRUME_FIELD_PRESSURE], linear, pressure);
        diffuse_to_steady_state(sim, &flow);
        brume_sim_measure(sim, &measures);
        const double exact = 4.0 * 3.14159265358979 * couette_slope() * (double)flow.dx;
        for (int body = 0; body < 2; body++) {
            const double torque = measures.bodies[body].viscous_torque[2] / exact;
            if (getenv("BRUME_VERBOSE")) {
                print_message("cylinder %d, %4d: torque %.5f\n", body, n, torque);
            }
            assert_near(torque, body == 0 ? -1.0 : 1.0, 0.003);
            for (int axis = 0; axis < 2; axis++) {
                const double radius = body == 0 ? inner_radius : outer_radius;
                const double area = 3.14159265358979 * radius * radius * (double)flow.dx;
                const double force = (body == 0 ? -1.0 : 1.0) * pressure[1 + axis] * area;
                assert_near(measures.bodies[body].pressure[axis], force, 0.01 * fabs(force));
            }
            // hydrostatic pressure has no torque about the axis
            assert_near(measures.bodies[body].pressure_torque[2], 0.0,
                        0.005 * fabs(measures.bodies[body].pressure[0]) * outer_radius);
        }
        brume_sim_destroy(sim);
    }
}

static void test_any_thread_count_gives_the_same_bits(void **state)
{
    (void)state;
    const Flow flow = couette(40);
    BrumeSim *sims[2];
    for (int n = 0; n < 2; n++) {
        brume_set_threads(n == 0 ? 1 : 3);
        sims[n] = create_flow(&flow, BRUME_SLIP_NO);
        (void)brume_measure_flow(sims[n]);
        brume_make_divergence_free(sims[n]);
        for (int m = 0; m < 3; m++) {
            run_stages(sims[n], 0.004);
        }
    }
    brume_set_threads(1);
    for (int id = 0; id <= BRUME_FIELD_PRESSURE; id++) {
        if (!sims[0]->fields[id].data) {
            continue;
        }
        assert_memory_equal(sims[0]->fields[id].data, sims[1]->fields[id].data,
                            brume_grid_entries(sims[0]->fields[id].grid) * sizeof(float));
    }
    brume_sim_destroy(sims[0]);
    brume_sim_destroy(sims[1]);
}

int main(void)
{
    brume_set_threads(1); // small boxes
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_friction),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_operator_is_symmetric_and_positive),
        cmocka_unit_test(test_torques_on_cylinders),
        cmocka_unit_test(test_any_thread_count_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
