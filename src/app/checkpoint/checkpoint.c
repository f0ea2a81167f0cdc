#include "app/checkpoint/checkpoint.h"

#include "brume/brume.h"
#include "core/hash.h"
#include "core/memory.h"
#include "io/file.h"
#include "sim/lifecycle/lifecycle.h"

#include <string.h>

static const uint64_t MAGIC = 0x5450434b454d5242u; // "BRMEKCPT" on a little-endian machine
enum { MAX_FRAMES = 1 << 24, MAX_COLUMNS = 1 << 16 };

typedef struct FileHeader {
    uint64_t magic;
    uint64_t format;
    uint64_t size; // of the content [bytes]
    uint64_t hash; // of the content
} FileHeader;

// reads or writes a text, by the mode of the archive; a text that was read stays in the archive's input
static void pass_text(BrumeArchive *archive, const char **text)
{
    uint64_t size = archive->mode == BRUME_ARCHIVE_READ ? 0 : strlen(*text) + 1;
    brume_archive_uint64(archive, &size);
    if (archive->mode != BRUME_ARCHIVE_READ) {
        brume_archive_bytes(archive, (void *)*text, size); // the text is only read
        return;
    }
    archive->ok = archive->ok && size > 0 && size <= archive->size - archive->position &&
                  archive->input[archive->position + size - 1] == '\0';
    if (archive->ok) {
        *text = (const char *)archive->input + archive->position;
        archive->position += size;
    }
}

static void pass_frame_stats(BrumeArchive *archive, BrumeFrameStats *stats)
{
    brume_archive_int(archive, &stats->frame);
    brume_archive_double(archive, &stats->time);
    brume_archive_int(archive, &stats->steps);
    brume_archive_int(archive, &stats->iterations);
    brume_archive_int(archive, &stats->max_iterations);
    brume_archive_double(archive, &stats->residual);
    brume_archive_bool(archive, &stats->converged);
    brume_archive_double(archive, &stats->divergence);
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_archive_double(archive, &stats->ms[stage]);
    }
    brume_archive_double(archive, &stats->total_ms);
}

// reads or writes the statistics of the frames so far; read ones must fit
static void pass_stats(BrumeArchive *archive, BrumeRunStats *stats)
{
    (void)pthread_mutex_lock(&stats->mutex);
    brume_archive_count(archive, &stats->frames, stats->capacity);
    for (int n = 0; n < stats->frames; n++) {
        BrumeRunFrame *frame = &stats->frame[n];
        pass_frame_stats(archive, &frame->sim);
        brume_archive_uint64(archive, &frame->hash);
        brume_archive_bool(archive, &frame->written);
        for (int stage = 0; stage < BRUME_IMAGE_STAGE_COUNT; stage++) {
            brume_archive_double(archive, &frame->ms[stage]);
        }
        brume_archive_int(archive, &frame->trace.samples);
        brume_archive_double(archive, &frame->trace.error);
    }
    (void)pthread_mutex_unlock(&stats->mutex);
}

static void pass_probe_ends(BrumeArchive *archive, BrumeProbeEnds *ends)
{
    brume_archive_count(archive, &ends->count, BRUME_MAX_PROBES);
    for (int n = 0; n < ends->count; n++) {
        brume_archive_bytes(archive, &ends->bytes[n], sizeof ends->bytes[n]);
    }
}

static void pass_head(BrumeArchive *archive, char version[BRUME_MAX_VERSION], int *frame, const char **scene_text)
{
    brume_archive_bytes(archive, version, BRUME_MAX_VERSION);
    brume_archive_count(archive, frame, MAX_FRAMES);
    pass_text(archive, scene_text);
}

// counts or writes everything except the state
static void pass_record(BrumeArchive *archive, const BrumeRunRecord *record, int frame)
{
    char version[BRUME_MAX_VERSION] = "";
    strncpy(version, brume_version(), sizeof version - 1);
    const char *scene_text = record->scene_text;
    pass_head(archive, version, &frame, &scene_text);
    pass_stats(archive, record->stats);
    BrumeMeasureLog *measures = record->measures;
    brume_archive_count(archive, &measures->column_count, MAX_COLUMNS);
    brume_archive_count(archive, &measures->states, MAX_FRAMES);
    brume_archive_bytes(archive, measures->values,
                        (size_t)measures->column_count * (size_t)measures->states * sizeof *measures->values);
    BrumeProbeEnds ends = {.count = record->probes->count};
    for (int n = 0; n < ends.count; n++) {
        ends.bytes[n] = record->probes->files[n].bytes;
    }
    pass_probe_ends(archive, &ends);
}

BrumeStatus brume_checkpoint_encode(const BrumeRunRecord *record, const BrumeSim *sim, uint8_t **bytes, size_t *size,
                                    BrumeError *error)
{
    const int frame = brume_sim_frames(sim);
    BrumeArchive archive = {.mode = BRUME_ARCHIVE_COUNT};
    pass_record(&archive, record, frame);
    const size_t state_size = brume_sim_saved_size(sim);
    const size_t content = archive.position + state_size;
    uint8_t *const file = brume_alloc_untouched(sizeof(FileHeader) + content, 1);
    if (!file) {
        return brume_out_of_memory(error, "a checkpoint of %zu bytes", content);
    }
    archive = (BrumeArchive){.mode = BRUME_ARCHIVE_WRITE, .output = file + sizeof(FileHeader)};
    pass_record(&archive, record, frame);
    const BrumeStatus status = brume_sim_save(sim, archive.output + archive.position, state_size, error);
    if (status != BRUME_OK) {
        brume_free(file);
        return status;
    }
    const FileHeader header = {
        .magic = MAGIC,
        .format = BRUME_CHECKPOINT_FORMAT,
        .size = content,
        .hash = brume_hash_blocks(archive.output, content, BRUME_CHECKPOINT_FORMAT),
    };
    memcpy(file, &header, sizeof header);
    *bytes = file;
    *size = sizeof header + content;
    return BRUME_OK;
}

