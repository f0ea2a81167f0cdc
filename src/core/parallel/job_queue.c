#include "core/parallel/job_queue.h"

#include <assert.h>
#include <math.h>

// runs the next job, unless an earlier one has failed; the caller holds the monitor, which is released during the job
static void run_next(BrumeJobQueue *queue)
{
    if (queue->error.status == BRUME_OK) {
        const int slot = queue->complete % queue->def.slots;
        BrumeError error = {0};
        brume_monitor_unlock(&queue->monitor);
        const BrumeStatus status = queue->def.run(queue->def.context, slot, &error);
        brume_monitor_lock(&queue->monitor);
        if (status != BRUME_OK && queue->error.status == BRUME_OK) {
            queue->error = error;
            queue->error.status = status;
        }
    }
    queue->complete++;
    brume_monitor_signal(&queue->monitor);
}

static void run_jobs(void *context)
{
    BrumeJobQueue *queue = context;
    if (queue->def.begin) {
        queue->def.begin(queue->def.context);
    }
    brume_monitor_lock(&queue->monitor);
    while (queue->submitted > queue->complete || !brume_worker_quits(&queue->worker)) {
        if (queue->submitted > queue->complete) {
            run_next(queue);
        } else {
            brume_monitor_wait(&queue->monitor, INFINITY);
        }
    }
    brume_monitor_unlock(&queue->monitor);
}

void brume_job_queue_init(BrumeJobQueue *queue, const BrumeJobQueueDef *def)
{
    assert(def->slots > 0 && def->run);
    *queue = (BrumeJobQueue){.def = *def, .initialized = true};
    brume_monitor_init(&queue->monitor);
}

// waits until at most `left` submitted jobs are not complete; the caller holds the monitor
static void wait_for_jobs(BrumeJobQueue *queue, int left)
{
    while (queue->submitted - queue->complete > left) {
        brume_monitor_wait(&queue->monitor, INFINITY);
    }
}

int brume_job_queue_slot(BrumeJobQueue *queue)
{
    brume_monitor_lock(&queue->monitor);
    wait_for_jobs(queue, queue->def.slots - 1);
    const int slot = queue->error.status == BRUME_OK ? queue->submitted % queue->def.slots : -1;
    brume_monitor_unlock(&queue->monitor);
    return slot;
}

void brume_job_queue_submit(BrumeJobQueue *queue)
{
    if (!queue->worker.started && !queue->def.in_caller) {
        (void)brume_worker_start(&queue->worker, &queue->monitor, NULL, run_jobs, queue, NULL);
    }
    brume_monitor_lock(&queue->monitor);
    wait_for_jobs(queue, queue->def.slots - 1);
    queue->submitted++;
    brume_monitor_signal(&queue->monitor);
    if (!queue->worker.started) {
        run_next(queue);
    }
    brume_monitor_unlock(&queue->monitor);
}

void brume_job_queue_fail(BrumeJobQueue *queue, const BrumeError *error)
{
    brume_monitor_lock(&queue->monitor);
    if (queue->error.status == BRUME_OK) {
        queue->error = *error;
    }
    brume_monitor_unlock(&queue->monitor);
}

// the caller holds the monitor
static BrumeStatus stored_error(const BrumeJobQueue *queue, BrumeError *error)
{
    if (queue->error.status != BRUME_OK) {
        *error = queue->error;
    }
    return queue->error.status;
}

BrumeStatus brume_job_queue_status(BrumeJobQueue *queue, BrumeError *error)
{
    brume_monitor_lock(&queue->monitor);
    const BrumeStatus status = stored_error(queue, error);
    brume_monitor_unlock(&queue->monitor);
    return status;
}

BrumeStatus brume_job_queue_finish(BrumeJobQueue *queue, BrumeError *error)
{
    brume_monitor_lock(&queue->monitor);
    wait_for_jobs(queue, 0);
    const BrumeStatus status = stored_error(queue, error);
    brume_monitor_unlock(&queue->monitor);
    return status;
}

BrumeStatus brume_job_queue_take_result(BrumeJobQueue *queue, BrumeError *error)
{
    const BrumeStatus status = brume_job_queue_finish(queue, error);
    brume_monitor_lock(&queue->monitor);
    queue->error.status = BRUME_OK;
    brume_monitor_unlock(&queue->monitor);
    return status;
}

void brume_job_queue_destroy(BrumeJobQueue *queue)
{
    if (!queue->initialized) {
        return;
    }
    brume_worker_join(&queue->worker);
    brume_monitor_destroy(&queue->monitor);
    *queue = (BrumeJobQueue){0};
}
