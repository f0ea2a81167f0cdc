#include "exchange/particles_ply.h"

#include "core/memory.h"
#include "core/text.h"
#include "core/vec3.h"
#include "io/file.h"

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A vertex as it is in a file. Its members are the properties in the header, in this order. */
typedef struct PlyParticle {
    BrumeVec3 position, velocity, normal;
    float age, radius;
    int32_t kind, id;
} PlyParticle;

_Static_assert(sizeof(PlyParticle) == 13 * 4, "vertices are written as they are in memory");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "vertices are written as they are in memory");

static const char properties[] = "property float x\nproperty float y\nproperty float z\n"
                                 "property float vx\nproperty float vy\nproperty float vz\n"
                                 "property float nx\nproperty float ny\nproperty float nz\n"
                                 "property float age\nproperty float radius\nproperty int kind\nproperty int id\n";

static BrumeVec3 turned(BrumeVec3 vector, bool z_up)
{
    return z_up ? brume_vec3(vector.x, -vector.z, vector.y) : vector;
}

BrumeStatus brume_particles_ply_write(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                                      BrumeError *error)
{
    const size_t count = (size_t)frame->particle_count;
    PlyParticle *const vertices = brume_alloc_untouched(count + 1, sizeof *vertices);
    for (size_t n = 0; n < count && vertices; n++) {
        const BrumeParticle *particle = &frame->particles[n];
        vertices[n] = (PlyParticle){
            .position = turned(particle->position, def->z_up),
            .velocity = turned(particle->velocity, def->z_up),
            .normal = turned(particle->normal, def->z_up),
            .age = particle->age,
            .radius = 0.5f * particle->diameter,
            .kind = (int32_t)particle->kind,
            .id = (int32_t)particle->id,
        };
    }
    BrumeText head = {0};
    brume_text_add(&head,
                   "ply\nformat binary_little_endian 1.0\n"
                   "comment Brume: particles, coordinates in metres, %c up, time %.9g s\n"
                   "element vertex %zu\n%send_header\n",
                   def->z_up ? 'z' : 'y', frame->time, count, properties);
    BrumeStatus status = BRUME_OK;
    if (head.failed || !vertices) {
        status = brume_out_of_memory(error, "%s", path);
    } else {
        const BrumeBytes parts[] = {{head.data, head.size}, {vertices, count * sizeof *vertices}};
        status = brume_file_write_parts(path, parts, sizeof parts / sizeof parts[0], def->overwrite, error);
    }
    brume_free(vertices);
    brume_text_destroy(&head);
    return status;
}

/*
 * Reading.
 */

/** The encodings of PLY. */
typedef enum PlyEncoding { PLY_TEXT, PLY_LITTLE, PLY_BIG } PlyEncoding;

/** The types of properties. */
typedef enum PlyType {
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT,
    PLY_DOUBLE
} PlyType;

static const struct {
    const char *names[2];
    int size;
} types[] = {
    [PLY_INT8] = {{"char", "int8"}, 1},      [PLY_UINT8] = {{"uchar", "uint8"}, 1},
    [PLY_INT16] = {{"short", "int16"}, 2},   [PLY_UINT16] = {{"ushort", "uint16"}, 2},
    [PLY_INT32] = {{"int", "int32"}, 4},     [PLY_UINT32] = {{"uint", "uint32"}, 4},
    [PLY_FLOAT] = {{"float", "float32"}, 4}, [PLY_DOUBLE] = {{"double", "float64"}, 8},
};
enum { TYPES = sizeof types / sizeof types[0], MOST_PROPERTIES = 128, MOST_LINE = 1024 };

/** Properties that are read. */
static const struct {
    const char *names[2];
    size_t offset; // in BrumeParticle
    float factor;
} read_properties[] = {
    {{"x"}, offsetof(BrumeParticle, position.x), 1.0f},
    {{"y"}, offsetof(BrumeParticle, position.y), 1.0f},
    {{"z"}, offsetof(BrumeParticle, position.z), 1.0f},
    {{"vx"}, offsetof(BrumeParticle, velocity.x), 1.0f},
    {{"vy"}, offsetof(BrumeParticle, velocity.y), 1.0f},
    {{"vz"}, offsetof(BrumeParticle, velocity.z), 1.0f},
    {{"nx"}, offsetof(BrumeParticle, normal.x), 1.0f},
    {{"ny"}, offsetof(BrumeParticle, normal.y), 1.0f},
    {{"nz"}, offsetof(BrumeParticle, normal.z), 1.0f},
    {{"radius", "pscale"}, offsetof(BrumeParticle, diameter), 2.0f},
};
enum { READ_PROPERTIES = sizeof read_properties / sizeof read_properties[0] };

