/*
 * Writes the seeds that are not kept as files, because they follow from the program: saved states, checkpoints,
 * volume files and pictures, and the dictionaries of keys, words and options.
 *
 *     fuzz_make_seeds FOLDER      writes FOLDER/TARGET/NAME and FOLDER/TARGET.dict
 */
#include "app/checkpoint/checkpoint.h"
#include "app/commands.h"
#include "brume/brume.h"
#include "core/memory.h"
#include "core/text.h"
#include "exchange/volume_format.h"
#include "io/file.h"
#include "io/png.h"
#include "scene/format/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 1024, FRAMES = 2 };

/** A small scene for each part of a state: sides, solvers, bodies that move, strokes, colors. */
static const struct {
    const char *name, *text;
} scenes[] = {
    {"open", "solver: {resolution: [8, 8, 1]}\ndomain: {boundaries: {z: periodic}}\ntime: {frames: 2}\n"
             "emitters:\n  - {shape: sphere, center: [0, 0.2, 0], radius: 0.2, density: 1, temperature: 100}\n"},
    {"periodic", "solver: {resolution: [8, 8, 1], pressure: fft}\ndomain: {boundaries: {all: periodic}}\n"
                 "initial:\n  - {kind: taylor-green}\n"
                 "  - {kind: formula, quantity: density, formula: \"sin(x)^2\"}\ntime: {frames: 2}\n"},
    {"walls", "solver: {resolution: 8, pressure: dct, integrator: split}\ntime: {frames: 2}\n"
              "domain: {boundaries: {all: {kind: wall, slip: no}, x_min: {kind: wall, temperature: 10}}}\n"
              "air: {thermal_diffusivity: 0.01, viscosity: 0.01}\n"},
    {"moving", "solver: {resolution: [8, 8, 1]}\ntime: {frames: 2}\n"
               "domain: {boundaries: {z: periodic, x_min: {kind: inflow, velocity: [1, 0, 0], color_1: 1}, "
               "x_max: open}}\n"
               "bodies:\n  - {shape: box, from: [0, 0.2, -1], to: [0.3, 0.5, 1]}\n"
               "probes:\n  - {name: line, kind: line, from: [0, 0, 0], to: [0, 1, 0], counts: 2}\n"
               "timeline:\n  - frame: 1\n    moves: [{body: 0, velocity: [0, 1, 0]}]\n"
               "    strokes: [{start: 0.0417, end: 0.08, from: [0, 0, 0], to: [0, 1, 0], radius: 0.2, color_1: 1}]\n"},
};

static void fail(const BrumeError *error)
{
    (void)fprintf(stderr, "%s\n", error->text);
    exit(EXIT_FAILURE);
}

static void require(BrumeStatus status, const BrumeError *error)
{
    if (status != BRUME_OK) {
        fail(error);
    }
}

static void write_seed(const char *folder, const char *target, const char *name, const void *bytes, size_t size)
{
    char path[MAX_PATH];
    BrumeError error;
    (void)snprintf(path, sizeof path, "%s/%s/%s", folder, target, name);
    require(brume_file_make_folder(path, &error), &error);
    require(brume_file_write(path, bytes, size, &error), &error);
}

static void write_states(const char *folder, const char *name, const char *scene_text)
{
    BrumeError error;
    BrumeScene *scene = NULL;
    BrumeSim *sim = NULL;
    BrumeRunStats stats;
    BrumeMeasureLog measures;
    BrumeProbeFiles probes = {0};
    require(brume_scene_parse(&scene, scene_text, name, NULL, 0, NULL, &error), &error);
    require(brume_sim_create(&sim, &scene->sim, &error), &error);
    require(brume_run_stats_create(&stats, FRAMES, &error), &error);
    require(brume_measure_log_create(&measures, scene, FRAMES, &error), &error);
    brume_sim_set_budgets(sim, true);
    require(brume_measure_log_add(&measures, sim, &error), &error);
    for (int frame = 0; frame < FRAMES; frame++) {
        BrumeFrameStats frame_stats;
        require(brume_scene_frame(scene, sim, &frame_stats, &error), &error);
        brume_run_stats_add(&stats, &frame_stats, brume_sim_hash(sim));
        require(brume_measure_log_add(&measures, sim, &error), &error);
    }
    const size_t state_size = brume_sim_saved_size(sim);
    void *const state = brume_alloc(state_size, 1);
    if (!state) {
        exit(EXIT_FAILURE);
    }
    require(brume_sim_save(sim, state, state_size, &error), &error);
    write_seed(folder, "saved_state", name, state, state_size);
    brume_free(state);

    const BrumeRunRecord record = {scene_text, &stats, &measures, &probes};
    uint8_t *checkpoint = NULL;
    size_t checkpoint_size = 0;
    require(brume_checkpoint_encode(&record, sim, &checkpoint, &checkpoint_size, &error), &error);
    write_seed(folder, "checkpoint", name, checkpoint, checkpoint_size);
    brume_free(checkpoint);
    brume_measure_log_destroy(&measures);
    brume_run_stats_destroy(&stats);
    brume_sim_destroy(sim);
    brume_scene_destroy(scene);
}

