/**
 * @file volume_options.h
 * Values of the options that concern volumes. Each parser is for the option tables (BrumeOption::parse).
 */
#ifndef BRUME_APP_VOLUMES_VOLUME_OPTIONS_H
#define BRUME_APP_VOLUMES_VOLUME_OPTIONS_H

#include "core/error.h"

/** "smoke,temperature,velocity,faces": any of these words; `member` is an unsigned with bits of BrumeVolumeFields. */
BrumeStatus brume_parse_fields(void *member, const char *option, const char *value, BrumeError *error);

#endif
