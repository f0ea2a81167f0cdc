/*
 * The memory of a simulation from its settings alone, before anything is allocated. Fields are exact. The memory of
 * bodies and of the pressure solver depends on which cells are solid; it is estimated from above, from the surfaces
 * and projections of the bodies. test_sim_box compares the estimate with brume_sim_bytes.
 */
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/threads.h"
#include "core/shape.h"
#include "sim/advection/advection.h"
#include "sim/boundary/extrapolation.h"
#include "sim/boundary/wall_faces.h"
#include "sim/grid/cells.h"
#include "sim/lifecycle/far_field.h"
#include "sim/lifecycle/kernels.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/pressure/multigrid/coarsest.h"
#include "sim/settings/settings.h"
#include "sim/spectral/axis.h"
#include "sim/spectral/lines.h"
#include "sim/spectral/tridiagonal.h"
#include "sim/state/state.h"
#include "sim/transport/transport.h"

#include <math.h>
#include <string.h>

// sizes of all bodies together, upper limits
typedef struct BodySizes {
    double surface_cells; ///< cells of one layer below the surfaces
    double solid_cells;
    double near_cells; ///< cells at most 1.5 cells outside of the surfaces or 1 cell inside
    double rows;       ///< rows of cells along x with different faces; bodies make at most so many kinds of rows
} BodySizes;

// the part of a body inside the box
static BodySizes sizes_of(const BrumeSimDef *def, const BrumeShape *shape)
{
    BrumeVec3 from;
    BrumeVec3 to;
    brume_shape_bounds(shape, &from, &to);
    const double lower[3] = {(double)from.x, (double)from.y, (double)from.z};
    const double upper[3] = {(double)to.x, (double)to.y, (double)to.z};
    const double origin[3] = {(double)def->origin.x, (double)def->origin.y, (double)def->origin.z};
    const int cells[3] = {def->nx, def->ny, def->nz};
    double sides[3]; // [cells]
    double surface = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double start = brume_fmax((lower[axis] - origin[axis]) / (double)def->dx, 0.0);
        const double end = brume_fmin((upper[axis] - origin[axis]) / (double)def->dx, cells[axis]);
        sides[axis] = brume_fmin(brume_fmax(end - start, 1.0), cells[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const bool at_lower = lower[axis] <= origin[axis];
        const bool at_upper = upper[axis] >= origin[axis] + cells[axis] * (double)def->dx;
        surface += (2 - at_lower - at_upper) * sides[(axis + 1) % 3] * sides[(axis + 2) % 3];
    }
    double outer = 1.0;
    double inner = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        outer *= sides[axis] + 3.0;
        inner *= brume_fmax(sides[axis] - 2.0, 0.0);
    }
    const double near = outer - inner;
    // parts of the bounding box: pi / 6 of its volume is in a sphere and pi / 4 in a cylinder; layers are below each
    // face of a box, but seldom below more than one face of a cell of a sphere
    switch (brume_shape_is_turned(shape) ? BRUME_SHAPE_VOLUME : shape->kind) {
    case BRUME_SHAPE_SPHERE:
        return (BodySizes){0.36 * surface, 0.53 * sides[0] * sides[1] * sides[2], 0.53 * near,
                           0.79 * sides[1] * sides[2]};
    case BRUME_SHAPE_CYLINDER:
    case BRUME_SHAPE_CAPSULE:
    case BRUME_SHAPE_CONE:
        return (BodySizes){0.6 * surface, 0.79 * sides[0] * sides[1] * sides[2], 0.79 * near, sides[1] * sides[2]};
    case BRUME_SHAPE_PLANE:
    case BRUME_SHAPE_TORUS:
    case BRUME_SHAPE_MESH:
    case BRUME_SHAPE_VOLUME: // folded and oblique surfaces are larger than the surface of the box
        return (BodySizes){3.0 * surface, sides[0] * sides[1] * sides[2], near, sides[1] * sides[2]};
    case BRUME_SHAPE_BOX:
        break;
    }
    return (BodySizes){surface, sides[0] * sides[1] * sides[2], near, sides[1] * sides[2]};
}

