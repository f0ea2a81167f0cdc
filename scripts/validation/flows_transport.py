"""Transport of smoke and heat: sharpness, bounds and budgets."""

import math

from case import flow
from numerics import difference

SCHEMES = ("ppm", "maccormack", "cubic", "semi-lagrangian")  # docs/transport.md compares all of them


@flow("zalesak-disc", "Zalesak's disc", minutes=3)
def zalesak_disc(case):
    grids = case.pick((100, 200), (100,))
    turns = case.pick(10, 1)
    for cells in grids:
        errors = {}
        for scheme in ("ppm", "maccormack") if case.quick or cells > 100 else SCHEMES:
            values = {"solver.resolution": [cells, cells, 1], "solver.transport": scheme}
            frames = {}
            for turn in sorted({1, turns}):
                values["time.frames"] = turn
                values["probes.0.every"] = turn
                run = case.run("zalesak_disc", f"{scheme}-{cells}-{turn}", values)
                frames[turn] = run.probe("plane").frames(), run.measures
            for turn, (planes, measures) in frames.items():
                start, end = planes[0], planes[turn]
                errors[scheme, turn] = difference(end["density"], start["density"])
                if scheme == "ppm":
                    low, high = min(end["density"]), max(end["density"])
                    case.at_most(
                        f"overshoot after {turn} turns, {cells}²", max(high - 1, -low, 0.0), 1e-4, "bounds of the initial values", "0"
                    )
                    # apart from the traces of smoke that leave through the open faces
                    lost = measures["density_unaccounted"][-1] / measures["density_initial"][-1]
                    case.at_most(f"unaccounted part of the total after {turn} turns, {cells}²", abs(lost), 1e-5, "exact", "0")
                    if cells == 100:
                        case.plane(f"turn{turn}", end, "density")
                        case.plane("start", start, "density")
        for turn in sorted({1, turns}):
            others = {scheme: error for (scheme, at), error in errors.items() if at == turn and scheme != "ppm"}
            case.at_most(
                f"relative L1 error of `ppm` after {turn} turns, {cells}²",
                errors["ppm", turn],
                min(others.values()),
                f"least of the other schemes ({min(others, key=others.get)})",
            )
        case.table(f"errors-{cells}", [(s, *(errors[s, t] for t in sorted({1, turns}))) for s, t in errors if t == 1])


@flow("deformation", "LeVeque's deformation", minutes=6)
def deformation(case):
    source = "LeVeque 1996"
    blobs = {
        # in a plane the blob starts where the shear is weaker
        "plane": "pow(0.5 + 0.5 * cos(pi * min(1, sqrt((x - 0.5)^2 + (y - 0.7)^2) / 0.25)), 2)",
        "space": "exp(-((x - 0.35)^2 + (y - 0.35)^2 + (z - 0.35)^2) / 0.35^2)",
    }
    for name, power, grids in (("plane", "²", case.pick((64, 128, 256), (64, 128))), ("space", "³", (32, 64, 128))):
        if case.quick and name == "space":
            continue
        errors = []
        for cells in grids:
            values = {"solver.resolution": cells, "initial.1.formula": f'"{blobs[name]}"'}
            if name == "plane":
                values["solver.resolution"] = [cells, cells, 1]
                values["domain.boundaries.z"] = "periodic"
            run = case.run("deformation", f"{name}-{cells}", values)
            frames = run.probe("box").frames()
            errors.append(difference(frames[60]["density"], frames[0]["density"]))
        total = run.measures["density_total"]
        case.at_most(f"change of the total, {cells}{power}", abs(total[-1] / total[0] - 1), 1e-5, source, "0")
        case.table(name, zip(grids, errors))
        order = math.log(errors[-2] / errors[-1]) / math.log(grids[-1] / grids[-2])
        text = f"order, {grids[-2]}{power} to {grids[-1]}{power} (errors {errors[-2]:.3g}, {errors[-1]:.3g})"
        case.at_least(text, order, 1.8, source, "2")


@flow("closed-box", "Smoke and heat in a stirred closed box", minutes=4)
def closed_box(case):
    cells = case.pick(64, 24)
    for name, values in (
        ("empty", {}),
        ("sphere", {"bodies": "[{shape: sphere, center: [0.55, 0.35, 0.5], radius: 0.15}]"}),
    ):
        measures = case.run("closed_box", name, {"solver.resolution": cells, **values}).measures
        text = "with a sphere" if name == "sphere" else "empty box"
        rows = []
        for scalar in ("density", "temperature"):
            total = measures[scalar + "_total"]
            worst = max(abs(value / total[0] - 1) for value in total)
            label = "smoke" if scalar == "density" else "heat"
            case.at_most(f"largest change of {label} in 1000 steps, {cells}³, {text}", worst, 1e-5, "conserved", "0")
        rows = [
            (t, d / measures["density_total"][0] - 1, h / measures["temperature_total"][0] - 1)
            for t, d, h in zip(measures["time"], measures["density_total"], measures["temperature_total"])
        ]
        case.table(name, rows)


@flow("open-box", "Budgets with open faces, emitters and a body", minutes=1)
def open_box(case):
    measures = case.run("open_box", values={"solver.resolution": case.pick(64, 48)}).measures
    for scalar, label in (("density", "smoke"), ("temperature", "heat")):
        emitted = measures[scalar + "_emitted"]
        worst = max(abs(lost) for lost in measures[scalar + "_unaccounted"]) / emitted[-1]
        case.at_most(f"unaccounted {label} over what is emitted", worst, 1e-5, "exact", "0")
        left = sum(measures[f"{scalar}_left_{face}"][-1] for face in ("x_min", "x_max", "y_min", "y_max", "z_min", "z_max"))
        case.table(scalar, [(emitted[-1], measures[scalar + "_dissipated"][-1], left, measures[scalar + "_total"][-1])])
        case.at_least(f"{label} that left through the faces over what is emitted", left / emitted[-1], 0.01, "the case is not trivial")


@flow("disc-in-wind", "Disc of smoke in uniform wind")
def disc_in_wind(case):
    run = case.run("disc_in_wind")
    measures = run.measures
    total = measures["density_total"]
    drift = max(abs(value / total[0] - 1) for value in total)
    case.at_most("change of the total in 4 time units, CFL 0.5", drift, 1e-5, "exact", "0")
