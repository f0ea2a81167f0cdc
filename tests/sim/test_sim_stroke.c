/* Strokes: curves that join, paths without gaps, pushes of the given strength, flows that attract and turn the air. */
#include "brume/threads.h"
#include "core/field.h"
#include "core/vec3.h"
#include "sim/forces/strokes.h"
#include "sim/measures/monitor.h"
#include "sim_support.h"

static const BrumeStroke curve = {
    .start = 0.0,
    .end = 1.0 / 24.0,
    .from = {0.15f, 0.2f, 0.3f},
    .to = {0.85f, 0.7f, 0.75f},
    .from_slope = {1.5f, 0.0f, -0.5f},
    .to_slope = {-0.5f, 1.6f, 0.4f},
    .radius = 6.0f / 64.0f,
    .smoke = {0.8f},
    .temperature = 40.0f,
};

static BrumeSimDef still_def(int n)
{
    BrumeSimDef def = box_def(n, n, n, 1.0f / (float)n, BRUME_WALL);
    def.gravity = brume_vec3(0.0f, 0.0f, 0.0f);
    return def;
}

static void stroke_frame(BrumeSim *sim, const BrumeStroke *strokes, int count)
{
    BrumeError error;
    brume_sim_set_strokes(sim, strokes, count);
    assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
}

static double at_point(const BrumeSim *sim, BrumeFieldId id, BrumeVec3 point)
{
    const float at[3] = {point.x / sim->def.dx + 0.5f, point.y / sim->def.dx + 0.5f, point.z / sim->def.dx + 0.5f};
    double sum = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        int index[3];
        double weight = 1.0;
        for (int axis = 0; axis < 3; axis++) {
            const double share = (double)(at[axis] - floorf(at[axis]));
            index[axis] = (int)floorf(at[axis]) + (corner >> axis & 1);
            weight *= corner >> axis & 1 ? share : 1.0 - share;
        }
        sum += weight * (double)brume_field_at(&sim->fields[id], index[0], index[1], index[2]);
    }
    return sum;
}

// the curve has the given ends and slopes, so that strokes that share them join with C1 continuity
static void test_curve_is_hermite(void **state)
{
    (void)state;
    const float h = 1e-3f;
    const BrumeVec3 first = brume_stroke_at(&curve, 0.0f);
    const BrumeVec3 last = brume_stroke_at(&curve, 1.0f);
    assert_true(first.x == curve.from.x && first.y == curve.from.y && first.z == curve.from.z);
    assert_true(last.x == curve.to.x && last.y == curve.to.y && last.z == curve.to.z);
    const BrumeVec3 start = brume_scale(brume_sub(brume_stroke_at(&curve, h), first), 1.0f / h);
    const BrumeVec3 end = brume_scale(brume_sub(last, brume_stroke_at(&curve, 1.0f - h)), 1.0f / h);
    assert_near((double)brume_length(brume_sub(start, curve.from_slope)), 0.0, 0.02);
    assert_near((double)brume_length(brume_sub(end, curve.to_slope)), 0.0, 0.02);
    // x at the middle: the mean of the ends and an eighth of the difference of the slopes
    assert_near((double)brume_stroke_at(&curve, 0.5f).x, 0.5 * (0.15 + 0.85) + (1.5 + 0.5) / 8.0, 1e-6);
}

// a fast stroke through the whole box in one frame has no gap and no effect beyond its radius
static void test_path_has_no_gaps(void **state)
{
    (void)state;
    const BrumeSimDef def = still_def(64);
    BrumeSim *sim = create(&def);
    stroke_frame(sim, &curve, 1);
    double least = 1.0;
    for (int n = 0; n <= 500; n++) {
        const BrumeVec3 tip = brume_stroke_at(&curve, (float)n / 500.0f);
        least = fmin(least, at_point(sim, BRUME_FIELD_DENSITY, tip) / 0.8);
        least = fmin(least, at_point(sim, BRUME_FIELD_TEMPERATURE, tip) / 40.0);
    }
    print_message("least along the path: %.4f of the amount\n", least);
    assert_at_least(least, 0.9);
    assert_at_most(max_abs(&sim->fields[BRUME_FIELD_DENSITY]), 0.8 + 1e-6);
    assert_true(max_abs(&sim->fields[BRUME_FIELD_U]) == 0.0);
    for (int k = 1; k <= 64; k += 3) {
        for (int j = 1; j <= 64; j += 3) {
            for (int i = 1; i <= 64; i += 3) {
                const BrumeVec3 center = {((float)i - 0.5f) / 64.0f, ((float)j - 0.5f) / 64.0f,
                                          ((float)k - 0.5f) / 64.0f};
                float nearest = INFINITY;
                for (int n = 0; n <= 200; n++) {
                    const BrumeVec3 tip = brume_stroke_at(&curve, (float)n / 200.0f);
                    nearest = fminf(nearest, brume_length(brume_sub(tip, center)));
                }
                if (nearest > curve.radius * 1.01f) {
                    assert_true(brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, j, k) == 0.0f);
                } else {
                    const double share = 1.0 - pow((double)(nearest / curve.radius), 2.0);
                    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, j, k),
                                0.8 * share * fmax(share, 0.0), 0.01);
                }
            }
        }
    }
    // the end of the frame has removed the strokes
    brume_field_fill(&sim->fields[BRUME_FIELD_DENSITY], 0.0f);
    BrumeError error;
    assert_int_equal(brume_sim_frame(sim, NULL, &error), BRUME_OK);
    assert_true(max_abs(&sim->fields[BRUME_FIELD_DENSITY]) == 0.0);
    brume_sim_destroy(sim);
}

