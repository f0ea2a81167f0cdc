"""Runs the program on a scene and reads the tables that it writes."""

import csv
import os
import subprocess


class Table:
    """The columns of a CSV file by their names."""

    def __init__(self, path):
        with open(path, newline="", encoding="ascii") as file:
            reader = csv.reader(file)
            self.names = next(reader)
            columns = list(zip(*reader))
        self.columns = {name: [float(value) for value in column] for name, column in zip(self.names, columns)}

    def __getitem__(self, name):
        return self.columns[name]

    def frames(self):
        """The rows of each frame: frame number to a dictionary of columns."""
        rows = {}
        for row, frame in enumerate(self["frame"]):
            rows.setdefault(int(frame), []).append(row)
        return {
            frame: {name: [column[row] for row in chosen] for name, column in self.columns.items()}
            for frame, chosen in rows.items()
        }

    def last_frame(self):
        last = self["frame"][-1]
        rows = [row for row, frame in enumerate(self["frame"]) if frame == last]
        return {name: [column[row] for row in rows] for name, column in self.columns.items()}


class Run:
    """A finished run: its measures, its probes and what the program printed."""

    def __init__(self, folder, messages):
        self.folder = folder
        self.messages = messages
        self.measures = Table(os.path.join(folder, "measures.csv"))

    def probe(self, name):
        return Table(os.path.join(self.folder, name + ".csv"))


def dotted(values):
    """{"solver.cfl": 1} as the options of the program."""
    options = []
    for key, value in values.items():
        if isinstance(value, (list, tuple)):
            value = "[" + ", ".join(str(item) for item in value) + "]"
        elif isinstance(value, float):
            value = repr(value)
        options += ["-D", f"{key}={value}"]
    return options


def run(program, scene, folder, values, threads, until_steady=None):
    """Simulates a scene with some of its values replaced; RuntimeError if the program fails."""
    os.makedirs(folder, exist_ok=True)
    command = [program, "sim", scene, "--measures", os.path.join(folder, "measures.csv"), "--probes-dir", folder]
    command += ["--overwrite", "--quiet", "--threads", str(threads)]
    if until_steady is not None:
        command += ["--until-steady", repr(until_steady)]
    finished = subprocess.run(command + dotted(values), capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise RuntimeError(f"{' '.join(command + dotted(values))}: {finished.stderr.strip()}")
    return Run(folder, finished.stderr.strip())
