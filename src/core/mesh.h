/**
 * @file mesh.h
 * Queries on triangle meshes: rays, crossings of segments, closest points, winding numbers, attributes of the surface.
 * The folder mesh/ has the functions. All results are the same on every machine, and are those of a loop over all
 * triangles, except for winding numbers. Several threads may use the same mesh.
 * Points and distances are in the coordinates of the mesh [m].
 */
#ifndef BRUME_CORE_MESH_H
#define BRUME_CORE_MESH_H

#include "brume/mesh.h"

#include <stdint.h>

/** A mesh of a file that was not read; no query may be made on it. NULL without memory. */
BrumeMesh *brume_mesh_create_unread(const char *file, const BrumeMeshReadDef *read, uint64_t hash);

/** Whether the mesh exists and was read. */
bool brume_mesh_has_triangles(const BrumeMesh *mesh);

/** The path of its file, or NULL, and how it was read. */
const char *brume_mesh_file(const BrumeMesh *mesh);
const BrumeMeshReadDef *brume_mesh_read_def(const BrumeMesh *mesh);

/** A hash of the positions of all corners, in the order of the triangles. */
uint64_t brume_mesh_hash(const BrumeMesh *mesh);

/** Whether its vertices move. One that was read from a saved state has no frames until it is exchanged for an equal
 * one that has them. */
bool brume_mesh_deforms(const BrumeMesh *mesh);
bool brume_mesh_has_frames(const BrumeMesh *mesh);

/** The number of the frames of a mesh and the first and the last one; 0, and both unchanged, where it has none. */
int brume_mesh_frame_range(const BrumeMesh *mesh, int *first, int *last);

/** The frame between the first and the last one at which a mesh has the same positions as at `frame`. */
double brume_mesh_clamp_frame(const BrumeMesh *deforming, double frame);

/**
 * Creates the mesh at a frame of one that deforms, with the same triangles, also where some have no area then. What
 * depends on which triangles there are is that of the first frame: whether it is closed, and a solid. Fails as the
 * function that reads a frame, and with BRUME_FAILED without memory or frames.
 */
BrumeStatus brume_mesh_create_at(BrumeMesh **mesh, const BrumeMesh *deforming, double frame, BrumeError *error);

/** The largest distance of a vertex from one frame to another [m]. Fails as brume_mesh_create_at. */
BrumeStatus brume_mesh_largest_way(const BrumeMesh *deforming, double from, double to, double *way, BrumeError *error);

/** The way [m] of the point of a triangle in which the corners have this share, between two meshes of the same
 * triangles. */
BrumeVec3 brume_mesh_way(const BrumeMesh *from, const BrumeMesh *to, int triangle, const double share[3]);

/** A point of the surface on a ray. */
typedef struct BrumeMeshHit {
    double distance; ///< in lengths of the direction of the ray
    int triangle;    ///< in the order of the definition, those that were left out not counted
    int outward;     ///< 1: the ray goes from the inner to the outer side of the triangle; -1: inward
    double share[3]; ///< of each corner in the position; the sum is 1
} BrumeMeshHit;

/**
 * The first point of the surface on the ray from `origin` along `direction`, whose distance is at least `from` and at
 * most `to`, in lengths of `direction`; of several at the same distance, that of the lowest triangle. False, and `*hit`
 * unchanged, where there is none, or where the direction is 0. Both sides of triangles are hit. A ray through an edge
 * or a vertex hits one of the triangles there at least, so that no ray leaves a closed mesh without a hit (Woop,
 * Benthin, Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013).
 */
bool brume_mesh_hit(const BrumeMesh *mesh, BrumeVec3 origin, BrumeVec3 direction, double from, double to,
                    BrumeMeshHit *hit);

/**
 * All points that brume_mesh_hit finds one after the other, in their order, and those at equal distances. False, with
 * the first `most` of them, where there are more.
 */
bool brume_mesh_hits(const BrumeMesh *mesh, BrumeVec3 origin, BrumeVec3 direction, double from, double to,
                     BrumeMeshHit *hits, int most, int *count);

/** The arguments of brume_mesh_hit and brume_mesh_hits for one of several rays. */
typedef struct BrumeMeshRay {
    BrumeVec3 origin, direction;
    double from, to;
} BrumeMeshRay;

/**
 * brume_mesh_hit of `count` rays, which takes less time than one after the other: the next one is searched while memory
 * is loaded. The triangle of a ray that hits nothing is -1.
 */
void brume_mesh_first_hits(const BrumeMesh *mesh, const BrumeMeshRay *rays, int count, BrumeMeshHit *hits);

/** brume_mesh_hits of `count` rays: `hits` (count x most), and their numbers, `most` + 1 where there are more. */
void brume_mesh_all_hits(const BrumeMesh *mesh, const BrumeMeshRay *rays, int count, BrumeMeshHit *hits, int most,
                         int *counts);

/** Whether brume_mesh_hit finds a point. */
bool brume_mesh_occludes(const BrumeMesh *mesh, BrumeVec3 origin, BrumeVec3 direction, double from, double to);

