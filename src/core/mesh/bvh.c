// The n triangles of a subtree take at most 2 n - 1 nodes, so that each subtree has a block of the array of nodes, and
// several threads build subtrees without a counter that they share. The unused nodes are removed at the end.
#include "core/mesh/bvh.h"

#include "core/memory.h"

#include <float.h>

enum {
    BINS = 12,
    MAX_DEPTH = 56,    // of nodes that the heuristic splits; below, halves of 2^28 triangles need 28 more at most
    TASKS = 64,        // subtrees that threads build
    LEAST_TASK = 1024, // triangles of a subtree that is split before threads share the rest
};

_Static_assert(MAX_DEPTH + 28 < (int)BRUME_BVH_STACK, "a traversal has room for every tree");

typedef struct Box {
    float lower[3], upper[3];
} Box;

static const Box EMPTY_BOX = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

// a triangle that is to be built into the tree
typedef struct TreeItem {
    Box box;
    int number;
} TreeItem;

typedef struct Subtree {
    int node; // its root
    int first, count;
    int depth;
} Subtree;

typedef struct TreeBuilder {
    TreeItem *items; // those of a subtree are adjacent
    BrumeBvhNode *nodes;
} TreeBuilder;

static void grow(Box *box, const Box *by)
{
    for (int axis = 0; axis < 3; axis++) {
        box->lower[axis] = by->lower[axis] < box->lower[axis] ? by->lower[axis] : box->lower[axis];
        box->upper[axis] = by->upper[axis] > box->upper[axis] ? by->upper[axis] : box->upper[axis];
    }
}

// half of it
static double surface_area(const Box *box)
{
    const double x = (double)box->upper[0] - (double)box->lower[0];
    const double y = (double)box->upper[1] - (double)box->lower[1];
    const double z = (double)box->upper[2] - (double)box->lower[2];
    return x * y + y * z + z * x;
}

static float center_of(const Box *box, int axis) { return 0.5f * box->lower[axis] + 0.5f * box->upper[axis]; }

// bins of equal width between the least and the largest center along an axis
typedef struct Binning {
    int axis;
    double first;
    double per_width; // 0: all centers are in the first bin
} Binning;

// along the longest side of the box of the centers, the first of several
static Binning binning_of(const Box *centers)
{
    double sides[3];
    for (int axis = 0; axis < 3; axis++) {
        sides[axis] = (double)centers->upper[axis] - (double)centers->lower[axis];
    }
    int longest = sides[1] > sides[0] ? 1 : 0;
    longest = sides[2] > sides[longest] ? 2 : longest;
    const double per_width = sides[longest] > 0.0 ? BINS / sides[longest] : 0.0;
    return (Binning){longest, (double)centers->lower[longest], per_width};
}

static int bin_of(const Binning *binning, const TreeItem *item)
{
    const int bin = (int)(((double)center_of(&item->box, binning->axis) - binning->first) * binning->per_width);
    return bin < BINS ? bin : BINS - 1;
}

// the first bin of the upper side of the split of the least cost, the lowest of several; 0 where no bin splits the
// items
static int find_split(const TreeItem *items, int count, const Binning *binning)
{
    Box boxes[BINS];
    int counts[BINS] = {0};
    for (int n = 0; n < BINS; n++) {
        boxes[n] = EMPTY_BOX;
    }
    for (int n = 0; n < count; n++) {
        const int bin = bin_of(binning, &items[n]);
        grow(&boxes[bin], &items[n].box);
        counts[bin]++;
    }
    double costs[BINS]; // of the upper side that begins at each bin: its area times its triangles
    Box upper = EMPTY_BOX;
    int above = 0;
    for (int n = BINS - 1; n > 0; n--) {
        grow(&upper, &boxes[n]);
        above += counts[n];
        costs[n] = above > 0 ? above * surface_area(&upper) : 0.0;
    }
    Box lower = EMPTY_BOX;
    int below = 0;
    int best = 0;
    double least = 0.0;
    for (int n = 1; n < BINS; n++) {
        grow(&lower, &boxes[n - 1]);
        below += counts[n - 1];
        const double cost = below > 0 ? below * surface_area(&lower) + costs[n] : 0.0;
        if (below > 0 && below < count && (best == 0 || cost < least)) {
            best = n;
            least = cost;
        }
    }
    return best;
}

