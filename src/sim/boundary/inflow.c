/*
 * Profiles of inflows. A profile is a product of one factor for each side of a rectangular opening, or a function of
 * the radius in a round one. A side that spans a periodic axis has no edges, and the profile is uniform along it: a
 * box that is thin and periodic along one axis gets the profile of a plane channel.
 */
#include "sim/boundary/inflow.h"

#include "core/elementary.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "sim/grid/cells.h"

#include <math.h>

// an opening in the coordinates of its face, along the inner (0) and outer (1) axis
typedef struct FaceOpening {
    const BrumeFaceDef *face;
    int count[2];         // cells
    double length[2];     // of the face [m]
    double center[2];     // from the lower edge of the face [m]
    double half[2];       // half of each side, or the radius [m]
    bool without_edge[2]; // whether the opening spans a periodic axis
    double dx;            // [m]
} FaceOpening;

static FaceOpening face_opening(const BrumeSimDef *def, BrumeFace face)
{
    FaceOpening opening = {.face = &def->faces[face], .dx = (double)def->dx};
    const BrumeOpening *shape = &opening.face->opening;
    const BrumeGrid grid = brume_settings_grid(def);
    int axes[2];
    brume_other_axes((int)face / 2, &axes[0], &axes[1]);
    for (int n = 0; n < 2; n++) {
        const int axis = axes[n];
        opening.count[n] = brume_cells_along(grid, axis);
        opening.length[n] = opening.count[n] * opening.dx;
        opening.center[n] = 0.5 * opening.length[n];
        opening.half[n] = 0.5 * opening.length[n];
        if (shape->kind != BRUME_OPENING_FACE) {
            opening.center[n] =
                (double)brume_component(shape->center, axis) - (double)brume_component(def->origin, axis);
            opening.half[n] = shape->kind == BRUME_OPENING_ROUND ? (double)shape->radius
                                                                 : 0.5 * (double)brume_component(shape->size, axis);
        }
        opening.without_edge[n] = shape->kind != BRUME_OPENING_ROUND && def->faces[2 * axis].kind == BRUME_PERIODIC &&
                                  opening.half[n] >= 0.5 * opening.length[n] * (1.0 - 1e-6);
    }
    return opening;
}

// the profile where `distance` is the distance from the center and `half` the distance of the edge [m]
static double profile_at(const BrumeFaceDef *face, double distance, double half)
{
    switch (face->profile) {
    case BRUME_INFLOW_PARABOLIC:
        return 1.0 - distance * distance / (half * half);
    case BRUME_INFLOW_TANH:
        return brume_tanh((half - distance) / (double)face->thickness);
    default:
        return 1.0;
    }
}

// the profile at a cell of the face before it is scaled; 0 outside of the opening
static double factor_at(const FaceOpening *opening, int a, int b)
{
    const double x = fabs((a - 0.5) * opening->dx - opening->center[0]);
    const double y = fabs((b - 0.5) * opening->dx - opening->center[1]);
    if (opening->face->opening.kind == BRUME_OPENING_ROUND) {
        const double r = sqrt(x * x + y * y);
        return r < opening->half[0] ? profile_at(opening->face, r, opening->half[0]) : 0.0;
    }
    double factor = 1.0;
    factor *= opening->without_edge[0] ? 1.0
              : x < opening->half[0]   ? profile_at(opening->face, x, opening->half[0])
                                       : 0.0;
    factor *= opening->without_edge[1] ? 1.0
              : y < opening->half[1]   ? profile_at(opening->face, y, opening->half[1])
                                       : 0.0;
    return factor;
}

static double sum_of_factors(const FaceOpening *opening)
{
    double sum = 0.0;
    for (int b = 1; b <= opening->count[1]; b++) {
        for (int a = 1; a <= opening->count[0]; a++) {
            sum += factor_at(opening, a, b);
        }
    }
    return sum;
}

static double opening_area(const FaceOpening *opening)
{
    const double pi = 3.14159265358979323846;
    const bool round = opening->face->opening.kind == BRUME_OPENING_ROUND;
    return round ? pi * opening->half[0] * opening->half[0] : 4.0 * opening->half[0] * opening->half[1];
}

double brume_inflow_area(const BrumeSimDef *def, BrumeFace face)
{
    const FaceOpening opening = face_opening(def, face);
    return opening_area(&opening);
}

