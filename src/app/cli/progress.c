#include "app/cli/progress.h"

#include "app/cli/format.h"

#include <stdio.h>

enum { RING = BRUME_PROGRESS_WINDOW + 1 };

void brume_progress_start(BrumeProgress *progress, int frames, double now)
{
    *progress = (BrumeProgress){.frames = frames, .started = now, .ends = {now}};
}

void brume_progress_count(BrumeProgress *progress, double now, double cell_steps, double seconds)
{
    progress->done++;
    progress->ends[progress->done % RING] = now;
    progress->cell_rate = seconds > 0.0 ? cell_steps / seconds : 0.0;
}

double brume_progress_left(const BrumeProgress *progress)
{
    const int window = progress->done < BRUME_PROGRESS_WINDOW ? progress->done : BRUME_PROGRESS_WINDOW;
    if (window == 0) {
        return 0.0;
    }
    const double span = progress->ends[progress->done % RING] - progress->ends[(progress->done - window) % RING];
    return span / window * (progress->frames - progress->done);
}

void brume_progress_line(const BrumeProgress *progress, char *line, size_t size)
{
    const double elapsed = progress->ends[progress->done % RING] - progress->started;
    (void)snprintf(line, size, "frame %d/%d  %d%%  elapsed %s  left %s  %.1f Mcells/s", progress->done,
                   progress->frames, (int)(100.0 * progress->done / progress->frames),
                   brume_format_duration(elapsed).text, brume_format_duration(brume_progress_left(progress)).text,
                   1e-6 * progress->cell_rate);
}