// moves the items of the bins below `split` to the front; returns their number
static int partition(TreeItem *items, int count, const Binning *binning, int split)
{
    int lower = 0;
    int upper = count;
    while (lower < upper) {
        if (bin_of(binning, &items[lower]) < split) {
            lower++;
        } else {
            const TreeItem item = items[--upper];
            items[upper] = items[lower];
            items[lower] = item;
        }
    }
    return lower;
}

// sets the node of a subtree; the number of triangles below its first child, 0 for a leaf
static int set_node(const TreeBuilder *builder, Subtree tree)
{
    TreeItem *items = builder->items + tree.first;
    Box box = EMPTY_BOX;
    Box centers = EMPTY_BOX;
    for (int n = 0; n < tree.count; n++) {
        grow(&box, &items[n].box);
        Box center;
        for (int axis = 0; axis < 3; axis++) {
            center.lower[axis] = center.upper[axis] = center_of(&items[n].box, axis);
        }
        grow(&centers, &center);
    }
    BrumeBvhNode *node = &builder->nodes[tree.node];
    for (int axis = 0; axis < 3; axis++) {
        node->lower[axis] = box.lower[axis];
        node->upper[axis] = box.upper[axis];
    }
    if (tree.count <= BRUME_BVH_LEAF) {
        node->count = tree.count;
        node->other = tree.first;
        return 0;
    }
    const Binning binning = binning_of(&centers);
    const int split = tree.depth < MAX_DEPTH ? find_split(items, tree.count, &binning) : 0;
    const int lower = split > 0 ? partition(items, tree.count, &binning, split) : tree.count / 2;
    node->count = 0;
    node->other = tree.node + 2 * lower;
    return lower;
}

static Subtree first_child(Subtree tree, int lower)
{
    return (Subtree){tree.node + 1, tree.first, lower, tree.depth + 1};
}

static Subtree second_child(Subtree tree, int lower)
{
    return (Subtree){tree.node + 2 * lower, tree.first + lower, tree.count - lower, tree.depth + 1};
}

static void build_subtree(const TreeBuilder *builder, Subtree tree)
{
    const int lower = set_node(builder, tree);
    if (lower > 0) {
        build_subtree(builder, first_child(tree, lower));
        build_subtree(builder, second_child(tree, lower));
    }
}

// splits the largest subtrees into tasks, then builds each of them
static void build_tree(const TreeBuilder *builder, int count)
{
    Subtree tasks[TASKS] = {{0, 0, count, 0}};
    int task_count = 1;
    for (int n = 0; n < task_count;) {
        if (task_count == TASKS || tasks[n].count < LEAST_TASK) {
            n = task_count == TASKS ? TASKS : n + 1;
            continue;
        }
        const int lower = set_node(builder, tasks[n]);
        tasks[task_count++] = second_child(tasks[n], lower);
        tasks[n] = first_child(tasks[n], lower);
        n = tasks[n].count < count / TASKS ? n + 1 : n;
    }
#pragma omp parallel for schedule(dynamic, 1)
    for (int n = 0; n < task_count; n++) {
        build_subtree(builder, tasks[n]);
    }
}

// moves the used nodes together; returns their number
static int remove_unused(BrumeBvhNode *nodes)
{
    int parents[BRUME_BVH_STACK]; // of the nodes on the stack that are second children
    int stack[BRUME_BVH_STACK];
    int depth = 0;
    int count = 0;
    int next = 0;
    int parent = -1;
    for (;;) {
        const BrumeBvhNode node = nodes[next];
        nodes[count] = node;
        if (parent >= 0) {
            nodes[parent].other = count;
        }
        if (node.count == 0) {
            stack[depth] = node.other;
            parents[depth++] = count;
            parent = -1;
            next++;
        } else if (depth == 0) {
            return count + 1;
        } else {
            next = stack[--depth];
            parent = parents[depth];
        }
        count++;
    }
}

static void set_items(TreeItem *items, const BrumeVec3 *positions, const int *corners, int count)
{
#pragma omp parallel for schedule(static)
    for (int n = 0; n < count; n++) {
        items[n] = (TreeItem){EMPTY_BOX, n};
        for (int corner = 0; corner < 3; corner++) {
            const BrumeVec3 p = positions[corners[3 * (size_t)n + (size_t)corner]];
            const Box point = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
            grow(&items[n].box, &point);
        }
    }
}

static void set_triangles(BrumeBvhTriangle *triangles, const TreeItem *items, const BrumeVec3 *positions,
                          const int *corners, int count)
{
#pragma omp parallel for schedule(static)
    for (int n = 0; n < count; n++) {
        triangles[n].number = items[n].number;
        for (int corner = 0; corner < 3; corner++) {
            triangles[n].corners[corner] = positions[corners[3 * (size_t)items[n].number + (size_t)corner]];
        }
    }
}

