#include "exchange/volume_format.h"

#include "core/path.h"
#include "core/text.h"
#include "io/file.h"

#include <string.h>
#include <strings.h>

const BrumeVolumeFormat *const brume_volume_formats[] = {
#ifdef BRUME_HAS_HDF5
    &brume_hdf_format, &brume_vtkhdf_format,
#endif
#ifdef BRUME_HAS_OPENVDB
    &brume_vdb_format,
#endif
    &brume_vti_format, &brume_raw_format,    &brume_ply_format, NULL,
};

const char *const *brume_volume_extensions(bool written)
{
    enum { MAX_FORMATS = sizeof brume_volume_formats / sizeof brume_volume_formats[0] };
    static const char *lists[2][MAX_FORMATS];
    int count = 0;
    for (const BrumeVolumeFormat *const *format = brume_volume_formats; *format; format++) {
        if (written ? (*format)->write != NULL : (*format)->read != NULL) {
            lists[written][count++] = (*format)->extension + 1;
        }
    }
    return lists[written];
}

const BrumeVolumeFormat *brume_volume_format_of(const char *path)
{
    const size_t length = strlen(path);
    for (const BrumeVolumeFormat *const *format = brume_volume_formats; *format; format++) {
        const size_t suffix = strlen((*format)->extension);
        if (length > suffix && strcasecmp(path + length - suffix, (*format)->extension) == 0) {
            return *format;
        }
    }
    return NULL;
}

void brume_particles_path(const char *path, char *particles, size_t size)
{
    const char *dot = strrchr(brume_path_name(path), '.');
    const int before = dot ? (int)(dot - path) : (int)strlen(path);
    (void)snprintf(particles, size, "%.*s_particles%s", before, path, path + before);
}

BrumeStatus brume_volume_file_check_readable(const char *path, BrumeError *error)
{
    const BrumeVolumeFormat *format = brume_volume_format_of(path);
    if (!format || !format->read) {
        BrumeText list = {0};
        for (const BrumeVolumeFormat *const *known = brume_volume_formats; *known; known++) {
            if ((*known)->read) {
                brume_text_add(&list, "%s%s", list.size > 0 ? ", " : "", (*known)->extension);
            }
        }
        const BrumeStatus status =
            brume_fail(error, BRUME_BAD_INPUT, "%s: not a volume file that can be read (known are %s)", path,
                       list.size > 0 ? list.data : "none in this build");
        brume_text_destroy(&list);
        return status;
    }
    return BRUME_OK;
}

BrumeStatus brume_volume_file_read_grids(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def,
                                         BrumeError *error)
{
    BrumeStatus status = brume_volume_file_check_readable(path, error);
    if (status == BRUME_OK) {
        status = brume_volume_format_of(path)->read(frame, path, def, error);
    }
    if (status == BRUME_OK && def->density[0] != '\0' && !brume_frame_grids_name_density(frame, def->density)) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: has no grid of numbers '%s' (it has: %s)", path,
                            brume_quote(def->density).text, brume_frame_grids_list(frame).text);
        brume_frame_grids_destroy(frame);
    }
    return status;
}

BrumeStatus brume_volume_file_read_particles(BrumeFrameGrids *frame, const char *path, BrumeError *error)
{
    const BrumeVolumeFormat *format = brume_volume_format_of(path);
    return format && format->read_particles
               ? format->read_particles(frame, path, error)
               : brume_fail(error, BRUME_BAD_INPUT, "%s: not a file of points (known are .vdb and .ply)", path);
}

BrumeStatus brume_volume_file_read(BrumeFrameGrids *frame, const char *path, BrumeError *error)
{
    static const BrumeVolumeReadDef all = {.density = ""};
    return brume_volume_file_read_grids(frame, path, &all, error);
}

BrumeStatus brume_volume_file_store(const char *path, const uint8_t *bytes, size_t size, const BrumeVolumeWriteDef *def,
                                    BrumeError *error)
{
    return def->overwrite ? brume_file_write(path, bytes, size, error) : brume_file_create(path, bytes, size, error);
}
