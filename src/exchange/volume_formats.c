#include "exchange/volume_format.h"

#include "core/path.h"
#include "core/text.h"
#include "io/file.h"

#include <limits.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

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

bool brume_particles_are_beside(const BrumeVolumeFormat *format, const BrumeFrameGrids *frame)
{
    return format->particles == BRUME_PARTICLES_ALONE && frame->has_particles && frame->count > 0;
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

// whether there is a file of particles beside that of a path; writes its path
static bool find_particles(const char *path, char particles[PATH_MAX])
{
    brume_particles_path(path, particles, PATH_MAX);
    return brume_volume_format_of(path)->particles == BRUME_PARTICLES_ALONE && access(particles, F_OK) == 0;
}

// adds the particles that are beside a file
static BrumeStatus read_beside(BrumeFrameGrids *frame, const char *path, BrumeError *error)
{
    static const BrumeVolumeReadDef def = {.parts = BRUME_READ_PARTICLES};
    char beside[PATH_MAX];
    BrumeFrameGrids particles = {0};
    if (!find_particles(path, beside)) {
        return BRUME_OK;
    }
    BrumeStatus status = brume_volume_format_of(path)->read(&particles, beside, &def, error);
    if (status == BRUME_OK && particles.has_particles) {
        status = brume_frame_grids_copy_particles(frame, &particles, error);
    }
    brume_frame_grids_destroy(&particles);
    return status;
}

// where the file has no numbers of the particles, they are their order in it
static void number_particles(BrumeFrameGrids *frame)
{
    bool are_numbered = false;
    for (int n = 0; n < frame->particle_count; n++) {
        are_numbered = are_numbered || frame->particles[n].id != 0;
    }
    for (int n = 0; n < frame->particle_count && !are_numbered; n++) {
        frame->particles[n].id = (uint32_t)n;
    }
}

BrumeStatus brume_volume_file_read_grids(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def,
                                         BrumeError *error)
{
    BrumeStatus status = brume_volume_file_check_readable(path, error);
    if (status == BRUME_OK) {
        status = brume_volume_format_of(path)->read(frame, path, def, error);
    }
    if (status == BRUME_OK && def->parts == BRUME_READ_ALL && !frame->has_particles) {
        status = read_beside(frame, path, error);
    }
    if (status == BRUME_OK && def->density[0] != '\0' && !brume_frame_grids_name_density(frame, def->density)) {
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: has no grid of numbers '%s' (it has: %s)", path,
                            brume_quote(def->density).text, brume_frame_grids_list(frame).text);
    }
    if (status != BRUME_OK) {
        brume_frame_grids_destroy(frame);
        return status;
    }
    number_particles(frame);
    if (frame->cells.nx == 0) {
        brume_frame_grids_fit_particles(frame);
    }
    return BRUME_OK;
}

BrumeStatus brume_volume_file_read_particles(BrumeFrameGrids *frame, const char *path, BrumeError *error)
{
    static const BrumeVolumeReadDef def = {.parts = BRUME_READ_PARTICLES};
    char beside[PATH_MAX];
    BrumeStatus status = brume_volume_file_check_readable(path, error);
    if (status == BRUME_OK) {
        status = brume_volume_file_read_grids(frame, find_particles(path, beside) ? beside : path, &def, error);
    }
    if (status == BRUME_OK && !frame->has_particles) {
        brume_frame_grids_destroy(frame);
        status = brume_fail(error, BRUME_BAD_INPUT, "%s: has no points", path);
    }
    while (frame->count > 0) {
        brume_frame_grids_remove(frame, frame->count - 1);
    }
    return status;
}

BrumeStatus brume_volume_file_read(BrumeFrameGrids *frame, const char *path, BrumeError *error)
{
    static const BrumeVolumeReadDef all = {.parts = BRUME_READ_ALL};
    return brume_volume_file_read_grids(frame, path, &all, error);
}

BrumeStatus brume_volume_file_write(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                                    BrumeError *error)
{
    const BrumeVolumeFormat *format = brume_volume_format_of(path);
    if (format->particles == BRUME_PARTICLES_NOWHERE && frame->has_particles && frame->count == 0) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: files of %s have no particles", path, format->extension);
    }
    BrumeStatus status = BRUME_OK;
    if (brume_particles_are_beside(format, frame)) {
        char beside[PATH_MAX];
        BrumeFrameGrids particles = *frame;
        particles.count = 0;
        brume_particles_path(path, beside, sizeof beside);
        status = format->write(&particles, beside, def, error);
    }
    return status == BRUME_OK ? format->write(frame, path, def, error) : status;
}

BrumeStatus brume_volume_file_store(const char *path, const uint8_t *bytes, size_t size, const BrumeVolumeWriteDef *def,
                                    BrumeError *error)
{
    return def->overwrite ? brume_file_write(path, bytes, size, error) : brume_file_create(path, bytes, size, error);
}
