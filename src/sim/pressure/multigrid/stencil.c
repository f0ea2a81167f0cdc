#include "sim/pressure/multigrid/stencil.h"

#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "sim/pressure/multigrid/split.h"

#include <string.h>

enum { AXES = 3, KIND_ROWS = 3, FIRST_ROOM = 16 };

static BrumeStatus out_of_memory(BrumeError *error) { return brume_out_of_grid_memory(error, "the pressure solver"); }

static size_t kind_entries(const BrumeStencil *stencil) { return KIND_ROWS * (size_t)(stencil->grid.nx + 2); }

// room for one more kind
static bool make_room(BrumeStencil *stencil)
{
    if (stencil->kind_count < stencil->kind_room) {
        return true;
    }
    const int room = stencil->kind_room > 0 ? 2 * stencil->kind_room : FIRST_ROOM;
    float *kinds = brume_alloc((size_t)room, kind_entries(stencil) * sizeof *kinds);
    if (!kinds) {
        return false;
    }
    if (stencil->kinds) {
        memcpy(kinds, stencil->kinds, (size_t)stencil->kind_count * kind_entries(stencil) * sizeof *kinds);
    }
    brume_free(stencil->kinds);
    stencil->kinds = kinds;
    stencil->kind_room = room;
    return true;
}

// what is added to the diagonal where an odd periodic axis puts two cells of one color side by side
static float seam(const BrumeStencil *stencil, int axis, int n, float lower, float upper)
{
    const int count = brume_cells_along(stencil->grid, axis);
    if (!stencil->periodic[axis] || count % 2 == 0) {
        return 0.0f;
    }
    return (n == 1 ? lower : 0.0f) + (n == count ? upper : 0.0f);
}

// Where coefficients come from: the flags of the box, or fields.
typedef struct Source {
    const BrumePoisson *box;
    const BrumeField *face;
} Source;

// coefficients of the lower and upper face of a cell along an axis
static void faces_of(const Source *source, int axis, int i, int j, int k, float *lower, float *upper)
{
    if (source->box) {
        const int flags = brume_poisson_flags(source->box, j, k)[i];
        *lower = flags & brume_cell_lower(axis) ? 1.0f : 0.0f;
        *upper = flags & brume_cell_lower(axis) << 1 ? 1.0f : 0.0f;
    } else {
        const BrumeField *face = &source->face[axis];
        *lower = brume_field_at(face, i, j, k);
        *upper = brume_field_at(face, i + (axis == 0), j + (axis == 1), k + (axis == 2));
    }
}

static void fill_kind(const BrumeStencil *stencil, const Source *source, int j, int k, float *kind)
{
    const int nx = stencil->grid.nx;
    float *inverse = kind;
    float *diagonal = inverse + nx + 2;
    float *held = diagonal + nx + 2;
    for (int i = 1; i <= nx; i++) {
        const int at[AXES] = {i, j, k};
        const ptrdiff_t entry = brume_split_at(nx, i);
        float sum = 0.0f;
        float seams = 0.0f;
        for (int axis = 0; axis < AXES; axis++) {
            float lower;
            float upper;
            faces_of(source, axis, i, j, k, &lower, &upper);
            sum += lower + upper;
            seams += seam(stencil, axis, at[axis], lower, upper);
        }
        inverse[entry] = sum > 0.0f ? 1.0f / (sum + seams) : 0.0f;
        diagonal[entry] = sum;
        held[entry] = seams;
    }
}

// whether kind `known` is the one just filled in, behind the last
static bool same_kind(const BrumeStencil *stencil, int known)
{
    const size_t entries = kind_entries(stencil);
    return memcmp(stencil->kinds + (size_t)known * entries, stencil->kinds + (size_t)stencil->kind_count * entries,
                  entries * sizeof *stencil->kinds) == 0;
}

// rows are compared with those beside them: that finds nearly all that are alike
static bool find_kinds(BrumeStencil *stencil, const Source *source)
{
    const BrumeGrid grid = stencil->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            if (!make_room(stencil)) {
                return false;
            }
            int *kind = stencil->kind + (ptrdiff_t)(k - 1) * grid.ny + (j - 1);
            fill_kind(stencil, source, j, k, stencil->kinds + (size_t)stencil->kind_count * kind_entries(stencil));
            if (k > 1 && same_kind(stencil, kind[-grid.ny])) {
                *kind = kind[-grid.ny];
            } else if (j > 1 && same_kind(stencil, kind[-1])) {
                *kind = kind[-1];
            } else {
                *kind = stencil->kind_count++;
            }
        }
    }
    return true;
}

bool brume_stencil_has_seams(BrumeGrid grid, const bool periodic[3])
{
    return (periodic[0] && grid.nx % 2 != 0) || (periodic[1] && grid.ny % 2 != 0) || (periodic[2] && grid.nz % 2 != 0);
}