static BodySizes sizes_of_all(const BrumeSimDef *def)
{
    BodySizes all = {0};
    double box_rows = 0.0;
    int boxes = 0;
    for (int n = 0; n < def->body_count && n < BRUME_MAX_BODIES; n++) {
        const BrumeShape shape = brume_body_shape(def, n);
        const BodySizes sizes = sizes_of(def, &shape);
        all.surface_cells += sizes.surface_cells;
        all.solid_cells += sizes.solid_cells;
        all.near_cells += sizes.near_cells;
        if (shape.kind == BRUME_SHAPE_BOX && !brume_shape_is_turned(&shape)) {
            box_rows += sizes.rows;
            boxes++;
        } else {
            all.rows += sizes.rows;
        }
    }
    // rows through the same boxes are equal but at the boxes' edges: three kinds for each axis and box, and one between
    const double box_kinds = (6.0 * boxes + 3.0) * (6.0 * boxes + 3.0);
    all.rows = brume_fmin(all.rows + brume_fmin(box_rows, box_kinds), (double)def->ny * def->nz);
    all.solid_cells = brume_fmin(all.solid_cells, (double)brume_grid_cells(brume_settings_grid(def)));
    return all;
}

static bool has_cut_cells(const BrumeSimDef *def) { return brume_has_bodies(def) && strcmp(def->solids, "cut") == 0; }

static double extrapolation_bytes(const BodySizes *sizes)
{
    const double layers = brume_fmin(BRUME_EXTRAPOLATION_LAYERS * sizes->surface_cells, sizes->solid_cells);
    return BRUME_LOCATION_COUNT * layers * (double)sizeof(BrumeExtrapolationEntry);
}

// fractions and distances, the walls of cells, and the lists of faces at surfaces: more than cells below them, because
// layers also begin in cut cells
static double cut_cells_bytes(const BrumeSimDef *def, const BodySizes *sizes)
{
    const double layers = brume_fmin(1.7 * BRUME_EXTRAPOLATION_LAYERS * sizes->surface_cells, 0.5 * sizes->solid_cells);
    const double rows = (double)def->ny * def->nz;
    return (double)brume_grid_entries(brume_settings_grid(def)) * (5.0 * sizeof(float) + 1.0) +
           rows * (1.0 + 3.0 * sizeof(int32_t)) +
           3.0 * layers * (double)(sizeof(BrumeSlipFace) + sizeof(BrumeExtrapolationEntry) + sizeof(BrumeWallFace)) +
           (def->viscosity > 0.0f ? 3.0 * sizes->near_cells * (double)sizeof(BrumeFrictionFace) : 0.0);
}

// rows of coefficients and of diagonals of one level (operator.h)
static double operator_bytes(BrumeGrid grid, double kinds_of_rows)
{
    enum { KINDS_WITHOUT_BODIES = 9 }; // inside, and at each side and edge
    const double rows = (double)grid.ny * grid.nz;
    return rows * (sizeof(int) + sizeof(float)) +
           brume_fmin(kinds_of_rows + KINDS_WITHOUT_BODIES, rows) * 3.0 * (grid.nx + 2.0) * sizeof(float);
}

static double multigrid_bytes(const BrumeSimDef *def, double kinds_of_rows)
{
    BrumeGrid grid = brume_settings_grid(def);
    double bytes = operator_bytes(grid, kinds_of_rows);
    do {
        grid = brume_grid((grid.nx + 1) / 2, (grid.ny + 1) / 2, (grid.nz + 1) / 2);
        kinds_of_rows *= 0.5; // a coarse row covers four rows, of which seldom all have the same kind
        // x and b; coefficients of the three faces, where cells of a row differ
        const bool odd = def->nx % 2 != 0 || def->ny % 2 != 0 || def->nz % 2 != 0;
        const int fields = 2 + (def->body_count > 0 || odd ? 3 : 0);
        bytes += fields * (double)brume_grid_entries(grid) * sizeof(float) + operator_bytes(grid, kinds_of_rows);
    } while (brume_grid_cells(grid) > BRUME_COARSEST_CELLS);
    const double coarsest = (double)brume_grid_cells(grid);
    return bytes + coarsest * coarsest * sizeof(float);
}

// the same for plain kernels (sim/reference/vcycle.c), which store all coefficients of coarse levels
static double plain_multigrid_bytes(const BrumeSimDef *def)
{
    BrumeGrid grid = brume_settings_grid(def);
    double bytes = 0.0;
    do {
        grid = brume_grid((grid.nx + 1) / 2, (grid.ny + 1) / 2, (grid.nz + 1) / 2);
        // x and b, coefficients of the three faces, the active cells; the aggregate map; coefficients of rows
        bytes += (double)brume_grid_entries(grid) * (6 * sizeof(float) + 1) + (double)grid.ny * grid.nz * sizeof(float);
    } while (brume_grid_cells(grid) > BRUME_COARSEST_CELLS);
    const double coarsest = (double)brume_grid_cells(grid);
    return bytes + coarsest * coarsest * sizeof(float);
}

