#include "app/run/run_options.h"

#include <stdio.h>

BrumeStatus brume_run_overrides(BrumeRunOverrides *overrides, const BrumeRunSettings *settings, BrumeError *error)
{
    const BrumeImageSize size = settings->common.size;
    const struct {
        const char *key;
        int value; // 0: not given
    } options[] = {{"image.width", size.width}, {"image.height", size.height}, {"image.samples", settings->samples}};
    BrumeTextList *list = &overrides->list;
    *list = settings->common.overrides;
    for (size_t n = 0; n < sizeof options / sizeof options[0]; n++) {
        if (options[n].value == 0) {
            continue;
        }
        if (list->count == BRUME_MAX_LIST) {
            return brume_fail(error, BRUME_BAD_INPUT, "--define is given more than %d times",
                              BRUME_MAX_LIST - (int)(sizeof options / sizeof options[0]));
        }
        (void)snprintf(overrides->texts[n], sizeof overrides->texts[n], "%s=%d", options[n].key, options[n].value);
        list->texts[list->count++] = overrides->texts[n];
    }
    return BRUME_OK;
}