// the part of a stroke from parameter a to b, as a stroke
static BrumeStroke part_of(const BrumeStroke *stroke, float a, float b)
{
    BrumeStroke part = *stroke;
    part.start = stroke->start + (double)a * (stroke->end - stroke->start);
    part.end = stroke->start + (double)b * (stroke->end - stroke->start);
    part.from = brume_stroke_at(stroke, a);
    part.to = brume_stroke_at(stroke, b);
    const float ends[2] = {a, b};
    BrumeVec3 *const slopes[2] = {&part.from_slope, &part.to_slope};
    for (int n = 0; n < 2; n++) {
        const float s = ends[n];
        const BrumeVec3 along = brume_scale(brume_sub(stroke->to, stroke->from), 6.0f * s * (1.0f - s));
        const BrumeVec3 first = brume_scale(stroke->from_slope, 1.0f - 4.0f * s + 3.0f * s * s);
        const BrumeVec3 last = brume_scale(stroke->to_slope, 3.0f * s * s - 2.0f * s);
        *slopes[n] = brume_scale(brume_add(along, brume_add(first, last)), b - a);
    }
    return part;
}

static double largest_difference(const BrumeField *a, const BrumeField *b)
{
    double most = 0.0;
    for (int k = 1; k <= a->grid.nz; k++) {
        for (int j = 1; j <= a->grid.ny; j++) {
            for (int i = 1; i <= a->grid.nx; i++) {
                most = fmax(most, fabs((double)(brume_field_at(a, i, j, k) - brume_field_at(b, i, j, k))));
            }
        }
    }
    return most;
}

// one stroke or four, one step or five give the same path and the same push
static void test_result_does_not_depend_on_the_division(void **state)
{
    (void)state;
    for (int push = 0; push < 2; push++) {
        BrumeStroke whole = curve;
        if (push) {
            whole.smoke[0] = whole.temperature = 0.0f;
            whole.push = 100.0f;
            whole.velocity = brume_vec3(0.01f, 0.02f, -0.01f);
        }
        BrumeStroke parts[4];
        for (int n = 0; n < 4; n++) {
            parts[n] = part_of(&whole, 0.25f * (float)n, 0.25f * (float)(n + 1));
        }
        const BrumeSimDef def = still_def(48);
        BrumeSim *sims[3] = {create(&def), create(&def), create(&def)};
        brume_sim_set_strokes(sims[0], &whole, 1);
        brume_sim_set_strokes(sims[1], parts, 4);
        brume_sim_set_strokes(sims[2], &whole, 1);
        brume_apply_strokes(sims[0], 1.0 / 24.0);
        brume_apply_strokes(sims[1], 1.0 / 24.0);
        for (int n = 0; n < 5; n++) {
            sims[2]->time = n / 120.0;
            brume_apply_strokes(sims[2], 1.0 / 120.0);
        }
        const BrumeFieldId id = push ? BRUME_FIELD_V : BRUME_FIELD_DENSITY;
        const double amount = push ? 0.02 : 0.8;
        assert_at_least(max_abs(&sims[0]->fields[id]), push ? 0.1 * amount : 0.9 * amount);
        for (int n = 1; n < 3; n++) {
            const double difference = largest_difference(&sims[0]->fields[id], &sims[n]->fields[id]) / amount;
            print_message("%s, cut %d: largest difference %.2g of the amount\n", push ? "push" : "smoke", n,
                          difference);
            assert_at_most(difference, 1e-3);
        }
        for (int n = 0; n < 3; n++) {
            brume_sim_destroy(sims[n]);
        }
    }
}

