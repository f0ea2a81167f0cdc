#include "viewer/simulation/frame_change.h"

#include "core/vec3.h"
#include "scene/format/animated_bodies.h"
#include "sim/settings/settings.h"

#include <string.h>

static void copy_bodies(BrumeSimDef *settings, const BrumeSimDef *from)
{
    settings->body_count = from->body_count;
    memcpy(settings->bodies, from->bodies, sizeof settings->bodies);
}

// whether two settings are equal except for the positions of bodies and the state at the start
static bool same_settings(const BrumeSimDef *a, const BrumeSimDef *b)
{
    BrumeSimDef copy = *a;
    copy_bodies(&copy, b);
    memcpy(copy.initial, b->initial, sizeof copy.initial); // no effect after the start; a saved state has no samples
    copy.initial_count = b->initial_count;
    return brume_members_equal(&brume_sim_members, &copy, b);
}

// Sets the settings of the change: the requested settings, with the present bodies except the ones that the scene or
// the edits place. NULL where nothing changes.
static void set_settings(BrumeFrameChange *composed, const BrumeFrameInput *input)
{
    const BrumeChange *scheduled = input->scheduled;
    BrumeSimDef *settings = &composed->settings;
    const BrumeSimDef *requested = input->edits->settings[input->variant];
    const BrumeSimDef *wanted = requested ? requested : scheduled ? scheduled->settings : NULL;
    const bool differs = wanted && !same_settings(wanted, input->now);
    memcpy(settings, wanted ? wanted : input->now, sizeof *settings);
    copy_bodies(settings, input->now);
    composed->change.placed = scheduled && scheduled->settings ? scheduled->placed : 0;
    for (int n = 0; n < settings->body_count; n++) {
        if ((composed->change.placed >> n & 1) != 0) {
            settings->bodies[n] = scheduled->settings->bodies[n];
        }
    }
    composed->change.placed |= brume_frame_edits_place(input->edits, settings);
    composed->change.settings = differs || composed->change.placed != 0 ? settings : NULL;
}

// sets the strokes; the length of the frame follows from the settings of the change
static void set_strokes(BrumeFrameChange *composed, const BrumeFrameInput *input, const BrumeSimDef *settings)
{
    BrumeStrokeQueue queue = input->edits->strokes;
    int count = input->scheduled ? input->scheduled->stroke_count : 0;
    if (count > 0) {
        memcpy(composed->strokes, input->scheduled->strokes, (size_t)count * sizeof(BrumeStroke));
    }
    count += brume_stroke_queue_pop_frame(&queue, input->time, input->time + 1.0 / (double)settings->fps,
                                          BRUME_MAX_STROKES - count, composed->strokes + count);
    composed->change.strokes = composed->strokes;
    composed->change.stroke_count = count;
}

static void add_move(BrumeFrameChange *composed, const BrumeMove *move)
{
    for (int n = 0; n < composed->change.move_count; n++) {
        BrumeMove *sum = &composed->moves[n];
        if (sum->body == move->body) {
            sum->velocity = brume_add(sum->velocity, move->velocity);
            sum->rotation_rate = brume_add(sum->rotation_rate, move->rotation_rate);
            return;
        }
    }
    composed->moves[composed->change.move_count++] = *move;
}

// sets the moves of bodies: of the scene's schedule, and by motions of the edits
static void set_moves(BrumeFrameChange *composed, const BrumeFrameInput *input, const BrumeSimDef *settings)
{
    const BrumeChange *scheduled = input->scheduled;
    composed->change.moves = composed->moves;
    composed->change.move_count = 0;
    for (int n = 0; scheduled && n < scheduled->move_count; n++) {
        add_move(composed, &scheduled->moves[n]);
    }
    for (int n = 0; n < settings->body_count; n++) {
        if ((input->edits->moved >> n & 1) != 0) {
            const BrumeMove move = {.body = n,
                                    .velocity = brume_scale(input->edits->displacements[n], settings->fps),
                                    .rotation_rate = brume_scale(input->edits->turns[n], settings->fps)};
            add_move(composed, &move);
        }
    }
}

void brume_frame_change_compose(BrumeFrameChange *composed, const BrumeFrameInput *input)
{
    composed->change = (BrumeChange){.frame = input->frame};
    if (!input->keeps_settings) {
        set_settings(composed, input);
    }
    const BrumeSimDef *settings = composed->change.settings ? composed->change.settings : input->now;
    set_strokes(composed, input, settings);
    set_moves(composed, input, settings);
    if (input->animation && !input->keeps_settings) {
        brume_move_animated_bodies(input->animation, input->time, input->now, &composed->settings, &composed->change,
                                   composed->moves);
    }
}

bool brume_frame_change_is_empty(const BrumeFrameChange *composed)
{
    const BrumeChange *change = &composed->change;
    return !change->settings && change->stroke_count == 0 && change->move_count == 0;
}
