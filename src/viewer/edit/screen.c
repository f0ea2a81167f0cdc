#include "viewer/edit/screen.h"

#include "core/vec3.h"

static const float nearest = 1e-3f;       // least depth of drawn points [m]
static const float chord_distance = 0.1f; // between a circle and its lines [points]
enum { LEAST_CIRCLE_LINES = 16 };

typedef struct Axes {
    BrumeVec3 right, up, forward;
    float slope; // half the height of the picture at depth 1; for parallel rays at any depth
} Axes;

static bool is_parallel(const BrumeScreen *screen) { return screen->camera.projection == BRUME_ORTHOGRAPHIC; }

static Axes axes_of(const BrumeScreen *screen)
{
    Axes axes;
    brume_camera_axes(&screen->camera, &axes.right, &axes.up, &axes.forward);
    axes.slope =
        is_parallel(screen) ? 0.5f * screen->camera.height : tanf(0.5f * screen->camera.field_of_view * 0.0174532925f);
    return axes;
}

static float depth_of(const BrumeScreen *screen, const Axes *axes, BrumeVec3 point)
{
    return brume_dot(brume_sub(point, screen->camera.position), axes->forward);
}

static BrumeScreenPoint project(const BrumeScreen *screen, const Axes *axes, BrumeVec3 point)
{
    const BrumeVec3 from_camera = brume_sub(point, screen->camera.position);
    const float half = is_parallel(screen) ? axes->slope : axes->slope * brume_dot(from_camera, axes->forward);
    return (BrumeScreenPoint){
        0.5f * (screen->width + screen->height * brume_dot(from_camera, axes->right) / half),
        0.5f * (screen->height - screen->height * brume_dot(from_camera, axes->up) / half),
    };
}

BrumeRay brume_screen_ray(const BrumeScreen *screen, BrumeScreenPoint at)
{
    const Axes axes = axes_of(screen);
    const float across = (2.0f * at.x - screen->width) / screen->height * axes.slope;
    const float above = (screen->height - 2.0f * at.y) / screen->height * axes.slope;
    const BrumeVec3 offset = brume_add(brume_scale(axes.right, across), brume_scale(axes.up, above));
    return is_parallel(screen) ? (BrumeRay){brume_add(screen->camera.position, offset), axes.forward}
                               : (BrumeRay){screen->camera.position, brume_normalize(brume_add(axes.forward, offset))};
}

bool brume_screen_project(const BrumeScreen *screen, BrumeVec3 point, BrumeScreenPoint *at)
{
    const Axes axes = axes_of(screen);
    if (!(depth_of(screen, &axes, point) > nearest)) {
        return false;
    }
    *at = project(screen, &axes, point);
    return true;
}

bool brume_screen_project_line(const BrumeScreen *screen, BrumeVec3 from, BrumeVec3 to, BrumeScreenPoint ends[2])
{
    const Axes axes = axes_of(screen);
    const float depth[2] = {depth_of(screen, &axes, from) - nearest, depth_of(screen, &axes, to) - nearest};
    if (!(depth[0] > 0.0f) && !(depth[1] > 0.0f)) {
        return false;
    }
    const BrumeVec3 along = brume_sub(to, from);
    if (!(depth[0] > 0.0f)) {
        from = brume_add(from, brume_scale(along, 1.0001f * depth[0] / (depth[0] - depth[1])));
    } else if (!(depth[1] > 0.0f)) {
        to = brume_sub(to, brume_scale(along, 1.0001f * depth[1] / (depth[1] - depth[0])));
    }
    ends[0] = project(screen, &axes, from);
    ends[1] = project(screen, &axes, to);
    return true;
}

float brume_screen_scaled_point(const BrumeScreen *screen, BrumeVec3 point)
{
    const Axes axes = axes_of(screen);
    const float depth = is_parallel(screen) ? 1.0f : fmaxf(depth_of(screen, &axes, point), nearest);
    return 2.0f * screen->scale * axes.slope * depth / screen->height;
}

// a chord over the angle a deviates from its arc by radius (1 - cos(a / 2)), about radius a^2 / 8
int brume_circle_lines(float radius)
{
    const float lines = ceilf(6.28318531f * sqrtf(fmaxf(radius, 0.0f) / (8.0f * chord_distance)));
    return (int)fminf(fmaxf(lines, LEAST_CIRCLE_LINES), BRUME_MAX_CIRCLE_LINES);
}

int brume_screen_circle_lines(const BrumeScreen *screen, BrumeVec3 center, float radius)
{
    return brume_circle_lines(radius * screen->scale / brume_screen_scaled_point(screen, center));
}

BrumeVec3 brume_screen_towards_camera(const BrumeScreen *screen, BrumeVec3 point)
{
    const Axes axes = axes_of(screen);
    return is_parallel(screen) ? brume_scale(axes.forward, -1.0f)
                               : brume_normalize(brume_sub(screen->camera.position, point));
}
