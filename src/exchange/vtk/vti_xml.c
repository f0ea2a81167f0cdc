// The XML of a .vti file. Appended raw data are not XML, so parsing stops at the element AppendedData, behind which no
// other element has anything that is needed.
#include "exchange/vtk/vti_file.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9 // later versions deprecate the names without a width
#define XML_GetCurrentByteIndex64 XML_GetCurrentByteIndex
#define XML_GetCurrentLineNumber64 XML_GetCurrentLineNumber
#endif

enum { PARSED_AT_ONCE = 1 << 16 };

typedef struct VtiParser {
    BrumeVtiFile *file;
    XML_Parser xml;
    const uint8_t *bytes;
    size_t size;
    BrumeVtiSection section;
    BrumeVtiArray *array; // in whose element the parser is; NULL: none
    bool in_key;          // in an information key of the array, whose text is no value
    bool in_unit;         // in the element with the unit
    bool has_image;
    BrumeStatus status; // of the first failure
    BrumeError *error;
} VtiParser;

static const char *find_attribute(const char **attributes, const char *name, const char *otherwise)
{
    for (; attributes[0]; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) {
            return attributes[1];
        }
    }
    return otherwise;
}

static void fail(VtiParser *parser, BrumeStatus status, const char *text)
{
    if (parser->status == BRUME_OK) {
        parser->status = brume_fail(parser->error, status, "%s: %s", parser->file->path, text);
        (void)XML_StopParser(parser->xml, XML_FALSE);
    }
}

static void fail_with_quote(VtiParser *parser, const char *what, const char *quoted, const char *rest)
{
    char text[256];
    (void)snprintf(text, sizeof text, "%s '%s'%s", what, brume_quote(quoted).text, rest);
    fail(parser, BRUME_BAD_INPUT, text);
}

// reads `count` numbers separated by blanks; false where there is anything else
static bool parse_numbers(const char *text, double *numbers, int count)
{
    for (int n = 0; n < count; n++) {
        char *end;
        numbers[n] = strtod(text, &end);
        if (end == text) {
            return false;
        }
        text = end;
    }
    return text[strspn(text, " \t\r\n")] == '\0';
}

static bool parse_extent(const char *text, int extent[6])
{
    double numbers[6];
    if (!parse_numbers(text, numbers, 6)) {
        return false;
    }
    for (int n = 0; n < 6; n++) {
        if (!(numbers[n] >= -1e9 && numbers[n] <= 1e9)) {
            return false;
        }
        extent[n] = (int)numbers[n];
    }
    return true;
}

static void start_file(VtiParser *parser, const char **attributes)
{
    BrumeVtiFile *file = parser->file;
    const char *type = find_attribute(attributes, "type", "");
    const char *header = find_attribute(attributes, "header_type", "UInt32");
    const char *compressor = find_attribute(attributes, "compressor", "");
    if (strcmp(type, "ImageData") != 0) {
        fail_with_quote(parser, "a VTK file of type", type, " (only ImageData can be read)");
    }
    file->big_endian = strcmp(find_attribute(attributes, "byte_order", "LittleEndian"), "BigEndian") == 0;
    file->header_size = strcmp(header, "UInt64") == 0 ? 8 : 4;
    if (file->header_size == 4 && strcmp(header, "UInt32") != 0) {
        fail_with_quote(parser, "unknown header_type", header, "");
    }
#ifdef BRUME_HAS_ZLIB
    file->zlib = strcmp(compressor, "vtkZLibDataCompressor") == 0;
#endif
    if (compressor[0] != '\0' && !file->zlib) {
        fail_with_quote(parser, "its data are compressed by", compressor,
                        ", which cannot be read (write it without compression)");
    }
}

static void start_image(VtiParser *parser, const char **attributes)
{
    BrumeVtiFile *file = parser->file;
    double direction[9];
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const char *direction_text = find_attribute(attributes, "Direction", "1 0 0 0 1 0 0 0 1");
    const char *extent = find_attribute(attributes, "WholeExtent", "");
    parser->has_image = true;
    if (!parse_extent(extent, file->extent)) {
        fail_with_quote(parser, "unknown WholeExtent", extent, "");
    } else if (!parse_numbers(find_attribute(attributes, "Origin", "0 0 0"), file->origin, 3) ||
               !parse_numbers(find_attribute(attributes, "Spacing", "1 1 1"), file->spacing, 3)) {
        fail(parser, BRUME_BAD_INPUT, "Origin and Spacing are not three numbers each");
    } else if (!parse_numbers(direction_text, direction, 9) || memcmp(direction, identity, sizeof identity) != 0) {
        fail(parser, BRUME_BAD_INPUT, "its grid is rotated (only Direction=\"1 0 0 0 1 0 0 0 1\" can be read)");
    }
}

