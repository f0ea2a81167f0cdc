// Jobs in the background: their order, slots, results and errors, with a thread and in the caller.
#include "core/parallel/job_queue.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SLOTS = 3, MAX_JOBS = 200 };

// the data that the jobs of a test work on; the caller reads `order` after brume_job_queue_finish alone
typedef struct Jobs {
    int input[SLOTS];
    int order[MAX_JOBS]; // the inputs in the order of the runs
    int runs, begun;
    pthread_t thread; // that ran the last one
    int failing;      // a job with this input fails
} Jobs;

static void count_begin(void *context)
{
    Jobs *jobs = context;
    jobs->begun++;
}

static BrumeStatus run_job(void *context, int slot, BrumeError *error)
{
    Jobs *jobs = context;
    const int input = jobs->input[slot];
    jobs->thread = pthread_self();
    jobs->order[jobs->runs++] = input;
    return input == jobs->failing ? brume_fail(error, BRUME_BAD_INPUT, "job %d", input) : BRUME_OK;
}

static void start(BrumeJobQueue *queue, Jobs *jobs, int slots, bool in_caller)
{
    *jobs = (Jobs){.failing = -1};
    const BrumeJobQueueDef def = {
        .slots = slots, .in_caller = in_caller, .context = jobs, .begin = count_begin, .run = run_job};
    brume_job_queue_init(queue, &def);
}

static void submit(BrumeJobQueue *queue, Jobs *jobs, int input)
{
    const int slot = brume_job_queue_slot(queue);
    assert_in_range(slot, 0, queue->def.slots - 1);
    jobs->input[slot] = input;
    brume_job_queue_submit(queue);
}

static void check_order(bool in_caller)
{
    for (int slots = 1; slots <= SLOTS; slots++) {
        BrumeJobQueue queue;
        BrumeError error;
        Jobs jobs;
        start(&queue, &jobs, slots, in_caller);
        for (int n = 0; n < MAX_JOBS; n++) {
            assert_int_equal(brume_job_queue_slot(&queue), n % slots);
            submit(&queue, &jobs, 7 * n);
        }
        assert_int_equal(brume_job_queue_finish(&queue, &error), BRUME_OK);
        assert_int_equal(jobs.runs, MAX_JOBS);
        for (int n = 0; n < MAX_JOBS; n++) {
            assert_int_equal(jobs.order[n], 7 * n);
        }
        assert_int_equal(pthread_equal(jobs.thread, pthread_self()) != 0, in_caller);
        assert_int_equal(jobs.begun, in_caller ? 0 : 1);
        brume_job_queue_destroy(&queue);
    }
}

static void test_jobs_run_in_the_order_of_submission(void **state)
{
    (void)state;
    check_order(false);
    check_order(true);
}

static void check_first_error(bool in_caller)
{
    BrumeJobQueue queue;
    BrumeError error;
    Jobs jobs;
    start(&queue, &jobs, 1, in_caller);
    jobs.failing = 2;
    submit(&queue, &jobs, 1);
    submit(&queue, &jobs, 2);
    assert_int_equal(brume_job_queue_finish(&queue, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "job 2");
    assert_int_equal(error.status, BRUME_BAD_INPUT);

    // a later job is discarded, and the error stays
    assert_int_equal(brume_job_queue_slot(&queue), -1);
    brume_job_queue_submit(&queue);
    brume_job_queue_fail(&queue, &(BrumeError){.status = BRUME_FAILED, .text = "later"});
    assert_int_equal(brume_job_queue_finish(&queue, &error), BRUME_BAD_INPUT);
    assert_int_equal(brume_job_queue_status(&queue, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "job 2");
    assert_int_equal(jobs.runs, 2);

    // the result is taken once; jobs run again
    assert_int_equal(brume_job_queue_take_result(&queue, &error), BRUME_BAD_INPUT);
    assert_int_equal(brume_job_queue_take_result(&queue, &error), BRUME_OK);
    submit(&queue, &jobs, 3);
    assert_int_equal(brume_job_queue_take_result(&queue, &error), BRUME_OK);
    assert_int_equal(jobs.runs, 3);
    assert_int_equal(jobs.order[2], 3);

    // an error of the caller counts as the error of a job
    brume_job_queue_fail(&queue, &(BrumeError){.status = BRUME_FAILED, .text = "no memory"});
    assert_int_equal(brume_job_queue_slot(&queue), -1);
    assert_int_equal(brume_job_queue_status(&queue, &error), BRUME_FAILED);
    assert_string_equal(error.text, "no memory");
    brume_job_queue_destroy(&queue);
}

static void test_first_error_is_returned_until_it_is_taken(void **state)
{
    (void)state;
    check_first_error(false);
    check_first_error(true);
}

static void test_destroying_completes_what_was_submitted(void **state)
{
    (void)state;
    BrumeJobQueue queue;
    Jobs jobs;
    start(&queue, &jobs, SLOTS, false);
    for (int n = 0; n < SLOTS; n++) {
        submit(&queue, &jobs, n);
    }
    brume_job_queue_destroy(&queue);
    assert_int_equal(jobs.runs, SLOTS);
    brume_job_queue_destroy(&queue); // all zero

    start(&queue, &jobs, 1, false); // without a job
    brume_job_queue_destroy(&queue);
    assert_int_equal(jobs.begun, 0);
}

// stands in for pthread_create of the C library, which the linker replaces in this test (--wrap)
static bool threads_fail;
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context)
{
    return threads_fail ? EAGAIN : __real_pthread_create(thread, attributes, run, context);
}

static void test_without_a_thread_jobs_run_in_the_caller(void **state)
{
    (void)state;
    BrumeJobQueue queue;
    BrumeError error;
    Jobs jobs;
    start(&queue, &jobs, 2, false);
    threads_fail = true;
    submit(&queue, &jobs, 5);
    assert_int_equal(jobs.runs, 1); // without a wait
    assert_true(pthread_equal(jobs.thread, pthread_self()));
    jobs.failing = 6;
    submit(&queue, &jobs, 6);
    assert_int_equal(brume_job_queue_take_result(&queue, &error), BRUME_BAD_INPUT);
    assert_string_equal(error.text, "job 6");

    threads_fail = false; // the next job finds a thread
    submit(&queue, &jobs, 7);
    assert_int_equal(brume_job_queue_finish(&queue, &error), BRUME_OK);
    assert_false(pthread_equal(jobs.thread, pthread_self()));
    assert_int_equal(jobs.runs, 3);
    assert_int_equal(jobs.order[2], 7);
    assert_int_equal(jobs.begun, 1);
    brume_job_queue_destroy(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs_run_in_the_order_of_submission),
        cmocka_unit_test(test_first_error_is_returned_until_it_is_taken),
        cmocka_unit_test(test_destroying_completes_what_was_submitted),
        cmocka_unit_test(test_without_a_thread_jobs_run_in_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
