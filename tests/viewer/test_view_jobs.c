// The jobs of the viewer, with runs of the program: progress, the queue, canceling, and what fails.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "program.h"
#include "viewer/jobs/job_list.h"

static BrumeJobList list;
static ProgramRun run;

static BrumeJobDef job_of(const char *arguments)
{
    BrumeJobDef def = {.name = "a job"};
    char copy[512];
    (void)snprintf(copy, sizeof copy, "%s", arguments);
    brume_job_add_argument(&def, "%s", getenv("BRUME_PROGRAM"));
    char *rest = NULL;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        brume_job_add_argument(&def, "%s", word);
    }
    return def;
}

static int add(const char *arguments)
{
    const BrumeJobDef def = job_of(arguments);
    int serial = 0;
    BrumeError error;
    assert_int_equal(brume_job_list_add(&list, &def, &serial, &error), BRUME_OK);
    return serial;
}

static const BrumeJob *job_with(int serial)
{
    for (int n = 0; n < list.count; n++) {
        if (list.jobs[n].serial == serial) {
            return &list.jobs[n];
        }
    }
    return NULL;
}

// updates until a job has ended
static BrumeJob wait_for_end(void)
{
    BrumeJob ended;
    const double start = seconds_now();
    do {
        (void)brume_job_list_update(&list, &ended);
        const struct timespec pause = {.tv_nsec = 2000000};
        (void)nanosleep(&pause, NULL);
        assert_true(seconds_now() - start < 120.0);
    } while (ended.serial == 0);
    return ended;
}

static int end_jobs(void **state)
{
    brume_job_list_destroy(&list);
    return leave_folder(state);
}

static void test_lines_of_progress(void **state)
{
    (void)state;
    int done = -1;
    int total = -1;
    char left[16] = "before";
    assert_true(
        brume_read_progress_line("frame 12/120  10%  elapsed 0:34  left 5:06  8.3 Mcells/s", &done, &total, left));
    assert_int_equal(done, 12);
    assert_int_equal(total, 120);
    assert_string_equal(left, "5:06");
    static const char *const others[] = {"3 frames in 0:00: a.png", "frame 5/4", "frame 1/0", "frame", "", "a/b 1/2"};
    for (size_t n = 0; n < sizeof others / sizeof others[0]; n++) {
        assert_false(brume_read_progress_line(others[n], &done, &total, left));
    }
    assert_int_equal(done, 12);
    assert_string_equal(left, "5:06");
    assert_true(brume_read_progress_line("picture 1/2", &done, &total, left));
    assert_string_equal(left, "");
}

// one after the other, to their ends
static void test_queue(void **state)
{
    (void)state;
    const int first = add("render little.yaml -o a/a.####.png --frames 1:3");
    const int second = add("sim little.yaml -o b/b.####.raw --frames 1:2");
    assert_int_equal(brume_job_list_left(&list), 2);
    BrumeJob ended = wait_for_end();
    assert_int_equal(ended.serial, first);
    assert_int_equal(ended.state, BRUME_JOB_DONE);
    assert_int_equal(ended.done, 3);
    assert_int_equal(ended.total, 3);
    assert_false(ended.has_error);
    assert_int_equal(job_with(second)->state, BRUME_JOB_WAITS);
    assert_false(exists("b"));
    assert_int_equal(count_entries("a"), 3);
    ended = wait_for_end();
    assert_int_equal(ended.serial, second);
    assert_int_equal(ended.state, BRUME_JOB_DONE);
    assert_int_equal(ended.total, 2);
    assert_true(exists("b/b.0002.raw"));
    assert_int_equal(brume_job_list_left(&list), 0);
    brume_job_list_cancel(&list, first); // which removes it from the list
    assert_null(job_with(first));
    assert_int_equal(list.count, 1);
}

