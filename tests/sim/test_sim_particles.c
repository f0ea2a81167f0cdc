// Particles against the formulas of their motion, at surfaces, and what the air gets from them.
#include "sim/measures/sums.h"
#include "sim/particles/particles.h"
#include "sim/settings/settings.h"
#include "sim_support.h"

static const double AIR = 1.1766; // [kg/m^3]
static const double MU = 1.846e-5;

static const BrumeParticle *first_particle(const BrumeSim *sim)
{
    int count;
    const BrumeParticle *particles = brume_sim_particles(sim, &count);
    assert_at_least(count, 1);
    return particles;
}

static int count_of(const BrumeSim *sim)
{
    int count;
    (void)brume_sim_particles(sim, &count);
    return count;
}

static void add(BrumeSim *sim, BrumeParticle particle)
{
    BrumeError error = {.status = BRUME_OK};
    if (brume_sim_add_particles(sim, &particle, 1, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
}

// a closed box of air at rest
static BrumeSimDef still_box(int n, float dx) { return box_def(n, n, n, dx, BRUME_WALL); }

// the force of air on a sphere, over that of slow flow (Schiller and Naumann 1933)
static double drag_factor(double speed, double diameter)
{
    const double reynolds = AIR * speed * diameter / MU;
    return reynolds <= 1000.0 ? 1.0 + 0.15 * pow(reynolds, 0.687) : 0.44 * reynolds / 24.0;
}

static void spheres_reach_their_terminal_velocity(void **state)
{
    (void)state;
    const double diameters[] = {2e-5, 1e-4, 5e-4, 2e-3, 1e-2};
    BrumeSimDef def = still_box(8, 100.0f);
    for (size_t n = 0; n < sizeof diameters / sizeof diameters[0]; n++) {
        const double d = diameters[n];
        const double weight = (2650.0 - AIR) * 9.81;
        double expected = weight * d * d / (18.0 * MU);
        for (int pass = 0; pass < 200; pass++) { // damped, since the drag grows by up to the square
            expected = 0.5 * (expected + weight * d * d / (18.0 * MU * drag_factor(expected, d)));
        }
        def.particles[BRUME_PARTICLE_EMBERS].density = 2650.0f;
        def.particles[BRUME_PARTICLE_EMBERS].life = 0.0f;
        BrumeSim *sim = create(&def);
        add(sim,
            (BrumeParticle){.position = {400.0f, 790.0f, 333.0f}, .diameter = (float)d, .kind = BRUME_PARTICLE_EMBERS});
        for (int k = 0; k < 40; k++) {
            step(sim, fmax(0.02 * expected, 0.01), NULL);
        }
        assert_near(-(double)first_particle(sim)->velocity.y, expected, 0.01 * expected);
        brume_sim_destroy(sim);
    }
}

// v = v_t (1 - exp(-t / tau)) in slow flow, with few steps and with many
static void spheres_relax_in_their_time(void **state)
{
    (void)state;
    const double d = 2e-5;
    const double tau = (2650.0 + 0.5 * AIR) * d * d / (18.0 * MU);
    BrumeSimDef def = still_box(8, 1.0f);
    def.particles[BRUME_PARTICLE_EMBERS].density = 2650.0f;
    for (int steps = 1; steps <= 16; steps *= 4) {
        BrumeSim *sim = create(&def);
        add(sim, (BrumeParticle){.position = {4.0f, 4.0f, 4.0f}, .diameter = (float)d, .kind = BRUME_PARTICLE_EMBERS});
        for (int k = 0; k < steps; k++) {
            step(sim, tau / steps, NULL);
        }
        const double slow = (2650.0 - AIR) * 9.81 * d * d / (18.0 * MU);
        assert_near(-(double)first_particle(sim)->velocity.y, slow * (1.0 - exp(-1.0)), 0.01 * slow);
        brume_sim_destroy(sim);
    }
}

// a disc in slow flow sinks broadside with its resistance 8 mu d, whatever its normal was
static void plates_turn_broadside(void **state)
{
    (void)state;
    BrumeSimDef def = still_box(8, 1.0f);
    BrumeParticleDef *flake = &def.particles[BRUME_PARTICLE_FLAKES];
    flake->density = 500.0f;
    flake->thickness = 5e-6f;
    const double d = 4e-4;
    BrumeSim *sim = create(&def);
    add(sim, (BrumeParticle){.position = {4.0f, 7.0f, 4.0f},
                             .normal = {0.8f, 0.6f, 0.0f},
                             .diameter = (float)d,
                             .kind = BRUME_PARTICLE_FLAKES});
    for (int k = 0; k < 200; k++) {
        step(sim, 0.02, NULL);
    }
    const double area = 0.25 * 3.14159265 * d * d;
    const double weight = (500.0 - AIR) * 5e-6 * area * 9.81;
    double speed = 0.0;
    for (int pass = 0; pass < 200; pass++) {
        speed = 0.5 * (speed + weight / (8.0 * MU * d + 0.5 * AIR * area * 1.17 * speed));
    }
    const BrumeParticle *plate = first_particle(sim);
    assert_near(fabs((double)plate->normal.y), 1.0, 1e-3);
    assert_near(-(double)plate->velocity.y, speed, 0.01 * speed);
    brume_sim_destroy(sim);
}

// how far from its start a tracer is after one turn of the air [m]
static double error_of_turn(int order, int steps)
{
    BrumeSimDef def = box_def(16, 16, 16, 0.25f, BRUME_OPEN);
    def.integrator = "prescribed";
    def.trace_order = order;
    def.initial_count = 1;
    def.initial[0] = brume_default_initial_def();
    def.initial[0].kind = BRUME_INITIAL_ROTATION;
    def.initial[0].quantity = BRUME_INITIAL_VELOCITY;
    def.initial[0].center = brume_vec3(2.0f, 2.0f, 2.0f);
    def.initial[0].axis = 2;
    def.initial[0].rate = 1.0f;
    BrumeSim *sim = create(&def);
    add(sim, (BrumeParticle){.position = {3.2f, 2.0f, 2.0f}, .diameter = 1e-4f, .kind = BRUME_PARTICLE_DUST});
    for (int k = 0; k < steps; k++) {
        step(sim, 2.0 * 3.14159265358979 / steps, NULL);
    }
    const BrumeVec3 end = first_particle(sim)->position;
    brume_sim_destroy(sim);
    return (double)brume_length(brume_sub(end, brume_vec3(3.2f, 2.0f, 2.0f)));
}

static void tracers_return(void **state)
{
    (void)state;
    for (int order = 2; order <= 3; order++) {
        const double coarse = error_of_turn(order, 32);
        const double fine = error_of_turn(order, 64);
        assert_at_least(log(coarse / fine) / log(2.0), order - 0.15);
        assert_at_most(fine, order == 2 ? 0.02 : 1e-3);
    }
}

// a sphere falls on the floor, bounces, and comes to rest one radius above it; a body keeps others out
static void particles_settle(void **state)
{
    (void)state;
    BrumeSimDef def = still_box(16, 0.1f);
    def.body_count = 1;
    def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.8f, 0.6f, 0.8f}, .radius = 0.4f};
    def.particles[BRUME_PARTICLE_EMBERS].density = 2000.0f;
    def.particles[BRUME_PARTICLE_EMBERS].life = 0.0f;
    def.particles[BRUME_PARTICLE_EMBERS].bounce = 0.5f;
    BrumeSim *sim = create(&def);
    const BrumeVec3 places[] = {{0.2f, 1.0f, 0.2f}, {0.81f, 1.3f, 0.8f}, {0.8f, 1.3f, 0.5f}};
    for (size_t n = 0; n < 3; n++) {
        add(sim, (BrumeParticle){.position = places[n], .diameter = 0.01f, .kind = BRUME_PARTICLE_EMBERS});
    }
    double highest = 0.0;
    for (int k = 0; k < 600; k++) {
        step(sim, 0.01, NULL);
        const BrumeParticle *particles = first_particle(sim);
        assert_int_equal(count_of(sim), 3);
        for (int n = 0; n < 3; n++) {
            const BrumeVec3 offset = brume_sub(particles[n].position, def.bodies[0].shape.a);
            assert_at_least((double)brume_length(offset), 0.405 - 1e-4);
            assert_at_least((double)particles[n].position.y, 0.005 - 1e-6);
        }
        highest = k > 60 ? fmax(highest, (double)particles[0].position.y) : highest;
    }
    assert_near(highest, 0.25, 0.05); // half of the speed: a fourth of the height
    for (int n = 0; n < 3; n++) {
        const BrumeParticle *particle = &first_particle(sim)[n];
        assert_near((double)brume_length(particle->velocity), 0.0, 1e-6);
        const double distance = (double)brume_length(brume_sub(particle->position, def.bodies[0].shape.a));
        assert_near(n == 1 ? distance : (double)particle->position.y, n == 1 ? 0.405 : 0.005, 1e-4);
    }
    brume_sim_destroy(sim);
}

