"""Prints what a program reads of caches of `brume sim` (scripts/check-paraview): for each grid at the centers its name, the number
of its values, their minimum, maximum and sum (in double precision, in the order of the file) and a hash of their bytes as
floats.

    pvpython cache_values.py paraview FILE...     ParaView's VTKHDFReader
    python3 cache_values.py h5py FILE...
"""
import hashlib
import os
import sys


def read_with_paraview(path):
    from paraview import servermanager, simple
    from vtk.util.numpy_support import vtk_to_numpy

    reader = simple.OpenDataFile(path)
    if reader is None:
        sys.exit(f"{path}: ParaView has no reader for it")
    reader.UpdatePipeline()
    data = servermanager.Fetch(reader).GetPointData()
    return {data.GetArrayName(n): vtk_to_numpy(data.GetArray(n)) for n in range(data.GetNumberOfArrays())}


def read_with_h5py(path):
    import h5py

    with h5py.File(path, "r") as file:
        return {name: dataset[()] for name, dataset in file["VTKHDF/PointData"].items()}


def main():
    read = {"paraview": read_with_paraview, "h5py": read_with_h5py}[sys.argv[1]]
    for path in sys.argv[2:]:
        for name, values in sorted(read(path).items()):
            floats = values.astype("<f4").ravel()
            total = floats.sum(dtype="f8")
            digest = hashlib.blake2b(floats.tobytes(), digest_size=8).hexdigest()
            print(f"| {os.path.basename(path)} | {name} | {floats.size} | {floats.min():.7g} | {floats.max():.7g} | "
                  f"{total:.9g} | {digest} |")


main()