// a run that is canceled completes its frame, and --resume goes on with it
static void test_cancel(void **state)
{
    (void)state;
    const char *arguments = "render little.yaml -o c/c.####.png -D solver.resolution=40 -D time.frames=400";
    const int runs = add(arguments);
    const int waits = add("render little.yaml -o d.png --frame 1");
    BrumeJob ended;
    const double start = seconds_now();
    while (job_with(runs)->done < 2) {
        (void)brume_job_list_update(&list, &ended);
        assert_int_equal(ended.serial, 0);
        assert_true(seconds_now() - start < 120.0);
    }
    assert_int_equal(job_with(runs)->state, BRUME_JOB_RUNS);
    assert_int_equal(job_with(runs)->total, 400);
    assert_true(job_with(runs)->left[0] != '\0');
    brume_job_list_cancel(&list, waits);
    assert_null(job_with(waits));
    brume_job_list_cancel(&list, runs);
    assert_int_equal(job_with(runs)->state, BRUME_JOB_STOPS);
    ended = wait_for_end();
    assert_int_equal(ended.serial, runs);
    assert_int_equal(ended.state, BRUME_JOB_STOPPED);
    assert_true(ended.done >= 2 && ended.done < 400);
    assert_true(exists("c/c.0002.png"));
    assert_false(exists("c/c.0400.png"));
    assert_false(exists("d.png"));
    assert_true(count_entries("c/c.checkpoints") > 0); // from which --resume goes on
}

// runs again until its end; the program has the option for that once, however often that is
static void finish_again(int serial, const char *option)
{
    assert_true(brume_job_list_run_again(&list, serial));
    assert_false(brume_job_list_run_again(&list, serial)); // it waits
    const BrumeJob *job = job_with(serial);
    assert_int_equal(job->state, BRUME_JOB_WAITS);
    int options = 0;
    for (size_t at = 0; at < job->def.used; at += strlen(job->def.arguments + at) + 1) {
        options += strcmp(job->def.arguments + at, option) == 0;
    }
    assert_int_equal(options, 1);
    const BrumeJob ended = wait_for_end();
    assert_int_equal(ended.serial, serial);
    if (ended.state != BRUME_JOB_DONE) {
        fail_msg("%s", ended.text);
    }
    assert_int_equal(ended.done, ended.total);
    assert_false(brume_job_can_run_again(&ended));
}

static int add_resumable(const char *arguments)
{
    BrumeJobDef def = job_of(arguments);
    def.again = BRUME_JOB_RESUMES;
    int serial;
    BrumeError error;
    assert_int_equal(brume_job_list_add(&list, &def, &serial, &error), BRUME_OK);
    return serial;
}

// pictures and volumes of a job that was stopped, and then went on, are those of one that was not
static void test_resume(void **state)
{
    (void)state;
    run_successfully(&run, "sim little.yaml -q -o s/s.####.raw -D solver.resolution=24");
    run_successfully(&run, "render little.yaml -q -o s/s.####.png -D solver.resolution=24");
    static const char *const arguments[] = {"sim little.yaml -o r/r.####.raw -D solver.resolution=24",
                                            "render little.yaml -o r/r.####.png -D solver.resolution=24"};
    for (int kind = 0; kind < 2; kind++) {
        const int serial = add_resumable(arguments[kind]);
        assert_false(brume_job_list_run_again(&list, serial)); // it was not stopped
        BrumeJob ended = {0};
        for (int n = 0; n < 120000 && ended.serial == 0 && job_with(serial)->done < 2; n++) {
            const struct timespec pause = {.tv_nsec = 1000000};
            (void)brume_job_list_update(&list, &ended);
            (void)nanosleep(&pause, NULL);
        }
        if (ended.serial == 0) {
            brume_job_list_cancel(&list, serial);
            ended = wait_for_end();
        }
        if (ended.state == BRUME_JOB_STOPPED) { // it may have been faster
            finish_again(serial, "--resume");
        }
        brume_job_list_cancel(&list, serial);
    }
    for (int frame = 1; frame <= 12; frame++) {
        char a[64];
        char b[64];
        (void)snprintf(a, sizeof a, "s/s.%04d.raw", frame);
        (void)snprintf(b, sizeof b, "r/r.%04d.raw", frame);
        assert_same_files(a, b);
        (void)snprintf(a, sizeof a, "s/s.%04d.png", frame);
        (void)snprintf(b, sizeof b, "r/r.%04d.png", frame);
        assert_same_files(a, b);
    }
    // one that fails, twice, until its reason is gone; what is written stays
    const int serial = add_resumable("render later.yaml -o r/r.####.png");
    for (int n = 0; n < 2; n++) {
        const BrumeJob ended = wait_for_end();
        assert_int_equal(ended.state, BRUME_JOB_FAILED);
        assert_string_equal(ended.text, "later.yaml: cannot open: No such file or directory");
        assert_true(n == 1 || brume_job_list_run_again(&list, serial));
    }
    size_t size;
    char *scene = read_whole_file("little.yaml", &size);
    make_file("later.yaml", scene);
    free(scene);
    finish_again(serial, "--resume");
    (void)add("render missing.yaml -o a.png"); // which has no option for that
    const BrumeJob ended = wait_for_end();
    assert_false(brume_job_can_run_again(&ended));
    assert_false(brume_job_list_run_again(&list, ended.serial));
}

