"""A scene for Blender's renderer Cycles that equals one of Brume: volume, camera, light, medium and ground.

Imported by benchmarks/peers/cycles.py within Blender.
"""
import resource

import bpy
from mathutils import Vector


def z_up(vector):
    """A vector of Brume, whose y axis points up, in Blender."""
    x, y, z = vector
    return Vector((x, -z, y))


def towards(direction):
    """The rotation of a camera or sun that looks in this direction of Brume's."""
    return z_up(direction).to_track_quat("-Z", "Y").to_euler()


class Nodes:
    """Adds nodes to a material or world."""

    def __init__(self, owner):
        owner.use_nodes = True
        self.tree = owner.node_tree
        self.tree.nodes.clear()

    def add(self, kind, inputs=(), **settings):
        """A node; `inputs` are pairs of an input's name or number and a value or another node's output."""
        node = self.tree.nodes.new(kind)
        for name, value in settings.items():
            setattr(node, name, value)
        for name, value in inputs:
            if isinstance(value, bpy.types.NodeSocket):
                self.tree.links.new(value, node.inputs[name])
            else:
                node.inputs[name].default_value = value
        return node

    def math(self, operation, a, b=0.0):
        return self.add("ShaderNodeMath", ((0, a), (1, b)), operation=operation).outputs[0]


def opaque(color):
    return (*color, 1.0)


def smoke_material(look):
    """Each kind of smoke is the sum of a scattering and an absorbing part, so that its extinction is exact."""
    material = bpy.data.materials.new("smoke")
    nodes = Nodes(material)
    colors = nodes.add("ShaderNodeAttribute", attribute_name="color").outputs["Vector"]
    components = nodes.add("ShaderNodeSeparateXYZ", (("Vector", colors),)).outputs
    plain = nodes.add("ShaderNodeAttribute", attribute_name="density").outputs["Fac"]
    total = None
    for smoke in look["smoke"]:
        density = plain if smoke["kind"] == 0 else components[smoke["kind"] - 1]
        extinction = nodes.math("MULTIPLY", density, smoke["extinction"])
        color = ("Color", opaque(smoke["albedo"]))
        scatter = nodes.add(
            "ShaderNodeVolumeScatter", (color, ("Density", extinction), ("Anisotropy", look["anisotropy"])))
        absorption = nodes.add("ShaderNodeVolumeAbsorption", (color, ("Density", extinction)))
        part = nodes.add("ShaderNodeAddShader", ((0, scatter.outputs[0]), (1, absorption.outputs[0]))).outputs[0]
        total = part if total is None else nodes.add("ShaderNodeAddShader", ((0, total), (1, part))).outputs[0]
    nodes.add("ShaderNodeOutputMaterial", (("Volume", total),))
    return material


def ground_material(look):
    """Lambertian; to the camera it fades into the sky with the distance d as exp(-(d / 7 L)^2), as in Brume."""
    material = bpy.data.materials.new("ground")
    nodes = Nodes(material)
    distance = nodes.add("ShaderNodeCameraData").outputs["View Distance"]
    scaled = nodes.math("DIVIDE", distance, 7.0 * look["longest_side"])
    fade = nodes.math("EXPONENT", nodes.math("MULTIPLY", nodes.math("MULTIPLY", scaled, scaled), -1.0))
    of_camera = nodes.add("ShaderNodeLightPath").outputs["Is Camera Ray"]
    share = nodes.math("MULTIPLY", nodes.math("SUBTRACT", 1.0, fade), of_camera)
    surface = nodes.add("ShaderNodeBsdfDiffuse", (("Color", opaque(look["ground_albedo"])),))
    sky = nodes.add("ShaderNodeEmission", (("Color", opaque(look["sky"])),))
    mixed = nodes.add("ShaderNodeMixShader", ((0, share), (1, surface.outputs[0]), (2, sky.outputs[0])))
    nodes.add("ShaderNodeOutputMaterial", (("Surface", mixed.outputs[0]),))
    return material


def add_object(name, data):
    placed = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(placed)
    return placed


def add_smoke(look, path):
    volume = bpy.data.volumes.new("smoke")
    volume.filepath = path
    volume.render.precision = "FULL"
    if any(smoke["kind"] > 0 for smoke in look["smoke"]):
        volume.render.clipping = 0.0  # otherwise voxels without the first color are left out
    volume.materials.append(smoke_material(look))
    # Cycles places the value of a voxel half a voxel above its center on each axis, where Blender is built as Debian's
    add_object("smoke", volume).location = Vector((-0.5, -0.5, -0.5)) * look["dx"]


def add_ground(look):
    half = 1000.0  # of its side [m]
    mesh = bpy.data.meshes.new("ground")
    height = look["ground_height"]
    mesh.from_pydata(
        [(-half, -half, height), (half, -half, height), (half, half, height), (-half, half, height)], [], [(0, 1, 2, 3)])
    mesh.materials.append(ground_material(look))
    add_object("ground", mesh)


def add_camera(look):
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit = "VERTICAL"
    camera.angle_y = look["field_of_view"] * 3.141592653589793 / 180.0
    placed = add_object("camera", camera)
    placed.location = z_up(look["camera_position"])
    placed.rotation_euler = towards(Vector(look["camera_target"]) - Vector(look["camera_position"]))
    bpy.context.scene.camera = placed


def add_lights(look):
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("world")
    nodes = Nodes(scene.world)
    sky = nodes.add("ShaderNodeBackground", (("Color", opaque(look["sky"])), ("Strength", 1.0)))
    nodes.add("ShaderNodeOutputWorld", (("Surface", sky.outputs[0]),))
    if "sun_irradiance" in look:
        sun = bpy.data.lights.new("sun", "SUN")
        sun.energy = look["sun_irradiance"]
        sun.color = look["sun_color"]
        sun.angle = 0.0
        add_object("sun", sun).rotation_euler = towards(look["sun_direction"])


def build(look, path, threads):
    """Replaces Blender's scene by that of `look`, with the volume file `path`."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    add_smoke(look, path)
    add_camera(look)
    add_lights(look)
    if "ground_albedo" in look:
        add_ground(look)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode = "FIXED"
    scene.render.threads = threads
    scene.render.use_persistent_data = False
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.color_depth = "32"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.use_adaptive_sampling = False
    cycles.use_denoising = False
    cycles.pixel_filter_type = "BOX"
    cycles.sample_clamp_direct = 0.0
    cycles.sample_clamp_indirect = 0.0
    cycles.light_sampling_threshold = 0.0
    cycles.volume_max_steps = 65536


def set_bounces(bounces):
    """`bounces` of volumes; 0 is single scattering. Reflections of the ground are as many as in Blender's defaults."""
    cycles = bpy.context.scene.cycles
    cycles.volume_bounces = bounces
    cycles.diffuse_bounces = max(4, bounces)
    cycles.max_bounces = max(12, bounces)
    cycles.transparent_max_bounces = max(8, bounces)


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def render(path, width, height, samples, bounces, step_rate=1.0, seed=0):
    """Renders to `path` (EXR) and returns the user and system time of all threads [s], without writing the file."""
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.cycles.samples = samples
    scene.cycles.seed = seed
    scene.cycles.volume_step_rate = step_rate
    set_bounces(bounces)
    scene.render.filepath = path
    begun = processor_seconds()
    bpy.ops.render.render()
    spent = processor_seconds() - begun
    bpy.data.images["Render Result"].save_render(path)
    return spent
