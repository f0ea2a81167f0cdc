#include "mesh_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const char *const box_files[] = {"box.obj", "text.stl", "box.stl", "text.ply", "box.ply", "box.gltf",
                                 "box.glb", "box.dae",  "box.fbx", "box.3mf",  NULL};

// corner n is at the upper end of x, y and z where its bit 0, 1 and 2 are set
static const int squares[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
static const float lower[3] = {1.0f, 2.0f, 3.0f};
static const float upper[3] = {3.0f, 5.0f, 7.0f};

static void find_corner(int n, float p[3])
{
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = n >> axis & 1 ? upper[axis] : lower[axis];
    }
}

int cube_corner(int n, int k) { return squares[n / 2][k == 0 ? 0 : n % 2 + k]; }

void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static FILE *create(const char *path)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    return file;
}

static void put(FILE *file, const void *bytes, size_t size) { assert_int_equal(fwrite(bytes, 1, size, file), size); }

static void write_obj(const char *path)
{
    FILE *file = create(path);
    for (int n = 0; n < 8; n++) {
        float p[3];
        find_corner(n, p);
        (void)fprintf(file, "v %g %g %g\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    (void)fputs("v 1.5 2.25 3\n", file); // makes the lower side along z two polygons, of which one is concave
    for (int n = 0; n < 6; n++) {
        if (n == 4) {
            (void)fputs("f 1 3 4 9\nf 1 9 4 2\n", file);
            continue;
        }
        (void)fprintf(file, "f %d %d %d %d\n", squares[n][0] + 1, squares[n][1] + 1, squares[n][2] + 1,
                      squares[n][3] + 1);
    }
    assert_int_equal(fclose(file), 0);
}

static void write_stl_text(const char *path)
{
    FILE *file = create(path);
    (void)fputs("solid box\n", file);
    for (int n = 0; n < 12; n++) {
        (void)fputs("facet normal 0 0 0\nouter loop\n", file);
        for (int k = 0; k < 3; k++) {
            float p[3];
            find_corner(cube_corner(n, k), p);
            (void)fprintf(file, "vertex %.6e %.6e %.6e\n", (double)p[0], (double)p[1], (double)p[2]);
        }
        (void)fputs("endloop\nendfacet\n", file);
    }
    (void)fputs("endsolid box\n", file);
    assert_int_equal(fclose(file), 0);
}

static void write_stl(const char *path)
{
    static const char header[80] = "a box";
    static const float normal[3] = {0};
    static const char attribute[2] = {0};
    const uint32_t count = 12;
    FILE *file = create(path);
    put(file, header, sizeof header);
    put(file, &count, sizeof count);
    for (int n = 0; n < 12; n++) {
        put(file, normal, sizeof normal);
        for (int k = 0; k < 3; k++) {
            float p[3];
            find_corner(cube_corner(n, k), p);
            put(file, p, sizeof p);
        }
        put(file, attribute, sizeof attribute);
    }
    assert_int_equal(fclose(file), 0);
}

static void write_ply(const char *path, bool text)
{
    FILE *file = create(path);
    (void)fprintf(file,
                  "ply\nformat %s 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
                  "element face 6\nproperty list uchar int vertex_indices\nend_header\n",
                  text ? "ascii" : "binary_little_endian");
    for (int n = 0; n < 8; n++) {
        float p[3];
        find_corner(n, p);
        if (text) {
            (void)fprintf(file, "%g %g %g\n", (double)p[0], (double)p[1], (double)p[2]);
        } else {
            put(file, p, sizeof p);
        }
    }
    for (int n = 0; n < 6; n++) {
        if (text) {
            (void)fprintf(file, "4 %d %d %d %d\n", squares[n][0], squares[n][1], squares[n][2], squares[n][3]);
        } else {
            put(file, "\4", 1);
            put(file, squares[n], sizeof squares[n]);
        }
    }
    assert_int_equal(fclose(file), 0);
}

// positions (8 x 3) and corners (36) of the unit cube
static size_t cube_buffer(uint8_t bytes[168])
{
    for (int n = 0; n < 8; n++) {
        const float p[3] = {(float)(n & 1), (float)(n >> 1 & 1), (float)(n >> 2 & 1)};
        memcpy(bytes + (size_t)n * sizeof p, p, sizeof p);
    }
    for (int n = 0; n < 36; n++) {
        const uint16_t corner = (uint16_t)cube_corner(n / 3, n % 3);
        memcpy(bytes + 96 + (size_t)n * sizeof corner, &corner, sizeof corner);
    }
    return 168;
}

static void put_base64(FILE *file, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t n = 0; n < size; n += 3) {
        const uint32_t three = (uint32_t)bytes[n] << 16 | (n + 1 < size ? (uint32_t)bytes[n + 1] << 8 : 0) |
                               (n + 2 < size ? bytes[n + 2] : 0);
        for (int k = 0; k < 4; k++) {
            (void)fputc(n + (size_t)k <= size ? digits[three >> (18 - 6 * k) & 63] : '=', file);
        }
    }
}

static const char cube_members[] =
    "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0%s}, \"indices\": 1}]}], "
    "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 96}, {\"buffer\": 0, \"byteOffset\": 96, \"byteLength\": "
    "72}%s], "
    "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 8, \"type\": \"VEC3\"}, "
    "{\"bufferView\": 1, \"componentType\": 5123, \"count\": 36, \"type\": \"SCALAR\"}%s]";

static const char *text_of(const char *text) { return text ? text : ""; }

void write_cube_gltf(const char *path, const CubeGltf *def)
{
    uint8_t *bytes = malloc(168 + def->size);
    FILE *file = create(path);
    assert_non_null(bytes);
    const size_t length = cube_buffer(bytes) + def->size;
    if (def->size > 0) {
        memcpy(bytes + 168, def->extra, def->size);
    }
    (void)fprintf(file, "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, %s, ", def->members);
    (void)fprintf(file, cube_members, text_of(def->attributes), text_of(def->views), text_of(def->accessors));
    (void)fprintf(file, ", \"buffers\": [{\"byteLength\": %zu, \"uri\": \"data:application/octet-stream;base64,",
                  length);
    put_base64(file, bytes, length);
    (void)fputs("\"}]}", file);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

static const char placed[] = "\"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"name\": \"parent\", \"children\": [1], "
                             "\"translation\": [1, 2, 3]}, {\"mesh\": 0, \"scale\": [2, 3, 4]}]";

static void write_glb(const char *path)
{
    uint8_t bytes[168];
    char json[2048];
    char members[1024];
    FILE *file = create(path);
    const uint32_t size = (uint32_t)cube_buffer(bytes);
    (void)snprintf(members, sizeof members, cube_members, "", "", "");
    int length = snprintf(json, sizeof json,
                          "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, %s, %s, \"buffers\": [{\"byteLength\": "
                          "%u}]}",
                          placed, members, size);
    while (length % 4 != 0) {
        json[length++] = ' ';
    }
    const uint32_t header[5] = {0x46546c67, 2, 28 + (uint32_t)length + size, (uint32_t)length, 0x4e4f534a};
    const uint32_t chunk[2] = {size, 0x004e4942};
    put(file, header, sizeof header);
    put(file, json, (size_t)length);
    put(file, chunk, sizeof chunk);
    put(file, bytes, size);
    assert_int_equal(fclose(file), 0);
}

// corner n in cm with z up
static void find_corner_cm(int n, float p[3])
{
    float q[3];
    find_corner(n, q);
    p[0] = 100.0f * q[0];
    p[1] = -100.0f * q[2];
    p[2] = 100.0f * q[1];
}

static void write_dae(const char *path)
{
    FILE *file = create(path);
    (void)fputs("<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
                "version=\"1.4.1\">\n<asset><unit name=\"centimeter\" meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset>\n"
                "<library_geometries><geometry id=\"g\" name=\"g\"><mesh><source id=\"p\">"
                "<float_array id=\"a\" count=\"24\">",
                file);
    for (int n = 0; n < 8; n++) {
        float p[3];
        find_corner_cm(n, p);
        (void)fprintf(file, "%g %g %g ", (double)p[0], (double)p[1], (double)p[2] - 50.0);
    }
    (void)fputs("</float_array><technique_common><accessor source=\"#a\" count=\"8\" stride=\"3\">"
                "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/>"
                "</accessor></technique_common></source>\n<vertices id=\"v\"><input semantic=\"POSITION\" "
                "source=\"#p\"/></vertices>\n<polylist count=\"6\"><input semantic=\"VERTEX\" source=\"#v\" "
                "offset=\"0\"/><vcount>4 4 4 4 4 4</vcount><p>",
                file);
    for (int n = 0; n < 24; n++) {
        (void)fprintf(file, "%d ", squares[n / 4][n % 4]);
    }
    (void)fputs("</p></polylist></mesh></geometry></library_geometries>\n<library_visual_scenes><visual_scene id=\"s\">"
                "<node id=\"n\"><translate>0 0 50</translate><instance_geometry url=\"#g\"/></node></visual_scene>"
                "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n",
                file);
    assert_int_equal(fclose(file), 0);
}

static void write_fbx(const char *path)
{
    static const char *const settings[] = {
        "UpAxis\", \"int\", \"Integer\", \"\",2",           "UpAxisSign\", \"int\", \"Integer\", \"\",1",
        "FrontAxis\", \"int\", \"Integer\", \"\",1",        "FrontAxisSign\", \"int\", \"Integer\", \"\",-1",
        "CoordAxis\", \"int\", \"Integer\", \"\",0",        "CoordAxisSign\", \"int\", \"Integer\", \"\",1",
        "UnitScaleFactor\", \"double\", \"Number\", \"\",1"};
    FILE *file = create(path);
    (void)fputs("; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\nGlobalSettings:  {\n"
                "\tProperties70:  {\n",
                file);
    for (size_t n = 0; n < sizeof settings / sizeof settings[0]; n++) {
        (void)fprintf(file, "\t\tP: \"%s\n", settings[n]);
    }
    (void)fputs("\t}\n}\nObjects:  {\n\tGeometry: 100, \"Geometry::g\", \"Mesh\" {\n\t\tVertices: *24 {\n\t\t\ta: ",
                file);
    for (int n = 0; n < 8; n++) {
        float p[3];
        find_corner_cm(n, p);
        (void)fprintf(file, "%s%g,%g,%g", n > 0 ? "," : "", (double)p[0], (double)p[1], (double)p[2] - 50.0);
    }
    (void)fputs("\n\t\t} \n\t\tPolygonVertexIndex: *24 {\n\t\t\ta: ", file);
    for (int n = 0; n < 24; n++) { // the last corner of a polygon is negative
        const int corner = squares[n / 4][n % 4];
        (void)fprintf(file, "%s%d", n > 0 ? "," : "", n % 4 == 3 ? -corner - 1 : corner);
    }
    (void)fputs("\n\t\t} \n\t\tGeometryVersion: 124\n\t}\n\tModel: 200, \"Model::m\", \"Mesh\" {\n\t\tVersion: 232\n"
                "\t\tProperties70:  {\n\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0,50\n\t\t}\n"
                "\t\tShading: T\n\t\tCulling: \"CullingOff\"\n\t}\n}\nConnections:  {\n\tC: \"OO\",200,0\n"
                "\tC: \"OO\",100,200\n}\n",
                file);
    assert_int_equal(fclose(file), 0);
}

static uint32_t crc32_of(const char *bytes, size_t size)
{
    uint32_t crc = 0xffffffffU;
    for (size_t n = 0; n < size; n++) {
        crc ^= (uint8_t)bytes[n];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
        }
    }
    return ~crc;
}

static void put_number(FILE *file, uint32_t number, int bytes)
{
    for (int n = 0; n < bytes; n++) {
        (void)fputc((int)(number >> (8 * n) & 255), file);
    }
}

// a ZIP archive without compression
static void write_zip(const char *path, const char *const names[], const char *const texts[], int count)
{
    FILE *file = create(path);
    long offsets[8];
    long start = 0;
    for (int pass = 0; pass < 2; pass++) { // the entries, then the directory
        start = ftell(file);
        for (int n = 0; n < count; n++) {
            const uint32_t size = (uint32_t)strlen(texts[n]);
            offsets[n] = pass == 0 ? ftell(file) : offsets[n];
            put(file, pass == 0 ? "PK\3\4" : "PK\1\2\24\0", pass == 0 ? 4 : 6);
            put(file, "\24\0\0\0\0\0\0\0\0\0", 10);
            put_number(file, crc32_of(texts[n], size), 4);
            put_number(file, size, 4);
            put_number(file, size, 4);
            put_number(file, (uint32_t)strlen(names[n]), 2);
            put_number(file, 0, 2);
            if (pass == 1) {
                put(file, "\0\0\0\0\0\0\0\0\0\0", 10);
                put_number(file, (uint32_t)offsets[n], 4);
            }
            (void)fputs(names[n], file);
            if (pass == 0) {
                (void)fputs(texts[n], file);
            }
        }
    }
    const long end = ftell(file);
    put(file, "PK\5\6\0\0\0\0", 8);
    put_number(file, (uint32_t)count, 2);
    put_number(file, (uint32_t)count, 2);
    put_number(file, (uint32_t)(end - start), 4);
    put_number(file, (uint32_t)start, 4);
    put_number(file, 0, 2);
    assert_int_equal(fclose(file), 0);
}

static void write_3mf(const char *path)
{
    static char model[8192];
    static const char *const names[] = {"[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model"};
    const char *const texts[] = {
        "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
        "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
        "<Default Extension=\"model\" ContentType=\"application/vnd.ms-package.3dmanufacturing-3dmodel+xml\"/></Types>",
        "<?xml version=\"1.0\"?><Relationships "
        "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship "
        "Target=\"/3D/3dmodel.model\" Id=\"rel0\" "
        "Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/></Relationships>",
        model};
    size_t used = 0;
    used += (size_t)snprintf(model, sizeof model,
                             "<?xml version=\"1.0\"?><model unit=\"inch\" "
                             "xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\"><resources>"
                             "<object id=\"1\" type=\"model\"><mesh><vertices>");
    for (int n = 0; n < 8; n++) { // z points up; float holds these numbers to 1e-7
        float p[3];
        find_corner(n, p);
        used += (size_t)snprintf(model + used, sizeof model - used, "<vertex x=\"%.9g\" y=\"%.9g\" z=\"%.9g\"/>",
                                 (double)p[0] / 0.0254, -(double)p[2] / 0.0254, (double)p[1] / 0.0254 - 100.0);
    }
    used += (size_t)snprintf(model + used, sizeof model - used, "</vertices><triangles>");
    for (int n = 0; n < 12; n++) {
        used += (size_t)snprintf(model + used, sizeof model - used, "<triangle v1=\"%d\" v2=\"%d\" v3=\"%d\"/>",
                                 cube_corner(n, 0), cube_corner(n, 1), cube_corner(n, 2));
    }
    used += (size_t)snprintf(model + used, sizeof model - used,
                             "</triangles></mesh></object></resources><build><item objectid=\"1\" "
                             "transform=\"1 0 0 0 1 0 0 0 1 0 0 100\"/></build></model>");
    assert_true(used < sizeof model);
    write_zip(path, names, texts, 3);
}

void write_box_files(void)
{
    write_obj("box.obj");
    write_stl_text("text.stl");
    write_stl("box.stl");
    write_ply("text.ply", true);
    write_ply("box.ply", false);
    write_cube_gltf("box.gltf", &(CubeGltf){.members = placed});
    write_glb("box.glb");
    write_dae("box.dae");
    write_fbx("box.fbx");
    write_3mf("box.3mf");
}