// a job that is not complete is kept for the next viewer with the same scene, in whatever folder that works
static void test_kept_jobs(void **state)
{
    (void)state;
    BrumeError error;
    char here[PATH_MAX];
    char folder[PATH_MAX + 8];
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(folder, sizeof folder, "%s/jobs", here);
    const char *program = getenv("BRUME_PROGRAM");
    // two of one scene, and one of another; one that cannot be run again is not kept
    int serials[4];
    static const char *const opened[] = {"/a/\"one\".yaml", "/a/\"one\".yaml", "/two.yaml", "/a/\"one\".yaml"};
    for (int n = 0; n < 4; n++) {
        BrumeJobDef def = job_of("render little.yaml -o k/k.####.png --frames 1:3");
        (void)snprintf(def.scene, sizeof def.scene, "little.yaml");
        (void)snprintf(def.name, sizeof def.name, "job %d", n);
        (void)snprintf(def.output, sizeof def.output, "k/k.####.png");
        def.again = n == 0 ? BRUME_JOB_STARTS_AGAIN : n < 3 ? BRUME_JOB_RESUMES : BRUME_JOB_NOT_AGAIN;
        assert_int_equal(brume_job_list_add(&list, &def, &serials[n], &error), BRUME_OK);
        assert_int_equal(brume_job_list_keep(&list, serials[n], "jobs", opened[n], &error), BRUME_OK);
    }
    assert_int_equal(count_entries("jobs"), 3);
    BrumeJobList second = {0};
    assert_int_equal(brume_job_list_load(&second, folder, opened[0], program), 0); // the first one has them
    brume_job_list_stop(&list);
    brume_job_list_destroy(&list);
    make_file("jobs/job-0009.yaml", "- no job\n");
    make_file("jobs/job-0010.yaml", "opened: /two.yaml\nname: []\n");
    assert_int_equal(brume_job_list_load(&second, folder, "/three.yaml", program), 0);
    assert_int_equal(brume_job_list_load(&second, folder, "/two.yaml", program), 1);
    brume_job_list_cancel(&second, 1); // the user removes it
    assert_int_equal(second.count, 0);
    assert_int_equal(brume_job_list_load(&second, folder, "/two.yaml", program), 0);
    brume_job_list_destroy(&second);
    assert_int_equal(mkdir("elsewhere", 0777), 0);
    assert_int_equal(chdir("elsewhere"), 0);
    assert_int_equal(brume_job_list_load(&list, folder, opened[0], program), 2);
    assert_int_equal(list.jobs[0].state, BRUME_JOB_STOPPED);
    assert_string_equal(list.jobs[0].def.name, "job 0");
    assert_string_equal(list.jobs[0].def.output, "k/k.####.png");
    assert_string_equal(list.jobs[0].def.folder, here);
    assert_int_equal(list.jobs[0].def.again, BRUME_JOB_STARTS_AGAIN);
    assert_int_equal(list.jobs[1].def.again, BRUME_JOB_RESUMES);
    finish_again(list.jobs[1].serial, "--resume");
    assert_int_equal(chdir(here), 0);
    assert_int_equal(count_entries("k"), 3);
    assert_int_equal(count_entries("jobs"), 3); // it is complete; the other one, and two that are none
    assert_int_equal(unlink("little.yaml"), 0);
    brume_job_list_destroy(&list);
    assert_int_equal(brume_job_list_load(&list, folder, opened[0], program), 0); // which has lost its scene
    assert_int_equal(count_entries("jobs"), 2);
    make_file("file", "");
    BrumeJobDef def = job_of("render little.yaml -o k/k.####.png");
    BrumeJobRecord record;
    assert_int_equal(brume_job_record_write(&record, "file/jobs", "/a.yaml", &def, &error), BRUME_FAILED);
    assert_string_equal(record.path, "");
}

