"""Runs the program on a scene and reads the tables that it writes."""

import csv
import os
import struct
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


def read_points(path):
    """The numbers of the points of a binary PLY file by their names."""
    with open(path, "rb") as file:
        names, types, count = [], "", 0
        while (words := file.readline().split()) != [b"end_header"]:
            if words[0] == b"element":
                count = int(words[2])
            elif words[0] == b"property":
                names.append(words[2].decode())
                types += {b"float": "f", b"int": "i"}[words[1]]
        rows = [struct.unpack("<" + types, file.read(4 * len(types))) for _ in range(count)]
    return dict(zip(names, zip(*rows)))


class Run:
    """A finished run: its measures, its probes and what the program printed."""

    def __init__(self, folder, messages):
        self.folder = folder
        self.messages = messages
        self.measures = Table(os.path.join(folder, "measures.csv"))

    def points(self, frame):
        return read_points(os.path.join(self.folder, f"points.{frame:04d}.ply"))

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


def run(program, scene, folder, values, threads, until_steady=None, output=None):
    """Simulates a scene with some of its values replaced; `output`, options of files in the folder. RuntimeError if the
    program fails."""
    os.makedirs(folder, exist_ok=True)
    command = [program, "sim", scene, "--measures", os.path.join(folder, "measures.csv"), "--probes-dir", folder]
    command += ["--overwrite", "--quiet", "--threads", str(threads)]
    if until_steady is not None:
        command += ["--until-steady", repr(until_steady)]
    if output is not None:
        command += ["-o", os.path.join(folder, output[0])] + output[1:]
    finished = subprocess.run(command + dotted(values), capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise RuntimeError(f"{' '.join(command + dotted(values))}: {finished.stderr.strip()}")
    return Run(folder, finished.stderr.strip())
