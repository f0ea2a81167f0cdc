"""Compares Brume's renderers with Blender's Cycles, without a window; scripts/bench-cycles prepares what it needs:

    blender --background --factory-startup --python cycles.py -- FOLDER PROGRAM WIDTH HEIGHT PATHS

PROGRAM is bench_picture; FOLDER has plume.vdb and small.vdb, z up, and receives the pictures. The environment
variable OMP_NUM_THREADS is the number of threads of both. Prints lines of CSV that begin with csv, and tables in
Markdown from the first line that begins with ### to the line ### end.

A reference are two pictures A and B by Brume's path tracer with PATHS light paths per pixel each and independent random
numbers. The mean of (X - A)(X - B) over all pixels and colors is the square of the error of a picture X without the noise of
the reference.
"""
import json
import os
import subprocess
import sys

import bpy
import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cycles_scene  # noqa: E402

FULL_BOUNCES = 64  # of Cycles where all orders of scattering are compared
SUN_ALONE = ["render.sky.radiance=0", "render.ground.visible=false"]
STEP_RATE = 0.1  # of Cycles where its steps must not matter; its default, for which it is timed, is 1

# media of which both path tracers must have the same mean: name, volume, overrides
MEDIA = [
    ("thin", "small", ["smoke.density.extinction=4"]),
    ("dense", "small", ["smoke.density.extinction=100", "smoke.density.albedo=0.97"]),
    ("backlit", "small", ["lights.0.azimuth=165", "lights.0.elevation=20", "render.anisotropy=0.6"]),
]


def say(text):
    print(text, file=sys.stderr, flush=True)


class Brume:
    """Pictures by bench_picture of one volume with one list of overrides."""

    def __init__(self, program, folder, volume, overrides):
        self.program, self.folder, self.overrides = program, folder, overrides
        self.volume = os.path.join(folder, volume + ".vdb")
        self.look = json.loads(self.run("describe"))

    def run(self, *words):
        return subprocess.run(
            [self.program, self.volume, *words, *self.overrides], check=True, stdout=subprocess.PIPE, text=True).stdout

    def draw(self, integrator, samples, seed, repeats=1):
        """The picture (height x width x 3), and the processor times of its stages [s]."""
        path = os.path.join(self.folder, "brume.f32")
        times = json.loads(self.run(integrator, str(samples), str(seed), str(repeats), path))
        shape = (self.look["height"], self.look["width"], 3)
        return numpy.fromfile(path, dtype=numpy.float32).astype(float).reshape(shape), times


class Cycles:
    """Pictures by Cycles of the volume and look of a Brume."""

    def __init__(self, brume):
        self.brume = brume
        cycles_scene.build(brume.look, brume.volume, int(os.environ["OMP_NUM_THREADS"]))
        self.sync = self.render(1, 0, width=16, height=9)[1]

    def render(self, samples, bounces, step_rate=1.0, seed=0, width=None, height=None):
        """The picture, and the processor time without the start of Blender [s]."""
        path = os.path.join(self.brume.folder, "cycles.exr")
        width, height = width or self.brume.look["width"], height or self.brume.look["height"]
        spent = cycles_scene.render(path, width, height, samples, bounces, step_rate, seed)
        return read_colors(path), spent


def read_colors(path):
    image = bpy.data.images.load(path, check_existing=False)
    image.colorspace_settings.name = "Non-Color"
    width, height = image.size
    values = numpy.empty(width * height * 4, dtype=numpy.float32)
    image.pixels.foreach_get(values)
    bpy.data.images.remove(image)
    return values.reshape(height, width, 4)[::-1, :, :3].astype(float)


def error(picture, reference):
    """Root mean square error over the mean, without the noise of the reference."""
    a, b = reference
    return max(numpy.mean((picture - a) * (picture - b)), 0.0) ** 0.5 / (0.5 * (a.mean() + b.mean()))


def noise(reference):
    """Error of one of two pictures with independent noise."""
    a, b = reference
    return (0.5 * numpy.mean((a - b) ** 2)) ** 0.5 / (0.5 * (a.mean() + b.mean()))