// a stroke thinner than a cell leaves smoke along its whole path
static void test_thin_stroke_has_no_gaps(void **state)
{
    (void)state;
    const BrumeSimDef def = still_def(32);
    BrumeSim *sim = create(&def);
    BrumeStroke thin = curve;
    thin.radius = 1e-3f;
    stroke_frame(sim, &thin, 1);
    for (int n = 0; n <= 300; n++) {
        const BrumeVec3 tip = brume_stroke_at(&thin, (float)n / 300.0f);
        assert_at_least(at_point(sim, BRUME_FIELD_DENSITY, tip), 0.4 * 0.8);
    }
    brume_sim_destroy(sim);
}

// a tip at rest gives du/dt = -push (u - velocity) at its position; the velocity of a push limits the step length
static void test_push_relaxes_exactly(void **state)
{
    (void)state;
    const BrumeSimDef def = still_def(16);
    BrumeSim *sim = create(&def);
    BrumeStroke still = {.end = 1.0,
                         .from = {0.5f, 7.5f / 16.0f, 7.5f / 16.0f},
                         .to = {0.5f, 7.5f / 16.0f, 7.5f / 16.0f},
                         .radius = 0.25f,
                         .push = 3.0f,
                         .velocity = {2.0f, 0.0f, 0.0f}};
    brume_sim_set_strokes(sim, &still, 1);
    brume_apply_strokes(sim, 0.2);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 9, 8, 8), 2.0 * (1.0 - exp(-3.0 * 0.2)), 1e-6);
    const double share = pow(1.0 - 1.0 / 16.0, 2.0); // one cell off, of a radius of four
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_U], 9, 9, 8), 2.0 * (1.0 - exp(-3.0 * 0.2 * share)),
                1e-6);
    assert_true(max_abs(&sim->fields[BRUME_FIELD_V]) == 0.0);
    BrumeFrameStats stats;
    BrumeError error;
    brume_set_velocity_boundary(sim); // which the stroke has made invalid, as a frame asserts
    brume_measure_speed(sim);
    still.velocity.x = 12.0f; // 8 cells in 1/24 s, 2 cells a step
    brume_sim_set_strokes(sim, &still, 1);
    assert_int_equal(brume_sim_frame(sim, &stats, &error), BRUME_OK);
    assert_at_least((double)stats.steps, 4.0);
    brume_sim_destroy(sim);
}

// smoke of two kinds and heat in the whole box, lowered by an erasing stroke of e = 0.2
static BrumeSim *erased(const BrumeStroke *strokes, int count)
{
    BrumeSimDef def = still_def(48);
    def.color_count = 1;
    BrumeSim *sim = create(&def);
    brume_field_fill(&sim->fields[BRUME_FIELD_DENSITY], 0.75f);
    brume_field_fill(&sim->fields[BRUME_FIELD_COLOR_1], 0.25f);
    brume_field_fill(&sim->fields[BRUME_FIELD_TEMPERATURE], -20.0f);
    brume_sim_set_strokes(sim, strokes, count);
    brume_apply_strokes(sim, 1.0 / 24.0);
    return sim;
}

