"""Times Blender's smoke solver (Mantaflow) on a plume, without a window:

    blender --background --factory-startup --threads 2 --python mantaflow.py -- CELLS FRAMES

A sphere of smoke and heat rises in a cube of 4 m with CELLS cells along a side; the floor is a wall, the other sides are
open. One step per frame, no noise, no adaptive domain, no dissipation, no vorticity. Prints one line of CSV for each of
FRAMES frames: the number of the frame, and the times of the frame, its step, the pressure solve and the advection [ms].
"""
import gc
import shutil
import sys
import tempfile
import time

import bpy

SIDE = 4.0  # of the domain [m]


class Stopwatch:
    """Sums the times of Mantaflow's functions in each frame.

    Blender generates a script for Mantaflow and runs it in its Python interpreter, on any thread. After the first frame
    has defined the script's functions, they are found among the objects of the interpreter and wrapped.
    """

    PARTS = {"smoke_step": "step", "solvePressure": "pressure", "advectSemiLagrange": "advection"}

    def __init__(self):
        self.spent = {}
        self.frames = []
        self.begun = None
        self.wrapped = False

    def timed(self, function, part):
        def run(*arguments, **named):
            begun = time.perf_counter()
            result = function(*arguments, **named)
            self.spent[part] = self.spent.get(part, 0.0) + time.perf_counter() - begun
            return result

        return run

    def wrap(self):
        for space in gc.get_objects():
            if type(space) is not dict or "solvePressure" not in space:
                continue
            for name in list(space):
                part = self.PARTS.get(name.rstrip("0123456789").rstrip("_")) if type(name) is str else None
                if part and callable(space[name]):
                    space[name] = self.timed(space[name], part)
                    self.wrapped = self.wrapped or part == "step"

    def next_frame(self, *_):
        """Ends a frame and begins the next: a frame includes emission, the step and the writing of its files."""
        now = time.perf_counter()
        if self.begun is not None:
            self.frames.append({"frame": now - self.begun, **self.spent})
            if not self.wrapped:
                self.wrap()
        self.spent = {}
        self.begun = time.perf_counter()


def add_inflow():
    """To be called before add_domain, otherwise the bake sometimes fails."""
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.4, location=(0, 0, 0.7))
    inflow = bpy.context.object
    inflow.modifiers.new("Fluid", "FLUID").fluid_type = "FLOW"
    settings = inflow.modifiers["Fluid"].flow_settings
    settings.flow_type = "SMOKE"
    settings.flow_behavior = "INFLOW"
    settings.density = 1.0
    settings.temperature = 1.0


def add_domain(cells, frames, folder):
    bpy.ops.mesh.primitive_cube_add(size=SIDE, location=(0, 0, SIDE / 2))
    domain = bpy.context.object
    domain.modifiers.new("Fluid", "FLUID").fluid_type = "DOMAIN"
    settings = domain.modifiers["Fluid"].domain_settings
    settings.domain_type = "GAS"
    settings.resolution_max = cells
    settings.use_adaptive_domain = False
    settings.use_noise = False
    settings.use_adaptive_timesteps = False
    settings.timesteps_min = 1
    settings.timesteps_max = 1
    settings.vorticity = 0.0
    settings.use_dissolve_smoke = False
    for side in ("front", "back", "left", "right", "top"):
        setattr(settings, f"use_collision_border_{side}", False)
    settings.use_collision_border_bottom = True
    settings.cache_type = "ALL"
    settings.cache_directory = folder
    settings.cache_frame_start = 1
    settings.cache_frame_end = frames
    return domain


def describe_plume(domain, cells, frames):
    """Prints the extent of the plume, to check that the compared states are similar."""
    bpy.context.scene.frame_set(frames)
    grid = domain.evaluated_get(bpy.context.evaluated_depsgraph_get()).modifiers["Fluid"].domain_settings
    smoky = [number for number, density in enumerate(grid.density_grid) if density > 0.01]
    top = max(smoky) // cells**2 + 1 if smoky else 0
    print("after %d frames %.1f %% of the cells hold smoke, up to %.2f m" % (
        frames, 100 * len(smoky) / cells**3, top * SIDE / cells))


def main():
    cells, frames = (int(text) for text in sys.argv[sys.argv.index("--") + 1 :])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    scene.render.fps = 24
    folder = tempfile.mkdtemp(prefix="mantaflow-")
    stopwatch = Stopwatch()
    try:
        add_inflow()
        domain = add_domain(cells, frames, folder)
        bpy.context.view_layer.objects.active = domain
        bpy.app.handlers.frame_change_pre.append(stopwatch.next_frame)
        bpy.ops.fluid.bake_all()
        stopwatch.next_frame()
        bpy.app.handlers.frame_change_pre.remove(stopwatch.next_frame)
        describe_plume(domain, cells, frames)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if len(stopwatch.frames) != frames or "step" not in stopwatch.frames[-1]:
        sys.exit("mantaflow.py: Blender's fluid simulation differs from that of version 3.4, so that no times were measured")
    parts = ("frame", "step", "pressure", "advection")
    print("csv,number," + ",".join(f"{part}_ms" for part in parts))
    for number, spent in enumerate(stopwatch.frames, start=1):
        print("csv,%d,%s" % (number, ",".join("%.3f" % (1e3 * spent.get(part, 0.0)) for part in parts)))


main()