static double node_area(const BrumeBvhNode *node)
{
    const Box box = {{node->lower[0], node->lower[1], node->lower[2]},
                     {node->upper[0], node->upper[1], node->upper[2]}};
    return surface_area(&box);
}

// The nodes that become the children of the wide node of `node`: the largest inner one is replaced by its children as
// often as there is room. Returns their number.
static int find_wide_children(const BrumeBvhNode *nodes, int node, int children[BRUME_BVH_WIDTH])
{
    int count = 1;
    children[0] = node;
    while (count < BRUME_BVH_WIDTH) {
        int largest = -1;
        for (int n = 0; n < count; n++) {
            const bool is_inner = nodes[children[n]].count == 0;
            if (is_inner && (largest < 0 || node_area(&nodes[children[n]]) > node_area(&nodes[children[largest]]))) {
                largest = n;
            }
        }
        if (largest < 0) {
            break;
        }
        const int opened = children[largest];
        children[largest] = opened + 1;
        children[count++] = nodes[opened].other;
    }
    return count;
}

// Adds the wide node of `node` and those below it, in depth-first order. The recursion is as deep as the tree at most.
static int add_wide_nodes(BrumeBvh *bvh, int node)
{
    int children[BRUME_BVH_WIDTH];
    const int count = find_wide_children(bvh->nodes, node, children);
    const int added = bvh->wide_count++;
    BrumeBvhWideNode wide = {0};
    for (int n = 0; n < BRUME_BVH_WIDTH; n++) {
        const BrumeBvhNode *child = n < count ? &bvh->nodes[children[n]] : NULL;
        for (int axis = 0; axis < 3; axis++) {
            wide.lower[axis][n] = child ? child->lower[axis] : FLT_MAX;
            wide.upper[axis][n] = child ? child->upper[axis] : -FLT_MAX;
        }
        wide.count[n] = child ? child->count : 0;
        wide.child[n] = !child ? 0 : child->count > 0 ? child->other : add_wide_nodes(bvh, children[n]);
    }
    bvh->wide[added] = wide;
    return added;
}

static bool create_wide_nodes(BrumeBvh *bvh)
{
    const size_t most = (size_t)bvh->node_count / 2 + 1; // an inner node each, or a leaf that is the root
    bvh->wide = brume_alloc_untouched(most, sizeof *bvh->wide);
    if (!bvh->wide) {
        return false;
    }
    (void)add_wide_nodes(bvh, 0);
    BrumeBvhWideNode *fitting =
        brume_realloc(bvh->wide, most * sizeof *fitting, (size_t)bvh->wide_count * sizeof *fitting);
    bvh->wide = fitting ? fitting : bvh->wide;
    return fitting;
}

bool brume_bvh_create(BrumeBvh *bvh, const BrumeVec3 *positions, const int *corners, int count)
{
    const size_t most_nodes = 2 * (size_t)count - 1;
    const TreeBuilder builder = {
        .items = brume_alloc_untouched((size_t)count, sizeof *builder.items),
        .nodes = brume_alloc_untouched(most_nodes, sizeof *builder.nodes),
    };
    *bvh = (BrumeBvh){.triangle_count = count};
    bvh->triangles = brume_alloc_untouched((size_t)count, sizeof *bvh->triangles);
    bool done = false;
    if (builder.items && builder.nodes && bvh->triangles) {
        set_items(builder.items, positions, corners, count);
        build_tree(&builder, count);
        set_triangles(bvh->triangles, builder.items, positions, corners, count);
        bvh->node_count = remove_unused(builder.nodes);
        bvh->nodes = brume_realloc(builder.nodes, most_nodes * sizeof *builder.nodes,
                                   (size_t)bvh->node_count * sizeof *builder.nodes);
        bvh->moments = brume_alloc_untouched((size_t)bvh->node_count, sizeof *bvh->moments);
        done = bvh->nodes && bvh->moments && create_wide_nodes(bvh);
    }
    if (!bvh->nodes) {
        brume_free(builder.nodes);
    }
    brume_free(builder.items);
    if (!done) {
        brume_bvh_free(bvh);
        return false;
    }
    return true;
}

void brume_bvh_free(BrumeBvh *bvh)
{
    brume_free(bvh->nodes);
    brume_free(bvh->wide);
    brume_free(bvh->moments);
    brume_free(bvh->triangles);
    *bvh = (BrumeBvh){0};
}
