#include "app/cli/values.h"
#include "brume/threads.h"
#include "core/elementary.h"
#include "core/error.h"
#include "core/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DURATION = 1000000, MAX_FRAME = INT_MAX / 4 };

bool brume_parse_int(const char *text, int least, int most, int *value)
{
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < least || number > most) {
        return false;
    }
    *value = (int)number;
    return true;
}

bool brume_read_duration(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1.0}, {"m", 60.0}, {"h", 3600.0}};
    char digits[16] = "";
    const size_t length = strspn(text, "0123456789");
    int count = 0;
    if (length == 0 || length >= sizeof digits) {
        return false;
    }
    memcpy(digits, text, length);
    if (!brume_parse_int(digits, 0, MAX_DURATION, &count)) {
        return false;
    }
    for (size_t n = 0; n < sizeof units / sizeof units[0]; n++) {
        if (strcmp(text + length, units[n].name) == 0) {
            *seconds = count * units[n].seconds;
            return true;
        }
    }
    return false;
}

BrumeStatus brume_parse_duration(void *member, const char *option, const char *value, BrumeError *error)
{
    double seconds = 0.0;
    if (!brume_read_duration(value, &seconds) || seconds <= 0.0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is not a time above 0 (for example 90s, 10m or 2h)", option,
                          value);
    }
    *(double *)member = seconds;
    return BRUME_OK;
}

BrumeStatus brume_parse_chunk(void *member, const char *option, const char *value, BrumeError *error)
{
    BrumeChunk *chunk = member;
    char index[16] = "";
    const char *slash = strchr(value, '/');
    if (slash && slash - value < (ptrdiff_t)sizeof index) {
        memcpy(index, value, (size_t)(slash - value));
        if (brume_parse_int(slash + 1, 1, INT_MAX / 2, &chunk->count) &&
            brume_parse_int(index, 1, chunk->count, &chunk->index)) {
            return BRUME_OK;
        }
    }
    return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is not I/N (whole numbers, I from 1 to N, as 3/8)", option,
                      value);
}

BrumeStatus brume_parse_size(void *member, const char *option, const char *value, BrumeError *error)
{
    BrumeImageSize *size = member;
    char width[16] = "";
    const char *cross = strchr(value, 'x');
    if (cross && cross - value < (ptrdiff_t)sizeof width) {
        memcpy(width, value, (size_t)(cross - value));
        if (brume_parse_int(width, 1, 1 << 20, &size->width) && brume_parse_int(cross + 1, 1, 1 << 20, &size->height)) {
            return BRUME_OK;
        }
    }
    return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is not WIDTHxHEIGHT (for example 960x540)", option, value);
}

BrumeStatus brume_parse_positive(void *member, const char *option, const char *value, BrumeError *error)
{
    char *end;
    const double number = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(number) || !(number > 0.0)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is not a number above 0%s", option, value,
                          brume_point_hint(value).text);
    }
    *(double *)member = number;
    return BRUME_OK;
}

BrumeStatus brume_parse_bytes(void *member, const char *option, const char *value, BrumeError *error)
{
    static const char prefixes[] = "KMGT";
    char *end;
    double bytes = strtod(value, &end);
    bool valid = end != value && bytes > 0.0;
    const char *prefix = *end != '\0' ? strchr(prefixes, toupper((unsigned char)*end)) : NULL;
    if (prefix) {
        end++;
        const double base = *end == 'i' ? 1024.0 : 1000.0;
        end += *end == 'i';
        bytes *= brume_pow(base, (double)(prefix - prefixes + 1));
    }
    end += *end == 'B';
    valid = valid && *end == '\0' && bytes >= 1.0 && bytes < 0x1p63;
    if (!valid) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is not a size of memory (for example 8G or 500M)%s", option,
                          value, brume_point_hint(value).text);
    }
    *(size_t *)member = (size_t)bytes;
    return BRUME_OK;
}

