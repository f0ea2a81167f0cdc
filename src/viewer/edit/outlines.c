#include "viewer/edit/outlines.h"

#include "core/shape.h"
#include "core/vec3.h"

static const float pi = 3.14159265f;
static const float symbol_points = 9.0f; // radius of the symbol of a light [points], times the scale of the screen

static void add_line(BrumeOutline *outline, BrumeVec3 from, BrumeVec3 to)
{
    if (outline->count < BRUME_MAX_OUTLINE) {
        outline->ends[outline->count][0] = from;
        outline->ends[outline->count][1] = to;
        outline->count++;
    }
}

// adds an arc around `center`, from the half axis `u` over `v`, of as many lines as its size in the picture needs
static void add_arc(BrumeOutline *outline, BrumeVec3 center, BrumeVec3 u, BrumeVec3 v, float angle,
                    const BrumeScreen *screen)
{
    const float share = angle / (2.0f * pi);
    const int lines = (int)ceilf(share * (float)brume_screen_circle_lines(screen, center, brume_length(u)));
    BrumeVec3 before = brume_add(center, u);
    for (int n = 1; n <= lines; n++) {
        const float at = angle * (float)n / (float)lines;
        const BrumeVec3 point = brume_add(center, brume_add(brume_scale(u, cosf(at)), brume_scale(v, sinf(at))));
        add_line(outline, before, point);
        before = point;
    }
}

static void add_circle(BrumeOutline *outline, BrumeVec3 center, BrumeVec3 u, BrumeVec3 v, const BrumeScreen *screen)
{
    add_arc(outline, center, u, v, 2.0f * pi, screen);
}

static void axes_across(BrumeVec3 direction, float radius, BrumeVec3 *u, BrumeVec3 *v)
{
    const BrumeVec3 other = fabsf(direction.y) < 0.9f ? brume_vec3(0.0f, 1.0f, 0.0f) : brume_vec3(1.0f, 0.0f, 0.0f);
    *u = brume_scale(brume_normalize(brume_cross(direction, other)), radius);
    *v = brume_cross(direction, *u);
}

static void add_box(BrumeOutline *outline, BrumeVec3 lower, BrumeVec3 upper)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int edge = 0; edge < 4; edge++) {
            BrumeVec3 ends[2];
            for (int end = 0; end < 2; end++) {
                const int bits = end << axis | (edge & 1) << (axis + 1) % 3 | (edge >> 1) << (axis + 2) % 3;
                ends[end] = brume_vec3(bits & 1 ? upper.x : lower.x, bits & 2 ? upper.y : lower.y,
                                       bits & 4 ? upper.z : lower.z);
            }
            add_line(outline, ends[0], ends[1]);
        }
    }
}

// adds three great circles, and the circle that is the silhouette
static void add_sphere(BrumeOutline *outline, BrumeVec3 center, float radius, const BrumeScreen *screen)
{
    const BrumeVec3 x = {radius, 0.0f, 0.0f};
    const BrumeVec3 y = {0.0f, radius, 0.0f};
    const BrumeVec3 z = {0.0f, 0.0f, radius};
    add_circle(outline, center, x, y, screen);
    add_circle(outline, center, y, z, screen);
    add_circle(outline, center, z, x, screen);
    const BrumeVec3 towards = brume_screen_towards_camera(screen, center);
    const float distance = brume_length(brume_sub(screen->camera.position, center));
    const bool parallel = screen->camera.projection == BRUME_ORTHOGRAPHIC;
    if (!parallel && !(distance > radius)) {
        return;
    }
    const float nearer = parallel ? 0.0f : radius * radius / distance;
    BrumeVec3 u;
    BrumeVec3 v;
    axes_across(towards, sqrtf(radius * radius - nearer * nearer), &u, &v);
    add_circle(outline, brume_add(center, brume_scale(towards, nearer)), u, v, screen);
}

static void add_tube(BrumeOutline *outline, const BrumeShape *shape, bool round_ends, const BrumeScreen *screen)
{
    const BrumeVec3 axis = brume_normalize(brume_sub(shape->b, shape->a));
    BrumeVec3 u;
    BrumeVec3 v;
    axes_across(axis, shape->radius, &u, &v);
    add_circle(outline, shape->a, u, v, screen);
    add_circle(outline, shape->b, u, v, screen);
    const BrumeVec3 sides[4] = {u, v, brume_scale(u, -1.0f), brume_scale(v, -1.0f)};
    for (int n = 0; n < 4; n++) {
        add_line(outline, brume_add(shape->a, sides[n]), brume_add(shape->b, sides[n]));
    }
    const BrumeVec3 tip = brume_scale(axis, shape->radius);
    for (int n = 0; round_ends && n < 2; n++) {
        add_arc(outline, shape->a, sides[n], brume_scale(tip, -1.0f), pi, screen);
        add_arc(outline, shape->b, sides[n], tip, pi, screen);
    }
}

