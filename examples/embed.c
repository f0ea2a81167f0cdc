/*
 * Simulates a plume of smoke, measures its volume, draws it and saves the picture as PNG.
 *
 *     cc embed.c $(pkg-config --cflags --libs brume) -o embed && ./embed plume.png
 */
#include <brume/brume.h>

#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 48, FRAMES = 32, WIDTH = 320, HEIGHT = 400 };

static void check(BrumeStatus status, const BrumeError *error)
{
    if (status != BRUME_OK) {
        fprintf(stderr, "embed: %s\n", error->text);
        exit(1);
    }
}

// the volume integral of the density [m^3], read from the memory of the simulation
static double smoke_volume(const BrumeSim *sim)
{
    const BrumeField *density = brume_sim_field(sim, BRUME_FIELD_DENSITY);
    const double dx = (double)brume_sim_settings(sim)->dx;
    double sum = 0.0;
    for (int k = 1; k <= density->grid.nz; k++) {
        for (int j = 1; j <= density->grid.ny; j++) {
            for (int i = 1; i <= density->grid.nx; i++) {
                sum += (double)brume_field_at(density, i, j, k);
            }
        }
    }
    return sum * dx * dx * dx;
}

static BrumeSim *create_plume(void)
{
    BrumeSimDef def = brume_default_sim_def(); // a box with sides of 1 m: walls, and open at the top
    def.nx = def.ny = def.nz = CELLS;
    def.dx = 1.0f / CELLS;
    def.vorticity_confinement = 1.0f;
    def.emitter_count = 1;
    BrumeEmitterDef *emitter = &def.emitters[0];
    *emitter = brume_default_emitter_def();
    emitter->shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.0f, 0.15f, 0.0f}, .radius = 0.1f};
    emitter->smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    emitter->temperature = (BrumeSource){BRUME_SOURCE_SET, 150.0f};
    emitter->noise = 0.6f;
    BrumeSim *sim;
    BrumeError error;
    check(brume_sim_create(&sim, &def, &error), &error);
    return sim;
}

static void draw(const BrumeSim *sim, const char *path)
{
    static float radiance[HEIGHT * WIDTH * 3];
    static uint8_t rgb[HEIGHT * WIDTH * 3];
    const BrumeRenderSettings settings = brume_default_render_settings();
    const BrumeCamera camera = {.position = {0.0f, 0.5f, 2.2f}, .target = {0.0f, 0.45f, 0.0f}, .field_of_view = 32.0f};
    const BrumeDrawDef picture = {.width = WIDTH, .height = HEIGHT, .samples = 4};
    const BrumeVolume volume = brume_sim_volume(sim);
    BrumeRenderer *renderer;
    BrumeError error;
    check(brume_renderer_create(&renderer, volume.nx, volume.ny, volume.nz, &settings, &error), &error);
    check(brume_renderer_load(renderer, &volume, &error), &error);
    check(brume_renderer_light(renderer, &error), &error);
    check(brume_renderer_draw(renderer, &camera, &picture, radiance, &error), &error);
    brume_tone_map(&settings, WIDTH, HEIGHT, radiance, rgb);
    check(brume_image_write(path, WIDTH, HEIGHT, rgb, &error), &error);
    brume_renderer_destroy(renderer);
}

int main(int argc, char **argv)
{
    BrumeSim *sim = create_plume();
    BrumeError error;
    for (int frame = 0; frame < FRAMES; frame++) {
        check(brume_sim_frame(sim, NULL, &error), &error);
    }
    printf("brume %s: %.5f m^3 of smoke after %.2f s, state %016llx\n", brume_version(), smoke_volume(sim),
           brume_sim_time(sim), (unsigned long long)brume_sim_hash(sim));
    draw(sim, argc > 1 ? argv[1] : "plume.png");
    brume_sim_destroy(sim);
    return 0;
}
