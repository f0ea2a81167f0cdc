/* A program of somebody else: smoke in a box, its picture, and nothing of Brume but <brume/brume.h>. */
#include <brume/brume.h>

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 64, HEIGHT = 48 };

static int fail(const BrumeError *error)
{
    fprintf(stderr, "%s\n", error->text);
    return 1;
}

int main(int argc, char **argv)
{
    BrumeError error;
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = 24;
    def.dx = 1.0f / 24.0f;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 0.2f, 0.0f}, .radius = 0.15f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 150.0f};

    BrumeSim *sim;
    if (brume_sim_create(&sim, &def, &error) != BRUME_OK) {
        return fail(&error);
    }
    for (int frame = 0; frame < 5; frame++) {
        if (brume_sim_frame(sim, NULL, &error) != BRUME_OK) {
            return fail(&error);
        }
    }

    const BrumeField *density = brume_sim_field(sim, BRUME_FIELD_DENSITY);
    const BrumeVolume volume = {
        .nx = def.nx,
        .ny = def.ny,
        .nz = def.nz,
        .sy = density->sy,
        .sz = density->sz,
        .dx = def.dx,
        .origin = def.origin,
        .density = {density->data + brume_field_index(density, 1, 1, 1)},
    };
    const BrumeRenderSettings look = brume_default_render_settings();
    const BrumeCamera camera = {.position = {0.0f, 0.6f, 2.5f}, .target = {0.0f, 0.4f, 0.0f}, .field_of_view = 35.0f};
    const BrumeDrawDef draw = {.width = WIDTH, .height = HEIGHT, .samples = 1};
    static float radiance[WIDTH * HEIGHT * 3];
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    BrumeRenderer *renderer;
    if (brume_renderer_create(&renderer, def.nx, def.ny, def.nz, &look, &error) != BRUME_OK ||
        brume_renderer_load(renderer, &volume, &error) != BRUME_OK) {
        return fail(&error);
    }
    brume_renderer_light(renderer);
    (void)brume_renderer_draw(renderer, &camera, &draw, radiance);
    brume_tone_map(&look, WIDTH, HEIGHT, radiance, rgb);
    if (argc > 1 && brume_image_write(argv[1], WIDTH, HEIGHT, rgb, &error) != BRUME_OK) {
        return fail(&error);
    }
    printf("brume %s: state %016llx\n", brume_version(), (unsigned long long)brume_sim_hash(sim));
    brume_renderer_destroy(renderer);
    brume_sim_destroy(sim);
    return 0;
}
