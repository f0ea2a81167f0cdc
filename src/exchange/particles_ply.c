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

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they are in memory");

/** The properties of a vertex in the order in which they are written; of other programs in any. */
typedef struct PlyProperty {
    const char *name, *other; // other: of some programs
    size_t offset;            // in BrumeParticle
    float factor;             // of the value in the file
    bool whole;               // uint32_t, and written as int; otherwise float
} PlyProperty;

#define MEMBER(member) offsetof(BrumeParticle, member)
static const PlyProperty properties[] = {
    {"x", NULL, MEMBER(position.x), 1.0f, false},
    {"y", NULL, MEMBER(position.y), 1.0f, false},
    {"z", NULL, MEMBER(position.z), 1.0f, false},
    {"vx", NULL, MEMBER(velocity.x), 1.0f, false},
    {"vy", NULL, MEMBER(velocity.y), 1.0f, false},
    {"vz", NULL, MEMBER(velocity.z), 1.0f, false},
    {"nx", NULL, MEMBER(normal.x), 1.0f, false},
    {"ny", NULL, MEMBER(normal.y), 1.0f, false},
    {"nz", NULL, MEMBER(normal.z), 1.0f, false},
    {"age", NULL, MEMBER(age), 1.0f, false},
    {"radius", "pscale", MEMBER(diameter), 0.5f, false},
    {"kind", NULL, MEMBER(kind), 1.0f, true},
    {"id", NULL, MEMBER(id), 1.0f, true},
};
enum { PROPERTIES = sizeof properties / sizeof properties[0] };
#define COMMENT "comment Brume: particles, coordinates in metres, "

// `vertex` has room for a number of each property
static void pack(uint32_t *vertex, BrumeParticle particle, bool z_up)
{
    particle.position = brume_turn_up(particle.position, z_up);
    particle.velocity = brume_turn_up(particle.velocity, z_up);
    particle.normal = brume_turn_up(particle.normal, z_up);
    for (int n = 0; n < PROPERTIES; n++) {
        float number;
        memcpy(&vertex[n], (const char *)&particle + properties[n].offset, sizeof vertex[n]);
        if (!properties[n].whole) {
            memcpy(&number, &vertex[n], sizeof number);
            number *= properties[n].factor;
            memcpy(&vertex[n], &number, sizeof number);
        }
    }
}