// All kinds of smoke are lowered to e (1 - f) / f in proportion, and heat by the same factor; erasing once more, or in
// four parts, changes nothing.
static void test_erasing_lowers_smoke_and_heat(void **state)
{
    (void)state;
    BrumeStroke line = {.end = 1.0 / 24.0,
                        .from = {0.2f, 0.5f, 0.5f},
                        .to = {0.8f, 0.5f, 0.5f},
                        .from_slope = {0.6f, 0.0f, 0.0f},
                        .to_slope = {0.6f, 0.0f, 0.0f},
                        .radius = 0.2f,
                        .erase = 0.2f};
    BrumeSim *sim = erased(&line, 1);
    for (int j = 1; j <= 48; j++) {
        const double distance = hypot((j - 24.5) / 48.0, 0.5 / 48.0);
        const double root = fmax(1.0 - distance * distance / 0.04, 0.0);
        const double sum = fmin(1.0, 0.2 * (1.0 - root * root) / (root * root));
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 24, j, 24), 0.75 * sum, 1e-5);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_COLOR_1], 24, j, 24), 0.25 * sum, 1e-5);
        assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_TEMPERATURE], 24, j, 24), -20.0 * sum, 1e-3);
    }
    assert_true(brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 24, 24, 24) < 0.01f);
    BrumeStroke parts[8];
    for (int n = 0; n < 4; n++) {
        parts[n] = part_of(&line, 0.25f * (float)n, 0.25f * (float)(n + 1));
    }
    memcpy(parts + 4, parts, 4 * sizeof parts[0]);
    BrumeSim *divided = erased(parts, 8);
    for (int id = BRUME_FIELD_TEMPERATURE; id <= BRUME_FIELD_COLOR_1; id++) {
        const double amount = id == BRUME_FIELD_TEMPERATURE ? 20.0 : 1.0;
        assert_at_most(largest_difference(&sim->fields[id], &divided->fields[id]), 1e-5 * amount);
    }
    brume_sim_destroy(divided);
    brume_sim_destroy(sim);

    line.smoke[1] = 0.5f; // repainted: erased first
    sim = erased(&line, 1);
    assert_near((double)brume_field_at(&sim->fields[BRUME_FIELD_COLOR_1], 24, 24, 24), 0.5, 0.01);
    assert_true(brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], 24, 24, 24) < 0.01f);
    assert_true(max_abs(&sim->fields[BRUME_FIELD_U]) == 0.0);
    brume_sim_destroy(sim);
}

// the offset of a face across `axis` from the middle of the box [m]
static BrumeVec3 face_offset(const BrumeSim *sim, int axis, int i, int j, int k)
{
    const float dx = sim->def.dx;
    const BrumeVec3 at = {(float)i - (axis == 0 ? 1.0f : 0.5f), (float)j - (axis == 1 ? 1.0f : 0.5f),
                          (float)k - (axis == 2 ? 1.0f : 0.5f)};
    const BrumeVec3 middle = {0.5f * (float)sim->def.nx, 0.5f * (float)sim->def.ny, 0.5f * (float)sim->def.nz};
    return brume_scale(brume_sub(at, middle), dx);
}

// a tip at rest in the middle of a unit cube, which pulls the air to its velocity at once
static BrumeStroke still_tip(float suck, float twist)
{
    return (BrumeStroke){.end = 1.0 / 24.0,
                         .from = {0.5f, 0.5f, 0.5f},
                         .to = {0.5f, 0.5f, 0.5f},
                         .radius = 0.3f,
                         .push = 1e6f,
                         .suck = suck,
                         .twist = twist,
                         .axis = {0.0f, 0.0f, 2.0f}};
}

static float u_at(const BrumeSim *sim, int axis, int i, int j, int k)
{
    return brume_field_at(&sim->fields[axis], i, j, k);
}

// The rotation is rigid, the flow of `suck` has the textbook form of curl A; both are 0 in the middle, and the air
// beyond the radius does not move.
static void test_profiles_of_suck_and_twist(void **state)
{
    (void)state;
    const BrumeSimDef def = still_def(40);
    const double radius = (double)0.3f;
    for (int twists = 0; twists < 2; twists++) {
        const BrumeStroke tip = still_tip(twists ? 0.0f : 1.5f, twists ? 4.0f : 0.0f);
        BrumeSim *sim = create(&def);
        brume_sim_set_strokes(sim, &tip, 1);
        brume_apply_strokes(sim, 1.0 / 24.0);
        double fastest_inwards = 0.0;
        double fastest_along = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            for (int k = 1; k <= 40; k++) {
                for (int j = 1; j <= 40; j++) {
                    for (int i = 1; i <= 40; i++) {
                        const BrumeVec3 x = face_offset(sim, axis, i, j, k);
                        const double distance = (double)brume_length(x) / radius;
                        const double ss = (double)(x.x * x.x + x.y * x.y) / (radius * radius);
                        const double zz = (double)(x.z * x.z) / (radius * radius);
                        const double inside = 1.0 - ss - zz;
                        const double component = (double)brume_component(x, axis);
                        const double sucked = 1.5 * 25.0 * sqrt(5.0) / 16.0 * inside * component / radius *
                                              (axis == 2 ? 2.0 * (inside - 2.0 * ss) : 4.0 * zz - inside);
                        const double turned = axis == 0 ? -4.0 * (double)x.y : axis == 1 ? 4.0 * (double)x.x : 0.0;
                        const double expected = distance > 1.0 ? 0.0 : twists ? turned : sucked;
                        if (fabs(distance - 1.0) > 0.05) { // where the rate is high enough to be instantaneous
                            assert_near((double)u_at(sim, axis, i, j, k), expected, 2e-5);
                        }
                        if (axis == 0 && (k == 20 || k == 21)) {
                            fastest_inwards = fmax(fastest_inwards, fabs((double)u_at(sim, axis, i, j, k)));
                        }
                        fastest_along = fmax(fastest_along, axis == 2 ? fabs((double)u_at(sim, axis, i, j, k)) : 0.0);
                    }
                }
            }
        }
        // even and odd symmetry, to the bit
        for (int n = 1; n <= 40; n++) {
            assert_true(u_at(sim, 0, n + 1, 20, 20) ==
                        (twists ? u_at(sim, 0, 41 - n, 20, 20) : -u_at(sim, 0, 41 - n, 20, 20)));
            assert_true(u_at(sim, 1, 20, 20, n) == u_at(sim, 1, 20, 20, 41 - n));
        }
        assert_near((double)u_at(sim, 0, 21, 20, 20), twists ? 4.0 * 0.0125 : 0.0, 1e-5); // half a cell off the axis
        print_message("%s: fastest inwards %.3f, along the axis %.3f m/s\n", twists ? "twist" : "suck", fastest_inwards,
                      fastest_along);
        if (!twists) {
            assert_near(fastest_inwards, 1.5, 0.04); // no face lies in the plane of the tip
            assert_near(fastest_along, 3.0, 0.08);
            assert_at_least(brume_stroke_speed(&tip, def.dx), fastest_along);
        } else {
            assert_near(brume_stroke_speed(&tip, def.dx), 4.0 * radius, 1e-6);
        }
        brume_sim_destroy(sim);
    }
}

