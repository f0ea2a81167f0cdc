#include "viewer/controls/controls.h"

#include "core/parallel/threads.h"

#include <math.h>
#include <string.h>

enum { MIN_CELLS = 8 };

static const BrumeBrush standard_brush = {
    .radius = 0.05f,
    .density = 1.0f,
    .heat = 40.0f,
    .temperature = 60.0f,
    .fuel = 0.2f,
    .particles = BRUME_PARTICLE_LEAVES,
    .births = 500.0f,
    .erase = 0.1f,
    .push = 10.0f,
    .suck = 0.5f,
    .twist = 10.0f,
};

static float longest_side(const BrumeSimDef *sim) { return sim->dx * (float)fmax(fmax(sim->nx, sim->ny), sim->nz); }

BrumeControls brume_default_controls(void)
{
    return (BrumeControls){
        .sim = {brume_default_sim_def(), brume_default_sim_def()},
        .render_settings = brume_default_render_settings(),
        .other_look = brume_default_render_settings(),
        .threads = brume_choose_threads(0),
        .speed_limit = 1.0,
        .running = true,
        .loop = true,
        .camera = {.position = {0.0f, 0.5f, 3.0f}, .target = {0.0f, 0.5f, 0.0f}, .field_of_view = 40.0f},
        .fly_speed = 1.0f,
        .iso_level = 0.2f,
        .slice_axis = 2,
        .slice_at = 0.5f,
        .box = true,
        .divider = 0.5f,
        .curve_editor_share = 0.35f,
        .brush = standard_brush,
        .picture = {.width = 1920, .height = 1080},
        .exports = brume_default_exports(),
        .ui_scale = 1.0f,
        .panel = true,
        .hud = true,
        .vsync = true,
    };
}

void brume_controls_load_scene(BrumeControls *controls, const BrumeScene *scene)
{
    const float longest = longest_side(&scene->sim);
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        controls->sim[n] = scene->sim;
    }
    controls->render_settings = scene->render_settings;
    controls->other_look = scene->render_settings;
    controls->compare_looks = false;
    memcpy(controls->surface_of, scene->surface_of, sizeof controls->surface_of);
    controls->present = (BrumePresentBodies){.count = scene->sim.body_count};
    memcpy(controls->present.bodies, scene->sim.bodies, sizeof scene->sim.bodies);
    controls->select.selected = controls->select.hovered = (BrumeObject){BRUME_OBJECT_NONE, 0};
    controls->camera = scene->camera_keys[0].camera;
    controls->animation = scene->animation;
    memset(&controls->camera_path, 0, sizeof controls->camera_path);
    if (scene->camera_key_count > 1 || scene->camera_keys[0].time > 0.0) {
        controls->camera_path.count = scene->camera_key_count;
        memcpy(controls->camera_path.keys, scene->camera_keys,
               (size_t)scene->camera_key_count * sizeof scene->camera_keys[0]);
    }
    controls->follow_path = false;
    controls->fly_speed = 0.5f * longest;
    const BrumeBrush brush = brume_brush_of_scene(scene);
    controls->brush.radius = brush.radius;
    controls->brush.suck = brush.suck;
    brume_controls_set_smoke_kind(controls, controls->brush.kind);
}

float brume_controls_lowest_camera(const BrumeControls *controls)
{
    const float height = controls->sim[0].dx * (float)controls->sim[0].ny;
    return controls->render_settings.ground ? controls->render_settings.ground_height + 0.01f * height : -INFINITY;
}

// returns the angle by which the turntable of a scene has turned the camera at a time [radians]
static double turn_at(const BrumeScene *scene, double time)
{
    return scene->turntable != 0.0f ? 6.283185307179586 * time / (double)scene->turntable : 0.0;
}

