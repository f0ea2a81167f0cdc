/*
 * Video encoding by FFmpeg: libavcodec encodes, libavformat writes the container.
 *
 * Color. The values of a picture are sRGB: BT.709 primaries with the transfer function of IEC 61966-2-1. They are
 * stored as Y'CbCr by the matrix of BT.709 in limited range with one chroma sample for 2 x 2 pixels, which every player
 * decodes, and the file says so in all four respects. docs/video.md gives the reasons.
 */
#include "video/video_encoder.h"

#include "brume/base.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "io/file.h"
#include "video/video_format.h"
#include "video/yuv.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

struct BrumeVideoEncoder {
    BrumePartFile part;
    const BrumeVideoFormat *format;
    int width, height;
    int64_t frames; ///< added so far
    AVFormatContext *container;
    AVStream *stream;
    AVCodecContext *codec;
    AVFrame *frame;   ///< the picture in the encoder's format
    AVPacket *packet; ///< encoded bytes
};

static const double keyframe_interval = 2.0; // [s]; a player seeks to a keyframe and decodes from there

static BrumeStatus fail_encoding(const BrumeVideoEncoder *encoder, int code, BrumeError *error)
{
    if (code == AVERROR(ENOMEM)) {
        return brume_out_of_memory(error, "the video %s", encoder->part.path);
    }
    char reason[AV_ERROR_MAX_STRING_SIZE] = "";
    (void)av_strerror(code, reason, sizeof reason);
    return brume_fail(error, BRUME_FAILED, "%s: cannot encode %d x %d pixels with %s: %s", encoder->part.path,
                      encoder->width, encoder->height, encoder->format->encoder, reason);
}

// the code of a failed system call is the negative value of errno
static BrumeStatus fail_writing(const BrumeVideoEncoder *encoder, int code, BrumeError *error)
{
    if (code == AVERROR(ENOMEM)) {
        return fail_encoding(encoder, code, error);
    }
    const AVIOContext *file = encoder->container->pb; // which has the error of the first write that failed
    return brume_fail_write(error, encoder->part.path, AVUNERROR(file && file->error < 0 ? file->error : code));
}

// Common rates of broadcasting are fractions of 1001, which files give with two or three decimals.
static AVRational rate_of(double fps)
{
    const double nominal = round(fps * 1.001);
    if (fabs(fps - round(fps)) > 1e-4 && fabs(fps - nominal / 1.001) < 1e-3) {
        return (AVRational){(int)nominal * 1000, 1001};
    }
    return av_d2q(fps, 100000);
}

// Options that the encoder does not have are an error: an installation of another version would ignore them.
static int open_codec(BrumeVideoEncoder *encoder, const AVCodec *codec)
{
    AVDictionary *options = NULL;
    int code = av_dict_parse_string(&options, encoder->format->options, "=", " ", 0);
    if (code >= 0) {
        code = avcodec_open2(encoder->codec, codec, &options);
    }
    if (code >= 0 && av_dict_count(options) > 0) {
        code = AVERROR_OPTION_NOT_FOUND;
    }
    av_dict_free(&options);
    return code;
}

