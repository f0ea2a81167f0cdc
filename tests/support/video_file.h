/**
 * @file video_file.h
 * Reads videos back, by FFmpeg's libraries and by a reader of the boxes of MP4.
 */
#ifndef BRUME_TESTS_SUPPORT_VIDEO_FILE_H
#define BRUME_TESTS_SUPPORT_VIDEO_FILE_H

#include <stddef.h>
#include <stdint.h>

/** What a video says of itself, and its frames. */
typedef struct VideoFile {
    char codec[32]; ///< FFmpeg's name: "h264", "vp9"
    char pixels[32];
    int width, height;
    double fps;
    int range, primaries, transfer, matrix,
        siting; ///< FFmpeg's numbers, equal to ISO/IEC 23091-2 but for the first and last
    int frames; ///< that can be decoded
    double seconds;
    int largest_gap; ///< frames from one keyframe to the next at most
    uint8_t **rgb;   ///< of each frame, height x width x 3
} VideoFile;

/** Reads and decodes a whole file. Fails the test where that fails. */
VideoFile read_video(const char *path);

/** Frees the memory that read_video has allocated. */
void free_video(VideoFile *video);

/** The offset of the first box of this type at the top level of an MP4 file; -1: none. */
long find_box(const char *path, const char *type);

#endif
