#include "raymarch/gl/gl_solids.h"

#include "core/error.h"
#include "core/half.h"
#include "core/memory.h"
#include "core/mesh/mesh_internal.h"
#include "core/samples.h"
#include "core/texture.h"
#include "raymarch/drawn_solids.h"
#include "raymarch/gl/gl_texture.h"
#include "raymarch/gl/gl_view.h"

#include <limits.h>
#include <string.h>

enum {
    LARGEST_NUMBER = 1 << 24, // of nodes and triangles: texels have them as floats
    OF_NODE = 2,              // texels
    OF_TRIANGLE = 6,
    OF_COLORED_TRIANGLE = 9,
};

typedef BrumeGlVec4 Texel;

static int rows_of(size_t texels) { return (int)((texels + BRUME_GL_SOLIDS_ROW - 1) / BRUME_GL_SOLIDS_ROW); }

static int triangle_texels(const BrumeMesh *mesh)
{
    return mesh->colors || mesh->texture_of ? OF_COLORED_TRIANGLE : OF_TRIANGLE;
}

static int node_rows(const BrumeMesh *mesh) { return rows_of(1 + OF_NODE * (size_t)mesh->bvh.node_count); }

static int entry_rows(const BrumeGlSolidEntry *entry)
{
    if (entry->texture) {
        return rows_of(1 + (size_t)entry->texture->width * (size_t)entry->texture->height);
    }
    if (entry->samples) {
        return rows_of(1 + (brume_samples_bytes(entry->samples) + sizeof(Texel) - 1) / sizeof(Texel));
    }
    return node_rows(entry->mesh) +
           rows_of((size_t)triangle_texels(entry->mesh) * (size_t)entry->mesh->bvh.triangle_count);
}

static bool is_same(const BrumeGlSolidEntry *a, const BrumeGlSolidEntry *b)
{
    return a->mesh == b->mesh && a->samples == b->samples && a->texture == b->texture && a->frame == b->frame;
}

// the first row of the same data; -1 where there is none
static int find_row(const BrumeGlSolids *solids, const BrumeGlSolidEntry *entry)
{
    for (int n = 0; n < solids->count; n++) {
        if (is_same(&solids->entries[n], entry)) {
            return solids->entries[n].row;
        }
    }
    return -1;
}

static bool has_data(const BrumeShape *shape)
{
    return shape->kind == BRUME_SHAPE_MESH     ? brume_mesh_has_triangles(shape->mesh)
           : shape->kind == BRUME_SHAPE_VOLUME ? shape->samples && brume_samples_have_values(shape->samples)
                                               : false;
}

static bool has_texels(const BrumeSurface *surface) { return surface->texture && surface->texture->frames > 0; }

static BrumeGlSolidEntry entry_of_shape(const BrumeShape *shape)
{
    const bool is_mesh = shape->kind == BRUME_SHAPE_MESH;
    return (BrumeGlSolidEntry){.mesh = is_mesh ? shape->mesh : NULL, .samples = is_mesh ? NULL : shape->samples};
}

static BrumeGlSolidEntry entry_of_texture(const BrumeSurface *surface)
{
    return (BrumeGlSolidEntry){.texture = surface->texture, .frame = surface->texture_frame};
}

static void add_entry(BrumeGlSolids *solids, BrumeGlSolidEntry entry)
{
    if (solids->count == BRUME_GL_SOLID_ENTRIES) {
        solids->rows = INT_MAX; // they do not fit
    } else if (find_row(solids, &entry) < 0 && solids->rows < INT_MAX) {
        entry.row = solids->rows;
        solids->rows += entry_rows(&entry);
        solids->entries[solids->count++] = entry;
    }
}

// the meshes, volumes and textures of the settings, each once, and their rows; behind them the pressure, if it is shown
static BrumeGlSolids needed(const BrumeRenderSettings *settings)
{
    BrumeGlSolids solids = {0};
    for (int n = 0; n < brume_drawn_solid_count(settings); n++) {
        const BrumeSurface *surface = brume_drawn_solid(settings, n);
        if (has_data(&surface->shape)) {
            add_entry(&solids, entry_of_shape(&surface->shape));
        }
        const BrumeMesh *mesh = has_data(&surface->shape) ? surface->shape.mesh : NULL;
        for (int t = 0; mesh && t < mesh->texture_count; t++) {
            if (mesh->textures[t]) {
                add_entry(&solids, (BrumeGlSolidEntry){.texture = mesh->textures[t]});
            }
        }
        if (has_texels(surface)) {
            add_entry(&solids, entry_of_texture(surface));
        }
    }
    if (settings->flow && settings->flow->pressure) {
        add_entry(&solids, (BrumeGlSolidEntry){.samples = settings->flow->pressure});
    }
    return solids;
}