static void start_piece(VtiParser *parser, const char **attributes)
{
    int extent[6];
    if (++parser->file->piece_count > 1 || !parse_extent(find_attribute(attributes, "Extent", ""), extent) ||
        memcmp(extent, parser->file->extent, sizeof extent) != 0) {
        fail(parser, BRUME_BAD_INPUT,
             "its grid is divided into pieces (only one piece of the whole extent can be read)");
    }
}

static void copy_attribute(VtiParser *parser, char *to, size_t size, const char *name, const char *value)
{
    if (strlen(value) >= size) {
        fail_with_quote(parser, name, value, " is too long");
        return;
    }
    memcpy(to, value, strlen(value) + 1);
}

static void start_array(VtiParser *parser, const char **attributes)
{
    BrumeVtiFile *file = parser->file;
    if (parser->section == BRUME_VTI_NO_SECTION || parser->array) {
        fail(parser, BRUME_BAD_INPUT, "a DataArray outside of CellData, PointData and FieldData");
        return;
    }
    if (file->array_count == BRUME_VTI_MAX_ARRAYS) {
        fail(parser, BRUME_BAD_INPUT, "too many arrays");
        return;
    }
    BrumeVtiArray *array = &file->arrays[file->array_count++];
    const char *components = find_attribute(attributes, "NumberOfComponents", "1");
    const char *format = find_attribute(attributes, "format", "ascii");
    array->section = parser->section;
    array->components = (int)strtol(components, NULL, 10);
    array->ascii = strcmp(format, "ascii") == 0;
    array->appended = strcmp(format, "appended") == 0;
    array->offset = strtoull(find_attribute(attributes, "offset", "0"), NULL, 10);
    copy_attribute(parser, array->name, sizeof array->name, "the name of an array",
                   find_attribute(attributes, "Name", ""));
    copy_attribute(parser, array->type, sizeof array->type, "a type", find_attribute(attributes, "type", ""));
    if (!array->ascii && !array->appended && strcmp(format, "binary") != 0) {
        fail_with_quote(parser, "unknown format", format, " of an array");
    }
    parser->array = array;
}

// finds the data behind the underscore, and ends the parsing
static void start_appended(VtiParser *parser, const char **attributes)
{
    BrumeVtiFile *file = parser->file;
    const char *encoding = find_attribute(attributes, "encoding", "base64");
    file->appended_base64 = strcmp(encoding, "base64") == 0;
    if (!file->appended_base64 && strcmp(encoding, "raw") != 0) {
        fail_with_quote(parser, "unknown encoding", encoding, " of appended data");
        return;
    }
    const int64_t start = XML_GetCurrentByteIndex64(parser->xml);
    const char *text = (const char *)parser->bytes;
    const char *end = text + parser->size;
    const char *tag_end = start >= 0 ? memchr(text + start, '>', parser->size - (size_t)start) : NULL;
    const char *at = tag_end ? tag_end + 1 : end;
    while (at < end && strchr(" \t\r\n", *at)) {
        at++;
    }
    if (at >= end || *at != '_') {
        fail(parser, BRUME_BAD_INPUT, "its appended data do not start with an underscore");
        return;
    }
    file->appended = at + 1;
    file->appended_size = (size_t)(end - file->appended);
    (void)XML_StopParser(parser->xml, XML_FALSE);
}

static void XMLCALL start_element(void *context, const char *name, const char **attributes)
{
    VtiParser *parser = context;
    if (parser->status != BRUME_OK) {
        return;
    }
    if (strcmp(name, "VTKFile") == 0) {
        start_file(parser, attributes);
    } else if (parser->file->header_size == 0) {
        fail(parser, BRUME_BAD_INPUT, "not a VTK file (its first element is not VTKFile)");
    } else if (strcmp(name, "ImageData") == 0) {
        start_image(parser, attributes);
    } else if (strcmp(name, "Piece") == 0) {
        start_piece(parser, attributes);
    } else if (strcmp(name, "CellData") == 0) {
        parser->section = BRUME_VTI_CELL_DATA;
    } else if (strcmp(name, "PointData") == 0) {
        parser->section = BRUME_VTI_POINT_DATA;
    } else if (strcmp(name, "FieldData") == 0) {
        parser->section = BRUME_VTI_FIELD_DATA;
    } else if (strcmp(name, "DataArray") == 0 || strcmp(name, "Array") == 0) {
        start_array(parser, attributes);
    } else if (strcmp(name, "InformationKey") == 0 && parser->array) {
        parser->in_key = true;
        parser->in_unit = strcmp(find_attribute(attributes, "name", ""), "UNITS_LABEL") == 0;
    } else if (strcmp(name, "AppendedData") == 0) {
        start_appended(parser, attributes);
    }
}

