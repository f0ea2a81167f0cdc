#include "scene/keys/keys.h"

#include <stdio.h>
#include <string.h>

const char *brume_key_name(const BrumeKey *key) { return key->name ? key->name : brume_setting_name(key->setting); }

const char *brume_key_doc(const BrumeKey *key) { return key->setting ? key->setting->doc : key->doc; }

const char *brume_key_fallback(const BrumeKey *key)
{
    return key->fallback || !key->setting ? key->fallback : key->setting->fallback;
}

bool brume_key_is_fixed(const BrumeKey *key) { return key->setting ? key->setting->fixed : key->fixed; }

const char *brume_key_type(const BrumeKey *key)
{
    switch (key->kind) {
    case BRUME_KEY_VALUE:
    case BRUME_KEY_SETTINGS:
        return brume_setting_type(key->setting);
    case BRUME_KEY_MAP:
        return key->section->shorthand ? "a word or a map" : "a map";
    case BRUME_KEY_LIST:
    case BRUME_KEY_ITEMS:
        return "a list";
    case BRUME_KEY_PATHS:
        break;
    }
    return "a map of dotted paths";
}

void brume_key_range(const BrumeKey *key, char *text, size_t size)
{
    switch (key->kind) {
    case BRUME_KEY_VALUE:
    case BRUME_KEY_SETTINGS:
        brume_setting_range(key->setting, text, size);
        break;
    case BRUME_KEY_LIST:
    case BRUME_KEY_ITEMS:
        (void)snprintf(text, size, "at most %d items", key->max_count);
        break;
    case BRUME_KEY_MAP:
    case BRUME_KEY_PATHS:
        text[0] = '\0';
        break;
    }
}

bool brume_section_key(const BrumeSection *section, int n, BrumeKey *key)
{
    for (int i = 0; i < section->key_count; i++) {
        const BrumeKey *const listed = &section->keys[i];
        const int count = listed->kind == BRUME_KEY_SETTINGS ? listed->max_count : 1;
        if (n < count && listed->kind == BRUME_KEY_SETTINGS) {
            const BrumeSetting *const setting = &listed->setting[n];
            *key = (BrumeKey){.setting = setting, .offset = listed->offset + setting->offset, .is_member = true};
        } else if (n < count) {
            *key = *listed;
        }
        if (n < count) {
            return true;
        }
        n -= count;
    }
    return false;
}

bool brume_section_find(const BrumeSection *section, const char *name, BrumeKey *key)
{
    int n = 0;
    while (brume_section_key(section, n, key) && strcmp(brume_key_name(key), name) != 0) {
        n++;
    }
    return brume_section_key(section, n, key);
}
