#include "viewer/threads/performance_counters.h"

#include "core/quantile.h"
#include "io/file.h"

#include <stdio.h>
#include <string.h>

void brume_performance_counters_add(BrumePerformanceCountersRing *ring, double value)
{
    ring->values[ring->count++ % BRUME_PERFORMANCE_COUNTERS_RING] = value;
}

static int kept(const BrumePerformanceCountersRing *ring)
{
    return ring->count < BRUME_PERFORMANCE_COUNTERS_RING ? (int)ring->count : BRUME_PERFORMANCE_COUNTERS_RING;
}

double brume_performance_counters_rate(const BrumePerformanceCountersRing *ring, double now)
{
    int count = 0;
    double first = now;
    for (long n = ring->count - 1; n >= ring->count - kept(ring); n--) {
        const double clock = ring->values[n % BRUME_PERFORMANCE_COUNTERS_RING];
        if (clock < now - 1.0) {
            break;
        }
        first = clock;
        count++;
    }
    return count > 1 && now > first ? count / (now - first) : 0.0;
}

double brume_performance_counters_quantile(const BrumePerformanceCountersRing *ring, double at)
{
    static double sorted[BRUME_PERFORMANCE_COUNTERS_RING]; // one window, one thread
    const int count = kept(ring);
    if (count == 0) {
        return 0.0;
    }
    memcpy(sorted, ring->values, (size_t)count * sizeof *sorted);
    return brume_quantile(sorted, count, at);
}

static double mean_rate(const BrumePerformanceCounters *meter, long count)
{
    const double seconds = meter->newest - meter->started;
    return seconds > 0.0 ? (double)(count - 1) / seconds : 0.0;
}

BrumeStatus brume_performance_counters_write(const BrumePerformanceCounters *meter,
                                             const BrumePerformanceCountersFacts *facts, const char *path,
                                             BrumeError *error)
{
    char text[2048];
    const int length = snprintf(
        text, sizeof text,
        "{\n  \"scene\": \"%s\",\n  \"renderer\": \"%s\",\n  \"width\": %d,\n  \"height\": %d,\n  \"threads\": %d,\n"
        "  \"cells\": [%d, %d, %d],\n  \"frames\": %d,\n  \"time\": %.6g,\n  \"sim_ms\": %.3f,\n"
        "  \"seconds\": %.3f,\n  \"pictures\": %ld,\n  \"pictures_per_second\": %.2f,\n"
        "  \"renders\": %ld,\n  \"renders_per_second\": %.2f,\n"
        "  \"latency_ms\": {\"count\": %ld, \"median\": %.2f, \"p95\": %.2f, \"max\": %.2f},\n"
        "  \"turn_ms\": {\"median\": %.2f, \"p95\": %.2f, \"max\": %.2f},\n  \"resident_bytes\": %ld\n}\n",
        facts->scene, facts->renderer, facts->width, facts->height, facts->threads, facts->cells[0], facts->cells[1],
        facts->cells[2], facts->frames, facts->time, facts->sim_ms, meter->newest - meter->started,
        meter->presented.count, mean_rate(meter, meter->presented.count), meter->drawn.count,
        mean_rate(meter, meter->drawn.count), meter->latency.count,
        brume_performance_counters_quantile(&meter->latency, 0.5),
        brume_performance_counters_quantile(&meter->latency, 0.95),
        brume_performance_counters_quantile(&meter->latency, 1.0),
        brume_performance_counters_quantile(&meter->turn, 0.5), brume_performance_counters_quantile(&meter->turn, 0.95),
        brume_performance_counters_quantile(&meter->turn, 1.0), facts->bytes);
    return brume_file_write(path, text, (size_t)length, error);
}
