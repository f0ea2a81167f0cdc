#include "exchange/mesh/mesh_units.h"

#include <assimp/metadata.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef BRUME_HAS_ZLIB
#define ZLIB_CONST // the input is not changed
#include <zlib.h>
#endif

// a number of single precision that was a decimal number of the file
static double decimal_of(float number)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.7g", (double)number);
    return strtod(text, NULL);
}

static bool find_number(const struct aiScene *scene, const char *key, double *number)
{
    const struct aiMetadata *metadata = scene->mMetaData;
    for (unsigned n = 0; metadata && n < metadata->mNumProperties; n++) {
        const struct aiMetadataEntry *entry = &metadata->mValues[n];
        if (strcmp(metadata->mKeys[n].data, key) != 0) {
            continue;
        }
        switch (entry->mType) {
        case AI_INT32:
            *number = *(const int32_t *)entry->mData;
            return true;
        case AI_FLOAT:
            *number = decimal_of(*(const float *)entry->mData);
            return true;
        case AI_DOUBLE:
            *number = *(const double *)entry->mData;
            return true;
        default:
            return false;
        }
    }
    return false;
}

// The global settings of an FBX file: the axes to the right, up and to the front, with signs, and the unit [cm].
static bool find_fbx_axes(const struct aiScene *scene, BrumeMeshAxes *axes, BrumeMeshFileInfo *info)
{
    static const char *const names[3] = {"Coord", "Up", "Front"};
    BrumeMeshAxes found = {.at_root = true};
    bool used[3] = {false};
    for (int n = 0; n < 3; n++) {
        char key[32];
        double axis;
        double sign;
        (void)snprintf(key, sizeof key, "%sAxis", names[n]);
        bool known = find_number(scene, key, &axis);
        (void)snprintf(key, sizeof key, "%sAxisSign", names[n]);
        known = known && find_number(scene, key, &sign);
        if (!known || !(axis >= 0.0 && axis <= 2.0) || used[(int)axis]) {
            return false;
        }
        found.axis[n] = (int)axis;
        found.factor[n] = sign < 0.0 ? -1.0 : 1.0;
        used[(int)axis] = true;
    }
    double centimeters;
    if (find_number(scene, "UnitScaleFactor", &centimeters)) {
        info->unit = centimeters / 100.0;
        info->unit_known = true;
    }
    info->up_known = true;
    *axes = found;
    return true;
}

// the unit and the axes that assimp has put into the transform of the root node
static bool find_root_axes(const struct aiScene *scene, BrumeMeshAxes *axes, BrumeMeshFileInfo *info)
{
    const struct aiMatrix4x4 *m = &scene->mRootNode->mTransformation;
    const float rows[3][3] = {{m->a1, m->a2, m->a3}, {m->b1, m->b2, m->b3}, {m->c1, m->c2, m->c3}};
    axes->at_root = true;
    for (int n = 0; n < 3; n++) {
        int axis = 0;
        for (int other = 1; other < 3; other++) {
            axis = fabsf(rows[n][other]) > fabsf(rows[n][axis]) ? other : axis;
        }
        axes->axis[n] = axis;
        axes->factor[n] = rows[n][axis] < 0.0f ? -1.0 : 1.0;
    }
    info->unit = decimal_of(fabsf(rows[0][axes->axis[0]]));
    return info->unit_known = info->up_known = true;
}

#ifdef BRUME_HAS_ZLIB
// the first bytes of the model of a 3MF file, which is a ZIP archive; the length of the text
static size_t read_model(const uint8_t *bytes, size_t size, char *text, size_t most)
{
    enum { HEADER = 30 };
    for (size_t at = 0; at + HEADER < size; at++) {
        const uint8_t *header = bytes + at;
        const size_t name = header[26] + 256U * header[27];
        const size_t start = HEADER + name + header[28] + 256U * header[29];
        if (memcmp(header, "PK\3\4", 4) != 0 || start >= size - at || name < 6 ||
            memcmp(header + HEADER + name - 6, ".model", 6) != 0) {
            continue;
        }
        const size_t left = size - at - start;
        if (header[8] == 0) { // not compressed
            const size_t length = left < most ? left : most;
            memcpy(text, header + start, length);
            return length;
        }
        z_stream stream = {.next_in = header + start,
                           .avail_in = left < 65536 ? (uInt)left : 65536,
                           .next_out = (Bytef *)text,
                           .avail_out = (uInt)most};
        if (inflateInit2(&stream, -MAX_WBITS) == Z_OK) {
            (void)inflate(&stream, Z_SYNC_FLUSH);
            (void)inflateEnd(&stream);
        }
        return most - stream.avail_out;
    }
    return 0;
}
#endif

// the unit of a 3MF file, which is a millimeter where it has none (3MF Core Specification, 3.4)
static void find_3mf_unit(const uint8_t *bytes, size_t size, BrumeMeshFileInfo *info)
{
    static const struct {
        const char *name;
        double meters;
    } units[] = {{"micron", 1e-6}, {"centimeter", 0.01}, {"inch", 0.0254}, {"foot", 0.3048}, {"meter", 1.0}};
    char text[4096] = "";
    info->unit = 0.001;
    info->unit_known = true;
#ifdef BRUME_HAS_ZLIB
    text[read_model(bytes, size, text, sizeof text - 1)] = '\0';
#else
    (void)bytes;
    (void)size;
    info->unit_known = false;
#endif
    const char *model = strstr(text, "<model");
    const char *unit = model ? strstr(model, "unit=") : NULL;
    const char *end = model ? strchr(model, '>') : NULL;
    for (size_t n = 0; unit && end && unit < end && n < sizeof units / sizeof units[0]; n++) {
        const size_t length = strlen(units[n].name);
        if (strncmp(unit + 6, units[n].name, length) == 0 && (unit[6 + length] == '"' || unit[6 + length] == '\'')) {
            info->unit = units[n].meters;
        }
    }
}

// axes of which one of the file points up: 1 y or 2 z
static void set_up(BrumeMeshAxes *axes, int up)
{
    axes->axis[0] = 0;
    axes->axis[1] = up;
    axes->axis[2] = 3 - up;
    axes->factor[0] = axes->factor[1] = 1.0;
    axes->factor[2] = up == 2 ? -1.0 : 1.0;
}

BrumeMeshAxes brume_mesh_axes(const struct aiScene *scene, const uint8_t *bytes, size_t size,
                              const BrumeMeshReadDef *def, BrumeMeshFileInfo *info)
{
    BrumeMeshAxes axes = {.at_root = false};
    info->unit = 1.0;
    set_up(&axes, 1);
    if (strstr(info->format, "FBX")) {
        (void)find_fbx_axes(scene, &axes, info);
    } else if (strstr(info->format, "Collada")) {
        (void)find_root_axes(scene, &axes, info);
    } else if (strstr(info->format, "3mf")) {
        find_3mf_unit(bytes, size, info);
        set_up(&axes, 2);
        info->up_known = true;
    } else if (strstr(info->format, "glTF")) {
        info->unit_known = info->up_known = true;
    }
    if (def->up != 0) {
        set_up(&axes, def->up);
        info->up_known = true;
    }
    if (def->unit > 0.0f) {
        info->unit = decimal_of(def->unit);
        info->unit_known = true;
    }
    info->up = axes.axis[1];
    for (int n = 0; n < 3; n++) {
        axes.factor[n] *= info->unit;
    }
    return axes;
}