BrumeStatus brume_particles_ply_write(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                                      BrumeError *error)
{
    const size_t count = (size_t)frame->particle_count;
    uint32_t *const vertices = brume_alloc_untouched(count * PROPERTIES + 1, sizeof *vertices);
    for (size_t n = 0; n < count && vertices; n++) {
        pack(vertices + n * PROPERTIES, frame->particles[n], def->z_up);
    }
    BrumeText head = {0};
    brume_text_add(&head, "ply\nformat binary_little_endian 1.0\n" COMMENT "%c up, time %.9g s\nelement vertex %zu\n",
                   def->z_up ? 'z' : 'y', frame->time, count);
    for (int n = 0; n < PROPERTIES; n++) {
        brume_text_add(&head, "property %s %s\n", properties[n].whole ? "int" : "float", properties[n].name);
    }
    brume_text_add(&head, "end_header\n");
    BrumeStatus status = BRUME_OK;
    if (head.failed || !vertices) {
        status = brume_out_of_memory(error, "%s", path);
    } else {
        const BrumeBytes parts[] = {{head.data, head.size}, {vertices, count * PROPERTIES * sizeof *vertices}};
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
static const struct {
    const char *name, *other;
    int size;
    char kind; // i whole, u whole and not negative, f float
} types[] = {
    {"char", "int8", 1, 'i'}, {"uchar", "uint8", 1, 'u'}, {"short", "int16", 2, 'i'},   {"ushort", "uint16", 2, 'u'},
    {"int", "int32", 4, 'i'}, {"uint", "uint32", 4, 'u'}, {"float", "float32", 4, 'f'}, {"double", "float64", 8, 'f'},
};
enum { TYPES = sizeof types / sizeof types[0], MOST_PROPERTIES = 128, MOST_LINE = 1024 };

/** The state of reading a file. */
typedef struct PlyReader {
    const char *path;
    uint8_t *bytes;
    size_t size, at;
    PlyEncoding encoding;
    long long vertices; // below 0: not known yet
    bool has_faces, z_up;
    double time;
    int count; // of the properties of a vertex
    int type[MOST_PROPERTIES];
    int use[MOST_PROPERTIES]; // index in `properties`, -1: none
    BrumeError *error;
} PlyReader;

static BrumeStatus fail(const PlyReader *reader, const char *text)
{
    return brume_fail(reader->error, BRUME_BAD_INPUT, "%s: %s", reader->path, text);
}

static bool is_either(const char *name, const char *one, const char *other)
{
    return strcmp(name, one) == 0 || (other && strcmp(name, other) == 0);
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
    int found = 0;
    int use = PROPERTIES - 1;
    while (found < TYPES && !is_either(type, types[found].name, types[found].other)) {
        found++;
    }
    while (use >= 0 && !is_either(name, properties[use].name, properties[use].other)) {
        use--;
    }
    if (found == TYPES || reader->count == MOST_PROPERTIES) {
        return fail(reader, strcmp(type, "list") == 0 ? "its vertices have lists, which cannot be read"
                            : found == TYPES          ? "damaged: the type of a property is not known"
                                                      : "its vertices have more than 128 properties");
    }
    reader->type[reader->count] = found;
    reader->use[reader->count++] = use;
    return BRUME_OK;
}

static BrumeStatus read_header(PlyReader *reader)
{
    char line[MOST_LINE];
    char up = 'y';
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
        // NOLINTNEXTLINE(cert-err34-c): a comment of Brume has a number
        (void)sscanf(line, COMMENT "%c up, time %lf", &up, &reader->time);
        if (strcmp(first, "format") == 0) {
            status = read_format(reader, second);
        } else if (strcmp(first, "element") == 0) {
            in_vertices = strcmp(second, "vertex") == 0 && reader->vertices < 0;
            if (!in_vertices && reader->vertices < 0) {
                status = fail(reader, "its first element is not 'vertex'");
            } else if (in_vertices) {
                reader->vertices = strtoll(third, NULL, 10);
            }
            reader->has_faces = reader->has_faces || (strcmp(second, "face") == 0 && strtoll(third, NULL, 10) > 0);
        } else if (strcmp(first, "property") == 0 && in_vertices) {
            status = read_property(reader, second, third);
        }
        complete = strcmp(first, "end_header") == 0;
    }
    if (status != BRUME_OK) {
        return status;
    }
    reader->z_up = up == 'z';
    if (!complete || reader->vertices < 0) {
        return fail(reader, complete ? "has no vertices" : "damaged: its header has no end");
    }
    if (reader->vertices > BRUME_MAX_PARTICLES) {
        return brume_fail(reader->error, BRUME_BAD_INPUT, "%s: has more than %d points", reader->path,
                          BRUME_MAX_PARTICLES);
    }
    return BRUME_OK;
}

// decodes a number of the machine's byte order, whose other bytes are 0
static double decode(const uint8_t bytes[8], int type)
{
    uint32_t bits;
    float single;
    double number;
    memcpy(&bits, bytes, sizeof bits);
    memcpy(&single, bytes, sizeof single);
    memcpy(&number, bytes, sizeof number);
    const int unused = types[type].size < 4 ? 32 - 8 * types[type].size : 0;
    const int32_t whole = (int32_t)(bits << unused) / (1 << unused);
    return types[type].kind == 'u'   ? (double)bits
           : types[type].kind == 'i' ? (double)whole
           : types[type].size == 4   ? (double)single
                                     : number;
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
static bool read_number(PlyReader *reader, int type, double *value)
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

static void set_member(BrumeParticle *particle, const PlyProperty *property, double value)
{
    const float number = (float)value / property->factor;
    const uint32_t whole = value > -0x1p31 && value < 0x1p32 ? (uint32_t)(int64_t)value : 0;
    memcpy((char *)particle + property->offset, property->whole ? (const void *)&whole : &number, sizeof whole);
}

static BrumeStatus read_vertices(PlyReader *reader, BrumeFrameGrids *frame)
{
    bool has[PROPERTIES] = {false};
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
    frame->time = reader->time;
    if (brume_frame_grids_add_particles(frame, (int)reader->vertices, reader->error) != BRUME_OK) {
        return reader->error->status;
    }
    for (; frame->particle_count < (int)reader->vertices; frame->particle_count++) {
        BrumeParticle *const particle = &frame->particles[frame->particle_count];
        for (int n = 0; n < reader->count; n++) {
            double value;
            if (!read_number(reader, reader->type[n], &value)) {
                return fail(reader, "damaged or incomplete: a number of a vertex is missing");
            }
            if (reader->use[n] >= 0) {
                set_member(particle, &properties[reader->use[n]], value);
            }
        }
        particle->position = brume_turn_back(particle->position, reader->z_up);
        particle->velocity = brume_turn_back(particle->velocity, reader->z_up);
        particle->normal = brume_turn_back(particle->normal, reader->z_up);
    }
    return BRUME_OK;
}

static BrumeStatus open_file(PlyReader *reader)
{
    const BrumeStatus status = brume_file_read(reader->path, &reader->bytes, &reader->size, reader->error);
    return status == BRUME_OK ? read_header(reader) : status;
}

BrumeStatus brume_particles_ply_read(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def,
                                     BrumeError *error)
{
    (void)def;
    PlyReader reader = {.path = path, .vertices = -1, .error = error};
    BrumeStatus status = open_file(&reader);
    if (status == BRUME_OK) {
        status = read_vertices(&reader, frame);
    }
    if (status != BRUME_OK) {
        brume_frame_grids_destroy(frame);
    }
    brume_free(reader.bytes);
    return status;
}

bool brume_particles_ply_is(const char *path)
{
    BrumeError error;
    PlyReader reader = {.path = path, .vertices = -1, .error = &error};
    const bool is_points = open_file(&reader) == BRUME_OK && !reader.has_faces;
    brume_free(reader.bytes);
    return is_points;
}