static void XMLCALL end_element(void *context, const char *name)
{
    VtiParser *parser = context;
    if (strcmp(name, "InformationKey") == 0) {
        parser->in_key = parser->in_unit = false;
    } else if (strcmp(name, "DataArray") == 0 || strcmp(name, "Array") == 0) {
        parser->array = NULL;
    } else if (strcmp(name, "CellData") == 0 || strcmp(name, "PointData") == 0 || strcmp(name, "FieldData") == 0) {
        parser->section = BRUME_VTI_NO_SECTION;
    }
}

static void XMLCALL add_characters(void *context, const char *text, int length)
{
    VtiParser *parser = context;
    BrumeVtiArray *array = parser->array;
    if (!array || parser->status != BRUME_OK) {
        return;
    }
    if (parser->in_unit) {
        const size_t used = strlen(array->unit);
        (void)snprintf(array->unit + used, sizeof array->unit - used, "%.*s", length, text);
    } else if (!parser->in_key && !array->appended) {
        brume_text_add(&array->text, "%.*s", length, text);
        if (array->text.failed) {
            fail(parser, BRUME_FAILED, "out of memory for its data");
        }
    }
}

// VTK writes no document type; without one there are no entities to expand
static void XMLCALL refuse_document_type(void *context, const char *name, const char *system_id, const char *public_id,
                                         int internal)
{
    (void)name, (void)system_id, (void)public_id, (void)internal;
    fail(context, BRUME_BAD_INPUT, "a document type is not allowed");
}

static void parse(VtiParser *parser)
{
    size_t done = 0;
    enum XML_Status status = XML_STATUS_OK;
    while (status == XML_STATUS_OK && done < parser->size) {
        const size_t left = parser->size - done;
        const size_t part = left < PARSED_AT_ONCE ? left : PARSED_AT_ONCE;
        status = XML_Parse(parser->xml, (const char *)parser->bytes + done, (int)part, done + part == parser->size);
        done += part;
    }
    if (parser->size == 0) {
        fail(parser, BRUME_BAD_INPUT, "the file is empty");
    } else if (parser->status == BRUME_OK && !parser->file->appended && status != XML_STATUS_OK) {
        char text[128];
        (void)snprintf(text, sizeof text, "not complete XML (line %llu: %s)",
                       (unsigned long long)XML_GetCurrentLineNumber64(parser->xml),
                       XML_ErrorString(XML_GetErrorCode(parser->xml)));
        const bool no_memory = XML_GetErrorCode(parser->xml) == XML_ERROR_NO_MEMORY;
        fail(parser, no_memory ? BRUME_FAILED : BRUME_BAD_INPUT, no_memory ? "cannot read: out of memory" : text);
    }
    if (parser->status == BRUME_OK && (!parser->has_image || parser->file->piece_count != 1)) {
        fail(parser, BRUME_BAD_INPUT, "it has no image");
    }
}

BrumeStatus brume_vti_file_parse(BrumeVtiFile *file, const char *path, const uint8_t *bytes, size_t size,
                                 BrumeError *error)
{
    *file = (BrumeVtiFile){.path = path};
    VtiParser parser = {.file = file, .xml = XML_ParserCreate(NULL), .bytes = bytes, .size = size, .error = error};
    if (!parser.xml) {
        return brume_out_of_memory(error, "%s", path);
    }
    XML_SetUserData(parser.xml, &parser);
    XML_SetElementHandler(parser.xml, start_element, end_element);
    XML_SetCharacterDataHandler(parser.xml, add_characters);
    XML_SetStartDoctypeDeclHandler(parser.xml, refuse_document_type);
    parse(&parser);
    XML_ParserFree(parser.xml);
    return parser.status;
}

void brume_vti_file_destroy(BrumeVtiFile *file)
{
    for (int n = 0; n < file->array_count; n++) {
        brume_text_destroy(&file->arrays[n].text);
    }
    *file = (BrumeVtiFile){0};
}