bool brume_gl_solids_match(const BrumeGlSolids *solids, const BrumeRenderSettings *settings)
{
    const BrumeGlSolids other = needed(settings);
    bool same = solids->count == other.count;
    for (int n = 0; n < other.count && same; n++) {
        same = is_same(&solids->entries[n], &other.entries[n]);
    }
    return same;
}

int brume_gl_solids_row(const BrumeGlSolids *solids, const BrumeShape *shape)
{
    const BrumeGlSolidEntry entry = entry_of_shape(shape);
    return has_data(shape) ? find_row(solids, &entry) : -1;
}

int brume_gl_solids_texture_row(const BrumeGlSolids *solids, const BrumeSurface *surface)
{
    const BrumeGlSolidEntry entry = entry_of_texture(surface);
    return has_texels(surface) ? find_row(solids, &entry) : -1;
}

static Texel corner(const float at[3], float w) { return (Texel){at[0], at[1], at[2], w}; }

// Nodes are in depth-first order: one whose box is missed is followed by the one behind its subtree.
static void fill_nodes(Texel *texels, const BrumeBvh *bvh)
{
    for (int n = bvh->node_count - 1; n >= 0; n--) {
        const BrumeBvhNode *node = &bvh->nodes[n];
        Texel *of_node = texels + OF_NODE * (size_t)n;
        const bool is_leaf = node->count > 0;
        // the node behind the second child, which is the next one where that is a leaf
        const Texel *second = texels + OF_NODE * (size_t)node->other;
        const float behind = is_leaf ? 0.0f : second[1].w > 0.0f ? (float)(node->other + 1) : second[0].w;
        of_node[0] = corner(node->lower, is_leaf ? (float)node->other : behind);
        of_node[1] = corner(node->upper, (float)node->count);
    }
}

static float row_of_texture(const BrumeGlSolids *solids, const BrumeMesh *mesh, int triangle)
{
    const int number = mesh->texture_of ? mesh->texture_of[triangle] : -1;
    const BrumeGlSolidEntry entry = {.texture = number >= 0 ? mesh->textures[number] : NULL};
    return entry.texture ? (float)find_row(solids, &entry) : -1.0f;
}

static void fill_triangles(Texel *texels, const BrumeGlSolids *solids, const BrumeMesh *mesh)
{
    const BrumeVec3 white = {1.0f, 1.0f, 1.0f};
    const size_t each = (size_t)triangle_texels(mesh);
#pragma omp parallel for schedule(static)
    for (int n = 0; n < mesh->bvh.triangle_count; n++) {
        const BrumeBvhTriangle *triangle = &mesh->bvh.triangles[n];
        Texel *of_triangle = texels + each * (size_t)n;
        for (size_t c = 0; c < 3; c++) {
            const size_t corner = 3 * (size_t)triangle->number + c;
            of_triangle[c] = brume_gl_vec4(triangle->corners[c], mesh->uvs ? mesh->uvs[2 * corner] : 0.0f);
            of_triangle[3 + c] = brume_gl_vec4(mesh->normals[corner], mesh->uvs ? mesh->uvs[2 * corner + 1] : 0.0f);
            if (each == OF_COLORED_TRIANGLE) {
                of_triangle[6 + c] = brume_gl_vec4(mesh->colors ? mesh->colors[corner] : white,
                                                   row_of_texture(solids, mesh, triangle->number));
            }
        }
    }
}

