// Machine, build and date in the reports.
#include "app/bench/machine.h"

#include "app/cli/format.h"
#include "brume/brume.h"

#include <time.h>

BrumeBenchOrigin brume_bench_origin(void)
{
    BrumeBenchOrigin origin = {.machine = brume_machine(), .load = brume_machine_load()};
    const time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) || strftime(origin.date, sizeof origin.date, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) {
        origin.date[0] = '\0';
    }
    return origin;
}

void brume_bench_print_origin(const BrumeBenchOrigin *origin)
{
    const BrumeMachine *machine = &origin->machine;
    brume_print_labeled("version", "brume %s, %s", brume_version(), origin->date);
    brume_print_labeled("machine", "%s, %d cores (%d processors), %s, %s", machine->cpu, machine->cores,
                        machine->processors, machine->caches, brume_format_bytes((double)machine->memory).text);
    brume_print_labeled("system", "%s, load %.2f before the run%s", machine->os, origin->load,
                        origin->load > 0.5 ? " (other processes disturb the measurement)" : "");
    brume_print_labeled("build", "%s, %s; row kernels in %s", machine->compiler, machine->flags, machine->vectors);
}

void brume_bench_add_origin_markdown(BrumeText *text, const BrumeBenchOrigin *origin)
{
    const BrumeMachine *machine = &origin->machine;
    brume_text_add(text, "| machine | %s, %d cores (%d processors), %s, %s |\n", machine->cpu, machine->cores,
                   machine->processors, machine->caches, brume_format_bytes((double)machine->memory).text);
    brume_text_add(text, "| system | %s, load %.2f before the run |\n", machine->os, origin->load);
    brume_text_add(text, "| build | brume %s, %s, `%s`; row kernels in %s |\n", brume_version(), machine->compiler,
                   machine->flags, machine->vectors);
}

void brume_bench_add_json_text(BrumeText *text, const char *name, const char *value)
{
    brume_text_add(text, "  \"%s\": ", name);
    brume_text_add_json_string(text, value);
    brume_text_add(text, ",\n");
}

void brume_bench_add_origin_json(BrumeText *text, const BrumeBenchOrigin *origin)
{
    const BrumeMachine *machine = &origin->machine;
    brume_bench_add_json_text(text, "version", brume_version());
    brume_bench_add_json_text(text, "date", origin->date);
    brume_bench_add_json_text(text, "cpu", machine->cpu);
    brume_text_add(text, "  \"cores\": %d,\n  \"processors\": %d,\n  \"memory_bytes\": %zu,\n  \"load\": %.2f,\n",
                   machine->cores, machine->processors, machine->memory, origin->load);
    brume_bench_add_json_text(text, "caches", machine->caches);
    brume_bench_add_json_text(text, "system", machine->os);
    brume_bench_add_json_text(text, "compiler", machine->compiler);
    brume_bench_add_json_text(text, "flags", machine->flags);
    brume_bench_add_json_text(text, "vectors", machine->vectors);
}

void brume_bench_add_csv_text(BrumeText *text, const char *value)
{
    brume_text_add(text, "\"");
    for (; *value; value++) {
        brume_text_add(text, *value == '"' ? "\"\"" : "%c", *value);
    }
    brume_text_add(text, "\",");
}

void brume_bench_add_origin_csv_head(BrumeText *text)
{
    brume_text_add(text, "version,date,cpu,load,cores,caches,memory_bytes,system,compiler,flags,vectors\n");
}

void brume_bench_add_origin_csv(BrumeText *text, const BrumeBenchOrigin *origin)
{
    const BrumeMachine *machine = &origin->machine;
    brume_text_add(text, "%s,", brume_version());
    brume_bench_add_csv_text(text, origin->date);
    brume_bench_add_csv_text(text, machine->cpu);
    brume_text_add(text, "%.2f,%d,", origin->load, machine->cores);
    brume_bench_add_csv_text(text, machine->caches);
    brume_text_add(text, "%zu,", machine->memory);
    brume_bench_add_csv_text(text, machine->os);
    brume_bench_add_csv_text(text, machine->compiler);
    brume_bench_add_csv_text(text, machine->flags);
    brume_text_add(text, "%s\n", machine->vectors);
}