static bool prepare(BrumeStencil *stencil, BrumeGrid grid, const bool periodic[AXES], bool parallel)
{
    *stencil = (BrumeStencil){
        .grid = grid,
        .sy = grid.nx + 2,
        .sz = (ptrdiff_t)(grid.nx + 2) * (grid.ny + 2),
        .periodic = {periodic[0], periodic[1], periodic[2]},
        .seams = brume_stencil_has_seams(grid, periodic),
        .parallel = parallel,
        .kind = brume_alloc((size_t)grid.ny * (size_t)grid.nz, sizeof *stencil->kind),
    };
    return stencil->kind != NULL;
}

BrumeStatus brume_stencil_create_box(BrumeStencil *stencil, const BrumePoisson *poisson, BrumeError *error)
{
    const BrumeCells *cells = poisson->cells;
    const size_t rows = (size_t)cells->grid.ny * (size_t)cells->grid.nz;
    const Source source = {.box = poisson};
    if (prepare(stencil, cells->grid, cells->periodic, poisson->parallel)) {
        stencil->uniform = brume_alloc(rows, sizeof *stencil->uniform);
    }
    if (!stencil->uniform || !find_kinds(stencil, &source)) {
        brume_stencil_destroy(stencil);
        return out_of_memory(error);
    }
    for (size_t row = 0; row < rows; row++) {
        stencil->uniform[row] = 1.0f;
    }
    return BRUME_OK;
}

static bool all_uniform(const float *uniform, BrumeGrid grid)
{
    for (ptrdiff_t row = 0; row < (ptrdiff_t)grid.ny * grid.nz; row++) {
        if (uniform[row] == 0.0f) {
            return false;
        }
    }
    return true;
}

BrumeStatus brume_stencil_create(BrumeStencil *stencil, BrumeGrid grid, const bool periodic[3], bool parallel,
                                 BrumeField face[3], float **uniform, BrumeError *error)
{
    const Source source = {.face = face};
    if (!prepare(stencil, grid, periodic, parallel) || !find_kinds(stencil, &source)) {
        brume_stencil_destroy(stencil);
        return out_of_memory(error);
    }
    stencil->uniform = *uniform;
    *uniform = NULL;
    const bool needed = !all_uniform(stencil->uniform, grid);
    for (int axis = 0; axis < AXES; axis++) {
        if (needed) {
            brume_split_field(&face[axis], parallel);
            stencil->face[axis] = face[axis];
            face[axis] = (BrumeField){0};
        } else {
            brume_field_destroy(&face[axis]);
        }
    }
    return BRUME_OK;
}

float brume_stencil_residual_at(const BrumeStencil *stencil, const BrumeField *x, const BrumeField *b, int i, int j,
                                int k)
{
    const int nx = stencil->grid.nx;
    const ptrdiff_t index = (ptrdiff_t)(k - 1) * stencil->grid.ny + (j - 1);
    const float *kind = stencil->kinds + (size_t)stencil->kind[index] * kind_entries(stencil);
    const ptrdiff_t row = stencil->sy * j + stencil->sz * k;
    const ptrdiff_t at = row + brume_split_at(nx, i);
    const ptrdiff_t east = row + brume_split_at(nx, i + 1);
    const ptrdiff_t beside[] = {
        row + brume_split_at(nx, i - 1), east, at - stencil->sy, at + stencil->sy, at - stencil->sz, at + stencil->sz};
    const ptrdiff_t faces[] = {at, east, at, at + stencil->sy, at, at + stencil->sz};
    float sum = b->data[at] - kind[nx + 2 + brume_split_at(nx, i)] * x->data[at];
    for (int side = 0; side < 2 * AXES; side++) {
        const float uniform = stencil->uniform[index];
        sum += (uniform > 0.0f ? uniform : stencil->face[side / 2].data[faces[side]]) * x->data[beside[side]];
    }
    return sum;
}

void brume_stencil_destroy(BrumeStencil *stencil)
{
    brume_free(stencil->kind);
    brume_free(stencil->kinds);
    brume_free(stencil->uniform);
    for (int axis = 0; axis < AXES; axis++) {
        brume_field_destroy(&stencil->face[axis]);
    }
    *stencil = (BrumeStencil){0};
}

size_t brume_stencil_bytes(const BrumeStencil *stencil)
{
    const BrumeGrid grid = stencil->grid;
    const size_t rows = (size_t)grid.ny * (size_t)grid.nz;
    const size_t faces = stencil->face[0].data ? AXES * brume_grid_entries(grid) * sizeof(float) : 0;
    return rows * (sizeof *stencil->kind + sizeof *stencil->uniform) + faces +
           (size_t)stencil->kind_room * kind_entries(stencil) * sizeof *stencil->kinds;
}
