#define _XOPEN_SOURCE 700 // nftw

#include "program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// GCC 14 reports code of stb_image. Clang has no such warning.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb_image.h>

static const char little_scene[] = "name: Little plume\n"
                                   "domain: {size: [1, 1.5, 1]}\n"
                                   "solver: {resolution: 24}\n"
                                   "emitters:\n"
                                   "  - shape: sphere\n"
                                   "    center: [0, 0.25, 0]\n"
                                   "    radius: 0.2\n"
                                   "    density: 1\n"
                                   "    temperature: 100\n"
                                   "    velocity: [0, 1, 0]\n"
                                   "time: {fps: 24, frames: 12}\n"
                                   "image: {width: 64, height: 36, samples: 1}\n";

static char folder[256];

int enter_folder(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%s/brume-test-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        return -1;
    }
    make_file("little.yaml", little_scene);
    return 0;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

static int remove_tree(const char *path) { return nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT); }

int leave_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 ? remove_tree(folder) : -1;
}

void remove_folder(const char *path)
{
    if (exists(path)) {
        assert_int_equal(remove_tree(path), 0);
    }
}

static int open_output(void)
{
    char path[] = "/tmp/brume-output-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(unlink(path), 0);
    return file;
}

// in the child process; does not return
static void execute_program(char **argv, const Program *program, size_t largest_file)
{
    if (largest_file > 0) {
        const struct rlimit limit = {.rlim_cur = largest_file, .rlim_max = largest_file};
        (void)setrlimit(RLIMIT_FSIZE, &limit);
    }
    // a shell starts background processes with SIGINT ignored, nohup with SIGHUP
    static const int signals[] = {SIGINT, SIGHUP, SIGTERM, SIGXFSZ};
    for (size_t n = 0; n < sizeof signals / sizeof signals[0]; n++) {
        (void)signal(signals[n], SIG_DFL);
    }
    const int out = program->out >= 0 ? dup2(program->out, STDOUT_FILENO) : close(STDOUT_FILENO);
    if (out >= 0 && dup2(program->err, STDERR_FILENO) >= 0) {
        (void)execv(argv[0], argv);
    }
    _exit(127);
}

static Program start(const char *arguments, size_t largest_file, int out)
{
    enum { MAX_ARGUMENTS = 64 };
    char text[4096];
    char path[1024];
    char *argv[MAX_ARGUMENTS + 2] = {path};
    const char *built = getenv("BRUME_PROGRAM");
    assert_non_null(built);
    (void)snprintf(path, sizeof path, "%s", built);
    (void)snprintf(text, sizeof text, "%s", arguments);
    int count = 1;
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word && count <= MAX_ARGUMENTS; word = strtok_r(NULL, " ", &rest)) {
        argv[count++] = word;
    }
    Program program = {.out = out, .err = open_output()};
    program.pid = fork();
    assert_true(program.pid >= 0);
    if (program.pid == 0) {
        execute_program(argv, &program, largest_file);
    }
    return program;
}

Program start_program(const char *arguments, size_t largest_file)
{
    return start(arguments, largest_file, open_output());
}

Program start_program_with_output(const char *arguments, const char *path)
{
    const int out = path ? open(path, O_WRONLY) : -1;
    assert_true(!path || out >= 0);
    return start(arguments, 0, out);
}

static void read_output(int file, char *text, size_t size)
{
    const ssize_t length = pread(file, text, size - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    (void)close(file);
}

void finish_program(Program *program, ProgramRun *run)
{
    int status = 0;
    assert_int_equal(waitpid(program->pid, &status, 0), program->pid);
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    read_output(program->out, run->out, sizeof run->out);
    read_output(program->err, run->err, sizeof run->err);
}

void run_program(ProgramRun *run, const char *arguments)
{
    Program program = start_program(arguments, 0);
    finish_program(&program, run);
}

void make_binary_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void make_file(const char *path, const char *text) { make_binary_file(path, text, strlen(text)); }

char *read_whole_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_msg("%s: there is no such file", path);
        return NULL;
    }
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long length = ftell(file);
    assert_true(length >= 0);
    rewind(file);
    char *data = malloc((size_t)length + 1);
    assert_non_null(data);
    *size = fread(data, 1, (size_t)length, file);
    data[*size] = '\0';
    (void)fclose(file);
    return data;
}

bool exists(const char *path) { return access(path, F_OK) == 0; }

static bool has_ended(const Program *program)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)program->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == program->pid;
}

static const struct timespec poll_interval = {.tv_nsec = 2000000};
enum { MAX_POLLS = 150000 }; // five minutes: programs with sanitizers on a busy machine

void wait_for_file(const Program *program, const char *path)
{
    for (int n = 0; n < MAX_POLLS && !exists(path) && !has_ended(program); n++) {
        (void)nanosleep(&poll_interval, NULL);
    }
    if (!exists(path)) {
        fail_msg("%s: the program has not written it within five minutes", path);
    }
}

static bool has_text(const char *path, const char *text)
{
    if (!exists(path)) {
        return false;
    }
    size_t size;
    char *contents = read_whole_file(path, &size);
    const bool found = strstr(contents, text) != NULL;
    free(contents);
    return found;
}

void wait_for_text(const Program *program, const char *path, const char *text)
{
    for (int n = 0; n < MAX_POLLS && !has_text(path, text) && !has_ended(program); n++) {
        (void)nanosleep(&poll_interval, NULL);
    }
    if (!has_text(path, text)) {
        fail_msg("%s: the program has not written '%s' within a minute", path, text);
    }
}