static BrumeStatus check_header(const BrumeCheckpoint *checkpoint, const char *path, size_t size, BrumeError *error)
{
    FileHeader header = {0};
    if (size >= sizeof header) {
        memcpy(&header, checkpoint->bytes, sizeof header);
    }
    if (header.magic != MAGIC) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: not a checkpoint", path);
    }
    if (header.format != BRUME_CHECKPOINT_FORMAT) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: the checkpoint has format %llu, this version reads %d", path,
                          (unsigned long long)header.format, BRUME_CHECKPOINT_FORMAT);
    }
    if (header.size != size - sizeof header) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: the checkpoint has %zu bytes of %llu", path,
                          size - sizeof header, (unsigned long long)header.size);
    }
    if (brume_hash_blocks(checkpoint->bytes + sizeof header, (size_t)header.size, BRUME_CHECKPOINT_FORMAT) !=
        header.hash) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: the checkpoint is damaged: its hash does not match", path);
    }
    return BRUME_OK;
}

BrumeStatus brume_checkpoint_open(BrumeCheckpoint *checkpoint, uint8_t *bytes, size_t size, const char *name,
                                  BrumeError *error)
{
    *checkpoint = (BrumeCheckpoint){.bytes = bytes, .size = size};
    const BrumeStatus status = check_header(checkpoint, name, size, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeArchive *archive = &checkpoint->archive;
    *archive = (BrumeArchive){
        .mode = BRUME_ARCHIVE_READ,
        .input = bytes + sizeof(FileHeader),
        .size = size - sizeof(FileHeader),
        .ok = true,
    };
    pass_head(archive, checkpoint->version, &checkpoint->frame, &checkpoint->scene_text);
    checkpoint->version[sizeof checkpoint->version - 1] = '\0';
    return archive->ok ? BRUME_OK : brume_fail(error, BRUME_BAD_INPUT, "%s: the checkpoint is incomplete", name);
}

BrumeStatus brume_checkpoint_read(BrumeCheckpoint *checkpoint, const char *path, BrumeError *error)
{
    *checkpoint = (BrumeCheckpoint){0};
    uint8_t *bytes;
    size_t size;
    const BrumeStatus status = brume_file_read(path, &bytes, &size, error);
    return status == BRUME_OK ? brume_checkpoint_open(checkpoint, bytes, size, path, error) : status;
}

// reads the measures so far; a log without columns skips them
static BrumeStatus read_measures(BrumeArchive *archive, BrumeMeasureLog *measures, BrumeError *error)
{
    int columns = 0;
    int states = 0;
    brume_archive_count(archive, &columns, MAX_COLUMNS);
    brume_archive_count(archive, &states, MAX_FRAMES);
    const size_t size = (size_t)columns * (size_t)states * sizeof(double);
    if (measures->column_count == 0) {
        archive->ok = archive->ok && size <= archive->size - archive->position;
        archive->position += archive->ok ? size : 0;
        return BRUME_OK;
    }
    if (columns == 0) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--resume: the frames so far were not measured (leave out --measures and --stats, or start "
                          "again with --overwrite)");
    }
    if (columns != measures->column_count || states > measures->capacity) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "--resume: %d columns were measured so far, not %d (leave out --measures and --stats, or "
                          "start again with --overwrite)",
                          columns, measures->column_count);
    }
    brume_archive_bytes(archive, measures->values, size);
    measures->states = states;
    return BRUME_OK;
}

BrumeStatus brume_checkpoint_restore(BrumeCheckpoint *checkpoint, BrumeRunRecord *record, BrumeProbeEnds *ends,
                                     struct BrumeTeam *team, BrumeSim **sim, BrumeError *error)
{
    *sim = NULL;
    BrumeArchive *archive = &checkpoint->archive;
    pass_stats(archive, record->stats);
    const BrumeStatus status = read_measures(archive, record->measures, error);
    if (status != BRUME_OK) {
        return status;
    }
    *ends = (BrumeProbeEnds){0};
    pass_probe_ends(archive, ends);
    if (!archive->ok) {
        return brume_fail(error, BRUME_BAD_INPUT, "--resume: the checkpoint of frame %d is incomplete",
                          checkpoint->frame);
    }
    const BrumeStatus restored = brume_sim_create_saved_with(sim, team, archive->input + archive->position,
                                                             archive->size - archive->position, error);
    if (restored == BRUME_OK && brume_sim_frames(*sim) != checkpoint->frame) {
        const int frame = brume_sim_frames(*sim);
        brume_sim_destroy(*sim);
        *sim = NULL;
        return brume_fail(error, BRUME_BAD_INPUT, "--resume: the checkpoint of frame %d has the state of frame %d",
                          checkpoint->frame, frame);
    }
    return restored;
}

void brume_checkpoint_free(BrumeCheckpoint *checkpoint)
{
    brume_free(checkpoint->bytes);
    *checkpoint = (BrumeCheckpoint){0};
}