/** The state of reading a file. */
typedef struct PlyReader {
    const char *path;
    const uint8_t *bytes;
    size_t size, at;
    PlyEncoding encoding;
    long long vertices; // below 0: not known yet
    int count;          // of the properties of a vertex
    PlyType type[MOST_PROPERTIES];
    int use[MOST_PROPERTIES]; // index in read_properties, -1: none
    BrumeError *error;
} PlyReader;

static BrumeStatus fail(const PlyReader *reader, const char *text)
{
    return brume_fail(reader->error, BRUME_BAD_INPUT, "%s: %s", reader->path, text);
}

// the type with a name, the read property with a name; -1 where there is none
static int find_type(const char *name)
{
    for (int n = 0; n < TYPES; n++) {
        if (strcmp(name, types[n].names[0]) == 0 || strcmp(name, types[n].names[1]) == 0) {
            return n;
        }
    }
    return -1;
}

static int find_use(const char *name)
{
    for (int n = 0; n < READ_PROPERTIES; n++) {
        const char *other = read_properties[n].names[1];
        if (strcmp(name, read_properties[n].names[0]) == 0 || (other && strcmp(name, other) == 0)) {
            return n;
        }
    }
    return -1;
}

// copies the next line of the header without its end; false where there is none
static bool next_line(PlyReader *reader, char line[MOST_LINE])
{
    size_t length = 0;
    while (reader->at < reader->size && reader->bytes[reader->at] != '\n' && length < MOST_LINE - 1) {
        line[length++] = (char)reader->bytes[reader->at++];
    }
    line[length] = '\0';
    line[strcspn(line, "\r")] = '\0';
    return reader->at < reader->size && reader->bytes[reader->at++] == '\n';
}

static BrumeStatus read_format(PlyReader *reader, const char *name)
{
    reader->encoding = strcmp(name, "ascii") == 0                  ? PLY_TEXT
                       : strcmp(name, "binary_little_endian") == 0 ? PLY_LITTLE
                                                                   : PLY_BIG;
    return reader->encoding == PLY_BIG && strcmp(name, "binary_big_endian") != 0
               ? fail(reader, "damaged: the format in its header is not known")
               : BRUME_OK;
}

static BrumeStatus read_property(PlyReader *reader, const char *type, const char *name)
{
    const int found = find_type(type);
    if (found < 0 || reader->count == MOST_PROPERTIES) {
        return fail(reader, strcmp(type, "list") == 0 ? "its vertices have lists, which cannot be read"
                            : found < 0               ? "damaged: the type of a property is not known"
                                                      : "its vertices have more than 128 properties");
    }
    reader->type[reader->count] = (PlyType)found;
    reader->use[reader->count++] = find_use(name);
    return BRUME_OK;
}

static BrumeStatus read_header(PlyReader *reader)
{
    char line[MOST_LINE];
    bool in_vertices = false;
    bool complete = false;
    BrumeStatus status = BRUME_OK;
    if (!next_line(reader, line) || strcmp(line, "ply") != 0) {
        return fail(reader, "not a PLY file");
    }
    while (status == BRUME_OK && !complete && next_line(reader, line)) {
        char first[64] = "";
        char second[64] = "";
        char third[64] = "";
        (void)sscanf(line, "%63s %63s %63s", first, second, third);
        if (strcmp(first, "format") == 0) {
            status = read_format(reader, second);
        } else if (strcmp(first, "element") == 0) {
            in_vertices = strcmp(second, "vertex") == 0 && reader->vertices < 0;
            if (!in_vertices && reader->vertices < 0) {
                status = fail(reader, "its first element is not 'vertex'");
            } else if (in_vertices) {
                reader->vertices = strtoll(third, NULL, 10);
            }
        } else if (strcmp(first, "property") == 0 && in_vertices) {
            status = read_property(reader, second, third);
        }
        complete = strcmp(first, "end_header") == 0;
    }
    if (status != BRUME_OK) {
        return status;
    }
    if (!complete || reader->vertices < 0) {
        return fail(reader, complete ? "has no vertices" : "damaged: its header has no end");
    }
    if (reader->vertices > BRUME_MAX_PARTICLES) {
        return brume_fail(reader->error, BRUME_BAD_INPUT, "%s: has more than %d points", reader->path,
                          BRUME_MAX_PARTICLES);
    }
    return BRUME_OK;
}

