#define _GNU_SOURCE // flock

#include "viewer/jobs/job_record.h"

#include "core/text.h"
#include "io/file.h"
#include "yaml/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_RECORDS = 9999 };

// opens and locks the file; false where another viewer has locked it, or has removed it in the meantime
static bool lock(BrumeJobRecord *record, const char *path)
{
    struct stat status;
    record->file = open(path, O_RDONLY | O_CLOEXEC);
    if (record->file < 0) {
        *record = (BrumeJobRecord){0};
        return false;
    }
    const bool is_locked = flock(record->file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (!is_locked || fstat(record->file, &status) != 0 || status.st_nlink == 0) {
        (void)close(record->file);
        *record = (BrumeJobRecord){0};
        return false;
    }
    (void)snprintf(record->path, sizeof record->path, "%s", path);
    return true;
}

static void add_value(BrumeText *text, const char *key, const char *value)
{
    brume_text_add(text, "%s: ", key);
    brume_text_add_json_string(text, value);
    brume_text_add(text, "\n");
}

// composes the YAML text of a record
static void compose(BrumeText *text, const char *opened, const BrumeJobDef *def)
{
    char folder[BRUME_JOB_PATH];
    (void)snprintf(folder, sizeof folder, "%s", def->folder);
    if (!folder[0] && !getcwd(folder, sizeof folder)) {
        folder[0] = '\0';
    }
    add_value(text, "opened", opened);
    add_value(text, "name", def->name);
    add_value(text, "output", def->output);
    add_value(text, "scene", def->scene);
    add_value(text, "folder", folder);
    brume_text_add(text, "starts_again: %s\narguments:\n", def->again == BRUME_JOB_STARTS_AGAIN ? "true" : "false");
    const char *argument = brume_job_next_argument(def, NULL); // skips the program, which may be another one later
    while (argument && (argument = brume_job_next_argument(def, argument))) {
        brume_text_add(text, "  - ");
        brume_text_add_json_string(text, argument);
        brume_text_add(text, "\n");
    }
}

BrumeStatus brume_job_record_write(BrumeJobRecord *record, const char *folder, const char *opened,
                                   const BrumeJobDef *def, BrumeError *error)
{
    *record = (BrumeJobRecord){0};
    char path[BRUME_JOB_PATH];
    BrumeText text = {0};
    compose(&text, opened, def);
    BrumeStatus status = text.failed ? brume_out_of_memory(error, "a job") : BRUME_OK;
    bool written = false;
    for (int n = 1; n <= MOST_RECORDS && status == BRUME_OK && !written; n++) {
        const int length = snprintf(path, sizeof path, "%s/job-%04d.yaml", folder, n);
        if (length < 0 || (size_t)length >= sizeof path) {
            status = brume_fail(error, BRUME_FAILED, "%.64s...: the name is too long", folder);
        } else if (access(path, F_OK) != 0) {
            status = brume_file_make_folder(path, error);
            written = status == BRUME_OK && brume_file_create(path, text.data, text.size, error) == BRUME_OK;
            if (status == BRUME_OK && !written && access(path, F_OK) != 0) { // no other viewer has created it
                status = BRUME_FAILED;
            }
        }
    }
    brume_text_destroy(&text);
    if (status == BRUME_OK && (!written || !lock(record, path))) {
        return brume_fail(error, BRUME_FAILED, "%s: no job can be kept", folder);
    }
    return status;
}

static bool read_text(const BrumeYamlNode *root, const char *key, char *text, size_t size)
{
    const BrumeYamlNode *node = brume_yaml_get(root, key);
    if (!node || node->kind != BRUME_YAML_SCALAR || strlen(node->text) >= size) {
        return false;
    }
    (void)snprintf(text, size, "%s", node->text);
    return true;
}

static bool read_def(const BrumeYamlNode *root, const char *program, BrumeJobDef *def)
{
    char again[8];
    const BrumeYamlNode *list = brume_yaml_get(root, "arguments");
    if (!read_text(root, "name", def->name, sizeof def->name) ||
        !read_text(root, "output", def->output, sizeof def->output) ||
        !read_text(root, "scene", def->scene, sizeof def->scene) ||
        !read_text(root, "folder", def->folder, sizeof def->folder) ||
        !read_text(root, "starts_again", again, sizeof again) || !list || list->kind != BRUME_YAML_LIST) {
        return false;
    }
    def->again = strcmp(again, "true") == 0 ? BRUME_JOB_STARTS_AGAIN : BRUME_JOB_RESUMES;
    brume_job_add_argument(def, "%s", program);
    for (const BrumeYamlNode *item = list->first; item; item = item->next) {
        if (item->kind != BRUME_YAML_SCALAR) {
            return false;
        }
        brume_job_add_argument(def, "%s", item->text);
    }
    return !def->full;
}

bool brume_job_record_read(BrumeJobRecord *record, const char *path, const char *opened, const char *program,
                           BrumeJobDef *def)
{
    *def = (BrumeJobDef){0};
    *record = (BrumeJobRecord){0};
    char of[BRUME_JOB_PATH];
    char scene[BRUME_JOB_PATH];
    BrumeYamlNode *root = NULL;
    if (strlen(path) >= sizeof record->path || !lock(record, path)) {
        return false;
    }
    const bool is_of_scene = brume_yaml_read(&root, path, NULL) == BRUME_OK &&
                             read_text(root, "opened", of, sizeof of) && strcmp(of, opened) == 0 &&
                             read_def(root, program, def);
    brume_yaml_free(root);
    if (!is_of_scene) {
        brume_job_record_release(record);
        return false;
    }
    if (!brume_job_path(def, def->scene, scene) || access(scene, F_OK) != 0) {
        brume_job_record_end(record);
        return false;
    }
    return true;
}

void brume_job_record_end(BrumeJobRecord *record)
{
    if (record->path[0]) {
        (void)unlink(record->path);
    }
    brume_job_record_release(record);
}

void brume_job_record_release(BrumeJobRecord *record)
{
    if (record->path[0]) {
        (void)close(record->file);
    }
    *record = (BrumeJobRecord){0};
}
