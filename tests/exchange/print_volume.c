// Prints the box of a volume file of any format and the least and greatest value and the sum of each grid, for
// scripts/check-volumes:
//     print_volume FILE
#include "exchange/volume_format.h"

#include <math.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    BrumeFrameGrids frame = {0};
    BrumeError error = {0};
    const BrumeStatus status = brume_volume_file_read(&frame, argc == 2 ? argv[1] : "", &error);
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "print_volume: %s\n", error.text);
        return (int)status;
    }
    printf("%d x %d x %d cells of %g m from (%g, %g, %g) m\n", frame.cells.nx, frame.cells.ny, frame.cells.nz, frame.dx,
           frame.origin[0], frame.origin[1], frame.origin[2]);
    for (int n = 0; n < frame.count; n++) {
        const BrumeFrameGrid *grid = &frame.grids[n];
        double least = INFINITY;
        double greatest = -INFINITY;
        double sum = 0.0;
        for (size_t at = 0; at < brume_frame_grid_values(frame.cells, grid); at++) {
            const double value = (double)grid->values[at];
            least = value < least ? value : least;
            greatest = value > greatest ? value : greatest;
            sum += value;
        }
        printf("%s [%s] least %.9g greatest %.9g sum %.9g\n", grid->name, grid->unit, least, greatest, sum);
    }
    brume_frame_grids_destroy(&frame);
    return BRUME_OK;
}