// means over the smoke
typedef struct Cloud {
    double mass;     // [m^3]
    double distance; // from the axis through the middle of the box along z [m]
    double x;        // from the middle [m]
} Cloud;

static Cloud measure(const BrumeSim *sim)
{
    Cloud cloud = {0};
    const double volume = pow((double)sim->def.dx, 3.0);
    for (int k = 1; k <= sim->def.nz; k++) {
        for (int j = 1; j <= sim->def.ny; j++) {
            for (int i = 1; i <= sim->def.nx; i++) {
                const double mass = (double)brume_field_at(&sim->fields[BRUME_FIELD_DENSITY], i, j, k) * volume;
                const double x = ((double)i - 0.5) * (double)sim->def.dx - 0.5;
                const double y = ((double)j - 0.5) * (double)sim->def.dx - 0.5;
                cloud.mass += mass;
                cloud.distance += mass * hypot(x, y);
                cloud.x += mass * x;
            }
        }
    }
    cloud.distance /= cloud.mass;
    cloud.x /= cloud.mass;
    return cloud;
}

static double angular_momentum(const BrumeSim *sim)
{
    double sum = 0.0;
    for (int k = 1; k <= sim->def.nz; k++) {
        for (int j = 1; j <= sim->def.ny; j++) {
            for (int i = 1; i <= sim->def.nx; i++) {
                sum -= (double)(face_offset(sim, 0, i, j, k).y * u_at(sim, 0, i, j, k));
                sum += (double)(face_offset(sim, 1, i, j, k).x * u_at(sim, 1, i, j, k));
            }
        }
    }
    return sum * pow((double)sim->def.dx, 3.0);
}

// a ball of smoke next to the tip, after half a second of a stroke in the middle of a closed box of air at rest
static Cloud cloud_after(float suck, float twist, double *momentum)
{
    const BrumeSimDef def = still_def(32);
    BrumeSim *sim = create(&def);
    BrumeStroke ball = {
        .end = 1.0 / 24.0, .from = {0.64f, 0.5f, 0.5f}, .to = {0.64f, 0.5f, 0.5f}, .radius = 0.12f, .smoke = {1.0f}};
    stroke_frame(sim, &ball, 1);
    const Cloud before = measure(sim);
    assert_near(before.x, 0.14, 1e-3);
    for (int frame = 0; frame < 12; frame++) {
        BrumeStroke tip = still_tip(suck, twist);
        tip.start = brume_sim_time(sim);
        tip.end = tip.start + 1.0 / 24.0;
        tip.push = 10.0f;
        stroke_frame(sim, &tip, 1);
    }
    const Cloud after = measure(sim);
    *momentum = angular_momentum(sim);
    print_message("suck %g, twist %g: mass %.6f to %.6f, distance %.4f to %.4f m, x %.4f to %.4f m, momentum %.3g\n",
                  (double)suck, (double)twist, before.mass, after.mass, before.distance, after.distance, before.x,
                  after.x, *momentum);
    assert_near(after.mass / before.mass, 1.0, 1e-5); // nothing is added or removed
    brume_sim_destroy(sim);
    return after;
}

