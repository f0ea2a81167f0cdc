"""Water vapor: the base of a cloud."""

import math

from case import flow

LATENT = 2.501e6 / 1005  # latent heat over the heat capacity of air [K]
LAPSE = 9.81 / 1005  # by which rising air cools [K/m]


def condensation_level(vapor, temperature):
    """The height [m] at which air of this vapor, brought to the ground, is saturated (Bolton 1980, eq. 10 and 15)."""
    saturated = 611.2 * math.exp(17.67 * (temperature - 273.15) / (temperature - 29.65))
    pressure = 101325 * vapor / (0.622 + vapor)
    level = 1 / (1 / (temperature - 55) - math.log(pressure / saturated) / 2840) + 55
    return (temperature - level) / LAPSE


@flow("cumulus", "Base of a cumulus")
def cumulus(case):
    cells = case.pick(96, 48)
    side = 2400 / cells
    run = case.run("cumulus", values={"solver.resolution": cells, "probes.axis.counts": cells,
                                      "probes.axis.from": [0, side / 2, 0], "probes.axis.to": [0, 2400 - side / 2, 0]})
    frames = run.probe("axis").frames()
    # the first frame with a cloud on the axis: its lowest cell has the vapor and the temperature with which it has risen
    first = min(frame for frame, rows in frames.items() if max(rows["density"]) > 1e-6)
    axis = frames[first]
    base = next(n for n, liquid in enumerate(axis["density"]) if liquid > 1e-6)
    vapor = axis["color_1"][base] + axis["density"][base]
    exner = 1 - LAPSE * axis["y"][base] / 293.15
    temperature = 293.15 + axis["temperature"][base] - LATENT / exner * axis["density"][base]
    expected = condensation_level(vapor, temperature)
    case.within(f"height of the base, cells of {side:g} m [m]", axis["y"][base], expected, side, "Bolton 1980, eq. 15")
    measures = run.measures
    water = [a + b for a, b in zip(measures["density_total"], measures["color_1_total"])]
    case.at_most("relative change of the total water", abs(water[-1] / water[0] - 1), 1e-5, "exact", "0")
    case.at_least("largest part of the water that is liquid", max(measures["density_total"]) / water[0], 1e-4, "–")
    case.table("axis", zip(axis["y"], axis["density"], axis["color_1"]))
