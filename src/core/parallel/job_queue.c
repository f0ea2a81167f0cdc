#include "core/parallel/job_queue.h"

#include <assert.h>

// runs the next job, unless an earlier one has failed; the caller holds the mutex, which is released during the job
static void run_next(BrumeJobQueue *queue)
{
    if (queue->error.status == BRUME_OK) {
        const int slot = queue->complete % queue->def.slots;
        BrumeError error = {0};
        (void)pthread_mutex_unlock(&queue->mutex);
        const BrumeStatus status = queue->def.run(queue->def.context, slot, &error);
        (void)pthread_mutex_lock(&queue->mutex);
        if (status != BRUME_OK && queue->error.status == BRUME_OK) {
            queue->error = error;
            queue->error.status = status;
        }
    }
    queue->complete++;
    (void)pthread_cond_broadcast(&queue->changed);
}

static void *run_jobs(void *context)
{
    BrumeJobQueue *queue = context;
    if (queue->def.begin) {
        queue->def.begin(queue->def.context);
    }
    (void)pthread_mutex_lock(&queue->mutex);
    for (;;) {
        while (queue->submitted == queue->complete && !queue->stop) {
            (void)pthread_cond_wait(&queue->changed, &queue->mutex);
        }
        if (queue->submitted == queue->complete) {
            break;
        }
        run_next(queue);
    }
    (void)pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

void brume_job_queue_init(BrumeJobQueue *queue, const BrumeJobQueueDef *def)
{
    assert(def->slots > 0 && def->run);
    *queue = (BrumeJobQueue){.def = *def, .initialized = true};
    (void)pthread_mutex_init(&queue->mutex, NULL);
    (void)pthread_cond_init(&queue->changed, NULL);
}

// waits until at most `left` submitted jobs are not complete; the caller holds the mutex
static void wait_for_jobs(BrumeJobQueue *queue, int left)
{
    while (queue->submitted - queue->complete > left) {
        (void)pthread_cond_wait(&queue->changed, &queue->mutex);
    }
}

int brume_job_queue_slot(BrumeJobQueue *queue)
{
    (void)pthread_mutex_lock(&queue->mutex);
    wait_for_jobs(queue, queue->def.slots - 1);
    const int slot = queue->error.status == BRUME_OK ? queue->submitted % queue->def.slots : -1;
    (void)pthread_mutex_unlock(&queue->mutex);
    return slot;
}

void brume_job_queue_submit(BrumeJobQueue *queue)
{
    if (!queue->has_thread && !queue->def.in_caller) {
        queue->has_thread = pthread_create(&queue->thread, NULL, run_jobs, queue) == 0;
    }
    (void)pthread_mutex_lock(&queue->mutex);
    wait_for_jobs(queue, queue->def.slots - 1);
    queue->submitted++;
    (void)pthread_cond_broadcast(&queue->changed);
    if (!queue->has_thread) {
        run_next(queue);
    }
    (void)pthread_mutex_unlock(&queue->mutex);
}

void brume_job_queue_fail(BrumeJobQueue *queue, const BrumeError *error)
{
    (void)pthread_mutex_lock(&queue->mutex);
    if (queue->error.status == BRUME_OK) {
        queue->error = *error;
    }
    (void)pthread_mutex_unlock(&queue->mutex);
}

// the caller holds the mutex
static BrumeStatus stored_error(const BrumeJobQueue *queue, BrumeError *error)
{
    if (queue->error.status != BRUME_OK) {
        *error = queue->error;
    }
    return queue->error.status;
}

BrumeStatus brume_job_queue_status(BrumeJobQueue *queue, BrumeError *error)
{
    (void)pthread_mutex_lock(&queue->mutex);
    const BrumeStatus status = stored_error(queue, error);
    (void)pthread_mutex_unlock(&queue->mutex);
    return status;
}

BrumeStatus brume_job_queue_finish(BrumeJobQueue *queue, BrumeError *error)
{
    (void)pthread_mutex_lock(&queue->mutex);
    wait_for_jobs(queue, 0);
    const BrumeStatus status = stored_error(queue, error);
    (void)pthread_mutex_unlock(&queue->mutex);
    return status;
}

BrumeStatus brume_job_queue_take_result(BrumeJobQueue *queue, BrumeError *error)
{
    const BrumeStatus status = brume_job_queue_finish(queue, error);
    (void)pthread_mutex_lock(&queue->mutex);
    queue->error.status = BRUME_OK;
    (void)pthread_mutex_unlock(&queue->mutex);
    return status;
}

void brume_job_queue_destroy(BrumeJobQueue *queue)
{
    if (!queue->initialized) {
        return;
    }
    if (queue->has_thread) {
        (void)pthread_mutex_lock(&queue->mutex);
        queue->stop = true;
        (void)pthread_cond_broadcast(&queue->changed);
        (void)pthread_mutex_unlock(&queue->mutex);
        (void)pthread_join(queue->thread, NULL);
    }
    (void)pthread_cond_destroy(&queue->changed);
    (void)pthread_mutex_destroy(&queue->mutex);
    *queue = (BrumeJobQueue){0};
}