static void fill_texture(Texel *first, const BrumeTexture *texture, int frame)
{
    const size_t count = (size_t)texture->width * (size_t)texture->height;
    const uint16_t(*texels)[3] = (const uint16_t(*)[3])texture->texels + count * (size_t)frame;
    first[0] = (Texel){(float)texture->width, (float)texture->height, 0.0f, 0.0f};
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < count; n++) {
        first[1 + n] = (Texel){brume_float_of_half(texels[n][0]), brume_float_of_half(texels[n][1]),
                               brume_float_of_half(texels[n][2]), 0.0f};
    }
}

static void fill_entry(Texel *texels, const BrumeGlSolids *solids, const BrumeGlSolidEntry *entry)
{
    Texel *first = texels + BRUME_GL_SOLIDS_ROW * (size_t)entry->row;
    if (entry->texture) {
        fill_texture(first, entry->texture, entry->frame);
        return;
    }
    if (entry->samples) {
        const BrumeSamples *samples = entry->samples;
        first[0] = (Texel){(float)samples->n[0], (float)samples->n[1], (float)samples->n[2], 0.0f};
        memcpy(first + 1, samples->values, brume_samples_bytes(samples));
        return;
    }
    const BrumeMesh *mesh = entry->mesh;
    first[0] = (Texel){(float)mesh->bvh.node_count, (float)node_rows(mesh), (float)triangle_texels(mesh), 0.0f};
    fill_nodes(first + 1, &mesh->bvh);
    fill_triangles(first + BRUME_GL_SOLIDS_ROW * (size_t)node_rows(mesh), solids, mesh);
}

// false where the device has no memory
static bool upload(BrumeGlSolids *solids, const Texel *texels)
{
    brume_gl_clear_errors();
    brume_gl_set_packed_unpack_state();
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glGenTextures(1, &solids->texture);
    glBindTexture(GL_TEXTURE_2D, solids->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, BRUME_GL_SOLIDS_ROW, solids->rows, 0, GL_RGBA, GL_FLOAT, texels);
    const bool done = glGetError() == GL_NO_ERROR;
    glBindTexture(GL_TEXTURE_2D, 0);
    return done;
}

static bool fits(const BrumeGlSolids *solids, int largest)
{
    bool fits = solids->rows <= largest;
    for (int n = 0; n < solids->count && fits; n++) {
        const BrumeGlSolidEntry *entry = &solids->entries[n];
        fits = entry->samples || entry->texture ||
               (entry->mesh->bvh.node_count < LARGEST_NUMBER && entry->mesh->bvh.triangle_count < LARGEST_NUMBER);
    }
    return fits;
}

BrumeStatus brume_gl_solids_create(BrumeGlSolids *solids, const BrumeRenderSettings *settings, int largest,
                                   BrumeError *error)
{
    *solids = (BrumeGlSolids){0};
    BrumeGlSolids created = needed(settings);
    if (created.count == 0) {
        return BRUME_OK;
    }
    const size_t texels = BRUME_GL_SOLIDS_ROW * (size_t)created.rows;
    Texel *staging = fits(&created, largest) ? brume_alloc(texels, sizeof *staging) : NULL;
    for (int n = 0; n < created.count && staging; n++) {
        fill_entry(staging, &created, &created.entries[n]);
    }
    const bool done = staging && upload(&created, staging);
    brume_free(staging);
    if (!done) {
        glDeleteTextures(1, &created.texture);
        return brume_fail(error, BRUME_FAILED,
                          "the graphics device has no %.0f MiB for the meshes, volumes and textures of bodies",
                          (double)(texels * sizeof(Texel)) / (1024.0 * 1024.0));
    }
    for (int n = 0; n < created.count; n++) {
        brume_mesh_retain(created.entries[n].mesh);
        brume_samples_retain(created.entries[n].samples);
        brume_texture_retain(created.entries[n].texture);
    }
    *solids = created;
    return BRUME_OK;
}

void brume_gl_solids_destroy(BrumeGlSolids *solids)
{
    glDeleteTextures(1, &solids->texture);
    for (int n = 0; n < solids->count; n++) {
        brume_mesh_release(solids->entries[n].mesh);
        brume_samples_release(solids->entries[n].samples);
        brume_texture_release(solids->entries[n].texture);
    }
    *solids = (BrumeGlSolids){0};
}

size_t brume_gl_solids_bytes(const BrumeGlSolids *solids)
{
    return BRUME_GL_SOLIDS_ROW * (size_t)solids->rows * sizeof(Texel);
}