static void test_failures(void **state)
{
    (void)state;
    (void)add("render missing.yaml -o a.png");
    BrumeJob ended = wait_for_end();
    assert_int_equal(ended.state, BRUME_JOB_FAILED);
    assert_true(ended.has_error);
    assert_string_equal(ended.text, "missing.yaml: cannot open: No such file or directory");
    BrumeJobDef def = {.name = "none"};
    brume_job_add_argument(&def, "./no-such-program");
    int serial;
    BrumeError error;
    assert_int_equal(brume_job_list_add(&list, &def, &serial, &error), BRUME_OK);
    ended = wait_for_end();
    assert_int_equal(ended.state, BRUME_JOB_FAILED);
    assert_string_equal(ended.text, "./no-such-program: cannot be started: No such file or directory");
    for (int n = 0; n < 100 && !def.full; n++) {
        brume_job_add_argument(&def, "%0200d", n);
    }
    assert_int_equal(brume_job_list_add(&list, &def, &serial, &error), BRUME_FAILED);
    assert_string_equal(error.text, "none: the names of its files are too long");
    for (int n = 0; n < BRUME_MAX_JOBS; n++) { // the two that have ended make room
        (void)add("render little.yaml -o a.png --frame 1");
    }
    const BrumeJobDef more = job_of("render little.yaml -o a.png --frame 1");
    assert_int_equal(brume_job_list_add(&list, &more, &serial, &error), BRUME_FAILED);
    assert_string_equal(error.text, "16 jobs wait already (cancel one)");
    assert_false(exists("a.png"));
}

// a process that does not stop by itself
static void test_closing(void **state)
{
    (void)state;
    (void)add("render little.yaml -o e.####.png -D solver.resolution=64 -D solver.min_steps=1000 "
              "-D solver.max_steps=1000");
    BrumeJob ended;
    (void)brume_job_list_update(&list, &ended);
    const pid_t pid = list.process.pid;
    assert_true(pid > 0);
    brume_job_list_stop(&list);
    brume_job_list_destroy(&list);
    assert_int_equal(kill(pid, 0), -1);
    assert_false(exists("e.0001.png"));
}

static void test_description_of_a_stopped_job(void **state)
{
    (void)state;
    BrumeJob job = {.def = {.name = "render 1 to 9", .output = "out/a.####.png"}, .done = 3, .total = 9};
    char text[200];
    brume_describe_stopped_job(&job, text, sizeof text);
    assert_string_equal(text, "render 1 to 9: stopped after 3 of 9 frames of out/a.####.png");
    job.total = 0;
    brume_describe_stopped_job(&job, text, sizeof text);
    assert_string_equal(text, "render 1 to 9: stopped before the first frame of out/a.####.png");
}

int main(int argc, char **argv)
{
    if (argc > 1) { // one of them alone
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_description_of_a_stopped_job),
        cmocka_unit_test(test_lines_of_progress),
        cmocka_unit_test_setup_teardown(test_queue, enter_folder, end_jobs),
        cmocka_unit_test_setup_teardown(test_cancel, enter_folder, end_jobs),
        cmocka_unit_test_setup_teardown(test_resume, enter_folder, end_jobs),
        cmocka_unit_test_setup_teardown(test_kept_jobs, enter_folder, end_jobs),
        cmocka_unit_test_setup_teardown(test_failures, enter_folder, end_jobs),
        cmocka_unit_test_setup_teardown(test_closing, enter_folder, end_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
