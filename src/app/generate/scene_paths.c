#include "app/generate/scene_paths.h"

#include "scene/format/schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MAX_PATH = 256 };

typedef void (*AddPath)(BrumeText *lines, const char *path, const BrumeSetting *setting);

static void add_path(BrumeText *lines, const char *path, const BrumeSetting *setting)
{
    (void)setting;
    brume_text_add(lines, "%s=\n", path);
}

static void add_words(BrumeText *lines, const char *path, const BrumeSetting *setting)
{
    const char *word;
    for (int n = 0; brume_setting_has_words(setting) && (word = brume_setting_word(setting, n)) != NULL; n++) {
        brume_text_add(lines, "%s=%s\n", path, word);
    }
}

// `prefix` is the path of the section with a dot behind it, or ""
static void add_section(BrumeText *lines, const BrumeSection *section, const char *prefix, AddPath add)
{
    BrumeKey key;
    for (int n = 0; brume_section_key(section, n, &key); n++) {
        char path[MAX_PATH];
        (void)snprintf(path, sizeof path, "%s%s", prefix, brume_key_name(&key));
        if (key.kind == BRUME_KEY_VALUE) {
            add(lines, path, key.setting);
        } else if (key.kind == BRUME_KEY_MAP) {
            BrumeKey scalar; // the value that the key has in place of a map, as `y_max: open`
            if (key.section->shorthand && brume_section_find(key.section, key.section->shorthand, &scalar)) {
                add(lines, path, scalar.setting);
            }
            char inner[MAX_PATH];
            (void)snprintf(inner, sizeof inner, "%.200s.", path);
            add_section(lines, key.section, inner, add);
        }
    }
}

void brume_scene_paths(BrumeText *lines) { add_section(lines, &brume_scene_section, "", add_path); }

void brume_scene_assignments(BrumeText *lines) { add_section(lines, &brume_scene_section, "", add_words); }