def time_for_error(seconds, reached, wanted):
    """Time at which an error is reached that falls as the root of the time (tests/raymarch/test_raymarch_path.c)."""
    return seconds * (reached / wanted) ** 2


def compare_cost(name, brume, paths):
    """One table: processor time and error of each program. Returns three pictures and their labels."""
    say(f"{name}: reference")
    halves = [brume.draw("path", paths, seed) for seed in (1, 2)]
    reference = tuple(half[0] for half in halves)
    traced = halves[0][1]["picture"], noise(reference)
    mean = 0.5 * (reference[0].mean() + reference[1].mean())
    rows = []

    def add(title, picture, seconds, of_picture_error=None):
        relative = error(picture, reference) if of_picture_error is None else of_picture_error
        rows.append((title, seconds, relative, picture.mean() / mean - 1.0))
        print('csv,%s,"%s",%.4f,%.5f,%.5f' % (name, title, *rows[-1][1:]), flush=True)

    say(f"{name}: Brume")
    march, stages = brume.draw("march", 1, 1, repeats=9)
    add("Brume, ray marching, 1 ray", march, stages["picture"])
    for samples in (4, 16):
        picture, times = brume.draw("path", samples, 3)
        add(f"Brume, path tracing, {samples} paths", picture, times["picture"])
    add(f"Brume, path tracing, {paths} paths", reference[0], *traced)

    cycles = Cycles(brume)
    for samples, bounces in ((16, 0), (64, 4), (64, FULL_BOUNCES)):
        say(f"{name}: Cycles, {samples} samples, {bounces} bounces")
        picture, spent = cycles.render(samples, bounces)
        if bounces == 4:
            few_bounces = picture
        add(f"Cycles, {samples} samples, {bounces} bounces", picture, spent - cycles.sync)
    times = [row[1] for row in rows[-3:]]
    errors = [row[2] for row in rows[-3:]]

    print(f"### {name}: {brume.look['width']} x {brume.look['height']} pixels\n")
    print("| picture | processor time [s] | over ray marching | error | of the mean |")
    print("| --- | --- | --- | --- | --- |")
    for title, seconds, relative, bias in rows:
        print("| %s | %.3g | %.1f | %.4f | %+.2f %% |" % (title, seconds, seconds / rows[0][1], relative, 100 * bias))
    equal = time_for_error(*traced, errors[2])
    print("\nRay marching: load %.4f s, light %.4f s, draw %.4f s. Cycles: another %.2f s to read the volume and prepare it." % (
        stages["load"], stages["light"], stages["draw"], cycles.sync))
    print("Cycles 16/0 takes %.1f times the time of ray marching, 64/4 %.1f times; ray marching has %.2f of the error of 64/4." % (
        times[0] / rows[0][1], times[1] / rows[0][1], rows[0][2] / errors[1]))
    print("Path tracing at the error of Cycles 64/%d takes %.1f s; Cycles takes %.2f times as long.\n" % (
        FULL_BOUNCES, equal, times[2] / equal), flush=True)
    return (
        ("Brume, ray marching: %.2g s" % rows[0][1], march),
        ("Brume, %d paths: %.0f s" % (2 * paths, 2 * traced[0]), 0.5 * (reference[0] + reference[1])),
        ("Cycles, 64 samples, 4 bounces: %.0f s" % times[1], few_bounces),
    )


def mean_and_error(pictures):
    """Mean of two pictures with independent noise, and its standard error."""
    a, b = pictures
    return 0.5 * (a.mean() + b.mean()), 0.5 * numpy.sum((a - b).mean(axis=2) ** 2) ** 0.5 / (a.shape[0] * a.shape[1])


