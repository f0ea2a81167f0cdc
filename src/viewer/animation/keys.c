#include "viewer/animation/keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// whether a key is at a time; within half the distance, so that two keys are never both at one time
static bool is_at(double key, double time) { return fabs(key - time) < 0.5 * BRUME_KEY_DISTANCE; }

BrumeAnimatedValue *brume_keys_find(BrumeAnimation *animation, const char *path)
{
    for (int n = 0; n < animation->count; n++) {
        if (strcmp(animation->values[n].path, path) == 0) {
            return &animation->values[n];
        }
    }
    return NULL;
}

int brume_keys_at(const BrumeAnimatedValue *value, double time)
{
    for (int n = 0; n < value->key_count; n++) {
        if (is_at(value->keys[n].time, time)) {
            return n;
        }
    }
    return -1;
}

// unused values and keys are zero, so that equal animations have equal bytes
static BrumeAnimatedValue *add_value(BrumeAnimation *animation, const char *path)
{
    if (animation->count == BRUME_MAX_ANIMATED_VALUES) {
        return NULL;
    }
    BrumeAnimatedValue *value = &animation->values[animation->count++];
    (void)snprintf(value->path, sizeof value->path, "%s", path);
    return value;
}

bool brume_keys_set(BrumeAnimation *animation, const char *path, double time, double number)
{
    BrumeAnimatedValue *value = brume_keys_find(animation, path);
    const int same = value ? brume_keys_at(value, time) : -1;
    if (same >= 0) {
        value->keys[same].value = number;
        return true;
    }
    if (value && value->key_count == BRUME_MAX_VALUE_KEYS) {
        return false;
    }
    value = value ? value : add_value(animation, path);
    if (!value) {
        return false;
    }
    int index = value->key_count++;
    for (; index > 0 && value->keys[index - 1].time > time; index--) {
        value->keys[index] = value->keys[index - 1];
    }
    value->keys[index] = (BrumeValueKey){time, number};
    return true;
}

void brume_keys_clear(BrumeAnimation *animation, BrumeAnimatedValue *value)
{
    BrumeAnimatedValue *last = &animation->values[--animation->count];
    memmove(value, value + 1, (size_t)(last - value) * sizeof *value);
    memset(last, 0, sizeof *last);
}

void brume_keys_remove(BrumeAnimation *animation, BrumeAnimatedValue *value, int index)
{
    if (value->key_count == 1) {
        brume_keys_clear(animation, value);
        return;
    }
    value->key_count--;
    memmove(&value->keys[index], &value->keys[index + 1], (size_t)(value->key_count - index) * sizeof value->keys[0]);
    value->keys[value->key_count] = (BrumeValueKey){0};
}

void brume_keys_remove_item(BrumeAnimation *animation, const char *list, int index)
{
    const size_t length = strlen(list);
    for (int n = animation->count - 1; n >= 0; n--) {
        BrumeAnimatedValue *value = &animation->values[n];
        if (strncmp(value->path, list, length) != 0 || value->path[length] != '.') {
            continue;
        }
        char *rest;
        const long item = strtol(value->path + length + 1, &rest, 10);
        if (item == index) {
            brume_keys_clear(animation, value);
        } else if (item > index) {
            char path[BRUME_ANIMATION_PATH] = ""; // unused bytes are zero
            (void)snprintf(path, sizeof path, "%s.%ld%s", list, item - 1, rest);
            memcpy(value->path, path, sizeof path);
        }
    }
}

// limits a time to the range between the neighbors, which are far enough apart for a key
static double between(double time, const double *before, const double *after)
{
    time = fmax(time, before ? *before + BRUME_KEY_DISTANCE : 0.0);
    return after ? fmin(time, *after - BRUME_KEY_DISTANCE) : time;
}

void brume_keys_move(BrumeAnimatedValue *value, int index, double time, double number)
{
    BrumeValueKey *key = &value->keys[index];
    key->time = between(time, index > 0 ? &key[-1].time : NULL, index + 1 < value->key_count ? &key[1].time : NULL);
    key->value = number;
}

int brume_camera_path_at(const BrumeCameraPath *path, double time)
{
    for (int n = 0; n < path->count; n++) {
        if (is_at(path->keys[n].time, time)) {
            return n;
        }
    }
    return -1;
}

bool brume_camera_path_set(BrumeCameraPath *path, double time, const BrumeCamera *camera)
{
    const int same = brume_camera_path_at(path, time);
    if (same < 0 && path->count == BRUME_MAX_CAMERA_KEYS) {
        return false;
    }
    int index = same;
    if (same < 0) {
        for (index = path->count++; index > 0 && path->keys[index - 1].time > time; index--) {
            path->keys[index] = path->keys[index - 1];
        }
        path->keys[index].time = time;
    }
    path->keys[index].camera = *camera;
    return true;
}

void brume_camera_path_remove(BrumeCameraPath *path, int index)
{
    path->count--;
    memmove(&path->keys[index], &path->keys[index + 1], (size_t)(path->count - index) * sizeof path->keys[0]);
    memset(&path->keys[path->count], 0, sizeof path->keys[0]);
}

void brume_camera_path_move(BrumeCameraPath *path, int index, double time)
{
    BrumeCameraKey *key = &path->keys[index];
    key->time = between(time, index > 0 ? &key[-1].time : NULL, index + 1 < path->count ? &key[1].time : NULL);
}