static BrumeSimDef born_in_sphere(float rate)
{
    BrumeSimDef def = box_def(16, 16, 16, 0.1f, BRUME_OPEN);
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.8f, 0.7f, 0.9f}, .radius = 0.3f};
    def.emitters[0].particles[BRUME_PARTICLE_DUST] = rate;
    return def;
}

// as many as the rate says, evenly in the shape; those whose life ends are gone, and none beyond the most
static void births_follow_the_rate(void **state)
{
    (void)state;
    BrumeSimDef def = born_in_sphere(1000.7f);
    BrumeSim *sim = create(&def);
    for (int k = 0; k < 40; k++) {
        step(sim, k % 2 == 0 ? 0.1 : 0.05, NULL);
    }
    const int count = count_of(sim);
    assert_near(count, 3.0 * 1000.7, 20.0);
    const BrumeParticle *particles = first_particle(sim);
    double mean = 0.0;
    double cubes = 0.0; // of the distance over the radius, evenly in [0, 1]
    for (int n = 0; n < count; n++) {
        const BrumeVec3 offset = brume_sub(particles[n].position, def.emitters[0].shape.a);
        const double share = (double)brume_length(offset) / 0.3;
        assert_at_most(share, 1.0 + 1e-6);
        assert_true(particles[n].id < (uint32_t)count && particles[n].age < 3.0f);
        mean += (double)offset.x / count;
        cubes += share * share * share / count;
    }
    assert_near(mean, 0.0, 4.0 * 0.3 / sqrt(5.0 * count));
    assert_near(cubes, 0.5, 4.0 / sqrt(12.0 * count));
    brume_sim_destroy(sim);

    def.particles[BRUME_PARTICLE_DUST].life = 0.4f;
    sim = create(&def);
    for (int k = 0; k < 40; k++) {
        step(sim, 0.1, NULL);
    }
    assert_near(count_of(sim), 0.4 * 1000.7, 60.0);
    brume_sim_destroy(sim);

    def.particles[BRUME_PARTICLE_DUST].life = 0.0f;
    def.most_particles = 150;
    sim = create(&def);
    for (int k = 0; k < 4; k++) {
        step(sim, 0.1, NULL);
    }
    assert_int_equal(count_of(sim), 150);
    brume_sim_destroy(sim);
}

