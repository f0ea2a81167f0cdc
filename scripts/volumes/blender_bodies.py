"""Imports the bodies and the smoke of a frame into Blender as a user does, and compares where they are:

    blender --background --factory-startup --python blender_bodies.py -- BODIES.ply SMOKE.vdb PICTURE

The smoke is that of scripts/volumes/bodies.yaml, which fills the box. Its surface, from the modifier Volume to Mesh, is the sides of
the box and the hole where the bodies are. Prints the bounding boxes of the bodies and of the hole [m], and fails where they
differ by more than a cell. The picture shows the bodies in red inside the surface of the smoke.
"""
import sys

import bpy
from mathutils import Vector

HALF, HEIGHT, CELL = 0.5, 1.0, 1.0 / 48  # of the box of bodies.yaml [m]


def bounds(points):
    return [min(p[axis] for p in points) for axis in range(3)] + [max(p[axis] for p in points) for axis in range(3)]


def is_inner(p):
    margin = 2 * CELL
    return max(abs(p.x), abs(p.y)) < HALF - margin and margin < p.z < HEIGHT - margin


def main():
    bodies_path, smoke_path, picture = sys.argv[sys.argv.index("--") + 1 :]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    bpy.ops.import_mesh.ply(filepath=bodies_path)
    bodies = bpy.context.object
    bpy.ops.object.volume_import(filepath=smoke_path)
    smoke = bpy.context.object
    hole = bpy.data.objects.new("hole", bpy.data.meshes.new("hole"))
    scene.collection.objects.link(hole)
    modifier = hole.modifiers.new("surface", "VOLUME_TO_MESH")
    modifier.object, modifier.threshold = smoke, 0.5
    surface = hole.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    around = bounds([v.co for v in surface.vertices if is_inner(v.co)])
    inside = bounds([bodies.matrix_world @ v.co for v in bodies.data.vertices])
    for name, box in (("bodies", inside), ("hole", around)):
        print("%s: %s" % (name, " ".join("%.4f" % value for value in box)))
    largest = max(abs(a - b) for a, b in zip(around, inside))
    print("largest difference: %.4f m, %.2f cells" % (largest, largest / CELL))

    for obj, color in ((bodies, (0.8, 0.1, 0.05, 1)), (hole, (0.5, 0.7, 1, 0.25))):
        obj.color = color
    smoke.hide_render = True
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = Vector((1.2, -2.4, 1.5))
    camera.rotation_euler = (Vector((0, 0, 0.45)) - camera.location).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.display.shading.color_type = "OBJECT"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 320, 240, 100
    scene.render.filepath = picture
    bpy.ops.render.render(write_still=True)
    if largest > CELL:
        sys.exit("the smoke does not end at the bodies")


main()
