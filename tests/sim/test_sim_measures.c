// Measures of fields whose integrals, extrema, fluxes and forces are known exactly.
#include "core/parallel/reductions.h"
#include "sim/measures/sums.h"
#include "sim_support.h"

#include <stdlib.h>

static BrumeMeasures measures; // large

/* Fills a quantity as an embedding program does: ghosts and boundary values are not set. */
static void write_field(BrumeSim *sim, BrumeFieldId id, Formula *formula, const void *context)
{
    BrumeField *field = brume_sim_write_field(sim, id);
    assert_non_null(field);
    set_entries(sim, id, field, formula, context);
}

/* a[0] + a[1] x + a[2] y + a[3] z */
static double linear(double x, double y, double z, const void *context)
{
    const double *a = context;
    return a[0] + a[1] * x + a[2] * y + a[3] * z;
}

/* a large value in the first row, 1 in all others, along one line of cells */
static double large_and_ones(double x, double y, double z, const void *context)
{
    (void)context;
    return x > 1.0 || z > 1.0 ? 0.0 : y < 1.0 ? 0x1p53 : 1.0;
}

static void test_rows_are_added_in_blocks(void **state)
{
    (void)state;
    BrumePlaneSum sum = {0};
    assert_near(brume_sum_of_plane(sum), 0.0, 0.0);
    for (int j = 1; j <= 130; j++) {
        *brume_sum_of_block(&sum, j) += j == 1 ? 0x1p53 : 1.0;
    }
    // a sum in order loses all ones, one in blocks those of the first block alone
    assert_near(brume_sum_of_plane(sum), 0x1p53 + 66.0, 0.0);
    BrumeSimDef def = box_def(8, 130, 8, 1.0f, BRUME_WALL);
    BrumeSim *sim = create(&def);
    write_field(sim, BRUME_FIELD_DENSITY, large_and_ones, NULL);
    brume_sim_measure(sim, &measures);
    assert_near(measures.scalars[1].total, 0x1p53 + 66.0, 0.0);
    assert_near(brume_total(sim, BRUME_FIELD_DENSITY), 0x1p53 + 66.0, 0.0);
    brume_sim_destroy(sim);
}

static void test_uniform_flow(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 12, 10, 0.25f, BRUME_PERIODIC);
    BrumeSim *sim = create(&def);
    const double velocity[3] = {1.0, -2.0, 0.5};
    for (int axis = 0; axis < 3; axis++) {
        write_field(sim, (BrumeFieldId)axis, same_value, &velocity[axis]);
    }
    const double smoke = 0.75;
    write_field(sim, BRUME_FIELD_DENSITY, same_value, &smoke);
    brume_sim_measure(sim, &measures);
    const double volume = 2.0 * 3.0 * 2.5;
    assert_near(measures.volume, volume, 0.0);
    assert_true(measures.scalars[1].in_use && !measures.scalars[2].in_use);
    assert_near(measures.scalars[1].total, smoke * volume, 0.0);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(measures.kinetic_energy_along[axis], 0.5 * velocity[axis] * velocity[axis] * volume, 0.0);
        assert_near(measures.momentum[axis], velocity[axis] * volume, 0.0);
    }
    assert_near(measures.kinetic_energy, 0.5 * 5.25 * volume, 0.0);
    assert_near(measures.mean_kinetic_energy, 0.5 * 5.25, 0.0);
    assert_near(measures.max_speed, sqrt(5.25), 0.0);
    assert_near(measures.enstrophy, 0.0, 0.0);
    assert_near(measures.max_divergence, 0.0, 0.0);
    assert_near(measures.faces[BRUME_FACE_Y_MAX].volume_flux, -2.0 * 2.0 * 2.5, 0.0);
    assert_near(measures.faces[BRUME_FACE_Y_MIN].volume_flux, 2.0 * 2.0 * 2.5, 0.0);
    brume_sim_destroy(sim);
}

static double vortex_u(double x, double y, double z, const void *context)
{
    (void)z;
    (void)context;
    return sin(x) * cos(y);
}

static double vortex_v(double x, double y, double z, const void *context)
{
    (void)z;
    (void)context;
    return -cos(x) * sin(y);
}

