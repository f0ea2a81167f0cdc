#include "viewer/jobs/job_def.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void brume_job_add_argument(BrumeJobDef *def, const char *format, ...)
{
    const size_t room = sizeof def->arguments - def->used;
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(def->arguments + def->used, room, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= room) {
        def->full = true;
    } else {
        def->used += (size_t)length + 1;
    }
}

const char *brume_job_next_argument(const BrumeJobDef *def, const char *argument)
{
    const char *next = argument ? argument + strlen(argument) + 1 : def->arguments;
    return next < def->arguments + def->used ? next : NULL;
}

void brume_job_add_again(BrumeJobDef *def)
{
    const char *option = def->again == BRUME_JOB_STARTS_AGAIN ? "--overwrite" : "--resume";
    for (const char *at = brume_job_next_argument(def, NULL); at; at = brume_job_next_argument(def, at)) {
        if (strcmp(at, option) == 0) {
            return;
        }
    }
    brume_job_add_argument(def, "%s", option);
}

bool brume_job_path(const BrumeJobDef *def, const char *file, char path[BRUME_JOB_PATH])
{
    const bool relative = def->folder[0] && file[0] != '/';
    const int length = snprintf(path, BRUME_JOB_PATH, "%s%s%s", relative ? def->folder : "", relative ? "/" : "", file);
    return length >= 0 && length < BRUME_JOB_PATH;
}