static BrumeStatus start_codec(BrumeVideoEncoder *encoder, double fps, BrumeError *error)
{
    const BrumeVideoFormat *format = encoder->format;
    const AVCodec *codec = avcodec_find_encoder_by_name(format->encoder);
    if (!codec) {
        return brume_fail(error, BRUME_FAILED,
                          "%s: cannot encode: the installed libavcodec lacks the encoder %s (install a build with it, "
                          "or write another format)",
                          encoder->part.path, format->encoder);
    }
    encoder->codec = avcodec_alloc_context3(codec);
    if (!encoder->codec) {
        return fail_encoding(encoder, AVERROR(ENOMEM), error);
    }
    AVCodecContext *context = encoder->codec;
    context->width = encoder->width;
    context->height = encoder->height;
    context->framerate = rate_of(fps);
    context->time_base = av_inv_q(context->framerate);
    context->sample_aspect_ratio = (AVRational){1, 1};
    context->gop_size = (int)brume_fmax(1.0, round(keyframe_interval * fps));
    context->thread_count = 1;
    context->pix_fmt = AV_PIX_FMT_YUV420P;
    context->color_range = AVCOL_RANGE_MPEG;
    context->color_primaries = AVCOL_PRI_BT709;
    context->color_trc = AVCOL_TRC_IEC61966_2_1;
    context->colorspace = AVCOL_SPC_BT709;
    context->chroma_sample_location = AVCHROMA_LOC_LEFT;
    context->flags |= AV_CODEC_FLAG_BITEXACT;
    if (encoder->container->oformat->flags & AVFMT_GLOBALHEADER) {
        context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    }
    const int code = open_codec(encoder, codec);
    return code < 0 ? fail_encoding(encoder, code, error) : BRUME_OK;
}

static BrumeStatus start_container(BrumeVideoEncoder *encoder, BrumeError *error)
{
    AVFormatContext *container = encoder->container;
    encoder->stream = avformat_new_stream(container, NULL);
    if (!encoder->stream) {
        return fail_encoding(encoder, AVERROR(ENOMEM), error);
    }
    encoder->stream->time_base = encoder->codec->time_base;
    encoder->stream->avg_frame_rate = encoder->codec->framerate;
    int code = avcodec_parameters_from_context(encoder->stream->codecpar, encoder->codec);
    if (code >= 0) {
        code = avio_open(&container->pb, container->url, AVIO_FLAG_WRITE);
    }
    AVDictionary *options = NULL;
    if (code >= 0) {
        // the index of an MP4 file before its frames, so that a player can start before it has the whole file
        code = av_dict_set(&options, "movflags", "+faststart", 0);
    }
    if (code >= 0) {
        code = avformat_write_header(container, &options);
    }
    av_dict_free(&options);
    return code < 0 ? fail_writing(encoder, code, error) : BRUME_OK;
}

static BrumeStatus allocate_frame(BrumeVideoEncoder *encoder, BrumeError *error)
{
    encoder->frame = av_frame_alloc();
    encoder->packet = av_packet_alloc();
    if (!encoder->frame || !encoder->packet) {
        return fail_encoding(encoder, AVERROR(ENOMEM), error);
    }
    const AVCodecContext *codec = encoder->codec;
    AVFrame *frame = encoder->frame;
    frame->format = codec->pix_fmt;
    frame->width = codec->width;
    frame->height = codec->height;
    frame->color_range = codec->color_range;
    frame->color_primaries = codec->color_primaries;
    frame->color_trc = codec->color_trc;
    frame->colorspace = codec->colorspace;
    frame->chroma_location = codec->chroma_sample_location;
    const int code = av_frame_get_buffer(frame, 0);
    return code < 0 ? fail_encoding(encoder, code, error) : BRUME_OK;
}

static void destroy(BrumeVideoEncoder *encoder)
{
    if (!encoder) {
        return;
    }
    av_frame_free(&encoder->frame);
    av_packet_free(&encoder->packet);
    avcodec_free_context(&encoder->codec);
    if (encoder->container) {
        (void)avio_closep(&encoder->container->pb);
    }
    avformat_free_context(encoder->container);
    brume_file_abandon_part(&encoder->part);
    brume_free(encoder);
}