double seconds_now(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool ends_within(const Program *program, double seconds)
{
    for (double waited = 0.0; waited < seconds && !has_ended(program); waited += 1e-9 * (double)poll_interval.tv_nsec) {
        (void)nanosleep(&poll_interval, NULL);
    }
    return has_ended(program);
}

void run_successfully(ProgramRun *run, const char *arguments)
{
    run_program(run, arguments);
    if (run->status != 0 || run->err[0] != '\0') {
        fail_msg("brume %s: exit status %d, expected 0; on standard error: %s", arguments, run->status, run->err);
    }
}

void run_with_error(ProgramRun *run, int status, const char *arguments, const char *line)
{
    run_program(run, arguments);
    char expected[1024];
    (void)snprintf(expected, sizeof expected, "brume: %s\n", line);
    if (run->status != status || strcmp(run->err, expected) != 0) {
        fail_msg("brume %s: exit status %d, expected %d; printed %s, expected %s", arguments, run->status, status,
                 run->err, expected);
    }
}

void run_program_within(ProgramRun *run, const char *arguments, double seconds)
{
    Program program = start_program(arguments, 0);
    if (!ends_within(&program, seconds)) {
        (void)kill(program.pid, SIGKILL);
        finish_program(&program, run);
        fail_msg("brume %s: not ended after %g s, %s", arguments, seconds, run->err);
    }
    finish_program(&program, run);
}

static void wait_for_any_text(const Program *program, int file, const char *name)
{
    struct stat status = {0};
    for (int n = 0; n < MAX_POLLS && fstat(file, &status) == 0 && status.st_size == 0 && !has_ended(program); n++) {
        (void)nanosleep(&poll_interval, NULL);
    }
    if (status.st_size == 0) {
        fail_msg("the program has written nothing to standard %s within five minutes", name);
    }
}

void wait_for_output(const Program *program) { wait_for_any_text(program, program->out, "output"); }

void wait_for_error_output(const Program *program) { wait_for_any_text(program, program->err, "error"); }

int count_entries(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory) {
        return -1;
    }
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    (void)closedir(directory);
    return count;
}

void assert_whole_png(const char *path, int width, int height)
{
    int got_width = 0;
    int got_height = 0;
    int channels;
    unsigned char *pixels = stbi_load(path, &got_width, &got_height, &channels, 3);
    if (!pixels) {
        fail_msg("%s: not a whole PNG (%s)", path, stbi_failure_reason());
    }
    stbi_image_free(pixels);
    assert_int_equal(got_width, width);
    assert_int_equal(got_height, height);
}

// A recursive-descent parser for JSON: each function returns the text behind one construct, or NULL if it is invalid.

static const char *skip_value(const char *c);

static const char *skip_blanks(const char *c) { return c + strspn(c, " \t\r\n"); }

static const char *skip_string(const char *c)
{
    for (c++; *c != '"'; c++) {
        if ((unsigned char)*c < 0x20) {
            return NULL;
        }
        if (*c == '\\') {
            c++;
            const int digits = *c == 'u' ? 4 : 0;
            if (!*c || !strchr("\"\\/bfnrtu", *c)) {
                return NULL;
            }
            for (int n = 0; n < digits; n++) {
                if (!isxdigit((unsigned char)*++c)) {
                    return NULL;
                }
            }
        }
    }
    return c + 1;
}

static const char *skip_digits(const char *c)
{
    const size_t count = strspn(c, "0123456789");
    return count > 0 ? c + count : NULL;
}

static const char *skip_number(const char *c)
{
    c += *c == '-';
    c = *c == '0' ? c + 1 : skip_digits(c);
    if (c && *c == '.') {
        c = skip_digits(c + 1);
    }
    if (c && (*c == 'e' || *c == 'E')) {
        c++;
        c += *c == '+' || *c == '-';
        c = skip_digits(c);
    }
    return c;
}

static const char *skip_members(const char *c, char close)
{
    c = skip_blanks(c + 1);
    if (*c == close) {
        return c + 1;
    }
    for (;;) {
        if (close == '}') {
            c = *c == '"' ? skip_string(c) : NULL;
            c = c ? skip_blanks(c) : NULL;
            if (!c || *c != ':') {
                return NULL;
            }
            c++;
        }
        c = skip_value(c);
        if (!c || (*c != ',' && *c != close)) {
            return NULL;
        }
        if (*c == close) {
            return c + 1;
        }
        c = skip_blanks(c + 1);
    }
}

static const char *skip_word(const char *c)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        if (strncmp(c, words[n], strlen(words[n])) == 0) {
            return c + strlen(words[n]);
        }
    }
    return skip_number(c);
}

static const char *skip_value(const char *c)
{
    c = skip_blanks(c);
    if (*c == '{') {
        c = skip_members(c, '}');
    } else if (*c == '[') {
        c = skip_members(c, ']');
    } else {
        c = *c == '"' ? skip_string(c) : skip_word(c);
    }
    return c ? skip_blanks(c) : NULL;
}

bool is_json(const char *text)
{
    const char *end = skip_value(text);
    return end && *end == '\0';
}

void assert_same_files(const char *a, const char *b)
{
    size_t size_a = 0;
    size_t size_b = 0;
    char *data_a = read_whole_file(a, &size_a);
    char *data_b = read_whole_file(b, &size_b);
    if (size_a != size_b || memcmp(data_a, data_b, size_a) != 0) {
        fail_msg("%s and %s differ (%zu and %zu bytes)", a, b, size_a, size_b);
    }
    free(data_a);
    free(data_b);
}
