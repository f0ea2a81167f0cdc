#include "video_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>

#include "program.h"

static uint8_t level(double value) { return (uint8_t)lround(fmin(fmax(255.0 * value, 0.0), 255.0)); }

// by the definition of BT.709 in limited range, with the nearest sample of chroma
static uint8_t *convert_frame(const AVFrame *frame)
{
    uint8_t *rgb = malloc((size_t)frame->width * (size_t)frame->height * 3);
    assert_non_null(rgb);
    for (int y = 0; y < frame->height; y++) {
        for (int x = 0; x < frame->width; x++) {
            const double luma = (frame->data[0][y * frame->linesize[0] + x] - 16) / 219.0;
            const ptrdiff_t column = x / 2;
            const ptrdiff_t row = y / 2;
            const double cb = (frame->data[1][row * frame->linesize[1] + column] - 128) / 224.0;
            const double cr = (frame->data[2][row * frame->linesize[2] + column] - 128) / 224.0;
            const double red = luma + 1.5748 * cr;
            const double blue = luma + 1.8556 * cb;
            uint8_t *pixel = rgb + 3 * ((size_t)y * (size_t)frame->width + (size_t)x);
            pixel[0] = level(red);
            pixel[1] = level((luma - 0.2126 * red - 0.0722 * blue) / 0.7152);
            pixel[2] = level(blue);
        }
    }
    return rgb;
}

static void receive_frames(VideoFile *video, AVCodecContext *codec, AVFrame *frame, int *since_key)
{
    while (avcodec_receive_frame(codec, frame) == 0) {
        assert_int_equal(frame->format, AV_PIX_FMT_YUV420P);
        *since_key = frame->key_frame ? 0 : *since_key + 1;
        video->largest_gap = *since_key + 1 > video->largest_gap ? *since_key + 1 : video->largest_gap;
        video->rgb = realloc(video->rgb, (size_t)(video->frames + 1) * sizeof *video->rgb);
        assert_non_null(video->rgb);
        video->rgb[video->frames++] = convert_frame(frame);
    }
}

VideoFile read_video(const char *path)
{
    VideoFile video = {0};
    AVFormatContext *container = NULL;
    if (avformat_open_input(&container, path, NULL, NULL) < 0) {
        fail_msg("%s: not a video", path);
    }
    assert_true(avformat_find_stream_info(container, NULL) >= 0);
    assert_int_equal(container->nb_streams, 1);
    const AVStream *stream = container->streams[0];
    const AVCodecParameters *parameters = stream->codecpar;
    (void)snprintf(video.codec, sizeof video.codec, "%s", avcodec_get_name(parameters->codec_id));
    (void)snprintf(video.pixels, sizeof video.pixels, "%s", av_get_pix_fmt_name(parameters->format));
    video.width = parameters->width;
    video.height = parameters->height;
    video.fps = av_q2d(stream->avg_frame_rate);
    video.seconds = (double)container->duration / AV_TIME_BASE;
    video.range = (int)parameters->color_range;
    video.primaries = (int)parameters->color_primaries;
    video.transfer = (int)parameters->color_trc;
    video.matrix = (int)parameters->color_space;
    video.siting = (int)parameters->chroma_location;

    AVCodecContext *codec = avcodec_alloc_context3(avcodec_find_decoder(parameters->codec_id));
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    assert_true(codec && packet && frame);
    assert_true(avcodec_parameters_to_context(codec, parameters) >= 0);
    codec->thread_count = 1;
    assert_int_equal(avcodec_open2(codec, codec->codec, NULL), 0);
    int since_key = 0;
    while (av_read_frame(container, packet) >= 0) {
        assert_int_equal(avcodec_send_packet(codec, packet), 0);
        av_packet_unref(packet);
        receive_frames(&video, codec, frame, &since_key);
    }
    assert_int_equal(avcodec_send_packet(codec, NULL), 0);
    receive_frames(&video, codec, frame, &since_key);
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&codec);
    avformat_close_input(&container);
    return video;
}

void free_video(VideoFile *video)
{
    for (int n = 0; n < video->frames; n++) {
        free(video->rgb[n]);
    }
    free(video->rgb);
    *video = (VideoFile){0};
}

long find_box(const char *path, const char *type)
{
    size_t size = 0;
    char *file = read_whole_file(path, &size);
    long found = -1;
    // a box starts with its size and its type
    for (size_t at = 0; at + 8 <= size && found < 0;) {
        const uint8_t *box = (const uint8_t *)file + at;
        const size_t length = (size_t)box[0] << 24 | (size_t)box[1] << 16 | (size_t)box[2] << 8 | box[3];
        found = memcmp(box + 4, type, 4) == 0 ? (long)at : -1;
        assert_true(length >= 8 && at + length <= size); // no larger files here, which have sizes of 64 bits
        at += length;
    }
    free(file);
    return found;
}