BrumeCamera brume_controls_scene_camera(const BrumeControls *controls, const BrumeScene *scene, double time)
{
    const BrumeCameraPath *path = &controls->camera_path;
    if (path->count == 0) {
        return brume_scene_camera(scene, time);
    }
    const BrumeCamera camera = brume_camera_at(path->keys, path->count, time);
    const double turn = turn_at(scene, time);
    return turn != 0.0 ? brume_camera_turned(&camera, turn) : camera;
}

bool brume_controls_set_camera_key(BrumeControls *controls, const BrumeScene *scene, double time,
                                   const BrumeCamera *camera)
{
    const double turn = turn_at(scene, time);
    const BrumeCamera key = turn != 0.0 ? brume_camera_turned(camera, -turn) : *camera;
    return brume_camera_path_set(&controls->camera_path, time, &key);
}

void brume_controls_animate(BrumeControls *controls, double time)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        (void)brume_animation_apply_sim(&controls->animation, time, &controls->sim[n]);
    }
    (void)brume_animation_apply_look(&controls->animation, time, controls->surface_of, &controls->render_settings);
    (void)brume_animation_apply_look(&controls->animation, time, controls->surface_of, &controls->other_look);
}

BrumeSimDef *brume_controls_sim(BrumeControls *controls)
{
    return &controls->sim[controls->compare ? controls->edited_variant : 0];
}

BrumeRenderSettings *brume_controls_look(BrumeControls *controls)
{
    return controls->compare_looks && controls->edited_variant == 1 ? &controls->other_look
                                                                    : &controls->render_settings;
}

const BrumeRenderSettings *brume_controls_edited_look(const BrumeControls *controls)
{
    return controls->compare_looks && controls->edited_variant == 1 ? &controls->other_look
                                                                    : &controls->render_settings;
}

bool brume_controls_have_sides(const BrumeControls *controls) { return controls->compare || controls->compare_looks; }

void brume_controls_toggle_looks(BrumeControls *controls)
{
    if (controls->compare_looks) {
        const BrumeRenderSettings kept = *brume_controls_look(controls);
        controls->render_settings = kept;
    } else if (!controls->compare) {
        controls->edited_variant = 1;
    }
    controls->other_look = controls->render_settings;
    controls->compare_looks = !controls->compare_looks;
}

const char *brume_brush_mode_name(BrumeBrushMode mode)
{
    static const char *const names[BRUME_BRUSH_MODES] = {"smoke", "heat", "fuel",  "particles",
                                                         "push",  "suck", "twist", "erase"};
    return names[mode];
}

BrumeBrush brume_brush_of_scene(const BrumeScene *scene)
{
    const float longest = longest_side(&scene->sim);
    BrumeBrush brush = standard_brush;
    brush.radius = 0.04f * longest;
    brush.suck = 0.5f * longest;
    return brush;
}

void brume_brush_select(BrumeBrush *brush, BrumeBrushMode mode)
{
    brush->erases_in_place_of = brush->mode == BRUME_BRUSH_ERASE ? brush->erases_in_place_of : brush->mode;
    brush->mode = mode;
}

void brume_brush_toggle_erase(BrumeBrush *brush)
{
    brume_brush_select(brush, brush->mode == BRUME_BRUSH_ERASE ? brush->erases_in_place_of : BRUME_BRUSH_ERASE);
}

void brume_controls_set_smoke_kind(BrumeControls *controls, int kind)
{
    controls->brush.kind = kind;
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        if (controls->sim[n].color_count < kind) {
            controls->sim[n].color_count = kind;
        }
    }
}

void brume_set_resolution(BrumeSimDef *sim, const BrumeSimDef *scene, int resolution)
{
    const double longest_cells = fmax(fmax(scene->nx, scene->ny), scene->nz);
    const double factor = (double)resolution / longest_cells;
    sim->dx = (float)((double)scene->dx / factor);
    sim->nx = (int)lround(fmax(scene->nx * factor, MIN_CELLS));
    sim->ny = (int)lround(fmax(scene->ny * factor, MIN_CELLS));
    sim->nz = (int)lround(fmax(scene->nz * factor, MIN_CELLS));
}
