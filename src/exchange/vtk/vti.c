// Writes VTK XML ImageData: grids at the centers as CellData, so that the points are the corners of the cells; velocity
// on the faces, which VTK has no place for, as FieldData with the frame, the time and the scene. All values are
// appended as raw binary. The last line has the hash of all bytes before it.
#include "exchange/vtk/vti.h"

#include "core/hash.h"
#include "core/text.h"
#include "exchange/vtk/vti_file.h"
#include "io/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// head, a size and data for each grid and the scene, end, and hash
enum { MAX_PARTS = 2 * (BRUME_MAX_FRAME_GRIDS + 1) + 3 };

typedef struct VtiWriter {
    BrumeText head;
    uint64_t offset; // of the next block in the appended data
    int block_count;
    uint64_t block_sizes[BRUME_MAX_FRAME_GRIDS + 1];
    BrumeBytes blocks[BRUME_MAX_FRAME_GRIDS + 1];
} VtiWriter;

static void add_escaped(BrumeText *text, const char *value)
{
    for (; *value; value++) {
        switch (*value) {
        case '&':
            brume_text_add(text, "&amp;");
            break;
        case '<':
            brume_text_add(text, "&lt;");
            break;
        case '>':
            brume_text_add(text, "&gt;");
            break;
        case '"':
            brume_text_add(text, "&quot;");
            break;
        default:
            brume_text_add(text, "%c", *value);
        }
    }
}

static void add_numbers(BrumeText *text, const double numbers[3])
{
    for (int n = 0; n < 3; n++) {
        brume_text_add(text, n > 0 ? " " : "");
        brume_text_add_exact_number(text, numbers[n]);
    }
}

static void add_block(VtiWriter *writer, const void *data, size_t size)
{
    writer->block_sizes[writer->block_count] = size;
    writer->blocks[writer->block_count++] = (BrumeBytes){data, size};
    writer->offset += sizeof(uint64_t) + size;
}

