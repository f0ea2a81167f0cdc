#include "app/commands.h"

const BrumeCommand *const brume_commands[] = {
    &brume_render_command, &brume_view_command, &brume_info_command, &brume_bench_command, &brume_help_command, NULL,
};
