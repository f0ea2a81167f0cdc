#!/usr/bin/env python3
"""Uses Brume through ctypes and numpy: simulates a scene from a string, measures the smoke and draws it as PNG.

    BRUME_LIBRARY=/usr/local/lib/libbrume.so ./embed.py thermal.png
"""
import ctypes
import ctypes.util
import os
import sys
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_float, c_int, c_ssize_t, c_uint32, c_uint64, c_void_p

import numpy

SCENE = b"""
name: Thermal
domain: {size: [1, 1.5, 1], boundaries: {all: wall}}
solver: {resolution: 64}
air: {vorticity_confinement: 2}
smoke: {density: {extinction: 40}}
camera: {position: [0, 0.8, 3.4], target: [0, 0.72, 0], field_of_view: 28}
"""
TEMPERATURE, DENSITY = 5, 6  # BrumeFieldId
WIDTH, HEIGHT, FRAMES = 320, 400, 32


class Error(ctypes.Structure):
    _fields_ = [("status", c_int), ("line", c_int), ("column", c_int), ("text", c_char * 512)]


class Field(ctypes.Structure):
    _fields_ = [("nx", c_int), ("ny", c_int), ("nz", c_int), ("domain", c_void_p), ("sy", c_ssize_t), ("sz", c_ssize_t),
                ("data", POINTER(c_float))]


class Vec3(ctypes.Structure):
    _fields_ = [("x", c_float), ("y", c_float), ("z", c_float)]


class Volume(ctypes.Structure):
    _fields_ = [("nx", c_int), ("ny", c_int), ("nz", c_int), ("sy", c_ssize_t), ("sz", c_ssize_t), ("dx", c_float),
                ("origin", Vec3), ("density", POINTER(c_float) * 4), ("filled", c_int * 6),
                ("temperature", POINTER(c_float)), ("pressure", POINTER(c_float)), ("velocity", POINTER(c_float) * 3),
                ("velocity_sx", c_ssize_t), ("velocity_sy", c_ssize_t), ("velocity_sz", c_ssize_t),
                ("velocity_on_faces", ctypes.c_bool), ("texture", POINTER(c_float) * 6), ("texture_sx", c_ssize_t),
                ("texture_sy", c_ssize_t), ("texture_sz", c_ssize_t), ("particles", c_void_p), ("particle_count", c_int),
                ("texture_time", c_double),
                ("texture_period", c_double)]


class Camera(ctypes.Structure):
    _fields_ = [("position", Vec3), ("target", Vec3), ("field_of_view", c_float), ("projection", c_int),
                ("height", c_float), ("lens_radius", c_float), ("focus", c_float)]


class DrawDef(ctypes.Structure):
    _fields_ = [("width", c_int), ("height", c_int), ("samples", c_int), ("seed", c_uint32), ("step", c_float),
                ("progress", c_void_p), ("context", c_void_p), ("camera_at", c_void_p),
                ("camera_context", c_void_p), ("frame_seconds", c_double), ("crop", c_int * 4), ("layers", c_void_p),
                ("partial_wanted", c_void_p), ("partial", c_void_p)]


brume = ctypes.CDLL(os.environ.get("BRUME_LIBRARY") or ctypes.util.find_library("brume"))


def function(name, result, *arguments):
    """A function of the library. If its last argument is an Error, a failure raises a RuntimeError with its text."""
    native = getattr(brume, name)
    native.restype = result
    native.argtypes = arguments
    if not arguments or arguments[-1] is not POINTER(Error):
        return native

    def checked(*values):
        error = Error()
        if native(*values, byref(error)) != 0:
            raise RuntimeError(error.text.decode())

    return checked


version = function("brume_version", c_char_p)
scene_parse = function("brume_scene_parse", c_int, POINTER(c_void_p), c_char_p, c_char_p, POINTER(c_char_p), c_int,
                       c_void_p, POINTER(Error))