/* The 2D Taylor-Green vortex: E = V / 4, and the discrete enstrophy is E times the eigenvalue of the Laplacian. */
static void test_taylor_green(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    BrumeSimDef def = box_def(32, 32, 8, (float)(pi / 16.0), BRUME_PERIODIC);
    BrumeSim *sim = create(&def);
    write_field(sim, BRUME_FIELD_U, vortex_u, NULL);
    write_field(sim, BRUME_FIELD_V, vortex_v, NULL);
    brume_sim_measure(sim, &measures);
    const double dx = (double)def.dx;
    const double volume = 32 * 32 * 8 * dx * dx * dx;
    assert_near(measures.kinetic_energy, volume / 4.0, 1e-6 * volume);
    const double eigenvalue = 2.0 * (2.0 - 2.0 * cos(dx)) / (dx * dx);
    assert_near(measures.enstrophy, eigenvalue * measures.kinetic_energy, 1e-5 * volume);
    assert_near(measures.max_divergence, 0.0, 2e-6);
    assert_near(measures.momentum[0], 0.0, 1e-6 * volume);
    brume_sim_destroy(sim);
}

/* The part of -u . lap u of one component, with its ghosts, over its faces that are not on the sides of the box. */
static double dissipation_of(const BrumeSim *sim, int component)
{
    const BrumeField *u = &sim->fields[component];
    const BrumeGrid grid = u->grid;
    double sum = 0.0;
    for (int k = 1 + (component == 2); k <= grid.nz; k++) {
        for (int j = 1 + (component == 1); j <= grid.ny; j++) {
            for (int i = 1 + (component == 0); i <= grid.nx; i++) {
                const double here = (double)brume_field_at(u, i, j, k);
                const double around = (double)brume_field_at(u, i - 1, j, k) + (double)brume_field_at(u, i + 1, j, k) +
                                      (double)brume_field_at(u, i, j - 1, k) + (double)brume_field_at(u, i, j + 1, k) +
                                      (double)brume_field_at(u, i, j, k - 1) + (double)brume_field_at(u, i, j, k + 1);
                sum += here * (6.0 * here - around);
            }
        }
    }
    return sum * (double)sim->def.dx; // dx^3 / dx^2
}

/* The stream function of a flow in a closed box, around an axis along z at the corner of a cell; 0 on the walls. */
static double stream(double i, double j, double k)
{
    const double x = i / 10.0 * 3.14159265358979;
    const double y = j / 12.0 * 3.14159265358979;
    return sin(x) * sin(y) * (1.0 + 0.3 * sin(2.0 * x + y + k)) * sin(y);
}

/* 2 enstrophy is the dissipation of the discrete Laplacian, walls without slip included. */
static void test_enstrophy_is_dissipation(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(10, 12, 9, 0.1f, BRUME_WALL);
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        def.faces[face].no_slip = true;
    }
    BrumeSim *sim = create(&def);
    BrumeField *u = brume_sim_write_field(sim, BRUME_FIELD_U);
    BrumeField *v = brume_sim_write_field(sim, BRUME_FIELD_V);
    for (int k = 1; k <= 9; k++) {
        for (int j = 1; j <= 13; j++) {
            for (int i = 1; i <= 11; i++) {
                const double here = stream(i - 1, j - 1, k);
                u->data[brume_field_index(u, i, j, k)] = (float)(stream(i - 1, j, k) - here);
                v->data[brume_field_index(v, i, j, k)] = (float)(here - stream(i, j - 1, k));
            }
        }
    }
    brume_sim_measure(sim, &measures);
    assert_near(measures.max_divergence, 0.0, 1e-5);
    const double dissipation = dissipation_of(sim, 0) + dissipation_of(sim, 1) + dissipation_of(sim, 2);
    assert_true(dissipation > 0.01);
    assert_near(2.0 * measures.enstrophy, dissipation, 1e-6 * dissipation);
    brume_sim_destroy(sim);
}

static void test_linear_temperature_and_divergence(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 8, 16, 0.5f, BRUME_OPEN);
    def.color_count = 1;
    BrumeSim *sim = create(&def);
    const double temperature[4] = {1.0, 2.0, -1.0, 0.5};
    write_field(sim, BRUME_FIELD_TEMPERATURE, linear, temperature);
    const double velocity[4] = {0.0, 3.0, 0.0, 0.0};
    write_field(sim, BRUME_FIELD_U, linear, velocity);
    brume_sim_measure(sim, &measures);
    assert_true(measures.scalars[2].in_use && !measures.scalars[3].in_use);
    assert_near(measures.scalars[0].total, (1.0 + 2.0 * 2.0 - 2.0 + 0.5 * 4.0) * 4.0 * 4.0 * 8.0, 0.0);
    assert_near(measures.scalars[0].min, 1.0 + 0.5 - 3.75 + 0.125, 0.0);
    assert_near(measures.scalars[0].max, 1.0 + 7.5 - 0.25 + 0.5 * 7.75, 0.0);
    assert_near(measures.scalars[2].max, 0.0, 0.0);
    assert_near(measures.max_divergence, 3.0, 0.0);
    assert_near(measures.max_speed, 3.0 * 3.75, 0.0);
    assert_near(measures.faces[BRUME_FACE_X_MAX].volume_flux, 12.0 * 4.0 * 8.0, 0.0);
    brume_sim_destroy(sim);
}

