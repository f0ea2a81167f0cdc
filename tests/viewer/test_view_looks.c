// The list of presets of looks, the user's own ones, and their thumbnails.
#include "core/parallel/clock.h"
#include "program.h"
#include "view_support.h"
#include "viewer/looks/look_thumbnails.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static BrumeLookCatalog catalog;

static int find(const char *name)
{
    for (int n = 0; n < catalog.count; n++) {
        if (strcmp(catalog.entries[n].name, name) == 0) {
            return n;
        }
    }
    fail_msg("there is no preset '%s'", name);
    return -1;
}

// in a new folder, in which the user has no presets yet
static int start(void **state)
{
    char here[512];
    if (enter_folder(state) != 0 || !getcwd(here, sizeof here)) {
        return -1;
    }
    catalog = (BrumeLookCatalog){.installed = BRUME_SOURCE_DIR "/scenes/looks"};
    (void)snprintf(catalog.own, sizeof catalog.own, "%.500s/own", here);
    brume_look_catalog_scan(&catalog);
    return 0;
}

static void test_own_folder(void **state)
{
    (void)state;
    char path[256];
    assert_int_equal(setenv("XDG_DATA_HOME", "/data", 1), 0);
    assert_true(brume_own_looks_folder(path, sizeof path));
    assert_string_equal(path, "/data/brume/looks");
    assert_int_equal(setenv("XDG_DATA_HOME", "relative", 1), 0);
    assert_int_equal(setenv("HOME", "/home/a", 1), 0);
    assert_true(brume_own_looks_folder(path, sizeof path));
    assert_string_equal(path, "/home/a/.local/share/brume/looks");
    assert_false(brume_own_looks_folder(path, 8));
}

static void test_list(void **state)
{
    (void)state;
    assert_true(catalog.count >= 18);
    for (int n = 0; n < catalog.count; n++) {
        assert_string_equal(catalog.entries[n].error, "");
        assert_false(catalog.entries[n].own);
        assert_true(n == 0 || catalog.entries[n].part >= catalog.entries[n - 1].part);
    }
    const BrumeLookEntry *oil = &catalog.entries[find("Oil smoke")];
    BrumeRenderSettings look = brume_default_render_settings();
    assert_false(brume_look_entry_is_present(oil, &oil->preset.box, &look, NULL));
    brume_look_preset_apply(&oil->preset, &oil->preset.box, &look);
    assert_true(brume_look_entry_is_present(oil, &oil->preset.box, &look, NULL));
    look.exposure += 1.0f; // of the lights
    assert_true(brume_look_entry_is_present(oil, &oil->preset.box, &look, NULL));
    look.anisotropy += 0.1f;
    assert_false(brume_look_entry_is_present(oil, &oil->preset.box, &look, NULL));
}