static BrumeStatus create(BrumeVideoEncoder **encoder, const BrumeVideoDef *def, BrumeError *error)
{
    *encoder = NULL;
    const BrumeVideoFormat *format = brume_video_format_of(def->path);
    assert(format && brume_video_check(def->width, def->height, def->fps, NULL) == BRUME_OK);
    av_log_set_level(AV_LOG_QUIET); // errors are returned, and one line reports them
    BrumeVideoEncoder *self = brume_alloc(1, sizeof *self);
    if (!self) {
        return brume_out_of_memory(error, "the video %s", def->path);
    }
    self->format = format;
    self->width = def->width;
    self->height = def->height;
    BrumeStatus status = brume_file_open_part(&self->part, def->path, def->overwrite, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    char url[PATH_MAX + 8]; // with its protocol, because a path may look like one
    (void)snprintf(url, sizeof url, "file:%s", self->part.temporary);
    const int code = avformat_alloc_output_context2(&self->container, NULL, format->container, url);
    if (code < 0) {
        status = fail_encoding(self, code, error);
        goto cleanup;
    }
    self->container->flags |= AVFMT_FLAG_BITEXACT; // no time and no random numbers
    status = start_codec(self, def->fps, error);
    if (status == BRUME_OK) {
        status = allocate_frame(self, error);
    }
    if (status == BRUME_OK) {
        status = start_container(self, error);
    }
cleanup:
    if (status != BRUME_OK) {
        destroy(self);
        self = NULL;
    }
    *encoder = self;
    return status;
}

// writes the packets that the encoder has finished so far
static BrumeStatus write_packets(BrumeVideoEncoder *encoder, BrumeError *error)
{
    for (;;) {
        int code = avcodec_receive_packet(encoder->codec, encoder->packet);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) {
            return BRUME_OK;
        }
        if (code < 0) {
            return fail_encoding(encoder, code, error);
        }
        encoder->packet->stream_index = encoder->stream->index;
        encoder->packet->duration = 1;
        av_packet_rescale_ts(encoder->packet, encoder->codec->time_base, encoder->stream->time_base);
        code = av_interleaved_write_frame(encoder->container, encoder->packet);
        if (code < 0 || encoder->container->pb->error < 0) { // the latter from writing the buffer of earlier packets
            return fail_writing(encoder, code, error);
        }
    }
}

static BrumeStatus add(BrumeVideoEncoder *encoder, const uint8_t *rgb, BrumeError *error)
{
    int code = av_frame_make_writable(encoder->frame); // the encoder may still refer to the earlier picture
    if (code >= 0) {
        AVFrame *frame = encoder->frame;
        const BrumeYuvPlanes planes = {.y = frame->data[0],
                                       .cb = frame->data[1],
                                       .cr = frame->data[2],
                                       .y_stride = frame->linesize[0],
                                       .cb_stride = frame->linesize[1],
                                       .cr_stride = frame->linesize[2]};
        brume_yuv_from_rgb(rgb, encoder->width, encoder->height, &planes);
        frame->pts = encoder->frames++;
        code = avcodec_send_frame(encoder->codec, frame);
    }
    return code < 0 ? fail_encoding(encoder, code, error) : write_packets(encoder, error);
}

static const char *temporary_path(const BrumeVideoEncoder *encoder) { return encoder->part.temporary; }

// writes the last packets, the index and the buffer of the file
static BrumeStatus complete_file(BrumeVideoEncoder *encoder, BrumeError *error)
{
    int code = avcodec_send_frame(encoder->codec, NULL);
    if (code < 0) {
        return fail_encoding(encoder, code, error);
    }
    if (write_packets(encoder, error) != BRUME_OK) {
        return BRUME_FAILED;
    }
    code = av_write_trailer(encoder->container);
    if (code >= 0) {
        code = avio_closep(&encoder->container->pb);
    }
    return code < 0 ? fail_writing(encoder, code, error) : BRUME_OK;
}

static BrumeStatus finish(BrumeVideoEncoder *encoder, BrumeError *error)
{
    assert(encoder->frames > 0);
    if (complete_file(encoder, error) != BRUME_OK) {
        brume_file_abandon_part(&encoder->part);
        return BRUME_FAILED;
    }
    return brume_file_commit_part(&encoder->part, error);
}

__attribute__((visibility("default"))) const BrumeVideoFunctions brume_video_functions = {
    .version = BRUME_VERSION_STRING,
    .create = create,
    .add = add,
    .temporary = temporary_path,
    .finish = finish,
    .destroy = destroy,
};