// particles in a wind: through an open side they leave, through a periodic one they come back
static void sides_let_particles_through(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        BrumeSimDef def = box_def(16, 16, 16, 0.1f, periodic ? BRUME_PERIODIC : BRUME_OPEN);
        def.integrator = "prescribed";
        def.wind = brume_vec3(0.5f, 0.0f, -0.25f);
        BrumeSim *sim = create(&def);
        add(sim, (BrumeParticle){.position = {1.0f, 0.8f, 0.2f}, .diameter = 1e-4f});
        for (int k = 0; k < 20; k++) {
            step(sim, 0.1, NULL);
        }
        assert_int_equal(count_of(sim), periodic);
        if (periodic) {
            assert_near((double)first_particle(sim)->position.x, 2.0 - 1.6, 1e-5);
            assert_near((double)first_particle(sim)->position.z, 0.2 - 0.5 + 1.6, 1e-5);
        }
        brume_sim_destroy(sim);
    }
}

static double momentum_of_air(const BrumeSim *sim, int axis)
{
    double sum = 0.0;
    const BrumeGrid grid = sim->fields[axis].grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                sum += (double)brume_field_at(&sim->fields[axis], i, j, k);
            }
        }
    }
    return AIR * sum * pow((double)sim->def.dx, 3.0);
}