/* Conduction between held walls: Nusselt number 1, heat diffusivity * difference / distance * area. */
static void test_conduction(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 16, 8, 0.125f, BRUME_WALL);
    def.thermal_diffusivity = 0.02f;
    def.faces[BRUME_FACE_Y_MIN].fixed_temperature = true;
    def.faces[BRUME_FACE_Y_MIN].temperature = 3.0f;
    def.faces[BRUME_FACE_Y_MAX].fixed_temperature = true;
    def.faces[BRUME_FACE_Y_MAX].temperature = -1.0f;
    BrumeSim *sim = create(&def);
    const double temperature[4] = {3.0, 0.0, -2.0, 0.0};
    write_field(sim, BRUME_FIELD_TEMPERATURE, linear, temperature);
    brume_sim_measure(sim, &measures);
    const double heat = (double)0.02f * 4.0 / 2.0 * 1.0;
    assert_near(measures.faces[BRUME_FACE_Y_MIN].diffused_heat, -heat, 1e-15);
    assert_near(measures.faces[BRUME_FACE_Y_MAX].diffused_heat, heat, 1e-15);
    assert_near(measures.faces[BRUME_FACE_Y_MIN].nusselt, 1.0, 1e-14);
    assert_near(measures.faces[BRUME_FACE_Y_MAX].nusselt, 1.0, 1e-14);
    assert_near(measures.faces[BRUME_FACE_X_MIN].diffused_heat, 0.0, 0.0);
    assert_true(isnan(measures.faces[BRUME_FACE_X_MIN].nusselt));
    // a layer of 3 K at the floor alone: nothing leaves above
    const double warm = 3.0;
    write_field(sim, BRUME_FIELD_TEMPERATURE, same_value, &warm);
    brume_sim_measure(sim, &measures);
    assert_near(measures.faces[BRUME_FACE_Y_MIN].nusselt, 0.0, 0.0);
    assert_near(measures.faces[BRUME_FACE_Y_MAX].nusselt, 4.0 / (0.0625 * 4.0 / 2.0), 1e-12);
    brume_sim_destroy(sim);
}

static void test_advected_heat(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 8, 8, 0.25f, BRUME_WALL);
    def.wind = brume_vec3(2.0f, 0.0f, 0.0f);
    def.faces[BRUME_FACE_X_MIN].kind = BRUME_INFLOW;
    def.faces[BRUME_FACE_X_MIN].velocity = brume_vec3(2.0f, 0.0f, 0.0f);
    def.faces[BRUME_FACE_X_MIN].temperature = 5.0f;
    def.faces[BRUME_FACE_X_MAX].kind = BRUME_OPEN;
    BrumeSim *sim = create(&def);
    const double temperature = 7.0;
    write_field(sim, BRUME_FIELD_TEMPERATURE, same_value, &temperature);
    brume_sim_measure(sim, &measures);
    assert_near(measures.faces[BRUME_FACE_X_MIN].volume_flux, -8.0, 0.0);
    assert_near(measures.faces[BRUME_FACE_X_MAX].volume_flux, 8.0, 0.0);
    assert_near(measures.faces[BRUME_FACE_X_MIN].advected_heat, -40.0, 0.0);
    assert_near(measures.faces[BRUME_FACE_X_MAX].advected_heat, 56.0, 0.0);
    assert_near(measures.faces[BRUME_FACE_Y_MAX].advected_heat, 0.0, 0.0);
    brume_sim_destroy(sim);
}

/* A block of 4 x 3 x 2 cells in the corner `from` [cells]. */
static BrumeSim *create_with_block(int from, BrumeFaceKind kind)
{
    BrumeSimDef def = box_def(12, 12, 12, 0.5f, kind);
    def.viscosity = 0.25f;
    def.body_count = 1;
    const float corner = 0.5f * (float)from;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX,
                                       .a = brume_vec3(corner, corner, corner),
                                       .b = brume_vec3(corner + 2.0f, corner + 1.5f, corner + 1.0f)};
    return create(&def);
}

