#include "app/checkpoint/checkpoint_options.h"

#include "app/cli/values.h"
#include "core/text.h"

#include <limits.h>
#include <string.h>

enum { MAX_COUNT = 1000000 };

BrumeCheckpointInterval brume_default_checkpoint_interval(void)
{
    return (BrumeCheckpointInterval){.given = true, .seconds = 300.0};
}

BrumeStatus brume_parse_resume(void *member, const char *option, const char *value, BrumeError *error)
{
    if (value && strcmp(value, "force") != 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is not 'force'", option, brume_quote(value).text);
    }
    *(BrumeResumeMode *)member = value ? BRUME_RESUME_FORCE : BRUME_RESUME_SAME;
    return BRUME_OK;
}

BrumeStatus brume_parse_interval(void *member, const char *option, const char *value, BrumeError *error)
{
    int frames = 0;
    double seconds = 0.0;
    const bool is_time = brume_read_duration(value, &seconds);
    if (!is_time && (value[strspn(value, "0123456789")] || !brume_parse_int(value, 0, MAX_COUNT, &frames))) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: '%s' is neither a number of frames nor a time such as 90s, 10m or 2h (0: none)", option,
                          brume_quote(value).text);
    }
    *(BrumeCheckpointInterval *)member = (BrumeCheckpointInterval){.given = true, .frames = frames, .seconds = seconds};
    return BRUME_OK;
}

BrumeStatus brume_parse_keep(void *member, const char *option, const char *value, BrumeError *error)
{
    if (strcmp(value, "all") == 0) {
        *(int *)member = INT_MAX;
        return BRUME_OK;
    }
    if (!brume_parse_int(value, 0, MAX_COUNT, member)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is neither a whole number from 0 to %d nor 'all'", option,
                          brume_quote(value).text, MAX_COUNT);
    }
    return BRUME_OK;
}