// a preset is written, listed, refused a second time and deleted; a damaged file is listed with its error
static void test_own_presets(void **state)
{
    (void)state;
    const int installed = catalog.count;
    const BrumeLookBox box = {.floor = {0.3f, 0.1f, -0.7f}, .side = 1.7f};
    BrumeRenderSettings look = brume_default_render_settings();
    look.smoke[0] = (BrumeSmokeMedium){.extinction = 12.345f, .albedo = {0.1f, 0.2f, 0.3f}};
    look.density_curve[0] = (BrumeCurve){BRUME_CURVE_SMOOTH, 2, {{0.1f, 0.0f}, {0.7f, 1.5f}}};
    look.phase = (BrumePhaseFunction){.kind = BRUME_PHASE_TWO_LOBES,
                                      .forward = 0.7f,
                                      .backward = -0.2f,
                                      .forward_share = 0.8f,
                                      .droplet_diameter = 15};
    look.emission.intensity = 0.25f;
    char path[BRUME_LOOK_PATH];
    BrumeError error;
    assert_int_equal(
        brume_look_catalog_save(&catalog, BRUME_LOOK_MEDIUM, &look, &box, "My Smoke #2", NULL, path, &error), BRUME_OK);
    assert_non_null(strstr(path, "/own/media/my_smoke_2.yaml"));
    assert_int_equal(catalog.count, installed + 1);
    const int own = find("My Smoke #2");
    assert_true(catalog.entries[own].own);
    assert_true(brume_look_entry_is_present(&catalog.entries[own], &box, &look, NULL));

    struct stat before;
    struct stat after;
    assert_int_equal(stat(path, &before), 0);
    char other[BRUME_LOOK_PATH];
    assert_int_equal(
        brume_look_catalog_save(&catalog, BRUME_LOOK_MEDIUM, &look, &box, "my smoke 2", NULL, other, &error),
        BRUME_BAD_INPUT);
    assert_string_equal(error.text,
                        "there is a preset 'My Smoke #2' already (choose another name, or delete that one)");
    assert_int_equal(
        brume_look_catalog_save(&catalog, BRUME_LOOK_MEDIUM, &look, &box, "oil smoke", NULL, other, &error),
        BRUME_BAD_INPUT);
    assert_string_equal(error.text, "there is a preset 'Oil smoke' already (choose another name)");
    assert_int_equal(brume_look_catalog_save(&catalog, BRUME_LOOK_MEDIUM, &look, &box, " ?!", NULL, other, &error),
                     BRUME_BAD_INPUT);
    assert_string_equal(error.text, "a preset needs a name with a letter or a digit");
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino && before.st_size == after.st_size);

    // lights of the same name are another preset
    look.lights[0] = (BrumeLight){
        .kind = BRUME_LIGHT_POINT, .position = {0.123f, 1.0f, 0.0f}, .color = {1.0f, 1.0f, 1.0f}, .intensity = 3.3f};
    look.sky.kind = BRUME_SKY_CONSTANT;
    look.sky.radiance = (BrumeVec3){0.1f, 0.2f, 0.4f};
    assert_int_equal(
        brume_look_catalog_save(&catalog, BRUME_LOOK_LIGHTS, &look, &box, "My Smoke #2", NULL, other, &error),
        BRUME_OK);
    const BrumeLookEntry *lights = &catalog.entries[catalog.count - 1];
    assert_true(lights->own && lights->part == BRUME_LOOK_LIGHTS);
    BrumeRenderSettings applied = brume_default_render_settings();
    brume_look_preset_apply(&lights->preset, &box, &applied);
    assert_near("x", applied.lights[0].position.x, 0.123, 1e-6);
    assert_near("intensity", applied.lights[0].intensity, 3.3, 1e-6);
    assert_near("sky", applied.sky.radiance.z, 0.4, 1e-7);

    make_file("own/media/bad.yaml", "name: Bad\nsmoke: {density: {extinction: -4}}\n");
    brume_look_catalog_scan(&catalog);
    const BrumeLookEntry *bad = &catalog.entries[find("bad.yaml")];
    assert_non_null(strstr(bad->error, "/own/media/bad.yaml:2:"));
    assert_null(strchr(bad->error, '\n'));
    assert_int_equal(brume_look_catalog_remove(&catalog, find("bad.yaml"), &error), BRUME_OK);
    assert_int_equal(brume_look_catalog_remove(&catalog, find("My Smoke #2"), &error), BRUME_OK); // the medium is first
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(other, F_OK), 0);
    assert_int_equal(brume_look_catalog_remove(&catalog, find("Oil smoke"), &error), BRUME_FAILED);
    assert_int_equal(catalog.count, installed + 1);
}

static float ball(BrumeVec3 position)
{
    return brume_length(brume_sub(position, brume_vec3(0.0f, 0.5f, 0.0f))) < 0.3f ? 1.0f : 0.0f;
}

static double mean_of_middle(const BrumeThumbnail *thumbnail)
{
    double sum = 0.0;
    for (int y = -3; y < 3; y++) {
        for (int x = -3; x < 3; x++) {
            const int pixel = (BRUME_THUMBNAIL_HEIGHT / 2 + y) * BRUME_THUMBNAIL_WIDTH + BRUME_THUMBNAIL_WIDTH / 2 + x;
            sum += thumbnail->rgb[3 * pixel + 1];
        }
    }
    return sum / 36.0;
}