/** A file of each format that this build can both write and read. */
static void write_volumes(const char *folder)
{
    BrumeError error;
    char path[MAX_PATH];
    (void)snprintf(path, sizeof path, "%s/volume_file/small", folder);
    require(brume_file_make_folder(path, &error), &error);
    for (const BrumeVolumeFormat *const *format = brume_volume_formats; *format; format++) {
        if (!(*format)->read || !(*format)->write) {
            continue;
        }
        BrumeFrameGrids frame = {.cells = {4, 3, 2, NULL}, .dx = 0.25, .frame = 1, .time = 0.04};
        BrumeFrameGrid *density = NULL;
        BrumeFrameGrid *velocity = NULL;
        require(brume_frame_grids_add(&frame, BRUME_GRID_DENSITY, "1", 1, BRUME_AT_CENTERS, &density, &error), &error);
        require(brume_frame_grids_add(&frame, BRUME_GRID_VELOCITY, "m/s", 3, BRUME_AT_CENTERS, &velocity, &error),
                &error);
        density->values[5] = 1.0f;
        velocity->values[7] = -2.0f;
        (void)snprintf(path, sizeof path, "%s/volume_file/small%s", folder, (*format)->extension);
        const BrumeVolumeWriteDef def = {.overwrite = true};
        require((*format)->write(&frame, path, &def, &error), &error);
        brume_frame_grids_destroy(&frame);
    }
}

static void write_pictures(const char *folder)
{
    static const uint8_t rgb[12] = {0, 64, 255, 3, 4, 5, 250, 251, 252, 9, 9, 9};
    size_t size = 0;
    uint8_t *png = brume_png_encode(rgb, 2, 2, &size);
    png = png ? brume_png_add_text(png, &size, "key", "value") : NULL;
    if (!png) {
        exit(EXIT_FAILURE);
    }
    write_seed(folder, "png", "small.png", png, size);
    brume_free(png);
}

static void add_word(BrumeText *dictionary, const char *word) { brume_text_add(dictionary, "\"%s\"\n", word); }

/** Appends the keys of a section and of the sections below it, and the words of their values. */
static void add_section(BrumeText *dictionary, const BrumeSection *section)
{
    BrumeKey key;
    for (int n = 0; brume_section_key(section, n, &key); n++) {
        add_word(dictionary, brume_key_name(&key));
        if (key.setting && brume_setting_has_words(key.setting)) {
            for (int word = 0; brume_setting_word(key.setting, word); word++) {
                add_word(dictionary, brume_setting_word(key.setting, word));
            }
        }
        if (key.section) {
            add_section(dictionary, key.section);
        }
    }
}

/** Dictionaries have a word twice where two sections have a key of one name; libFuzzer permits that. */
static void write_dictionaries(const char *folder)
{
    static const char *const punctuation[] = {": ", "\\x0a", "\\x0a  - ", "[", "]", "{", "}", ", ", "=", ".0."};
    BrumeText words = {0};
    BrumeText options = {0};
    for (size_t n = 0; n < sizeof punctuation / sizeof punctuation[0]; n++) {
        add_word(&words, punctuation[n]);
    }
    add_section(&words, &brume_scene_section);
    for (const BrumeCommand *const *command = brume_commands; *command; command++) {
        add_word(&options, (*command)->name);
        const BrumeOption *option;
        for (int n = 0; (option = brume_command_option(*command, n)) != NULL; n++) {
            brume_text_add(&options, "\"--%s\"\n", option->name);
            if (option->letter) {
                brume_text_add(&options, "\"-%c\"\n", option->letter);
            }
        }
    }
    BrumeError error;
    char path[MAX_PATH];
    static const char *const with_words[] = {"scene_text", "overrides"};
    for (size_t n = 0; n < sizeof with_words / sizeof with_words[0]; n++) {
        (void)snprintf(path, sizeof path, "%s/%s.dict", folder, with_words[n]);
        require(brume_file_write_text(path, &words, &error), &error);
    }
    (void)snprintf(path, sizeof path, "%s/arguments.dict", folder);
    require(brume_file_write_text(path, &options, &error), &error);
    brume_text_destroy(&words);
    brume_text_destroy(&options);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: fuzz_make_seeds FOLDER\n");
        return EXIT_FAILURE;
    }
    brume_set_threads(1);
    for (size_t n = 0; n < sizeof scenes / sizeof scenes[0]; n++) {
        write_states(argv[1], scenes[n].name, scenes[n].text);
    }
    write_volumes(argv[1]);
    write_pictures(argv[1]);
    write_dictionaries(argv[1]);
    return EXIT_SUCCESS;
}