// decodes a number of the machine's byte order
static double decode(const uint8_t bytes[8], PlyType type)
{
    union {
        int8_t int8;
        uint8_t uint8;
        int16_t int16;
        uint16_t uint16;
        int32_t int32;
        uint32_t uint32;
        float single;
        double twice;
    } value;
    memcpy(&value, bytes, sizeof value);
    switch (type) {
    case PLY_INT8:
        return value.int8;
    case PLY_UINT8:
        return value.uint8;
    case PLY_INT16:
        return value.int16;
    case PLY_UINT16:
        return value.uint16;
    case PLY_INT32:
        return value.int32;
    case PLY_UINT32:
        return value.uint32;
    case PLY_FLOAT:
        return (double)value.single;
    default:
        return value.twice;
    }
}

// copies the next word of a text; false where there is none, and where it is too long
static bool next_word(PlyReader *reader, char *word, size_t size)
{
    size_t length = 0;
    while (reader->at < reader->size && isspace(reader->bytes[reader->at])) {
        reader->at++;
    }
    while (reader->at < reader->size && !isspace(reader->bytes[reader->at]) && length < size - 1) {
        word[length++] = (char)reader->bytes[reader->at++];
    }
    word[length] = '\0';
    return length > 0 && (reader->at == reader->size || isspace(reader->bytes[reader->at]));
}

// reads the next number of a vertex; false where the file ends, or has something else
static bool read_number(PlyReader *reader, PlyType type, double *value)
{
    if (reader->encoding == PLY_TEXT) {
        char text[64];
        char *end = text;
        const bool found = next_word(reader, text, sizeof text);
        *value = strtod(text, &end);
        return found && *end == '\0';
    }
    const size_t size = (size_t)types[type].size;
    uint8_t bytes[8] = {0};
    if (reader->size - reader->at < size) {
        return false;
    }
    for (size_t n = 0; n < size; n++) {
        bytes[reader->encoding == PLY_LITTLE ? n : size - 1 - n] = reader->bytes[reader->at + n];
    }
    *value = decode(bytes, type);
    reader->at += size;
    return true;
}

static BrumeStatus read_vertices(PlyReader *reader, BrumeFrameGrids *frame)
{
    bool has[READ_PROPERTIES] = {false};
    for (int n = 0; n < reader->count; n++) {
        if (reader->use[n] >= 0) {
            has[reader->use[n]] = true;
        }
    }
    if (!has[0] || !has[1] || !has[2]) {
        return fail(reader, "its vertices have no x, y and z");
    }
    // each number has a byte and, in text, a separator
    if ((unsigned long long)reader->vertices * (unsigned long long)reader->count > reader->size) {
        return fail(reader, "damaged or incomplete: it has fewer bytes than its vertices need");
    }
    frame->has_particles = true;
    if (brume_frame_grids_add_particles(frame, (int)reader->vertices, reader->error) != BRUME_OK) {
        return reader->error->status;
    }
    for (; frame->particle_count < (int)reader->vertices; frame->particle_count++) {
        char *const particle = (char *)&frame->particles[frame->particle_count];
        for (int n = 0; n < reader->count; n++) {
            double value;
            if (!read_number(reader, reader->type[n], &value)) {
                return fail(reader, "damaged or incomplete: a number of a vertex is missing");
            }
            if (reader->use[n] >= 0) {
                const float number = (float)value * read_properties[reader->use[n]].factor;
                memcpy(particle + read_properties[reader->use[n]].offset, &number, sizeof number);
            }
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_particles_ply_read(BrumeFrameGrids *frame, const char *path, BrumeError *error)
{
    PlyReader reader = {.path = path, .vertices = -1, .error = error};
    uint8_t *bytes = NULL;
    BrumeStatus status = brume_file_read(path, &bytes, &reader.size, error);
    if (status == BRUME_OK) {
        reader.bytes = bytes;
        status = read_header(&reader);
    }
    if (status == BRUME_OK) {
        status = read_vertices(&reader, frame);
    }
    if (status != BRUME_OK) {
        brume_frame_grids_destroy(frame);
    }
    brume_free(bytes);
    return status;
}