// each preset gets a picture of the present smoke; the next state gets new ones
static void test_thumbnails(void **state)
{
    (void)state;
    const BrumeGrid grid = brume_grid(60, 60, 60); // larger than that of the thumbnails
    BrumeSnapshot snapshot = {.variant_count = 1};
    snapshot.variants[0] = view_variant(grid, 1.0f / 60.0f, brume_vec3(-0.5f, 0.0f, -0.5f));
    view_set(&snapshot.variants[0].fields[BRUME_FIELD_DENSITY], brume_vec3(-0.5f, 0.0f, -0.5f), 1.0f / 60.0f,
             brume_vec3(0.5f, 0.5f, 0.5f), ball);
    BrumeLookThumbnails *thumbnails;
    BrumeError error;
    const char *const names[] = {"Cloud", "Oil smoke", "Fire", "Neutral", "Neon"}; // a few are enough
    for (int n = 0; n < 5; n++) {
        const BrumeLookEntry chosen = catalog.entries[find(names[n])];
        catalog.entries[find(names[n])] = catalog.entries[n];
        catalog.entries[n] = chosen;
    }
    catalog.count = 5;
    assert_int_equal(brume_look_thumbnails_create(&thumbnails, NULL, NULL, &error), BRUME_OK);
    BrumeThumbnailRequest request = {
        .look = brume_default_render_settings(),
        .camera = {.position = {0.0f, 0.5f, 3.0f}, .target = {0.0f, 0.5f, 0.0f}, .field_of_view = 30.0f},
    };
    request.box = brume_look_box(&snapshot.variants[0].settings);
    assert_near("side of the box", request.box.side, 1.0, 1e-6);
    BrumeThumbnail oil = {0};
    BrumeThumbnail cloud = {0};
    assert_false(brume_look_thumbnails_get(thumbnails, 0, &oil));
    brume_look_thumbnails_offer(thumbnails, &snapshot); // not wanted
    brume_look_thumbnails_request(thumbnails, &catalog, &request);
    assert_true(brume_look_thumbnails_busy(thumbnails)); // there is no smoke
    brume_look_thumbnails_want_smoke(thumbnails);
    brume_look_thumbnails_offer(thumbnails, &snapshot);
    const double begin = brume_seconds();
    while (brume_look_thumbnails_busy(thumbnails)) {
        assert_true(brume_seconds() - begin < 240.0);
        usleep(2000);
    }
    assert_true(brume_look_thumbnails_get(thumbnails, find("Oil smoke"), &oil));
    assert_true(brume_look_thumbnails_get(thumbnails, find("Cloud"), &cloud));
    assert_true(oil.drawn && cloud.drawn);
    assert_true(mean_of_middle(&cloud) > 1.5 * mean_of_middle(&oil));
    assert_false(brume_look_thumbnails_get(thumbnails, find("Cloud"), &cloud)); // nothing new
    for (int n = 0; n < catalog.count; n++) {
        BrumeThumbnail thumbnail = {0};
        assert_true(brume_look_thumbnails_get(thumbnails, n, &thumbnail) && thumbnail.drawn);
    }
    // another state of the smoke
    request.camera.position.x = 0.5f;
    memset(snapshot.variants[0].fields[BRUME_FIELD_DENSITY].data, 0,
           brume_grid_entries(snapshot.variants[0].fields[BRUME_FIELD_DENSITY].grid) * sizeof(float));
    catalog.count = 1;
    brume_look_thumbnails_want_smoke(thumbnails);
    brume_look_thumbnails_offer(thumbnails, &snapshot);
    brume_look_thumbnails_request(thumbnails, &catalog, &request);
    while (brume_look_thumbnails_busy(thumbnails)) {
        assert_true(brume_seconds() - begin < 240.0);
        usleep(2000);
    }
    BrumeThumbnail empty = {0};
    assert_true(brume_look_thumbnails_get(thumbnails, 0, &empty) && empty.drawn);
    brume_look_thumbnails_destroy(thumbnails);
    view_variant_destroy(&snapshot.variants[0]);
}

// a body that was added and is not in the state that is shown is not in its thumbnails either
static void test_solids_of_thumbnails(void **state)
{
    (void)state;
    BrumeSimDef sim = brume_default_sim_def();
    sim.body_count = 2;
    sim.bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {1.0f, 2.0f, 3.0f}, .radius = 0.5f};
    sim.bodies[1].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {4.0f, 2.0f, 3.0f}, .radius = 0.5f};
    static BrumeThumbnailRequest request;
    request.look = brume_default_render_settings();
    request.look.surface_count = 2; // at the places that they had at first
    request.look.surfaces[0].shape.kind = request.look.surfaces[1].shape.kind = BRUME_SHAPE_BOX;
    int surface_of[BRUME_MAX_BODIES];
    for (int n = 0; n < BRUME_MAX_BODIES; n++) {
        surface_of[n] = n < 2 ? n : -1;
    }
    static BrumeRenderSettings drawn;
    drawn = request.look;
    brume_place_surfaces(&drawn, surface_of, &sim);
    brume_thumbnail_request_set_solids(&request, &drawn);
    assert_int_equal(request.look.surface_count, 2);
    assert_near("a sphere's place", request.look.surfaces[1].shape.a.x, 4.0, 0.0);
    sim.body_count = 1; // before the second one was added
    drawn = request.look;
    brume_place_surfaces(&drawn, surface_of, &sim);
    brume_thumbnail_request_set_solids(&request, &drawn);
    assert_int_equal(request.look.surface_count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_folder),
        cmocka_unit_test_setup_teardown(test_list, start, leave_folder),
        cmocka_unit_test_setup_teardown(test_own_presets, start, leave_folder),
        cmocka_unit_test_setup_teardown(test_thumbnails, start, leave_folder),
        cmocka_unit_test(test_solids_of_thumbnails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