// without gravity, a swarm slows down, and the air of a periodic box gets its momentum
static void air_gets_the_momentum(void **state)
{
    (void)state;
    BrumeSimDef def = box_def(16, 16, 16, 0.05f, BRUME_PERIODIC);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    def.particles[BRUME_PARTICLE_EMBERS].density = 2650.0f;
    def.particles[BRUME_PARTICLE_EMBERS].reacts = true;
    BrumeSim *sim = create(&def);
    const double mass = 3.14159265 / 6.0 * 1e-9 * (2650.0 + 0.5 * AIR);
    for (int n = 0; n < 50; n++) {
        add(sim, (BrumeParticle){.position = {0.1f + 0.01f * (float)n, 0.4f + 0.005f * (float)(n % 7), 0.3f},
                                 .velocity = {2.0f, -1.0f, 0.5f},
                                 .diameter = 1e-3f,
                                 .kind = BRUME_PARTICLE_EMBERS});
    }
    for (int k = 0; k < 20; k++) {
        step(sim, 0.01, NULL);
    }
    const BrumeVec3 start = {2.0f, -1.0f, 0.5f};
    for (int axis = 0; axis < 3; axis++) {
        double sum = momentum_of_air(sim, axis);
        for (int n = 0; n < 50; n++) {
            sum += mass * (double)brume_component(first_particle(sim)[n].velocity, axis);
        }
        const double before = 50.0 * mass * (double)brume_component(start, axis);
        assert_near(sum, before, 1e-4 * fabs(before));
        assert_at_least(fabs(momentum_of_air(sim, axis)), 0.1 * fabs(before));
    }
    brume_sim_destroy(sim);
}

// all kinds in a wind around a body: the same bits in other numbers of threads, and after a load
static void same_bits(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (int variant = 0; variant < 4; variant++) {
        BrumeSimDef def = born_in_sphere(300.0f);
        def.faces[BRUME_FACE_Y_MIN].kind = BRUME_WALL;
        def.body_count = 1;
        def.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = {0.9f, 0.0f, 0.3f}, .b = {1.2f, 0.6f, 1.1f}};
        def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 200.0f};
        for (int kind = 1; kind < BRUME_PARTICLE_KINDS; kind++) {
            def.emitters[0].particles[kind] = 200.0f;
            def.particles[kind].reacts = true;
        }
        def.kernels = variant == 1 ? "reference" : "fast";
        brume_set_threads(variant == 2 ? 3 : 1);
        BrumeSim *sim = create(&def);
        for (int k = 0; k < 30; k++) {
            step(sim, 0.03, NULL);
            sim = variant == 3 && k == 13 ? reload(sim) : sim;
        }
        assert_at_least(count_of(sim), 400);
        const uint64_t hash = brume_sim_hash(sim);
        assert_true(variant == 0 || hash == expected);
        expected = hash;
        brume_sim_destroy(sim);
    }
    brume_set_threads(0);
}

static void strokes_bear_particles(void **state)
{
    (void)state;
    BrumeSimDef def = still_box(16, 0.1f);
    BrumeSim *sim = create(&def);
    const BrumeStroke stroke = {.end = 1.0,
                                .from = {0.4f, 0.5f, 0.8f},
                                .to = {1.2f, 0.5f, 0.8f},
                                .from_slope = {0.8f, 0.0f, 0.0f},
                                .to_slope = {0.8f, 0.0f, 0.0f},
                                .radius = 0.2f,
                                .particles = {400.0f, 0.0f, 0.0f, 0.0f}};
    brume_sim_set_strokes(sim, &stroke, 1);
    double mean = 0.0;
    for (int k = 0; k < 10; k++) {
        step(sim, 0.1, NULL);
    }
    const int count = count_of(sim);
    assert_near(count, 400.0, 10.0);
    for (int n = 0; n < count; n++) {
        const BrumeVec3 place = first_particle(sim)[n].position;
        assert_true(fabsf(place.y - 0.5f) <= 0.2f && fabsf(place.z - 0.8f) <= 0.2f);
        mean += (double)place.x / count;
    }
    assert_near(mean, 0.8, 0.06);
    brume_sim_destroy(sim);
}

