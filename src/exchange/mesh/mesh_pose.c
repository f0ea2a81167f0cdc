#include "exchange/mesh/mesh_pose.h"

#include "core/elementary.h"
#include "core/memory.h"

#include <assimp/anim.h>

#include <limits.h>
#include <math.h>
#include <string.h>

BrumeAffine brume_affine_of(const struct aiMatrix4x4 *m)
{
    return (BrumeAffine){{{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                          {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                          {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}}};
}

BrumeAffine brume_affine_product(const BrumeAffine *a, const BrumeAffine *b)
{
    BrumeAffine product;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            const double sum =
                a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] + a->m[row][2] * b->m[2][column];
            product.m[row][column] = column < 3 ? sum : sum + a->m[row][3];
        }
    }
    return product;
}

void brume_affine_point(const BrumeAffine *a, const struct aiVector3D *p, double result[3])
{
    for (int row = 0; row < 3; row++) {
        result[row] =
            a->m[row][0] * (double)p->x + a->m[row][1] * (double)p->y + a->m[row][2] * (double)p->z + a->m[row][3];
    }
}

double brume_mesh_ticks(const struct aiAnimation *animation)
{
    return animation->mTicksPerSecond > 0.0 ? animation->mTicksPerSecond : 25.0; // that of assimp's own programs
}

/** Between the keys `first` and `first` + 1, at this share of their distance; `share` 0 before and behind all keys. */
typedef struct KeyInterval {
    unsigned first, second;
    double share;
} KeyInterval;

// `times` are the first members of `count` keys of `size` bytes
static KeyInterval find_keys(const void *keys, size_t size, unsigned count, double ticks)
{
    unsigned lower = 0; // the number of keys at or before the time
    unsigned upper = count;
    double time;
    while (lower < upper) {
        const unsigned middle = lower + (upper - lower) / 2;
        memcpy(&time, (const char *)keys + middle * size, sizeof time);
        if (time <= ticks) {
            lower = middle + 1;
        } else {
            upper = middle;
        }
    }
    if (lower == 0 || lower == count) {
        const unsigned key = lower == 0 ? 0 : count - 1;
        return (KeyInterval){key, key, 0.0};
    }
    double next;
    memcpy(&time, (const char *)keys + (lower - 1) * size, sizeof time);
    memcpy(&next, (const char *)keys + lower * size, sizeof next);
    return (KeyInterval){lower - 1, lower, (ticks - time) / (next - time)};
}

static void vector_at(const struct aiVectorKey *keys, unsigned count, double ticks, double fallback, double vector[3])
{
    if (count == 0) {
        vector[0] = vector[1] = vector[2] = fallback;
        return;
    }
    const KeyInterval interval = find_keys(keys, sizeof *keys, count, ticks);
    const struct aiVector3D *a = &keys[interval.first].mValue;
    const struct aiVector3D *b = &keys[interval.second].mValue;
    vector[0] = (double)a->x + interval.share * ((double)b->x - (double)a->x);
    vector[1] = (double)a->y + interval.share * ((double)b->y - (double)a->y);
    vector[2] = (double)a->z + interval.share * ((double)b->z - (double)a->z);
}

static void rotation_at(const struct aiQuatKey *keys, unsigned count, double ticks, double q[4])
{
    if (count == 0) {
        q[0] = 1.0;
        q[1] = q[2] = q[3] = 0.0;
        return;
    }
    const KeyInterval interval = find_keys(keys, sizeof *keys, count, ticks);
    const struct aiQuaternion *a = &keys[interval.first].mValue;
    const struct aiQuaternion *b = &keys[interval.second].mValue;
    const double p[4] = {(double)a->w, (double)a->x, (double)a->y, (double)a->z};
    const double r[4] = {(double)b->w, (double)b->x, (double)b->y, (double)b->z};
    double cosine = p[0] * r[0] + p[1] * r[1] + p[2] * r[2] + p[3] * r[3];
    const double sign = cosine < 0.0 ? -1.0 : 1.0; // the shorter arc
    cosine *= sign;
    double from = 1.0 - interval.share;
    double to = interval.share;
    if (cosine < 0.9999) { // else the arc is straight
        const double angle = brume_acos(cosine);
        const double sine = brume_sin(angle);
        from = brume_sin(from * angle) / sine;
        to = brume_sin(to * angle) / sine;
    }
    double squares = 0.0;
    for (int n = 0; n < 4; n++) {
        q[n] = from * p[n] + to * sign * r[n];
        squares += q[n] * q[n];
    }
    for (int n = 0; n < 4 && squares > 0.0; n++) {
        q[n] /= sqrt(squares);
    }
}

// translation x rotation x scale
static BrumeAffine channel_at(const struct aiNodeAnim *channel, double ticks)
{
    double t[3];
    double q[4]; // w, x, y, z
    double s[3];
    vector_at(channel->mPositionKeys, channel->mNumPositionKeys, ticks, 0.0, t);
    rotation_at(channel->mRotationKeys, channel->mNumRotationKeys, ticks, q);
    vector_at(channel->mScalingKeys, channel->mNumScalingKeys, ticks, 1.0, s);
    const double w = q[0];
    const double x = q[1];
    const double y = q[2];
    const double z = q[3];
    const double r[3][3] = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
                            {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
                            {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}};
    BrumeAffine transform;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            transform.m[row][column] = r[row][column] * s[column];
        }
        transform.m[row][3] = t[row];
    }
    return transform;
}

// the transform of a node relative to its parent
static BrumeAffine own_transform(const struct aiNode *node, const struct aiAnimation *animation, double ticks)
{
    for (unsigned n = 0; animation && n < animation->mNumChannels; n++) {
        if (strcmp(animation->mChannels[n]->mNodeName.data, node->mName.data) == 0) {
            return channel_at(animation->mChannels[n], ticks);
        }
    }
    return brume_affine_of(&node->mTransformation);
}

static bool add_node(BrumeMeshPose *pose, const struct aiNode *node, BrumeAffine transform)
{
    BrumeMeshNode *nodes =
        pose->count < INT_MAX / 2 ? brume_make_room(pose->nodes, pose->count, &pose->capacity, sizeof *nodes) : NULL;
    if (nodes) {
        pose->nodes = nodes;
        nodes[pose->count++] = (BrumeMeshNode){node, transform};
    }
    return nodes != NULL;
}

bool brume_mesh_pose(BrumeMeshPose *pose, const struct aiScene *scene, const BrumeMeshAxes *axes,
                     const struct aiAnimation *animation, double seconds)
{
    const double ticks = animation ? seconds * brume_mesh_ticks(animation) : 0.0;
    BrumeAffine root = {{{0.0}}};
    for (int n = 0; n < 3; n++) {
        root.m[n][axes->axis[n]] = axes->factor[n];
    }
    if (!axes->at_root) {
        const BrumeAffine own = own_transform(scene->mRootNode, animation, ticks);
        root = brume_affine_product(&root, &own);
    }
    bool added = add_node(pose, scene->mRootNode, root);
    for (int n = 0; n < pose->count && added; n++) { // its children are appended
        const struct aiNode *node = pose->nodes[n].node;
        for (unsigned child = 0; child < node->mNumChildren && added; child++) {
            const BrumeAffine own = own_transform(node->mChildren[child], animation, ticks);
            const BrumeAffine transform = brume_affine_product(&pose->nodes[n].transform, &own);
            added = add_node(pose, node->mChildren[child], transform);
        }
    }
    return added;
}
