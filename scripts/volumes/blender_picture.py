"""Imports a sequence of OpenVDB files into Blender as a user does, without a material, and renders one frame:

    blender --background --factory-startup --python blender_picture.py -- FOLDER FRAME PICTURE

Prints the grids that Blender finds, and the mean and the least brightness of the picture, which has a white background: the
picture shows smoke where the least is far below 1.
"""
import glob
import os
import sys

import bpy
from mathutils import Vector


def main():
    folder, frame, picture = sys.argv[sys.argv.index("--") + 1 :]
    files = sorted(os.path.basename(path) for path in glob.glob(os.path.join(folder, "*.vdb")))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    bpy.ops.object.volume_import(
        filepath=os.path.join(folder, files[0]), directory=folder, files=[{"name": name} for name in files])
    volume = bpy.context.object.data
    scene.frame_set(int(frame))
    if not volume.grids.load():
        sys.exit("Blender cannot load the file: " + volume.grids.error_message)
    print("sequence of %d frames from frame %d on" % (volume.frame_duration, volume.frame_start))
    print("%s: %s" % (
        os.path.basename(volume.grids.frame_filepath),
        ", ".join("%s (%s)" % (grid.name, grid.data_type.lower()) for grid in volume.grids)))

    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = Vector((0.7, -5.5, 0.75))  # the camera of scenes/plume.yaml, with z up
    camera.rotation_euler = (Vector((-0.02, 0, 1.25)) - camera.location).to_track_quat("-Z", "Y").to_euler()
    camera.data.sensor_fit = "VERTICAL"
    camera.data.angle_y = 0.541
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.world = bpy.data.worlds.new("world")
    scene.world.color = (1, 1, 1)
    scene.view_settings.view_transform = "Standard"
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 16
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 320, 240, 100
    scene.render.filepath = picture
    bpy.ops.render.render(write_still=True)
    pixels = list(bpy.data.images.load(picture).pixels)[0::4]
    print("brightness: mean %.3f, least %.3f" % (sum(pixels) / len(pixels), min(pixels)))


main()
