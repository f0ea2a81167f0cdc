/*
 * Drags a star, a mesh that is made in memory, through smoke, and saves a picture as PNG.
 *
 *     cc drag.c $(pkg-config --cflags --libs brume) -lm -o drag && ./drag star.png
 */
#include <brume/brume.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CELLS = 48,
    FRAMES = 30,
    WIDTH = 320,
    HEIGHT = 320,
    POINTS = 10,
    VERTICES = 2 * POINTS + 2,
    TRIANGLES = 4 * POINTS
};

static void check(BrumeStatus status, const BrumeError *error)
{
    if (status != BRUME_OK) {
        fprintf(stderr, "drag: %s\n", error->text);
        exit(1);
    }
}

// a star with five points and a thickness, around the origin; triangles are counterclockwise seen from outside
static BrumeMesh *create_star(void)
{
    BrumeVec3 positions[VERTICES] = {{0.0f, 0.0f, -0.05f}, {0.0f, 0.0f, 0.05f}}; // the middle of back and front
    int corners[3 * TRIANGLES];
    int *corner = corners;
    for (int n = 0; n < POINTS; n++) {
        const float angle = 3.14159265f * (float)n / 5.0f;
        const float radius = n % 2 == 0 ? 0.2f : 0.09f;
        const int back = 2 + n;
        const int front = back + POINTS;
        const int next_back = 2 + (n + 1) % POINTS;
        const int next_front = next_back + POINTS;
        positions[back] = (BrumeVec3){radius * sinf(angle), radius * cosf(angle), -0.03f};
        positions[front] = (BrumeVec3){radius * sinf(angle), radius * cosf(angle), 0.03f};
        const int triangles[4][3] = {
            {0, back, next_back}, {1, next_front, front}, {back, front, next_front}, {back, next_front, next_back}};
        for (int i = 0; i < 12; i++) {
            *corner++ = triangles[i / 3][i % 3];
        }
    }
    const BrumeMeshDef def = {
        .vertex_count = VERTICES, .positions = positions, .triangle_count = TRIANGLES, .corners = corners};
    BrumeMesh *mesh;
    BrumeError error;
    check(brume_mesh_create(&mesh, &def, &error), &error);
    return mesh;
}

// a closed box of 1 m with smoke in its lower half
static BrumeSim *create_box(void)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = CELLS;
    def.dx = 1.0f / CELLS;
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_WALL;
    BrumeSim *sim;
    BrumeError error;
    check(brume_sim_create(&sim, &def, &error), &error);
    BrumeField *density = brume_sim_write_field(sim, BRUME_FIELD_DENSITY);
    for (int k = 1; k <= CELLS; k++) {
        for (int j = 1; j <= CELLS / 2; j++) {
            for (int i = 1; i <= CELLS; i++) {
                density->data[brume_field_index(density, i, j, k)] = 1.0f;
            }
        }
    }
    return sim;
}

static void draw(const BrumeSim *sim, int body, const char *path)
{
    static float radiance[HEIGHT * WIDTH * 3];
    static uint8_t rgb[HEIGHT * WIDTH * 3];
    BrumeRenderSettings settings = brume_default_render_settings();
    settings.smoke[0].extinction = 12.0f; // [1/m]
    settings.surface_count = 1;
    settings.surfaces[0] =
        (BrumeSurface){.shape = brume_body_shape(brume_sim_settings(sim), body), .albedo = {0.8f, 0.45f, 0.1f}};
    const BrumeCamera camera = {.position = {0.4f, 1.2f, 2.2f}, .target = {0.0f, 0.45f, 0.0f}, .field_of_view = 32.0f};
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

// where the star is after a part of the way, 0 to 1: it goes around in a circle that dips into the smoke
static void pose_at(float part, BrumeVec3 *position, BrumeVec3 *rotation)
{
    const float angle = 6.2831853f * part;
    *position = (BrumeVec3){0.25f * sinf(angle), 0.5f + 0.2f * cosf(angle), 0.0f};
    *rotation = (BrumeVec3){0.0f, 20.0f, -360.0f * part};
}

int main(int argc, char **argv)
{
    BrumeError error;
    BrumeSim *sim = create_box();
    BrumeMesh *mesh = create_star();
    BrumeBodyDef star = {.shape = {.kind = BRUME_SHAPE_MESH, .mesh = mesh}, .name = "star", .slip = BRUME_SLIP_NO};
    pose_at(0.0f, &star.shape.position, &star.shape.rotation);
    BrumeBodyId id;
    check(brume_sim_add_body(sim, &star, &id, &error), &error);
    brume_mesh_release(mesh); // the simulation has a reference
    for (int frame = 1; frame <= FRAMES; frame++) {
        BrumeVec3 position;
        BrumeVec3 rotation;
        pose_at(0.8f * (float)frame / FRAMES, &position, &rotation); // as from a mouse or an animation
        check(brume_sim_move_body(sim, id, position, rotation, &error), &error);
        check(brume_sim_frame(sim, NULL, &error), &error);
    }
    BrumeMeasures measures;
    brume_sim_measure(sim, &measures);
    const int index = brume_sim_body_index(sim, id);
    const BrumeShape shape = brume_body_shape(brume_sim_settings(sim), index);
    printf("drag %s: %.5f m^3 of smoke, the star at %.3f %.3f m, state %016llx\n", brume_version(),
           measures.scalars[1].total, (double)(shape.a.x + shape.position.x), (double)(shape.a.y + shape.position.y),
           (unsigned long long)brume_sim_hash(sim));
    draw(sim, index, argc > 1 ? argv[1] : "star.png");
    brume_sim_destroy(sim);
    return 0;
}
