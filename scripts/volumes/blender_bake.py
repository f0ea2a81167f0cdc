"""Bakes a plume with Blender's smoke solver, Mantaflow, as OpenVDB files in FOLDER/data, and prints what Blender itself
reports of the last frame:

    blender --background --factory-startup --python blender_bake.py -- CELLS FRAMES FOLDER
"""
import sys

import bpy


def main():
    cells, frames, folder = sys.argv[sys.argv.index("--") + 1 :]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, int(frames)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.4, location=(0, 0, 0.7))
    inflow = bpy.context.object
    inflow.modifiers.new("Fluid", "FLUID").fluid_type = "FLOW"
    inflow.modifiers["Fluid"].flow_settings.flow_type = "SMOKE"
    inflow.modifiers["Fluid"].flow_settings.flow_behavior = "INFLOW"
    bpy.ops.mesh.primitive_cube_add(size=4, location=(0, 0, 2))
    domain = bpy.context.object
    domain.modifiers.new("Fluid", "FLUID").fluid_type = "DOMAIN"
    settings = domain.modifiers["Fluid"].domain_settings
    settings.domain_type = "GAS"
    settings.resolution_max = int(cells)
    settings.use_noise = False
    settings.cache_type = "ALL"
    settings.cache_data_format = "OPENVDB"
    settings.cache_directory = folder
    settings.cache_frame_start, settings.cache_frame_end = 1, int(frames)
    bpy.context.view_layer.objects.active = domain
    bpy.ops.fluid.bake_all()
    scene.frame_set(int(frames))
    grid = domain.evaluated_get(bpy.context.evaluated_depsgraph_get()).modifiers["Fluid"].domain_settings
    density, rise = list(grid.density_grid), list(grid.velocity_grid)[2::3]
    print("density greatest %.9g sum %.9g" % (max(density), sum(density)))
    print("velocity along z least %.9g greatest %.9g" % (min(rise), max(rise)))


main()
