#!/usr/bin/env python3
"""Drags a knot, a mesh of numpy arrays, through smoke. It uses the functions and types of embed.py.

    BRUME_LIBRARY=/usr/local/lib/libbrume.so ./drag.py knot.png
"""
import ctypes
import sys
from ctypes import POINTER, byref, c_bool, c_char, c_char_p, c_float, c_int, c_uint32, c_void_p

import numpy

import embed
from embed import DENSITY, Error, Vec3, function

SCENE = b"""
name: Knot
domain: {size: 1, boundaries: {all: wall}}
solver: {resolution: 48}
initial: [{kind: layer, quantity: density, across: y, center: [0, 0.5, 0], lower: 1, upper: 0, thickness: 0.02}]
bodies: [{name: knot, shape: sphere, center: [0, 0.5, 0], radius: 0.1, albedo: [0.2, 0.5, 0.8]}]
smoke: {density: {extinction: 12}}
camera: {position: [0.4, 1.1, 2.2], target: [0, 0.45, 0], field_of_view: 32}
"""
FRAMES = 30
MESH = 8  # BrumeShapeKind


class Shape(ctypes.Structure):
    _fields_ = [("kind", c_int), ("a", Vec3), ("b", Vec3), ("radius", c_float), ("second_radius", c_float),
                ("position", Vec3), ("rotation", Vec3), ("scale", Vec3), ("pivot", Vec3), ("samples", c_void_p),
                ("mesh", c_void_p), ("threshold", c_float)]


class BodyDef(ctypes.Structure):
    _fields_ = [("shape", Shape), ("name", c_char * 32), ("parent", c_int), ("slip", c_int),
                ("fixed_temperature", c_bool), ("temperature", c_float), ("heat_flux", c_float), ("passable", c_bool),
                ("disabled", c_bool)]


class BodyId(ctypes.Structure):
    _fields_ = [("slot", c_uint32), ("generation", c_uint32)]


class MeshReadDef(ctypes.Structure):
    _fields_ = [("unit", c_float), ("up", c_int), ("flip", c_bool), ("frame", c_int), ("fps", c_float),
                ("animation", c_char * 64)]


class MeshDef(ctypes.Structure):
    _fields_ = [("vertex_count", c_int), ("positions", c_void_p), ("triangle_count", c_int), ("corners", c_void_p),
                ("normals", c_void_p), ("uvs", c_void_p), ("colors", c_void_p), ("texture_count", c_int),
                ("textures", c_void_p), ("texture_of", c_void_p), ("file", c_char_p), ("read", MeshReadDef),
                ("frames", c_void_p)]


mesh_create = function("brume_mesh_create", c_int, POINTER(c_void_p), POINTER(MeshDef), POINTER(Error))
mesh_release = function("brume_mesh_release", None, c_void_p)
body_id = function("brume_sim_body_id", BodyId, c_void_p, c_int)
set_body = function("brume_sim_set_body", c_int, c_void_p, BodyId, POINTER(BodyDef), POINTER(Error))
move_body = function("brume_sim_move_body", c_int, c_void_p, BodyId, Vec3, Vec3, POINTER(Error))
sim_settings = function("brume_sim_settings", c_void_p, c_void_p)
place_surfaces = function("brume_place_surfaces", None, c_void_p, POINTER(c_int), c_void_p)


def create_knot(around=96, sides=12, radius=0.035):
    """A tube along a trefoil knot around the origin, as a mesh whose triangles are copied from the arrays."""
    t = numpy.linspace(0, 2 * numpy.pi, around, endpoint=False)[:, None]
    s = numpy.linspace(0, 2 * numpy.pi, sides, endpoint=False)[None, :, None]
    line = 0.06 * numpy.hstack([numpy.sin(t) + 2 * numpy.sin(2 * t), numpy.cos(t) - 2 * numpy.cos(2 * t),
                                -numpy.sin(3 * t)])
    tangent = numpy.roll(line, -1, 0) - numpy.roll(line, 1, 0)
    out = numpy.cross(tangent, numpy.cross(tangent, line))
    side = numpy.cross(tangent, out)
    out, side = (v / numpy.linalg.norm(v, axis=1)[:, None] for v in (out, side))
    positions = line[:, None] + radius * (numpy.cos(s) * out[:, None] + numpy.sin(s) * side[:, None])
    positions = numpy.ascontiguousarray(positions.reshape(-1, 3), numpy.float32)
    n, k = (v.ravel() for v in numpy.mgrid[0:around, 0:sides])
    corner = [(n + i) % around * sides + (k + j) % sides for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    corners = numpy.stack([corner[0], corner[1], corner[2], corner[0], corner[2], corner[3]], 1).astype(numpy.int32)
    mesh = c_void_p()
    mesh_create(byref(mesh), byref(MeshDef(len(positions), positions.ctypes.data, 2 * len(n), corners.ctypes.data)))
    return mesh


def main():
    scene, sim = c_void_p(), c_void_p()
    embed.scene_parse(byref(scene), SCENE, b"drag.py", None, 0, None)
    embed.sim_create(byref(sim), embed.scene_sim_def(scene))
    mesh = create_knot()
    knot = body_id(sim, 0)
    set_body(sim, knot, byref(BodyDef(Shape(kind=MESH, position=Vec3(0, 0.7, 0), mesh=mesh), b"knot")))
    mesh_release(mesh)  # the simulation has a reference

    for frame in range(1, FRAMES + 1):
        angle = 1.6 * numpy.pi * frame / FRAMES  # as from a mouse or an animation
        position = Vec3(0.25 * numpy.sin(angle), 0.5 + 0.2 * numpy.cos(angle), 0)
        move_body(sim, knot, position, Vec3(0, 360 * frame / FRAMES, 0))
        embed.sim_frame(sim, None)
    density = embed.cells(sim, DENSITY)
    print(f"brume {embed.version().decode()}: smoke of {density.sum() / 48**3:.4f} m^3, state {embed.sim_hash(sim):016x}")
    place_surfaces(embed.scene_render_settings(scene), (c_int * 64)(0, *[-1] * 63), sim_settings(sim))
    embed.draw(scene, sim, sys.argv[1] if len(sys.argv) > 1 else "knot.png")
    embed.sim_destroy(sim)
    embed.scene_destroy(scene)


if __name__ == "__main__":
    main()
