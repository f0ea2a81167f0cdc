// A program brume-files that crashes, exits, loops or hangs is one line of text, and the next request starts another.
#include "files/files_process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static BrumeStatus request(const char *path, BrumeFilesTask task, BrumeFilesReply *reply, BrumeError *error)
{
    static const BrumeFilesRequest empty;
    BrumeFilesRequest message = empty;
    message.task = task;
    (void)snprintf(message.path, sizeof message.path, "%s", path);
    const int memory[BRUME_FILES_MEMORIES] = {STDERR_FILENO, STDERR_FILENO}; // any descriptors
    return brume_files_request(&message, memory, reply, error);
}

// the process that answers
static int answering(const char *path)
{
    BrumeFilesReply reply;
    BrumeError error;
    assert_int_equal(request(path, BRUME_READ_VDB, &reply, &error), BRUME_FAILED);
    assert_string_equal(error.text, path);
    return reply.frame.frame;
}

static void expect_failure(const char *path, BrumeFilesTask task, const char *text)
{
    BrumeFilesReply reply;
    BrumeError error;
    assert_int_equal(request(path, task, &reply, &error), BRUME_FAILED);
    assert_string_equal(error.text, text);
    assert_int_equal(error.status, BRUME_FAILED);
}

static void test_ends_become_text(void **state)
{
    (void)state;
    expect_failure("crash.vdb", BRUME_READ_VDB,
                   "crash.vdb: cannot be read: brume-files ended with signal 11 (Segmentation fault)");
    expect_failure("abort.hdf", BRUME_COMPOSE_HDF,
                   "abort.hdf: cannot be written: brume-files ended with signal 6 (Aborted)");
    expect_failure("killed.exr", BRUME_READ_EXR,
                   "killed.exr: cannot be read: brume-files ended with signal 9 (Killed; memory may have run out)");
    expect_failure("exit.vdb", BRUME_COMPOSE_VDB, "exit.vdb: cannot be written: brume-files ended with status 3");
    expect_failure(
        "loop.vdb", BRUME_READ_VDB,
        "loop.vdb: cannot be read: it takes more processor time than a file of its size may (it is damaged)");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // none is left, also not as a zombie
}

static void test_waiting_is_limited(void **state)
{
    (void)state;
    expect_failure("wait.exr", BRUME_COMPOSE_EXR,
                   "wait.exr: cannot be written: brume-files has not responded for 20 s");
}

static void test_a_process_serves_a_sequence(void **state)
{
    (void)state;
    const int first = answering("a.1.vdb");
    assert_int_equal(answering("a.2.vdb"), first);
    assert_int_equal(answering("stop.vdb"), first); // signals of the terminal do not end it
    // one that crashes after other files is tried again in a process of its own
    expect_failure("crash.vdb", BRUME_READ_VDB,
                   "crash.vdb: cannot be read: brume-files ended with signal 11 (Segmentation fault)");
    const int second = answering("gone.vdb");
    assert_int_not_equal(second, first);
    const int third = answering("a.3.vdb"); // also where it has ended between two requests
    assert_int_not_equal(third, second);
}

static void *ask(void *process)
{
    *(int *)process = answering("a.vdb");
    return NULL;
}

static void test_threads_do_not_wait_for_each_other(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    int processes[THREADS];
    for (int n = 0; n < THREADS; n++) {
        assert_int_equal(pthread_create(&threads[n], NULL, ask, &processes[n]), 0);
    }
    for (int n = 0; n < THREADS; n++) {
        assert_int_equal(pthread_join(threads[n], NULL), 0);
        assert_true(processes[n] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_become_text),
        cmocka_unit_test(test_waiting_is_limited),
        cmocka_unit_test(test_a_process_serves_a_sequence),
        cmocka_unit_test(test_threads_do_not_wait_for_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