// Through the projection, suck brings smoke to the axis, blow takes it away, and twist turns the air to the side of its
// sign without either.
static void test_smoke_follows_suck_and_twist(void **state)
{
    (void)state;
    double momentum;
    const Cloud still = cloud_after(0.0f, 0.0f, &momentum);
    assert_near(still.distance, 0.144, 2e-3);
    assert_near(momentum, 0.0, 1e-7);
    const Cloud sucked = cloud_after(0.5f, 0.0f, &momentum);
    assert_near(momentum, 0.0, 1e-6);
    const Cloud blown = cloud_after(-0.5f, 0.0f, &momentum);
    const Cloud left = cloud_after(0.0f, 5.0f, &momentum);
    assert_at_least(momentum, 1e-3);
    double opposite;
    const Cloud right = cloud_after(0.0f, -5.0f, &opposite);
    assert_near(opposite, -momentum, 1e-4 * momentum);
    assert_at_most(sucked.distance, 0.6 * still.distance);
    assert_at_most(fabs(sucked.x), 0.6 * still.x);
    assert_at_least(blown.distance, 1.3 * still.distance);
    assert_near(left.distance, right.distance, 1e-4);
    assert_at_most(left.x, 0.5 * still.x); // turned by about 90 degrees
}

// cold lowers the temperature as heat raises it, and leaves air that is colder
static void test_cold(void **state)
{
    (void)state;
    const BrumeSimDef def = still_def(24);
    BrumeSim *sim = create(&def);
    BrumeStroke cold = still_tip(0.0f, 0.0f);
    cold.push = 0.0f;
    cold.temperature = -30.0f;
    brume_sim_set_strokes(sim, &cold, 1);
    BrumeField *temperature = &sim->fields[BRUME_FIELD_TEMPERATURE];
    temperature->data[brume_field_index(temperature, 12, 12, 12)] = -100.0f;
    temperature->data[brume_field_index(temperature, 13, 13, 13)] = 100.0f;
    brume_apply_strokes(sim, 1.0 / 24.0);
    const double share = 1.0 - 3.0 * pow(0.5 / 24.0 / (double)0.3f, 2.0);
    assert_true(brume_field_at(temperature, 12, 12, 12) == -100.0f);
    assert_near((double)brume_field_at(temperature, 13, 13, 13), -30.0 * share * share, 1e-4);
    assert_near((double)brume_field_at(temperature, 12, 12, 13), -30.0 * share * share, 1e-4);
    assert_true(brume_field_at(temperature, 2, 2, 2) == 0.0f);
    brume_sim_destroy(sim);
}

// the bits of a frame with all that a stroke can do do not depend on the number of threads
static void test_threads_do_not_matter(void **state)
{
    (void)state;
    const int threads = brume_get_threads();
    const int counts[] = {1, 2, 3, 5};
    uint64_t expected = 0;
    for (int n = 0; n < 4; n++) {
        brume_set_threads(counts[n]);
        const BrumeSimDef def = still_def(24);
        BrumeSim *sim = create(&def);
        BrumeStroke all = curve;
        all.temperature = -20.0f;
        all.push = 30.0f;
        all.velocity = brume_vec3(0.2f, 0.0f, 0.1f);
        all.suck = 0.7f;
        all.twist = -6.0f;
        all.axis = brume_vec3(0.3f, 1.0f, -0.4f);
        stroke_frame(sim, &all, 1);
        const uint64_t hash = brume_sim_hash(sim);
        expected = n == 0 ? hash : expected;
        assert_true(hash == expected);
        brume_sim_destroy(sim);
    }
    brume_set_threads(threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curve_is_hermite),
        cmocka_unit_test(test_path_has_no_gaps),
        cmocka_unit_test(test_result_does_not_depend_on_the_division),
        cmocka_unit_test(test_thin_stroke_has_no_gaps),
        cmocka_unit_test(test_push_relaxes_exactly),
        cmocka_unit_test(test_erasing_lowers_smoke_and_heat),
        cmocka_unit_test(test_profiles_of_suck_and_twist),
        cmocka_unit_test(test_smoke_follows_suck_and_twist),
        cmocka_unit_test(test_cold),
        cmocka_unit_test(test_threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
