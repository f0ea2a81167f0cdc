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

// the seconds of a unit "s", "m" or "h"; 0 for anything else
static double seconds_of_unit(const char *unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1.0}, {"m", 60.0}, {"h", 3600.0}};
    for (size_t n = 0; n < sizeof units / sizeof units[0]; n++) {
        if (strcmp(unit, units[n].name) == 0) {
            return units[n].seconds;
        }
    }
    return 0.0;
}

BrumeStatus brume_parse_interval(void *member, const char *option, const char *value, BrumeError *error)
{
    char digits[16] = "";
    const size_t length = strspn(value, "0123456789");
    int count = 0;
    bool valid = length > 0 && length < sizeof digits;
    if (valid) {
        memcpy(digits, value, length);
        valid = brume_parse_int(digits, 0, MAX_COUNT, &count);
    }
    const char *unit = value + length;
    const double seconds = seconds_of_unit(unit);
    if (!valid || (*unit && seconds == 0.0)) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: '%s' is neither a number of frames nor a time such as 90s, 10m or 2h (0: none)", option,
                          brume_quote(value).text);
    }
    *(BrumeCheckpointInterval *)member = (BrumeCheckpointInterval){
        .given = true,
        .frames = *unit ? 0 : count,
        .seconds = *unit ? count * seconds : 0.0,
    };
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
