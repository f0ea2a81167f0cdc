#include "viewer/looks/look_catalog.h"

#include "core/memory.h"
#include "core/vec3.h"
#include "io/file.h"
#include "raymarch/blackbody.h"
#include "raymarch/tone.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool brume_own_looks_folder(char *path, size_t size)
{
    // the specification requires that relative paths are ignored
    const char *const data_home = getenv("XDG_DATA_HOME");
    const char *const home = getenv("HOME");
    int length = -1;
    if (data_home && data_home[0] == '/') {
        length = snprintf(path, size, "%s/brume/looks", data_home);
    } else if (home && home[0] == '/') {
        length = snprintf(path, size, "%s/.local/share/brume/looks", home);
    }
    return length > 0 && (size_t)length < size;
}

BrumeStatus brume_look_read(BrumeLookPreset *preset, BrumeLookPart part, const char *path,
                            const BrumeSceneReaders *readers, BrumeError *error)
{
    *preset = (BrumeLookPreset){0};
    uint8_t *bytes = NULL;
    size_t size = 0;
    BrumeStatus status = brume_file_read(path, &bytes, &size, error);
    if (status != BRUME_OK) {
        return status;
    }
    char *text = brume_alloc_untouched(size + 1, 1);
    if (!text) {
        status = brume_out_of_memory(error, "%s", path);
    } else {
        memcpy(text, bytes, size);
        text[size] = '\0';
        status = memchr(text, '\0', size) ? brume_fail(error, BRUME_BAD_INPUT, "%s: not a text", path)
                                          : brume_look_preset_parse(preset, part, text, path, readers, error);
    }
    brume_free(text);
    brume_free(bytes);
    return status;
}

// sets the color by which the list shows a preset before its thumbnail is drawn
static void set_swatch(BrumeLookEntry *entry, const BrumeRenderSettings *look)
{
    BrumeVec3 color = look->smoke[0].albedo;
    float largest = 1.0f;
    if (entry->part == BRUME_LOOK_LIGHTS) {
        const BrumeLight *light = &look->lights[0];
        color = look->light_count == 0      ? brume_vec3(1.0f, 1.0f, 1.0f)
                : light->temperature > 0.0f ? brume_blackbody_radiance((double)light->temperature)
                                            : light->color;
        largest = fmaxf(fmaxf(color.x, color.y), color.z);
    }
    const float linear[3] = {color.x, color.y, color.z};
    for (int c = 0; c < 3; c++) {
        entry->swatch[c] = (uint8_t)(255.0f * brume_srgb_from_linear(largest > 0.0f ? linear[c] / largest : 0.0f));
    }
}

static int is_preset(const struct dirent *file)
{
    const char *dot = strrchr(file->d_name, '.');
    return dot && strcmp(dot, ".yaml") == 0 && file->d_name[0] != '.';
}

static void add_folder(BrumeLookCatalog *catalog, BrumeLookPart part, const char *looks, bool own)
{
    char folder[BRUME_LOOK_PATH + 16];
    (void)snprintf(folder, sizeof folder, "%s/%s", looks, brume_look_part_folder(part));
    struct dirent **files;
    const int count = looks[0] ? scandir(folder, &files, is_preset, alphasort) : -1;
    for (int n = 0; n < count; n++) {
        BrumeLookEntry *entry = &catalog->entries[catalog->count];
        const bool fits = catalog->count < BRUME_MAX_LOOKS;
        char path[sizeof folder + 256];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, files[n]->d_name);
        if (fits && length < BRUME_LOOK_PATH) {
            *entry = (BrumeLookEntry){.part = part, .own = own};
            memcpy(entry->path, path, (size_t)length + 1);
            BrumeError error;
            if (brume_look_read(&entry->preset, part, path, NULL, &error) == BRUME_OK) {
                memcpy(entry->name, entry->preset.name, sizeof entry->name);
                set_swatch(entry, &entry->preset.look);
            } else {
                (void)snprintf(entry->name, sizeof entry->name, "%.60s", files[n]->d_name);
                (void)snprintf(entry->error, sizeof entry->error, "%s", error.text);
            }
            catalog->count++;
        }
        free(files[n]);
    }
    if (count >= 0) {
        free(files);
    }
}

bool brume_look_entry_is_present(const BrumeLookEntry *entry, const BrumeLookBox *box, const BrumeRenderSettings *look,
                                 const char *sky_file)
{
    if (entry->error[0]) {
        return false;
    }
    BrumeRenderSettings with;
    memcpy(&with, look, sizeof with); // padding included, because the bytes are compared
    brume_look_preset_apply(&entry->preset, box, &with);
    if (entry->preset.sky_file[0]) {
        if (!sky_file || strcmp(sky_file, entry->preset.sky_file) != 0) {
            return false;
        }
    }
    memcpy(&with.sky.image, &look->sky.image, sizeof with.sky.image); // which the preset does not have
    return memcmp(&with, look, sizeof with) == 0;
}