static void test_body_forces(void **state)
{
    (void)state;
    BrumeSim *sim = create_with_block(4, BRUME_OPEN);
    const double pressure[4] = {10.0, 3.0, -2.0, 0.5};
    write_field(sim, BRUME_FIELD_PRESSURE, linear, pressure);
    const double wind = 2.0;
    write_field(sim, BRUME_FIELD_U, same_value, &wind);
    brume_sim_measure(sim, &measures);
    assert_int_equal(measures.body_count, 1);
    const BrumeBodyForce *force = &measures.bodies[0];
    // the pressures that act are in the cells at the block: a cell more apart than its sides
    assert_near(force->pressure[0], -3.0 * (2.0 + 0.5) * 1.5 * 1.0, 1e-12);
    assert_near(force->pressure[1], 2.0 * (1.5 + 0.5) * 2.0 * 1.0, 1e-12);
    assert_near(force->pressure[2], -0.5 * (1.0 + 0.5) * 2.0 * 1.5, 1e-12);
    // faces of u: 5 x 3 x 2 on the block; each neighbor in the air contributes nu dx (2 - 0) to the faces on its ends,
    // and twice as much to the three between two cells of the block
    const int neighbors = 2 * 3 * 2 + (2 + 3 * 2) * (2 * 2 + 2 * 3);
    assert_near(force->viscous[0], 0.25 * 0.5 * 2.0 * neighbors, 1e-12);
    assert_near(force->viscous[1], 0.0, 0.0);
    for (int axis = 0; axis < 3; axis++) { // a block is symmetric about its center
        assert_near(force->pressure_torque[axis], 0.0, 1e-12);
        assert_near(force->viscous_torque[axis], 0.0, 1e-12);
    }
    const double volume = (12 * 12 * 12 - 24) * 0.125;
    assert_near(measures.volume, volume, 0.0);
    // faces on the block hold 0, and the cells at it count with half of their energy
    assert_near(measures.kinetic_energy, 2.0 * volume - 2.0 * 0.5 * (2 * 3 * 2) * 0.125, 1e-9);
    brume_sim_destroy(sim);
}

/* About a pivot beside the center, the torque is that of the force at the center. */
static void test_torque_about_a_pivot(void **state)
{
    (void)state;
    BrumeSim *sim = create_with_block(4, BRUME_OPEN);
    const double pressure[4] = {10.0, 3.0, -2.0, 0.5};
    write_field(sim, BRUME_FIELD_PRESSURE, linear, pressure);
    const double wind = 2.0;
    write_field(sim, BRUME_FIELD_U, same_value, &wind);
    sim->def.bodies[0].shape.pivot = brume_vec3(0.5f, -1.0f, 2.0f);
    brume_sim_measure(sim, &measures);
    const BrumeBodyForce *force = &measures.bodies[0];
    const double arm[3] = {-0.5, 1.0, -2.0};
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3;
        const int last = (axis + 2) % 3;
        assert_near(force->pressure_torque[axis], arm[next] * force->pressure[last] - arm[last] * force->pressure[next],
                    1e-11);
        assert_near(force->viscous_torque[axis], arm[next] * force->viscous[last] - arm[last] * force->viscous[next],
                    1e-11);
    }
    assert_near(force->viscous_torque[1], -2.0 * force->viscous[0], 1e-11);
    brume_sim_destroy(sim);
}

