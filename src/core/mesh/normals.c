#include "core/mesh/normals.h"

#include "core/elementary.h"
#include "core/mesh/triangle.h"
#include "core/mesh/union_find.h"
#include "core/vec3.h"

BrumeVec3 brume_mesh_face_normal(const BrumeVec3 *positions, const int corners[3])
{
    double area[3];
    brume_triangle_area(&positions[corners[0]], &positions[corners[1]], &positions[corners[2]], area);
    const double length = sqrt(brume_dot3(area, area));
    if (!(length > 0.0)) {
        return brume_vec3(0.0f, 1.0f, 0.0f);
    }
    return brume_vec3((float)(area[0] / length), (float)(area[1] / length), (float)(area[2] / length));
}

// the angle of a triangle at one of its corners [rad]
static float angle_at(const BrumeMeshVertices *mesh, int triangle, int corner)
{
    const int *v = mesh->corners + 3 * (size_t)triangle;
    const BrumeVec3 *here = &mesh->positions[v[corner]];
    double a[3];
    double b[3];
    double cross[3];
    brume_between3(here, &mesh->positions[v[(corner + 1) % 3]], a);
    brume_between3(here, &mesh->positions[v[(corner + 2) % 3]], b);
    brume_cross3(a, b, cross);
    return (float)brume_atan2(sqrt(brume_dot3(cross, cross)), brume_dot3(a, b));
}

void brume_mesh_set_normals(BrumeVec3 *normals, const BrumeMeshVertices *mesh, int *smooth)
{
#pragma omp parallel for schedule(static)
    for (int n = 0; n < mesh->triangle_count; n++) {
        const BrumeVec3 face = brume_mesh_face_normal(mesh->positions, mesh->corners + 3 * (size_t)n);
        for (int corner = 0; corner < 3; corner++) {
            normals[3 * (size_t)n + (size_t)corner] = brume_scale(face, angle_at(mesh, n, corner));
        }
    }
    const int corners = 3 * mesh->triangle_count;
    for (int n = 0; n < corners; n++) { // sums, in the order of corners
        const int root = brume_find_set(smooth, n);
        normals[root] = root == n ? normals[n] : brume_add(normals[root], normals[n]);
    }
    for (int n = 0; n < corners; n++) {
        const int root = brume_find_set(smooth, n);
        normals[n] = root == n ? brume_normalize(normals[n]) : normals[root];
    }
#pragma omp parallel for schedule(static)
    for (int n = 0; n < corners; n++) { // opposite normals may cancel
        if (!(brume_length(normals[n]) > 0.0f)) {
            normals[n] = brume_mesh_face_normal(mesh->positions, mesh->corners + 3 * (size_t)(n / 3));
        }
    }
}