static void what_cannot_be_added_is_refused(void **state)
{
    (void)state;
    BrumeSimDef def = still_box(8, 1.0f);
    def.most_particles = 1;
    BrumeSim *sim = create(&def);
    BrumeError error;
    BrumeParticle particle = {.position = {4.0f, 4.0f, 8.5f}, .diameter = 1e-3f};
    assert_int_equal(brume_sim_add_particles(sim, &particle, 1, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "particle 0 is not valid, or outside of the box");
    particle.position.z = NAN;
    assert_int_equal(brume_sim_add_particles(sim, &particle, 1, &error), BRUME_BAD_INPUT);
    particle.position.z = 4.0f;
    assert_int_equal(brume_sim_add_particles(sim, &particle, 1, &error), BRUME_OK);
    assert_int_equal(brume_sim_add_particles(sim, &particle, 1, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "there would be 2 particles, but 'most_particles' is 1");
    brume_sim_destroy(sim);
}

// sand that is poured into a box, with much more mass than the air of a cell, does not move it faster than it falls
static void heavy_loads_are_stable(void **state)
{
    (void)state;
    BrumeSimDef def = still_box(16, 0.06f);
    BrumeParticleDef *sand = &def.particles[BRUME_PARTICLE_EMBERS];
    *sand = (BrumeParticleDef){BRUME_PARTICLE_SPHERE, 0.003f, 0.5f, 1e-4f, 2650.0f, 0.0f, 0.0f, 0.5f, true};
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape.a = brume_vec3(0.5f, 0.7f, 0.5f);
    def.emitters[0].shape.radius = 0.1f;
    def.emitters[0].particles[BRUME_PARTICLE_EMBERS] = 10000.0f;
    BrumeSim *sim = create(&def);
    for (int k = 0; k < 40; k++) {
        step(sim, 0.04, NULL);
        BrumeMeasures measures;
        brume_sim_measure(sim, &measures);
        assert_true(measures.max_speed < 5.0);
    }
    assert_at_least(count_of(sim), 15900);
    brume_sim_destroy(sim);
}

// in air at rest a sphere falls as in a box of fine cells: the window of a far field follows it
static void windows_follow_them(void **state)
{
    (void)state;
    BrumeVec3 places[2];
    for (int variant = 0; variant < 2; variant++) {
        BrumeSimDef def = still_box(96, 0.1f);
        def.far_factor = variant == 0 ? 1 : 2;
        def.particles[BRUME_PARTICLE_EMBERS].density = 300.0f;
        def.particles[BRUME_PARTICLE_EMBERS].life = 0.0f;
        BrumeSim *sim = create(&def);
        add(sim, (BrumeParticle){.position = {1.0f, 9.0f, 8.5f}, .diameter = 1e-3f, .kind = BRUME_PARTICLE_EMBERS});
        add(sim, (BrumeParticle){.position = {2.0f, 8.0f, 8.5f}, .diameter = 1e-3f, .kind = BRUME_PARTICLE_EMBERS});
        for (int k = 0; k < 70; k++) {
            step(sim, 0.04, NULL);
        }
        assert_int_equal(count_of(sim), 2);
        places[variant] = first_particle(sim)->position;
        brume_sim_destroy(sim);
    }
    assert_true(places[0].y < 6.0f);
    assert_near(brume_length(brume_sub(places[1], places[0])), 0.0, 1e-5);
}

// other cells, and a far field, keep the particles
static void changes_keep_them(void **state)
{
    (void)state;
    BrumeSimDef def = still_box(32, 0.1f);
    BrumeSim *sim = create(&def);
    add(sim, (BrumeParticle){.position = {1.0f, 2.0f, 2.5f}, .diameter = 1e-3f});
    for (int change = 0; change < 3; change++) {
        def.nx = def.ny = def.nz = change == 1 ? 32 : 64;
        def.dx = change == 1 ? 0.1f : 0.05f;
        def.far_factor = change == 2 ? 2 : 1;
        assert_int_equal(brume_sim_change(sim, &def, NULL), BRUME_OK);
        step(sim, 0.04, NULL);
        assert_int_equal(count_of(sim), 1);
        assert_near(first_particle(sim)->position.y, 2.0, 1e-6);
    }
    brume_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_reach_their_terminal_velocity),
        cmocka_unit_test(spheres_relax_in_their_time),
        cmocka_unit_test(plates_turn_broadside),
        cmocka_unit_test(tracers_return),
        cmocka_unit_test(particles_settle),
        cmocka_unit_test(births_follow_the_rate),
        cmocka_unit_test(sides_let_particles_through),
        cmocka_unit_test(air_gets_the_momentum),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(strokes_bear_particles),
        cmocka_unit_test(what_cannot_be_added_is_refused),
        cmocka_unit_test(heavy_loads_are_stable),
        cmocka_unit_test(windows_follow_them),
        cmocka_unit_test(changes_keep_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