/* A block that turns in air at rest: each face of its surface carries nu n x spin, besides the discrete term. */
static void test_torque_of_a_turning_block(void **state)
{
    (void)state;
    BrumeSim *sim = create_with_block(4, BRUME_OPEN);
    const double spin = 3.0;
    double torques[2];
    for (int n = 0; n < 2; n++) {
        sim->surface_velocity[0] =
            (BrumeRigidVelocity){.spin = {0.0f, 0.0f, (float)(n * spin)}, .pivot = {3.0f, 2.75f, 2.5f}};
        brume_set_velocity_boundary(sim);
        brume_sim_measure(sim, &measures);
        torques[n] = measures.bodies[0].viscous_torque[2];
    }
    assert_near(torques[0], 0.0, 0.0);
    // Of u: -spin (y - 2.75) on 5 x 3 x 2 faces, of v: spin (x - 3) on 4 x 4 x 2. A face counts with its own arm, or,
    // where it lies between two cells, with that of the surface half a cell [.25 m] outside, and twice. By rows of u at
    // y - 2.75 = -.5, 0, .5, and of v at x - 3 = -.75, -.25, .25, .75, each with the sum of arm x neighbors:
    double sum = 0.0;
    for (int axis = 0; axis < 2; axis++) {
        const int along = axis == 0 ? 4 : 3;
        const int across = axis == 0 ? 3 : 4;
        for (int n = 0; n < across; n++) {
            const double arm = 0.5 * n - 0.25 * (across - 1);
            const double edge = n == 0 ? arm - 0.25 : n == across - 1 ? arm + 0.25 : 0.0;
            const double at_ends =
                2 * 2 * arm * arm + 2 * (n == 0 || n == across - 1) * 2 * arm * arm + 2 * 2 * arm * arm;
            const double inside = 2.0 * (along - 1) * (2 * arm * edge + 2 * arm * arm);
            sum += at_ends + inside;
        }
    }
    const double block = 2.0 * 1.5 * 1.0; // [m^3]
    assert_near(torques[1], -0.25 * spin * (0.5 * sum + 2.0 * block), 1e-5);
    brume_sim_destroy(sim);
}

/* Where the air slips, only the faces on the ends of the block receive momentum. */
static void test_viscous_force_with_slip(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(12, 12, 12, 0.5f, BRUME_OPEN);
    def.viscosity = 0.25f;
    def.body_count = 1;
    def.bodies[0].slip = BRUME_SLIP_FREE;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = brume_vec3(2.0f, 2.0f, 2.0f), .b = brume_vec3(4.0f, 3.5f, 3.0f)};
    BrumeSim *sim = create(&def);
    const double wind = 2.0;
    write_field(sim, BRUME_FIELD_U, same_value, &wind);
    brume_sim_measure(sim, &measures);
    assert_near(measures.bodies[0].viscous[0], 0.25 * 0.5 * 2.0 * (2 * 3 * 2 + 2 * (2 * 2 + 2 * 3)), 1e-12);
    brume_sim_destroy(sim);
}

/* A wall with a given heat flux. */
static void test_given_heat_flux(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(8, 8, 8, 0.25f, BRUME_WALL);
    def.thermal_diffusivity = 0.01f;
    def.faces[BRUME_FACE_Z_MIN].heat_flux = 0.5f;
    BrumeSim *sim = create(&def);
    brume_sim_measure(sim, &measures);
    assert_near(measures.faces[BRUME_FACE_Z_MIN].diffused_heat, -0.5 * 4.0, 1e-15);
    assert_near(measures.faces[BRUME_FACE_Z_MAX].diffused_heat, 0.0, 0.0);
    assert_true(isnan(measures.faces[BRUME_FACE_Z_MIN].nusselt));
    brume_sim_destroy(sim);
}

/* A block that touches periodic sides has the forces of the same block in the middle. */
static void test_body_forces_across_periodic_sides(void **state)
{
    (void)state;
    BrumeBodyForce expected = {.pressure = {0.0}};
    for (int from = 4; from >= 0; from -= 4) {
        BrumeSim *sim = create_with_block(from, BRUME_PERIODIC);
        const double wind[3] = {2.0, -1.0, 0.5};
        for (int axis = 0; axis < 3; axis++) {
            write_field(sim, (BrumeFieldId)axis, same_value, &wind[axis]);
        }
        brume_sim_measure(sim, &measures);
        if (from == 4) {
            expected = measures.bodies[0];
            assert_near(expected.viscous[0], 0.25 * 0.5 * 2.0 * (12 + 8 * 10), 1e-12);
        }
        for (int axis = 0; axis < 3; axis++) {
            assert_near(measures.bodies[0].pressure[axis], expected.pressure[axis], 0.0);
            assert_near(measures.bodies[0].viscous[axis], expected.viscous[axis], 1e-12);
            assert_near(measures.bodies[0].pressure_torque[axis], expected.pressure_torque[axis], 1e-12);
            assert_near(measures.bodies[0].viscous_torque[axis], expected.viscous_torque[axis], 1e-12);
        }
        brume_sim_destroy(sim);
    }
}

