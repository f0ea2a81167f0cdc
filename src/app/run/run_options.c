#include "app/run/run_options.h"

#include "core/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

BrumeStatus brume_run_overrides(BrumeRunOverrides *overrides, const BrumeRunSettings *settings, BrumeError *error)
{
    const BrumeImageSize size = settings->common.size;
    const struct {
        const char *key;
        const char *word; // NULL: a number
        int value;        // 0: not given
    } options[] = {
        {"image.width", NULL, size.width},
        {"image.height", NULL, size.height},
        {"image.samples", NULL, settings->samples},
        {"image.integrator", settings->integrator, 0},
        {"image.bits", settings->bits, 0},
        {"image.background", settings->transparent ? "transparent" : NULL, 0},
    };
    BrumeTextList *list = &overrides->list;
    *list = settings->common.overrides;
    for (size_t n = 0; n < sizeof options / sizeof options[0]; n++) {
        if (options[n].value == 0 && !options[n].word) {
            continue;
        }
        if (list->count == BRUME_MAX_LIST) {
            return brume_fail(error, BRUME_BAD_INPUT, "--define is given more than %d times",
                              BRUME_MAX_LIST - (int)(sizeof options / sizeof options[0]));
        }
        char *const text = overrides->texts[n];
        if (options[n].word) {
            (void)snprintf(text, sizeof overrides->texts[n], "%s=%s", options[n].key, options[n].word);
        } else {
            (void)snprintf(text, sizeof overrides->texts[n], "%s=%d", options[n].key, options[n].value);
        }
        list->texts[list->count++] = text;
    }
    return BRUME_OK;
}

// not an override: without an integrator in the scene, its error is to name the option
BrumeStatus brume_run_set_noise(const BrumeRunSettings *settings, BrumeScene *scene, BrumeError *error)
{
    if (scene->integrator != BRUME_INTEGRATOR_PATH && (settings->noise.given || settings->denoise)) {
        return brume_fail(error, BRUME_BAD_INPUT, "--%s has no effect without --integrator path (give both)",
                          settings->noise.given ? "noise" : "denoise");
    }
    if (settings->noise.given) {
        scene->noise = (float)settings->noise.value;
    }
    scene->denoise = scene->denoise || settings->denoise;
    return BRUME_OK;
}

BrumeStatus brume_parse_integrator(void *member, const char *option, const char *value, BrumeError *error)
{
    if (strcmp(value, "march") != 0 && strcmp(value, "path") != 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: unknown integrator '%s' (known: march, path)", option, value);
    }
    *(const char **)member = value;
    return BRUME_OK;
}

BrumeStatus brume_parse_bits(void *member, const char *option, const char *value, BrumeError *error)
{
    if (strcmp(value, "8") != 0 && strcmp(value, "16") != 0 && strcmp(value, "32") != 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is not 8, 16 or 32", option, value);
    }
    *(const char **)member = value;
    return BRUME_OK;
}

BrumeStatus brume_parse_layers(void *member, const char *option, const char *value, BrumeError *error)
{
    static const struct {
        const char *name;
        unsigned bits;
    } layers[] = {
        {"all", BRUME_LAYERS_ALL},      {"depth", BRUME_LAYER_DEPTH}, {"transmittance", BRUME_LAYER_TRANSMITTANCE},
        {"lights", BRUME_LAYER_LIGHTS}, {"sky", BRUME_LAYER_SKY},     {"emission", BRUME_LAYER_EMISSION},
        {"motion", BRUME_LAYER_MOTION}, {"noisy", BRUME_LAYER_NOISY}};
    unsigned bits = 0;
    for (const char *word = value; word != NULL;) {
        const size_t length = strcspn(word, ",");
        unsigned found = 0;
        for (size_t n = 0; n < sizeof layers / sizeof layers[0]; n++) {
            if (strlen(layers[n].name) == length && strncmp(layers[n].name, word, length) == 0) {
                found = layers[n].bits;
            }
        }
        if (found == 0) {
            return brume_fail(
                error, BRUME_BAD_INPUT,
                "%s: unknown layer '%.*s' (known: all, depth, transmittance, lights, sky, emission, motion, noisy)",
                option, (int)length, word);
        }
        bits |= found;
        word = word[length] == ',' ? word + length + 1 : NULL;
    }
    *(unsigned *)member = bits;
    return BRUME_OK;
}

BrumeStatus brume_parse_crop(void *member, const char *option, const char *value, BrumeError *error)
{
    int edges[4] = {0};
    const char *text = value;
    bool valid = true;
    for (int n = 0; n < 4 && valid; n++) {
        char number[16] = "";
        const size_t length = strcspn(text, ",");
        (void)snprintf(number, sizeof number, "%.*s", length < sizeof number ? (int)length : 0, text);
        valid = brume_parse_int(number, 0, 1 << 20, &edges[n]) && text[length] == (n < 3 ? ',' : '\0');
        text += length + 1;
    }
    if (!valid || edges[0] >= edges[2] || edges[1] >= edges[3]) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: '%s' is not x0,y0,x1,y1 with x0 < x1 and y0 < y1 (as 100,50,300,200)", option, value);
    }
    *(BrumePictureCrop *)member =
        (BrumePictureCrop){.left = edges[0], .top = edges[1], .right = edges[2], .bottom = edges[3]};
    return BRUME_OK;
}

BrumeStatus brume_parse_noise(void *member, const char *option, const char *value, BrumeError *error)
{
    char *end;
    const double number = strtod(value, &end);
    if (end == value || *end != '\0' || !(number >= 0.0 && number <= 1.0)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is not a number from 0 to 1%s", option, value,
                          brume_point_hint(value).text);
    }
    *(BrumeNoiseOption *)member = (BrumeNoiseOption){.given = true, .value = number};
    return BRUME_OK;
}