def compare_means(program, folder, paths):
    """One table: the means of pictures by both path tracers, with a black sky and no ground."""
    size = ["image.width=160", "image.height=90"]
    print("### Means of both path tracers: 160 x 90 pixels, sun alone\n")
    print("| medium | Cycles over Brume | standard error | error of ray marching, 16 rays | of the mean |")
    print("| --- | --- | --- | --- | --- |")
    for name, volume, overrides in MEDIA:
        say(f"means: {name}")
        brume = Brume(program, folder, volume, [*size, *SUN_ALONE, *overrides])
        own = [brume.draw("path", 2 * paths, seed)[0] for seed in (1, 2)]
        march = brume.draw("march", 16, 1)[0]
        cycles = Cycles(brume)
        others = [cycles.render(paths, 4 * FULL_BOUNCES, STEP_RATE, seed)[0] for seed in (1, 2)]
        mean, spread = mean_and_error(own)
        other, other_spread = mean_and_error(others)
        print("| %s | %+.2f %% | %.2f %% | %.3f | %+.2f %% |" % (
            name, 100 * (other / mean - 1), 100 * (spread**2 + other_spread**2) ** 0.5 / mean, error(march, own),
            100 * (march.mean() / mean - 1)), flush=True)
    print("### end")


def shown(radiance, exposure):
    """What Brume shows: its filmic tone curve and the transfer function of sRGB (raymarch/tone.c)."""
    x = numpy.clip(radiance * 2.0**exposure, 0.0, 1e6)
    x = numpy.minimum(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 1.0)
    return numpy.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)


def save_picture(path, colors):
    height, width = colors.shape[:2]
    image = bpy.data.images.new("picture", width, height)
    values = numpy.ones((height, width, 4), dtype=numpy.float32)
    values[..., :3] = colors
    image.pixels.foreach_set(values[::-1].ravel())
    image.filepath_raw = path
    image.file_format = "PNG"
    image.save()
    bpy.data.images.remove(image)


def save_labeled(path, text):
    """Replaces a PNG file by the same picture with a text in its upper left corner, which Blender's stamp writes."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.use_nodes = True
    scene.node_tree.nodes.clear()
    picture = scene.node_tree.nodes.new("CompositorNodeImage")
    picture.image = bpy.data.images.load(path)
    composite = scene.node_tree.nodes.new("CompositorNodeComposite")
    scene.node_tree.links.new(picture.outputs["Image"], composite.inputs["Image"])
    scene.view_settings.view_transform = "Standard"
    render = scene.render
    render.resolution_x, render.resolution_y = picture.image.size
    render.resolution_percentage = 100
    render.dither_intensity = 0.0
    render.image_settings.color_mode = "RGB"
    render.image_settings.compression = 100
    for part in ("date", "time", "render_time", "frame", "frame_range", "memory", "hostname", "camera", "lens", "scene",
                 "marker", "filename", "sequencer_strip", "labels"):
        setattr(render, "use_stamp_" + part, False)
    render.use_stamp, render.use_stamp_note, render.stamp_note_text = True, True, text
    render.stamp_font_size = 13
    render.stamp_background = (0.0, 0.0, 0.0, 0.7)
    render.filepath = path
    bpy.ops.render.render(write_still=True)


def save_strip(folder, labeled, exposure):
    """Parts of pictures side by side, with their labels."""
    parts = []
    path = os.path.join(folder, "part.png")
    for text, picture in labeled:
        height, width = picture.shape[:2]
        part = picture[int(0.02 * height) : int(0.74 * height), int(0.3 * width) : int(0.66 * width)]
        save_picture(path, shown(part, exposure))
        save_labeled(path, text)
        parts.append(read_colors(path))
    save_picture(os.path.join(folder, "strip.png"), numpy.concatenate(parts, axis=1))
    os.remove(path)


def main():
    folder, program, width, height, paths = sys.argv[sys.argv.index("--") + 1 :]
    size = [f"image.width={width}", f"image.height={height}"]
    lit = Brume(program, folder, "plume", size)
    labeled = compare_cost("sun and sky", lit, int(paths))
    save_strip(folder, labeled, lit.look["exposure"])
    compare_cost("sun alone", Brume(program, folder, "plume", [*size, *SUN_ALONE]), int(paths))
    compare_means(program, folder, int(paths))


main()