static void add_frustum(BrumeOutline *outline, const BrumeShape *shape, const BrumeScreen *screen)
{
    const BrumeVec3 axis = brume_normalize(brume_sub(shape->b, shape->a));
    BrumeVec3 u;
    BrumeVec3 v;
    axes_across(axis, 1.0f, &u, &v);
    const BrumeVec3 sides[4] = {u, v, brume_scale(u, -1.0f), brume_scale(v, -1.0f)};
    add_circle(outline, shape->a, brume_scale(u, shape->radius), brume_scale(v, shape->radius), screen);
    add_circle(outline, shape->b, brume_scale(u, shape->second_radius), brume_scale(v, shape->second_radius), screen);
    for (int n = 0; n < 4; n++) {
        add_line(outline, brume_add(shape->a, brume_scale(sides[n], shape->radius)),
                 brume_add(shape->b, brume_scale(sides[n], shape->second_radius)));
    }
}

// adds the outer and the inner circle, and four of the tube
static void add_torus(BrumeOutline *outline, const BrumeShape *shape, const BrumeScreen *screen)
{
    const BrumeVec3 axes[4] = {{1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {-1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, -1.0f}};
    const float radii[2] = {shape->radius + shape->second_radius, fabsf(shape->radius - shape->second_radius)};
    for (int n = 0; n < 2; n++) {
        add_circle(outline, shape->a, brume_scale(axes[0], radii[n]), brume_scale(axes[1], radii[n]), screen);
    }
    for (int n = 0; n < 4; n++) {
        add_circle(outline, brume_add(shape->a, brume_scale(axes[n], shape->radius)),
                   brume_scale(axes[n], shape->second_radius), brume_vec3(0.0f, shape->second_radius, 0.0f), screen);
    }
}

// adds a square in the plane, and its normal
static void add_plane(BrumeOutline *outline, const BrumeShape *shape, const BrumeScreen *screen)
{
    const float half = 0.15f * brume_length(brume_sub(screen->camera.position, shape->a));
    BrumeVec3 corners[4];
    for (int n = 0; n < 4; n++) {
        corners[n] = brume_add(shape->a, brume_vec3(n == 0 || n == 3 ? -half : half, 0.0f, n < 2 ? -half : half));
    }
    for (int n = 0; n < 4; n++) {
        add_line(outline, corners[n], corners[(n + 1) % 4]);
    }
    add_line(outline, shape->a, brume_add(shape->a, brume_vec3(0.0f, 0.5f * half, 0.0f)));
}

static void add_own_shape(BrumeOutline *outline, const BrumeShape *shape, const BrumeScreen *screen)
{
    switch (shape->kind) {
    case BRUME_SHAPE_SPHERE:
        add_sphere(outline, shape->a, shape->radius, screen);
        break;
    case BRUME_SHAPE_BOX:
    case BRUME_SHAPE_VOLUME:
        add_box(outline, shape->a, shape->b);
        break;
    case BRUME_SHAPE_MESH: {
        const BrumeShape own = brume_shape_in_own_frame(shape);
        BrumeVec3 lower;
        BrumeVec3 upper;
        brume_shape_bounds(&own, &lower, &upper);
        add_box(outline, lower, upper);
        break;
    }
    case BRUME_SHAPE_CYLINDER:
    case BRUME_SHAPE_CAPSULE:
        add_tube(outline, shape, shape->kind == BRUME_SHAPE_CAPSULE, screen);
        break;
    case BRUME_SHAPE_CONE:
        add_frustum(outline, shape, screen);
        break;
    case BRUME_SHAPE_TORUS:
        add_torus(outline, shape, screen);
        break;
    case BRUME_SHAPE_PLANE:
        add_plane(outline, shape, screen);
        break;
    }
}

static void add_shape(BrumeOutline *outline, const BrumeShape *shape, const BrumeScreen *screen)
{
    const int first = outline->count;
    add_own_shape(outline, shape, screen);
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    for (int n = first; brume_shape_is_placed(shape) && n < outline->count; n++) {
        outline->ends[n][0] = brume_frame_point(&frame, outline->ends[n][0]);
        outline->ends[n][1] = brume_frame_point(&frame, outline->ends[n][1]);
    }
}

// adds a circle that faces the camera
static void add_disc(BrumeOutline *outline, BrumeVec3 center, float radius, const BrumeScreen *screen)
{
    BrumeVec3 u;
    BrumeVec3 v;
    axes_across(brume_screen_towards_camera(screen, center), radius, &u, &v);
    add_circle(outline, center, u, v, screen);
}

// adds short lines around a disc
static void add_rays(BrumeOutline *outline, BrumeVec3 center, float radius, const BrumeScreen *screen)
{
    BrumeVec3 u;
    BrumeVec3 v;
    axes_across(brume_screen_towards_camera(screen, center), radius, &u, &v);
    for (int n = 0; n < 8; n++) {
        const float angle = 0.25f * pi * (float)n;
        const BrumeVec3 out = brume_add(brume_scale(u, cosf(angle)), brume_scale(v, sinf(angle)));
        add_line(outline, brume_add(center, brume_scale(out, 1.4f)), brume_add(center, brume_scale(out, 1.9f)));
    }
}

static void add_arrow(BrumeOutline *outline, BrumeVec3 from, BrumeVec3 direction, float length)
{
    const BrumeVec3 to = brume_add(from, brume_scale(direction, length));
    BrumeVec3 u;
    BrumeVec3 v;
    axes_across(direction, 0.12f * length, &u, &v);
    add_line(outline, from, to);
    const BrumeVec3 back = brume_sub(to, brume_scale(direction, 0.25f * length));
    const BrumeVec3 sides[4] = {u, v, brume_scale(u, -1.0f), brume_scale(v, -1.0f)};
    for (int n = 0; n < 4; n++) {
        add_line(outline, to, brume_add(back, sides[n]));
    }
}

static void add_cone(BrumeOutline *outline, const BrumeLight *light, float length, const BrumeScreen *screen)
{
    const BrumeVec3 axis = brume_normalize(light->direction);
    const float half = fminf(0.5f * light->angle * pi / 180.0f, 0.49f * pi);
    const BrumeVec3 base = brume_add(light->position, brume_scale(axis, length * cosf(half)));
    BrumeVec3 u;
    BrumeVec3 v;
    axes_across(axis, length * sinf(half), &u, &v);
    add_circle(outline, base, u, v, screen);
    const BrumeVec3 sides[4] = {u, v, brume_scale(u, -1.0f), brume_scale(v, -1.0f)};
    for (int n = 0; n < 4; n++) {
        add_line(outline, light->position, brume_add(base, sides[n]));
    }
}

static void add_rectangle(BrumeOutline *outline, const BrumeLight *light)
{
    BrumeVec3 across;
    BrumeVec3 along;
    brume_rectangle_axes(light, &across, &along);
    const BrumeVec3 corners[4] = {
        brume_add(light->position, brume_add(across, along)),
        brume_add(light->position, brume_sub(along, across)),
        brume_sub(light->position, brume_add(across, along)),
        brume_add(light->position, brume_sub(across, along)),
    };
    for (int n = 0; n < 4; n++) {
        add_line(outline, corners[n], corners[(n + 1) % 4]);
    }
}

static void add_light(BrumeOutline *outline, const BrumeControls *controls, const BrumeLight *light,
                      const BrumeScreen *screen)
{
    const BrumeVec3 place = brume_light_place(controls, light);
    const float radius = symbol_points * brume_screen_scaled_point(screen, place);
    const BrumeVec3 direction = brume_normalize(light->direction);
    add_disc(outline, place, radius, screen);
    switch (light->kind) {
    case BRUME_LIGHT_DIRECTIONAL:
        add_rays(outline, place, radius, screen);
        add_arrow(outline, brume_add(place, brume_scale(direction, 1.9f * radius)), direction, 5.0f * radius);
        break;
    case BRUME_LIGHT_POINT:
        add_rays(outline, place, radius, screen);
        break;
    case BRUME_LIGHT_SPOT:
        add_cone(outline, light, 7.0f * radius, screen);
        break;
    case BRUME_LIGHT_RECTANGLE:
        add_rectangle(outline, light);
        add_arrow(outline, place, direction, 5.0f * radius);
        break;
    }
}

void brume_object_outline(const BrumeControls *controls, const BrumePose *pose, const BrumeScreen *screen,
                          BrumeOutline *outline)
{
    outline->count = 0;
    if (pose->kind == BRUME_OBJECT_LIGHT) {
        add_light(outline, controls, &pose->light, screen);
    } else {
        const BrumeShape shown = brume_shown_shape(controls, &pose->shape);
        add_shape(outline, &shown, screen);
    }
}
