#include "viewer/performance_counters.h"

#include "core/quantile.h"
#include "core/text.h"
#include "io/file.h"

#include <string.h>

void brume_measurements_add(BrumeMeasurements *measurements, double value)
{
    measurements->values[measurements->count++ % BRUME_MEASUREMENTS_KEPT] = value;
}

static int kept_count(const BrumeMeasurements *measurements)
{
    return measurements->count < BRUME_MEASUREMENTS_KEPT ? (int)measurements->count : BRUME_MEASUREMENTS_KEPT;
}

double brume_measurements_rate(const BrumeMeasurements *measurements, double now)
{
    int count = 0;
    double first = now;
    for (long n = measurements->count - 1; n >= measurements->count - kept_count(measurements); n--) {
        const double clock = measurements->values[n % BRUME_MEASUREMENTS_KEPT];
        if (clock < now - 1.0) {
            break;
        }
        first = clock;
        count++;
    }
    return count > 1 && now > first ? count / (now - first) : 0.0;
}

double brume_measurements_quantile(const BrumeMeasurements *measurements, double fraction)
{
    static double sorted[BRUME_MEASUREMENTS_KEPT]; // not on the stack; there is one window thread
    const int count = kept_count(measurements);
    if (count == 0) {
        return 0.0;
    }
    memcpy(sorted, measurements->values, (size_t)count * sizeof *sorted);
    return brume_quantile(sorted, count, fraction);
}

static double mean_rate(const BrumePerformanceCounters *counters, long count)
{
    const double seconds = counters->latest_present - counters->started;
    return seconds > 0.0 ? (double)(count - 1) / seconds : 0.0;
}

BrumeStatus brume_performance_counters_write(const BrumePerformanceCounters *counters,
                                             const BrumePerformanceContext *context, const char *path,
                                             BrumeError *error)
{
    BrumeText text = {0};
    brume_text_add(&text, "{\n  \"program\": \"brume\",\n  \"scene\": ");
    brume_text_add_json_string(&text, context->scene);
    brume_text_add(
        &text,
        ",\n  \"renderer\": \"%s\",\n  \"width\": %d,\n  \"height\": %d,\n  \"threads\": %d,\n"
        "  \"cells\": [%d, %d, %d],\n  \"frames\": %d,\n  \"time\": %.6g,\n  \"sim_ms\": %.3f,\n"
        "  \"seconds\": %.3f,\n  \"pictures\": %ld,\n  \"pictures_per_second\": %.2f,\n"
        "  \"renders\": %ld,\n  \"renders_per_second\": %.2f,\n"
        "  \"latency_ms\": {\"count\": %ld, \"median\": %.2f, \"p95\": %.2f, \"max\": %.2f},\n"
        "  \"iteration_ms\": {\"median\": %.2f, \"p95\": %.2f, \"max\": %.2f},\n  \"resident_bytes\": %ld\n}\n",
        context->renderer, context->width, context->height, context->threads, context->cells[0], context->cells[1],
        context->cells[2], context->frames, context->time, context->sim_ms,
        counters->latest_present - counters->started, counters->presented.count,
        mean_rate(counters, counters->presented.count), counters->drawn.count,
        mean_rate(counters, counters->drawn.count), counters->latency.count,
        brume_measurements_quantile(&counters->latency, 0.5), brume_measurements_quantile(&counters->latency, 0.95),
        brume_measurements_quantile(&counters->latency, 1.0), brume_measurements_quantile(&counters->iteration, 0.5),
        brume_measurements_quantile(&counters->iteration, 0.95), brume_measurements_quantile(&counters->iteration, 1.0),
        context->bytes);
    const BrumeStatus status = brume_file_write_text(path, &text, error);
    brume_text_destroy(&text);
    return status;
}