BrumeStatus brume_parse_frames(void *member, const char *option, const char *value, BrumeError *error)
{
    int numbers[3] = {0, 0, 1};
    int count = 0;
    const char *part = value;
    bool valid = true;
    while (valid && part) {
        const size_t length = strcspn(part, ":");
        char text[16];
        valid = count < 3 && length < sizeof text;
        if (valid) {
            memcpy(text, part, length);
            text[length] = '\0';
            valid = brume_parse_int(text, count < 2 ? -MAX_FRAME : 1, MAX_FRAME, &numbers[count]);
            count++;
        }
        part = part[length] == ':' ? part + length + 1 : NULL;
    }
    if (!valid) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: '%s' is not A, A:B or A:B:S (whole numbers, S from 1, as 60, 1:120 or 1:120:2)", option,
                          value);
    }
    numbers[1] = count == 1 ? numbers[0] : numbers[1];
    if (numbers[1] < numbers[0]) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' ends before it starts", option, value);
    }
    *(BrumeFrameRange *)member = (BrumeFrameRange){.first = numbers[0], .last = numbers[1], .stride = numbers[2]};
    return BRUME_OK;
}

BrumeStatus brume_parse_frame(void *member, const char *option, const char *value, BrumeError *error)
{
    int frame;
    if (!brume_parse_int(value, -MAX_FRAME, MAX_FRAME, &frame)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: '%s' is not a whole number", option, value);
    }
    *(BrumeFrameRange *)member = (BrumeFrameRange){.first = frame, .last = frame, .stride = 1};
    return BRUME_OK;
}

BrumeStatus brume_frames_resolve(BrumeFrameRange *range, int scene_frames, int first_number, BrumeError *error)
{
    const int offset = first_number - 1;
    if (range->stride == 0) {
        range->first = offset + 1;
        range->last = offset + scene_frames;
        range->stride = 1;
    }
    range->first -= offset;
    range->last -= offset;
    if (range->first < 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "frame %d is before the scene's initial state, which is frame %d",
                          range->first + offset, offset);
    }
    if (range->last > scene_frames) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "frame %d is after the scene's end at %d (lengthen it: -D time.frames=%d)",
                          range->last + offset, scene_frames + offset, range->last);
    }
    range->last = brume_frames_at(range, brume_frames_count(range) - 1);
    return BRUME_OK;
}

int brume_frames_count(const BrumeFrameRange *range) { return (range->last - range->first) / range->stride + 1; }

int brume_frames_at(const BrumeFrameRange *range, int index) { return range->first + index * range->stride; }

bool brume_frames_chunk(const BrumeFrameRange *range, const BrumeChunk *chunk, BrumeFrameRange *part)
{
    const long long frames = brume_frames_count(range);
    const int first = (int)(frames * (chunk->index - 1) / chunk->count);
    const int end = (int)(frames * chunk->index / chunk->count);
    *part = (BrumeFrameRange){
        .first = brume_frames_at(range, first), .last = brume_frames_at(range, end - 1), .stride = range->stride};
    return end > first;
}

bool brume_frames_contain(const BrumeFrameRange *range, int frame)
{
    return frame >= range->first && frame <= range->last && (frame - range->first) % range->stride == 0;
}

BrumeStatus brume_threads_resolve(int wanted, int *threads, BrumeError *error)
{
    const char *value = wanted > 0 ? NULL : getenv("OMP_NUM_THREADS");
    if (value) {
        errno = 0;
        const long number = strtol(value, NULL, 10); // of a list, the first number applies
        if (errno == ERANGE || number > BRUME_MAX_THREADS) {
            return brume_fail(error, BRUME_BAD_INPUT, "OMP_NUM_THREADS: '%s' is not a whole number from 1 to %d", value,
                              BRUME_MAX_THREADS);
        }
    }
    *threads = brume_choose_threads(wanted);
    return BRUME_OK;
}