// by part, then installed presets before the user's own, then by name
static int compare_entries(const void *a, const void *b)
{
    const BrumeLookEntry *x = a;
    const BrumeLookEntry *y = b;
    if (x->part != y->part) {
        return x->part < y->part ? -1 : 1;
    }
    if (x->own != y->own) {
        return x->own ? 1 : -1;
    }
    const int names = strcasecmp(x->name, y->name);
    return names != 0 ? names : strcmp(x->path, y->path);
}

void brume_look_catalog_scan(BrumeLookCatalog *catalog)
{
    char installed[BRUME_LOOK_PATH];
    char own[BRUME_LOOK_PATH];
    memcpy(installed, catalog->installed, sizeof installed);
    memcpy(own, catalog->own, sizeof own);
    catalog->count = 0;
    for (int part = 0; part < BRUME_LOOK_PARTS; part++) {
        add_folder(catalog, (BrumeLookPart)part, installed, false);
        add_folder(catalog, (BrumeLookPart)part, own, true);
    }
    qsort(catalog->entries, (size_t)catalog->count, sizeof catalog->entries[0], compare_entries);
    catalog->revision++;
}

// Writes the file name for a preset: its letters and digits in lower case, with '_' between them. Bytes of other
// alphabets are copied.
static void make_stem(const char *name, char stem[64])
{
    size_t length = 0;
    for (const char *c = name; *c && length < 60; c++) {
        const bool lower = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || (*c & 0x80);
        const bool upper = *c >= 'A' && *c <= 'Z';
        if (lower || upper) {
            stem[length++] = upper ? (char)(*c - 'A' + 'a') : *c;
        } else if (length > 0 && stem[length - 1] != '_') {
            stem[length++] = '_';
        }
    }
    while (length > 0 && stem[length - 1] == '_') {
        length--;
    }
    stem[length] = '\0';
}

// returns a preset of this part with this name or this file; NULL: none
static const BrumeLookEntry *find_entry(const BrumeLookCatalog *catalog, BrumeLookPart part, const char *name,
                                        const char *path)
{
    for (int n = 0; n < catalog->count; n++) {
        const BrumeLookEntry *entry = &catalog->entries[n];
        if (entry->part == part && (strcasecmp(entry->name, name) == 0 || strcmp(entry->path, path) == 0)) {
            return entry;
        }
    }
    return NULL;
}

BrumeStatus brume_look_catalog_save(BrumeLookCatalog *catalog, BrumeLookPart part, const BrumeRenderSettings *look,
                                    const BrumeLookBox *box, const char *name, const char *sky_file,
                                    char path[BRUME_LOOK_PATH], BrumeError *error)
{
    char stem[64];
    make_stem(name, stem);
    if (!stem[0]) {
        return brume_fail(error, BRUME_BAD_INPUT, "a preset needs a name with a letter or a digit");
    }
    if (!catalog->own[0] || snprintf(path, BRUME_LOOK_PATH, "%s/%s/%s.yaml", catalog->own, brume_look_part_folder(part),
                                     stem) >= BRUME_LOOK_PATH) {
        return brume_fail(error, BRUME_FAILED, "there is no folder for presets (set XDG_DATA_HOME or HOME)");
    }
    brume_look_catalog_scan(catalog); // another window may have added presets
    const BrumeLookEntry *present = find_entry(catalog, part, name, path);
    if (present || access(path, F_OK) == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "there is a preset '%s' already (%s)", present ? present->name : name,
                          present && !present->own ? "choose another name" : "choose another name, or delete that one");
    }
    char *text = NULL;
    BrumeStatus status = brume_look_preset_write(part, look, box, name, sky_file, &text, error);
    if (status == BRUME_OK) {
        status = brume_file_make_folder(path, error);
    }
    if (status == BRUME_OK) {
        status = brume_file_create(path, text, strlen(text), error);
    }
    brume_free(text);
    if (status == BRUME_OK) {
        brume_look_catalog_scan(catalog);
    }
    return status;
}

BrumeStatus brume_look_catalog_remove(BrumeLookCatalog *catalog, int entry, BrumeError *error)
{
    const BrumeLookEntry *removed = &catalog->entries[entry];
    BrumeStatus status = BRUME_OK;
    if (!removed->own || unlink(removed->path) != 0) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot delete: %s", removed->path,
                            strerror(removed->own ? errno : EPERM));
    }
    brume_look_catalog_scan(catalog);
    return status;
}