/**
 * Whether the segment from `a` to `b` crosses or touches the surface. Each triangle is tested by the sides of its plane
 * on which the ends are, which depend on the ends alone, so that of two segments that share an end one crosses wherever
 * both together do: no distance is compared, and an end on the surface counts for both segments. A segment in the plane
 * of a triangle does not cross it.
 */
bool brume_mesh_crosses(const BrumeMesh *mesh, BrumeVec3 a, BrumeVec3 b);

/**
 * Whether a segment between two points that are not inside passes only corners of thick parts of a solid, so that the
 * air at its ends is connected along their surface: all triangles that it crosses belong to one part, and behind each
 * of them the solid is `thickness` [m] deep, along the normal. True where it crosses nothing.
 */
bool brume_mesh_passes_corners(const BrumeMesh *mesh, BrumeVec3 a, BrumeVec3 b, double thickness);

/** Whether an edge of a triangle crosses another triangle with which it shares no vertex. Uses all threads. */
bool brume_mesh_intersects_itself(const BrumeMesh *mesh);

/** The point of the surface that is closest to another point. */
typedef struct BrumeMeshPoint {
    double distance; ///< [m]
    int triangle;    ///< the lowest of those at this distance
    double share[3]; ///< of each corner in the position; the sum is 1
    BrumeVec3 at;    ///< [m]
} BrumeMeshPoint;

/** The closest point of the surface to `point`; false, and `*closest` unchanged, where none is within `most` [m]. */
bool brume_mesh_closest(const BrumeMesh *mesh, BrumeVec3 point, double most, BrumeMeshPoint *closest);

/** The vertex that is closest to another point, as a point of the surface; of several, that of the lowest triangle.
 * False as brume_mesh_closest. */
bool brume_mesh_closest_vertex(const BrumeMesh *mesh, BrumeVec3 point, double most, BrumeMeshPoint *closest);

/** The distance of the closest point, or `most` where none is within it; where it is below `enough`, any value between
 * both: the first triangle within `enough` ends the search. All in [m]. */
double brume_mesh_distance(const BrumeMesh *mesh, BrumeVec3 point, double enough, double most);

/** brume_mesh_distance of `count` points, with `enough` 0. Takes less time where each is near the one before. */
void brume_mesh_distances(const BrumeMesh *mesh, const BrumeVec3 *points, int count, double most, double *distances);

/**
 * The generalized winding number of the surface around `point`: the solid angle under which it is seen, over 4 pi,
 * positive where the inner side is seen. It is 1 inside a closed mesh and 0 outside, the sum for parts that overlap,
 * and changes by 1 across the surface of any mesh (Jacobson, Kavan, Sorkine-Hornung, "Robust Inside-Outside
 * Segmentation using Generalized Winding Numbers", SIGGRAPH 2013).
 *
 * Groups of triangles that are farther away than `accuracy` times their radius count by their moments up to the second
 * order (Barill, Dickson, Schmidt, Levin, Jacobson, "Fast Winding Numbers for Soups and Clouds", SIGGRAPH 2018). With
 * an infinite `accuracy` each triangle counts by its own solid angle (van Oosterom, Strackee, "The Solid Angle of a
 * Plane Triangle", IEEE Trans. Biomed. Eng. 30(2), 1983). Errors on a torus and on spheres are below .01 with an
 * accuracy of 2, and below .002 with 3.
 */
double brume_mesh_winding(const BrumeMesh *mesh, BrumeVec3 point, double accuracy);

/** Whether `point` is inside: the winding number is above 1/2, and the mesh is a solid (BrumeMeshInfo). */
bool brume_mesh_inside(const BrumeMesh *mesh, BrumeVec3 point);

/**
 * Sets inside[n] to brume_mesh_inside of the n-th of `count` points, which are on a line one after the other: by one
 * ray through a closed mesh. Points that rounding moves across the surface may differ.
 */
void brume_mesh_contains(const BrumeMesh *mesh, const BrumeVec3 *points, int count, bool *inside);

/** The surface at one of its points. */
typedef struct BrumeMeshAttributes {
    /**
     * Unit normal to the outside: interpolated from the normals of the corners; without them, from the mean of the
     * triangles around a vertex by their angles there, as far as they meet at creases of at most 60 degrees.
     */
    BrumeVec3 normal;
    BrumeVec3 face;  ///< unit normal of the triangle
    float uv[2];     ///< texture coordinates; 0 where there are none
    BrumeVec3 color; ///< linear RGB, the base color times that of its texture; 1 where there is none
} BrumeMeshAttributes;

/** Whether it has texture coordinates. */
bool brume_mesh_has_uvs(const BrumeMesh *mesh);

/** The normal, the texture coordinates and the color of brume_mesh_attributes. */
BrumeVec3 brume_mesh_normal(const BrumeMesh *mesh, int triangle, const double share[3]);
void brume_mesh_uv(const BrumeMesh *mesh, int triangle, const double share[3], float uv[2]);
BrumeVec3 brume_mesh_color(const BrumeMesh *mesh, int triangle, const double share[3]);

/** The surface at the point of a triangle in which the corners have this share. */
BrumeMeshAttributes brume_mesh_attributes(const BrumeMesh *mesh, int triangle, const double share[3]);

#endif