static double spectral_bytes(const BrumeSimDef *def)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    double bytes = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const BrumeFaceKind lower = def->faces[2 * axis].kind;
        const BrumeFaceKind upper = def->faces[2 * axis + 1].kind;
        const bool has_open = lower == BRUME_OPEN || upper == BRUME_OPEN;
        const BrumeEnds ends = lower == BRUME_PERIODIC ? BRUME_ENDS_PERIODIC
                               : !has_open             ? BRUME_ENDS_WALLS
                               : lower == upper        ? BRUME_ENDS_OPEN
                                                       : BRUME_ENDS_WALL_OPEN;
        const double length = cells[axis];
        bytes += length * (5.0 * sizeof(float) + 4.0 * sizeof(float) + BRUME_LOW_MODES * sizeof(double));
        if (axis != 1 || ends == BRUME_ENDS_PERIODIC) { // systems along y are tridiagonal otherwise
            // two tables; of half the length each for even and odd functions, where both ends are alike
            const double tables = ends == BRUME_ENDS_WALL_OPEN ? 2.0 : 1.0;
            bytes += brume_axis_is_fast(ends, cells[axis]) ? 0.0 : tables * length * (length + 16.0) * sizeof(float);
        }
    }
    const int longest = brume_max_int(brume_max_int(cells[0], cells[1]), cells[2]);
    const int team = brume_max_int(brume_get_threads(), brume_physical_cores());
    return bytes + (double)team * (2.0 * BRUME_LINE_BLOCK * longest + BRUME_TRIDIAGONAL_LINES * (def->ny + 1.0)) *
                       sizeof(float);
}

static double pressure_bytes(const BrumeSimDef *def, const BodySizes *sizes)
{
    const char *solver = brume_pressure_resolve(def->pressure, brume_has_bodies(def), brume_all_periodic(def));
    const double rows = (double)def->ny * def->nz;
    const double poisson = rows * (double)sizeof(float) + ((double)def->nz + 1.0) * sizeof(double);
    bool is_singular = true; // each run of cells of a row then has an entry
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        is_singular = is_singular && def->faces[face].kind != BRUME_OPEN;
    }
    const double components = is_singular ? 32.0 * (rows + 2.0 * sizes->rows) : 0.0;
    if (solver && (strcmp(solver, "mgpcg") == 0 || strcmp(solver, "multigrid") == 0)) {
        const BrumeKernels *kernels = brume_kernels_find(def->kernels);
        // coefficients and diagonals of the finest level, which cut rows need, and of more kinds of coarse rows
        const double cut_rows =
            has_cut_cells(def) ? 5.0 * (double)brume_grid_entries(brume_settings_grid(def)) * sizeof(float) : 0.0;
        return poisson + 1.5 * components +
               (kernels && kernels->projection ? plain_multigrid_bytes(def)
                                               : multigrid_bytes(def, sizes->rows) + cut_rows);
    }
    const bool is_direct = solver && (strcmp(solver, "dct") == 0 || strcmp(solver, "fft") == 0);
    return poisson + components + (is_direct ? spectral_bytes(def) : 0.0);
}

size_t brume_geometry_bytes_needed(const BrumeSimDef *def)
{
    const size_t flags = def->body_count > 0 ? 2 : 1; // of each cell; and the body of solid cells
    const BodySizes sizes = sizes_of_all(def);
    const double cut_cells = has_cut_cells(def) ? cut_cells_bytes(def, &sizes) : 0.0;
    return flags * brume_grid_entries(brume_settings_grid(def)) +
           (size_t)(extrapolation_bytes(&sizes) + cut_cells + pressure_bytes(def, &sizes));
}

size_t brume_settings_bytes(const BrumeSimDef *def)
{
    if (def->far_factor > 1) {
        return brume_far_bytes_needed(def);
    }
    const size_t entries = brume_grid_entries(brume_settings_grid(def));
    const size_t fields = (size_t)brume_count_fields(def) + 3 + (size_t)BRUME_SCRATCH_FIELDS +
                          (def->texture_period > 0.0f ? 3 * (size_t)BRUME_TEXTURE_LAYERS : 0);
    return sizeof(BrumeSim) + fields * entries * sizeof(float) + brume_advection_bytes(def) +
           brume_transport_bytes(def) + BRUME_PLANE_VALUES * (size_t)(def->nz + 2) * sizeof(double) +
           brume_geometry_bytes_needed(def);
}

BrumeStatus brume_sim_bytes_needed(const BrumeSimDef *def, size_t *bytes, BrumeError *error)
{
    const BrumeStatus status = brume_sim_check(def, error);
    if (status == BRUME_OK) {
        *bytes = brume_settings_bytes(def);
    }
    return status;
}