static bool is_uniform(const BrumeFaceDef *face)
{
    return face->kind != BRUME_INFLOW ||
           (face->profile == BRUME_INFLOW_UNIFORM && face->opening.kind == BRUME_OPENING_FACE);
}

const char *brume_inflow_fault(const BrumeSimDef *def, BrumeFace face)
{
    if (is_uniform(&def->faces[face])) {
        return NULL;
    }
    FaceOpening opening = face_opening(def, face);
    for (int n = 0; n < 2; n++) {
        const double rounding = 1e-5 * opening.length[n];
        if (opening.center[n] - opening.half[n] < -rounding ||
            opening.center[n] + opening.half[n] > opening.length[n] + rounding) {
            return "reaches beyond the face";
        }
    }
    if (!(sum_of_factors(&opening) > 0.0)) {
        return "contains the center of no cell; enlarge it or raise the resolution";
    }
    opening.dx *= def->far_factor;
    opening.count[0] /= def->far_factor;
    opening.count[1] /= def->far_factor;
    return sum_of_factors(&opening) > 0.0 ? NULL
                                          : "contains the center of no cell of the far field; enlarge it, lower the "
                                            "'factor' of 'far' or raise the resolution";
}

static int clamp_cell(int index, int count) { return index < 1 ? 1 : index > count ? count : index; }

static BrumeStatus create_face(BrumeInflows *inflows, const BrumeSimDef *def, BrumeFace face, BrumeError *error)
{
    const FaceOpening opening = face_opening(def, face);
    const int columns = opening.count[0] + 2;
    const int rows = opening.count[1] + 2;
    float *factors = brume_alloc((size_t)columns * (size_t)rows, sizeof *factors);
    if (!factors) {
        return brume_out_of_memory(error, "the profile of an inflow");
    }
    const double scale = opening_area(&opening) / (opening.dx * opening.dx * sum_of_factors(&opening));
    inflows->factors[face] = factors;
    inflows->bytes += (size_t)columns * (size_t)rows * sizeof *factors;
    inflows->largest[face] = 0.0f;
    for (int b = 0; b < rows; b++) {
        for (int a = 0; a < columns; a++) {
            const float factor =
                (float)(scale * factor_at(&opening, clamp_cell(a, opening.count[0]), clamp_cell(b, opening.count[1])));
            factors[(ptrdiff_t)columns * b + a] = factor;
            inflows->largest[face] = factor > inflows->largest[face] ? factor : inflows->largest[face];
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_inflows_create(BrumeInflows *inflows, const BrumeSimDef *def, BrumeError *error)
{
    *inflows = (BrumeInflows){.factors = {NULL}};
    BrumeStatus status = BRUME_OK;
    for (int face = 0; face < BRUME_FACE_COUNT && status == BRUME_OK; face++) {
        inflows->largest[face] = 1.0f;
        if (!is_uniform(&def->faces[face])) {
            status = create_face(inflows, def, (BrumeFace)face, error);
        }
    }
    if (status != BRUME_OK) {
        brume_inflows_destroy(inflows);
    }
    return status;
}

void brume_inflows_destroy(BrumeInflows *inflows)
{
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        brume_free(inflows->factors[face]);
    }
    *inflows = (BrumeInflows){.factors = {NULL}};
}

static bool same_vector(BrumeVec3 a, BrumeVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool brume_inflows_equal(const BrumeSimDef *a, const BrumeSimDef *b)
{
    bool same = true;
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        const BrumeFaceDef *f = &a->faces[face];
        const BrumeFaceDef *g = &b->faces[face];
        const bool uniform = is_uniform(f) && is_uniform(g);
        same = same && (uniform || (f->kind == g->kind && f->profile == g->profile && f->thickness == g->thickness &&
                                    f->opening.kind == g->opening.kind && f->opening.radius == g->opening.radius &&
                                    same_vector(f->opening.center, g->opening.center) &&
                                    same_vector(f->opening.size, g->opening.size)));
    }
    return same;
}

bool brume_inflow_brings_scalars(const BrumeFaceDef *face)
{
    bool brings = face->temperature != 0.0f;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        brings = brings || face->smoke[kind] != 0.0f;
    }
    return face->kind == BRUME_INFLOW && brings;
}