static BrumeSimDef stirred_def(void)
{
    BrumeSimDef def = box_def(20, 24, 18, 0.05f, BRUME_WALL);
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.viscosity = 1e-4f;
    def.thermal_diffusivity = 1e-4f;
    def.cooling = 0.1f;
    def.color_count = 1;
    def.smoke[0].dissipation = 0.2f;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = brume_vec3(0.5f, 0.2f, 0.5f), .b = {0}, .radius = 0.15f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].smoke[1] = (BrumeSource){BRUME_SOURCE_RATE, 3.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 100.0f};
    def.body_count = 1;
    def.bodies[0].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = brume_vec3(0.45f, 0.7f, 0.5f), .b = {0}, .radius = 0.16f};
    return def;
}

static void test_same_digits_at_any_thread_count(void **state)
{
    (void)state;
    const BrumeSimDef def = stirred_def();
    BrumeMeasures *expected = calloc(1, sizeof *expected);
    assert_non_null(expected);
    for (int threads = 1; threads <= 3; threads++) {
        brume_set_threads(threads);
        BrumeSim *sim = create(&def);
        brume_sim_set_budgets(sim, true);
        for (int n = 0; n < 20; n++) {
            step(sim, 0.02, NULL);
        }
        brume_sim_measure(sim, &measures);
        assert_true(measures.enstrophy > 0.0 && measures.bodies[0].pressure[1] != 0.0);
        if (threads == 1) {
            *expected = measures;
        }
        assert_memory_equal(&measures, expected, sizeof measures);
        brume_sim_destroy(sim);
    }
    brume_set_threads(0);
    free(expected);
}

static void test_measuring_changes_no_result(void **state)
{
    (void)state;
    const BrumeSimDef def = stirred_def();
    uint64_t expected = 0;
    for (int measured = 0; measured <= 1; measured++) {
        BrumeSim *sim = create(&def);
        brume_sim_set_budgets(sim, measured == 1);
        for (int n = 0; n < 10; n++) {
            step(sim, 0.02, NULL);
            if (measured) {
                brume_sim_measure(sim, &measures);
            }
        }
        const uint64_t hash = brume_sim_hash(sim);
        expected = measured ? expected : hash;
        assert_true(hash == expected);
        brume_sim_destroy(sim);
    }
}

// Open sides through which the flow turns round in every projection: the ghosts of the temperature depend on its
// direction, and buoyancy reads them.
static void test_measuring_changes_no_ghosts(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(12, 10, 14, 0.1f, BRUME_OPEN);
    def.gravity = brume_vec3(3.0f, -9.0f, 5.0f);
    def.initial_count = 2;
    def.initial[0] = def.initial[1] = brume_default_initial_def();
    def.initial[0].kind = BRUME_INITIAL_UNIFORM;
    def.initial[0].quantity = BRUME_INITIAL_TEMPERATURE;
    def.initial[0].value = 60.0f;
    def.initial[1].kind = BRUME_INITIAL_NOISE;
    def.initial[1].speed = 1.0f;
    def.initial[1].scale = 0.3f;
    uint64_t expected = 0;
    for (int observer = 0; observer < 3; observer++) {
        BrumeSim *sim = create(&def);
        for (int n = 0; n < 10; n++) {
            step(sim, 0.05, NULL);
            BrumeProbeSample sample = {.position = {0.3, 0.4, 0.5}};
            if (observer == 1) {
                brume_sim_measure(sim, &measures);
            } else if (observer == 2) {
                brume_sim_sample(sim, ~0U, &sample, 1);
            }
        }
        expected = observer > 0 ? expected : brume_sim_hash(sim);
        assert_true(brume_sim_hash(sim) == expected);
        brume_sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_added_in_blocks),
        cmocka_unit_test(test_uniform_flow),
        cmocka_unit_test(test_taylor_green),
        cmocka_unit_test(test_enstrophy_is_dissipation),
        cmocka_unit_test(test_linear_temperature_and_divergence),
        cmocka_unit_test(test_conduction),
        cmocka_unit_test(test_advected_heat),
        cmocka_unit_test(test_body_forces),
        cmocka_unit_test(test_torque_about_a_pivot),
        cmocka_unit_test(test_torque_of_a_turning_block),
        cmocka_unit_test(test_viscous_force_with_slip),
        cmocka_unit_test(test_given_heat_flux),
        cmocka_unit_test(test_body_forces_across_periodic_sides),
        cmocka_unit_test(test_same_digits_at_any_thread_count),
        cmocka_unit_test(test_measuring_changes_no_result),
        cmocka_unit_test(test_measuring_changes_no_ghosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