static void add_grid(VtiWriter *writer, const BrumeFrameGrids *frame, const BrumeFrameGrid *grid)
{
    const size_t values = brume_frame_grid_values(frame->cells, grid);
    brume_text_add(&writer->head, "        <DataArray type=\"Float32\" Name=\"");
    add_escaped(&writer->head, grid->name);
    brume_text_add(&writer->head,
                   "\" NumberOfComponents=\"%d\" NumberOfTuples=\"%zu\" format=\"appended\" offset=\"%" PRIu64 "\"",
                   grid->components, values / (size_t)grid->components, writer->offset);
    if (grid->unit[0]) {
        brume_text_add(&writer->head, ">\n          <InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">");
        add_escaped(&writer->head, grid->unit);
        brume_text_add(&writer->head, "</InformationKey>\n        </DataArray>\n");
    } else {
        brume_text_add(&writer->head, "/>\n");
    }
    add_block(writer, grid->values, values * sizeof(float));
}

static void add_field_data(VtiWriter *writer, const BrumeFrameGrids *frame)
{
    BrumeText *head = &writer->head;
    brume_text_add(head, "    <FieldData>\n"
                         "        <DataArray type=\"Float64\" Name=\"" BRUME_VTI_TIME
                         "\" NumberOfTuples=\"1\" format=\"ascii\">");
    brume_text_add_exact_number(head, frame->time);
    brume_text_add(head, "</DataArray>\n");
    if (frame->has_frame) {
        brume_text_add(head,
                       "        <DataArray type=\"Int32\" Name=\"" BRUME_VTI_FRAME
                       "\" NumberOfTuples=\"1\" format=\"ascii\">%d</DataArray>\n",
                       frame->frame);
    }
    if (frame->scene_text) {
        brume_text_add(head,
                       "        <Array type=\"String\" Name=\"" BRUME_VTI_SCENE
                       "\" NumberOfTuples=\"1\" format=\"appended\" offset=\"%" PRIu64 "\"/>\n",
                       writer->offset);
        add_block(writer, frame->scene_text, strlen(frame->scene_text) + 1);
    }
    for (int n = 0; n < frame->count; n++) {
        if (frame->grids[n].location != BRUME_AT_CENTERS) {
            add_grid(writer, frame, &frame->grids[n]);
        }
    }
    brume_text_add(head, "    </FieldData>\n");
}

// the first grid at the centers with this number of components, which readers show first; NULL: none
static const BrumeFrameGrid *first_grid(const BrumeFrameGrids *frame, int components)
{
    for (int n = 0; n < frame->count; n++) {
        if (frame->grids[n].components == components && frame->grids[n].location == BRUME_AT_CENTERS) {
            return &frame->grids[n];
        }
    }
    return NULL;
}

static void add_active(BrumeText *head, const char *attribute, const BrumeFrameGrid *grid)
{
    if (grid) {
        brume_text_add(head, " %s=\"", attribute);
        add_escaped(head, grid->name);
        brume_text_add(head, "\"");
    }
}

static void add_head(VtiWriter *writer, const BrumeFrameGrids *frame)
{
    BrumeText *head = &writer->head;
    char extent[96];
    (void)snprintf(extent, sizeof extent, "0 %d 0 %d 0 %d", frame->cells.nx, frame->cells.ny, frame->cells.nz);
    brume_text_add(head,
                   "<?xml version=\"1.0\"?>\n"
                   "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                   "  <ImageData WholeExtent=\"%s\" Origin=\"",
                   extent);
    add_numbers(head, frame->origin);
    brume_text_add(head, "\" Spacing=\"");
    add_numbers(head, (const double[3]){frame->dx, frame->dx, frame->dx});
    brume_text_add(head, "\">\n");
    add_field_data(writer, frame);
    brume_text_add(head, "    <Piece Extent=\"%s\">\n      <CellData", extent);
    add_active(head, "Scalars", first_grid(frame, 1));
    add_active(head, "Vectors", first_grid(frame, 3));
    brume_text_add(head, ">\n");
    for (int n = 0; n < frame->count; n++) {
        if (frame->grids[n].location == BRUME_AT_CENTERS) {
            add_grid(writer, frame, &frame->grids[n]);
        }
    }
    brume_text_add(head, "      </CellData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n   _");
}

static BrumeStatus check_names(const BrumeFrameGrids *frame, const char *path, BrumeError *error)
{
    for (int n = 0; n < frame->count; n++) {
        const BrumeFrameGrid *grid = &frame->grids[n];
        for (const char *c = grid->name; *c; c++) {
            if ((unsigned char)*c < 0x20) {
                return brume_fail(error, BRUME_BAD_INPUT, "%s: the name '%s' of a grid has a control character", path,
                                  brume_quote(grid->name).text);
            }
        }
    }
    return BRUME_OK;
}

static BrumeStatus vti_write(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                             BrumeError *error)
{
    if (check_names(frame, path, error) != BRUME_OK) {
        return BRUME_BAD_INPUT;
    }
    VtiWriter writer = {.offset = 0};
    add_head(&writer, frame);
    if (writer.head.failed) {
        brume_text_destroy(&writer.head);
        return brume_out_of_memory(error, "%s", path);
    }
    static const char end[] = "\n  </AppendedData>\n</VTKFile>\n";
    BrumeBytes parts[MAX_PARTS];
    int count = 0;
    parts[count++] = (BrumeBytes){writer.head.data, writer.head.size};
    for (int n = 0; n < writer.block_count; n++) {
        parts[count++] = (BrumeBytes){&writer.block_sizes[n], sizeof writer.block_sizes[n]};
        parts[count++] = writer.blocks[n];
    }
    parts[count++] = (BrumeBytes){end, sizeof end - 1};
    char hash[BRUME_VTI_HASH_LINE + 1];
    (void)snprintf(hash, sizeof hash, "<!-- xxh3 %016" PRIx64 " -->\n", brume_hash_parts(parts, count));
    parts[count++] = (BrumeBytes){hash, BRUME_VTI_HASH_LINE};
    const BrumeStatus status = brume_file_write_parts(path, parts, count, def->overwrite, error);
    brume_text_destroy(&writer.head);
    return status;
}

const BrumeVolumeFormat brume_vti_format = {
    .extension = ".vti",
    .description = "VTK image data",
#ifdef BRUME_HAS_EXPAT
    .read = brume_vti_read,
#endif
    .write = vti_write,
    .uncompressed = true,
};