scene_destroy = function("brume_scene_destroy", None, c_void_p)
scene_sim_def = function("brume_scene_sim_def", c_void_p, c_void_p)
scene_render_settings = function("brume_scene_initial_render_settings", c_void_p, c_void_p)
scene_camera = function("brume_scene_camera", Camera, c_void_p, c_double)
sim_create = function("brume_sim_create", c_int, POINTER(c_void_p), c_void_p, POINTER(Error))
sim_destroy = function("brume_sim_destroy", None, c_void_p)
sim_frame = function("brume_sim_frame", c_int, c_void_p, c_void_p, POINTER(Error))
sim_write_field = function("brume_sim_write_field", POINTER(Field), c_void_p, c_int)
sim_volume = function("brume_sim_volume", Volume, c_void_p)
sim_time = function("brume_sim_time", c_double, c_void_p)
sim_hash = function("brume_sim_hash", c_uint64, c_void_p)
renderer_create = function("brume_renderer_create", c_int, POINTER(c_void_p), c_int, c_int, c_int, c_void_p,
                           POINTER(Error))
renderer_destroy = function("brume_renderer_destroy", None, c_void_p)
renderer_load = function("brume_renderer_load", c_int, c_void_p, POINTER(Volume), POINTER(Error))
renderer_light = function("brume_renderer_light", c_int, c_void_p, POINTER(Error))
renderer_draw = function("brume_renderer_draw", c_int, c_void_p, POINTER(Camera), POINTER(DrawDef), c_void_p,
                         POINTER(Error))
tone_map = function("brume_tone_map", None, c_void_p, c_int, c_int, c_void_p, c_void_p)
image_write = function("brume_image_write", c_int, c_char_p, c_int, c_int, c_void_p, POINTER(Error))


def cells(sim, field_id):
    """The cells of a field as an array (nz x ny x nx) in the memory of the simulation, valid until the next frame."""
    field = sim_write_field(sim, field_id).contents
    shape = (field.nz + 2, field.ny + 2, field.nx + 2)
    return numpy.ctypeslib.as_array(field.data, shape)[1:-1, 1:-1, 1:-1]


def draw(scene, sim, path):
    radiance = numpy.zeros((HEIGHT, WIDTH, 3), numpy.float32)
    rgb = numpy.zeros((HEIGHT, WIDTH, 3), numpy.uint8)
    volume = sim_volume(sim)
    camera = scene_camera(scene, sim_time(sim))
    renderer = c_void_p()
    renderer_create(byref(renderer), volume.nx, volume.ny, volume.nz, scene_render_settings(scene))
    renderer_load(renderer, byref(volume))
    renderer_light(renderer)
    renderer_draw(renderer, byref(camera), byref(DrawDef(WIDTH, HEIGHT, samples=4)), radiance.ctypes.data)
    tone_map(scene_render_settings(scene), WIDTH, HEIGHT, radiance.ctypes.data, rgb.ctypes.data)
    image_write(path.encode(), WIDTH, HEIGHT, rgb.ctypes.data)
    renderer_destroy(renderer)


def main():
    scene, sim = c_void_p(), c_void_p()
    scene_parse(byref(scene), SCENE, b"embed.py", None, 0, None)
    sim_create(byref(sim), scene_sim_def(scene))

    # a warm ball of smoke with an uneven surface, written into the fields
    density = cells(sim, DENSITY)
    nz, ny, nx = density.shape
    z, y, x = numpy.mgrid[0:nz, 0:ny, 0:nx] + 0.5
    x, y, z = x / nx - 0.5, y / nx - 0.3, z / nx - 0.5  # [m]
    radius = 0.16 * (1 + 0.1 * numpy.sin(40 * x) * numpy.sin(40 * y) * numpy.sin(40 * z))
    density[:] = x**2 + y**2 + z**2 < radius**2
    cells(sim, TEMPERATURE)[:] = 120 * density

    for _ in range(FRAMES):
        sim_frame(sim, None)
    density = cells(sim, DENSITY)
    height = (density.sum(axis=(0, 2)) * (numpy.arange(ny) + 0.5)).sum() / density.sum() / nx
    print(f"brume {version().decode()}: the smoke is {height:.3f} m high on average after {sim_time(sim):.2f} s, "
          f"state {sim_hash(sim):016x}")
    draw(scene, sim, sys.argv[1] if len(sys.argv) > 1 else "thermal.png")
    sim_destroy(sim)
    scene_destroy(scene)


if __name__ == "__main__":
    main()
