// Uses Brume from C++: smart pointers own the handles, a hook accelerates the air, and a state is copied in memory.
#include <brume/brume.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

namespace
{
const int cells = 48;
const int frames = 40;
const int width = 320;
const int height = 320;

struct Destroy {
    void operator()(BrumeSim *sim) const { brume_sim_destroy(sim); }
    void operator()(BrumeRenderer *renderer) const { brume_renderer_destroy(renderer); }
};
using Sim = std::unique_ptr<BrumeSim, Destroy>;
using Renderer = std::unique_ptr<BrumeRenderer, Destroy>;

void check(BrumeStatus status, const BrumeError &error)
{
    if (status != BRUME_OK) {
        throw std::runtime_error(error.text);
    }
}

// the hook `forces`: a fan at the left wall, whose height oscillates, accelerates the air in front of it along x
void blow(void *, BrumeSim *sim, double dt)
{
    const BrumeSimDef *def = brume_sim_settings(sim);
    BrumeField *u = brume_sim_write_field(sim, BRUME_FIELD_U);
    const double middle = 0.5 + 0.2 * std::sin(6.0 * brume_sim_time(sim));
    for (int k = 1; k <= def->nz; k++) {
        for (int j = 1; j <= def->ny; j++) {
            for (int i = 1; i <= def->nx / 4; i++) {
                const double y = (j - 0.5) * def->dx - middle;
                const double z = (k - 0.5) * def->dx - 0.5;
                const double acceleration = 8.0 * std::exp(-(y * y + z * z) / 0.01); // [m/s^2]
                u->data[brume_field_index(u, i, j, k)] += static_cast<float>(acceleration * dt);
            }
        }
    }
}

Sim create_sim()
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = cells;
    def.dx = 1.0f / cells;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape.kind = BRUME_SHAPE_SPHERE;
    def.emitters[0].shape.a = {-0.2f, 0.1f, 0.0f};
    def.emitters[0].shape.radius = 0.08f;
    def.emitters[0].smoke[0] = {BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = {BRUME_SOURCE_SET, 120.0f};
    BrumeSim *sim = nullptr;
    BrumeError error;
    check(brume_sim_create(&sim, &def, &error), error);
    return Sim(sim);
}

Sim copy_of(const BrumeSim *sim)
{
    std::vector<unsigned char> bytes(brume_sim_saved_size(sim));
    BrumeSim *copy = nullptr;
    BrumeError error;
    check(brume_sim_save(sim, bytes.data(), bytes.size(), &error), error);
    check(brume_sim_create_saved(&copy, bytes.data(), bytes.size(), &error), error);
    return Sim(copy);
}

void draw(const BrumeSim *sim, const char *path)
{
    const BrumeRenderSettings settings = brume_default_render_settings();
    const BrumeVolume volume = brume_sim_volume(sim);
    BrumeCamera camera = {};
    camera.position = {0.0f, 0.5f, 2.4f};
    camera.target = {0.0f, 0.42f, 0.0f};
    camera.field_of_view = 28.0f;
    BrumeDrawDef picture = brume_default_draw_def();
    picture.width = width;
    picture.height = height;
    BrumeRenderer *created = nullptr;
    BrumeError error;
    check(brume_renderer_create(&created, volume.nx, volume.ny, volume.nz, &settings, &error), error);
    const Renderer renderer(created);
    std::vector<float> radiance(3 * width * height);
    std::vector<unsigned char> rgb(radiance.size());
    check(brume_renderer_load(created, &volume, &error), error);
    check(brume_renderer_light(created, &error), error);
    check(brume_renderer_draw(created, &camera, &picture, radiance.data(), &error), error);
    brume_tone_map(&settings, width, height, radiance.data(), rgb.data());
    check(brume_image_write(path, width, height, rgb.data(), &error), error);
}
} // namespace

int main(int argc, char **argv)
{
    try {
        Sim sim = create_sim();
        BrumeSimHooks hooks = {};
        hooks.forces = blow;
        brume_sim_set_hooks(sim.get(), &hooks);
        BrumeError error;
        for (int frame = 0; frame < frames; frame++) {
            if (frame == frames / 2) { // continue from a copy; hooks are the program's, not part of the state
                sim = copy_of(sim.get());
                brume_sim_set_hooks(sim.get(), &hooks);
            }
            check(brume_sim_frame(sim.get(), nullptr, &error), error);
        }
        std::printf("brume %s: %d frames, state %016llx\n", brume_version(), brume_sim_frames(sim.get()),
                    static_cast<unsigned long long>(brume_sim_hash(sim.get())));
        draw(sim.get(), argc > 1 ? argv[1] : "fan.png");
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "embed: %s\n", failure.what());
        return 1;
    }
    return 0;
}
