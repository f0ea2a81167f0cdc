"""Compares what brume convert and VTK read and write (scripts/check-vtk)."""
import os
import subprocess
import sys
import tempfile

import numpy
import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

failures = 0


def check(what, right):
    global failures
    failures += not right
    if not right:
        print(f"FAILED: {what}")


def convert(program, *arguments):
    subprocess.run([program, "convert", "-q", *arguments], check=True)


SCENE = "name: A plume without a solver\nsmoke: {density: {extinction: 30}}\n"


def write_raw(path, grids, cells, dx, origin):
    """A raw volume as docs/volumes.md describes it, without the hashes, which are optional.

    `grids` are names, units and arrays (nz x ny x nx [x 3]); an array with one entry more along an axis is on its faces.
    """
    offset = 0
    with open(path, "wb") as data, open(path + ".yaml", "w", encoding="utf-8") as header:
        for _, _, values in grids:
            data.write(values.astype("<f4").tobytes())
            offset += values.size * 4
        header.write("format: brume raw volume\nversion: 1\ntype: float32\nendianness: little\norder: xyz\nup: y\n")
        header.write(f"bytes: {offset}\ncells: {list(cells)}\nspacing: {dx}\norigin: {list(origin)}\nframe: 12\n")
        header.write("time: 0.5\nscene: |\n" + "".join(f"  {line}\n" for line in SCENE.splitlines()) + "grids:\n")
        offset = 0
        for name, unit, values in grids:
            components = 3 if values.ndim == 4 else 1
            extents = list(values.shape[2::-1])
            location = {0: "centers", 1: "x_faces", 2: "y_faces", 4: "z_faces"}[
                sum((extents[axis] - cells[axis]) << axis for axis in range(3))]
            header.write(f'  - {{name: {name}, unit: "{unit}", components: {components}, location: {location}, ')
            header.write(f"extents: {extents}, offset: {offset}}}\n")
            offset += values.size * 4


def read_raw(path, count):
    """The first `count` values of a raw volume."""
    return numpy.fromfile(path, dtype="<f4", count=count)


def make_plume(path):
    """A plume of 48 x 72 x 40 cells; arrays are (nz x ny x nx)."""
    cells, dx, origin = (48, 72, 40), 0.025, (-0.6, 0.0, -0.5)
    z, y, x = numpy.meshgrid(*((numpy.arange(cells[a]) + 0.5) * dx + origin[a] for a in (2, 1, 0)), indexing="ij")
    radius = 0.1 + 0.15 * y
    distance = numpy.hypot(x - 0.05 * numpy.sin(9 * y), z - 0.05 * numpy.cos(7 * y))
    density = numpy.clip(1.2 - distance / radius, 0, 1) * numpy.clip(1.5 - y, 0, 1)
    velocity = numpy.stack((-0.3 * z, density + 0.1, 0.3 * x), axis=-1)
    faces = [(f"velocity_{'xyz'[axis]}", "m/s", numpy.insert(velocity[..., axis], 0, axis + 1, axis=2 - axis))
             for axis in range(3)]
    write_raw(path, [("density", "1", density), ("temperature", "K", 80 * density**2), ("velocity", "m/s", velocity)]
              + faces, cells, dx, origin)


def read_vti(path):
    reader = vtk.vtkXMLImageDataReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def compare_vti(program, folder, source):
    """VTK's values of the .vti against those that the .raw of the same volume has."""
    vti, raw = os.path.join(folder, "a.vti"), os.path.join(folder, "a.raw")
    convert(program, source, vti)
    convert(program, vti, raw)
    image = read_vti(vti)
    bounds = [f"{value:g}" for value in image.GetBounds()]
    print(f"vtkXMLImageDataReader: {image.GetNumberOfCells()} cells, bounds {' '.join(bounds)}")
    print("\n| grid | values | minimum | maximum | sum |\n| --- | --- | --- | --- | --- |")
    cell_data = image.GetCellData()
    offset = 0
    data = numpy.fromfile(raw, dtype="<f4")
    for n in range(cell_data.GetNumberOfArrays()):
        array = cell_data.GetArray(n)
        values = vtk_to_numpy(array).ravel()
        expected = data[offset:offset + values.size]
        offset += values.size
        unit = array.GetInformation().Get(vtk.vtkDataArray.UNITS_LABEL())
        check(f"{array.GetName()}: the values", values.tobytes() == expected.tobytes())
        total = values.sum(dtype=numpy.float64)
        check(f"{array.GetName()}: the sum", total == expected.sum(dtype=numpy.float64))
        print(f"| {array.GetName()} [{unit}] | {values.size} | {values.min():.7g} | {values.max():.7g} | {total:.9g} |")
    check("there are cell data", cell_data.GetNumberOfArrays() > 0)
    field = image.GetFieldData()
    print("\nfield data:", ", ".join(field.GetAbstractArray(n).GetName() for n in range(field.GetNumberOfArrays())))
    check("the time", field.GetArray("TimeValue").GetValue(0) == 0.5)
    check("the frame", field.GetArray("brume_frame").GetValue(0) == 12)
    check("the scene", field.GetAbstractArray("brume_scene").GetValue(0) == SCENE)
    for axis in "xyz":
        values = vtk_to_numpy(field.GetArray(f"velocity_{axis}"))
        check(f"velocity_{axis}: the values", values.tobytes() == data[offset:offset + values.size].tobytes())
        offset += values.size
    check("all values are compared", offset == data.size)
    return image


def compare_ply(program, folder):
    ply = os.path.join(folder, "a.ply")
    convert(program, os.path.join(folder, "a.vti"), ply)
    reader = vtk.vtkPLYReader()
    reader.SetFileName(ply)
    reader.Update()
    mesh = reader.GetOutput()
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(mesh)
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.Update()
    check("vtkFeatureEdges: no open and no multiple edge", edges.GetOutput().GetNumberOfCells() == 0)
    mass = vtk.vtkMassProperties()
    mass.SetInputData(mesh)
    mass.Update()
    normals = vtk.vtkPolyDataNormals()  # of the faces, from their order of vertices
    normals.SetInputData(mesh)
    normals.ComputePointNormalsOff()
    normals.ComputeCellNormalsOn()
    normals.SplittingOff()
    normals.ConsistencyOff()
    normals.Update()
    of_faces = vtk_to_numpy(normals.GetOutput().GetCellData().GetNormals())
    of_vertices = vtk_to_numpy(mesh.GetPointData().GetNormals())
    faces = vtk_to_numpy(mesh.GetPolys().GetData()).reshape(-1, 4)[:, 1:]
    points = vtk_to_numpy(mesh.GetPoints().GetData()).astype(float)
    a, b, c = (points[faces[:, n]] for n in range(3))
    signed_volume = numpy.einsum("ij,ij->i", a, numpy.cross(b, c)).sum() / 6
    agreement = numpy.einsum("ij,ij->i", of_faces, of_vertices[faces].mean(axis=1))
    check("outward faces", signed_volume > 0 and abs(signed_volume / mass.GetVolume() - 1) < 1e-3)
    check("normals of vertices agree with the faces", (agreement > 0).mean() > 0.999)
    print(f"\nvtkPLYReader: {mesh.GetNumberOfPoints()} vertices, {mesh.GetNumberOfPolys()} triangles, area "
          f"{mass.GetSurfaceArea():.5g} m^2, volume {mass.GetVolume():.5g} m^3 (signed {signed_volume:.5g}); "
          f"{edges.GetOutput().GetNumberOfCells()} open or multiple edges")


def write_vti(image, path, mode, base64, zlib, header):
    writer = vtk.vtkXMLImageDataWriter()
    writer.SetInputData(image)
    writer.SetFileName(path)
    {"ascii": writer.SetDataModeToAscii, "binary": writer.SetDataModeToBinary,
     "appended": writer.SetDataModeToAppended}[mode]()
    writer.SetEncodeAppendedData(base64)
    writer.SetHeaderTypeToUInt64() if header == 64 else writer.SetHeaderTypeToUInt32()
    writer.SetCompressorTypeToZLib() if zlib else writer.SetCompressorTypeToNone()
    writer.Write()


def compare_written(program, folder, image):
    """Every way in which VTK writes a .vti is read with the same bits, as cell data and as point data."""
    count = 0
    points = vtk.vtkImageData()
    points.SetDimensions(*(n - 1 for n in image.GetDimensions()))
    points.SetOrigin(image.GetOrigin())
    points.SetSpacing(image.GetSpacing())
    for n in range(image.GetCellData().GetNumberOfArrays()):
        points.GetPointData().AddArray(image.GetCellData().GetArray(n))
    expected = b"".join(vtk_to_numpy(image.GetCellData().GetArray(n)).tobytes()
                        for n in range(image.GetCellData().GetNumberOfArrays()))
    path, raw = os.path.join(folder, "vtk.vti"), os.path.join(folder, "vtk.raw")
    for what, data in (("cells", image), ("points", points)):
        for mode in ("ascii", "binary", "appended"):
            for base64 in (False, True) if mode == "appended" else (False,):
                for zlib in (False, True) if mode != "ascii" else (False,):
                    for header in (32, 64):
                        write_vti(data, path, mode, base64, zlib, header)
                        convert(program, "--overwrite", path, raw)
                        with open(raw, "rb") as file:
                            same = file.read()[:len(expected)] == expected
                        check(f"{what}, {mode}, base64 {base64}, zlib {zlib}, header of {header} bits", same)
                        count += 1
    doubles = vtk.vtkImageData()
    doubles.SetDimensions(5, 4, 3)
    values = numpy.random.default_rng(1).normal(size=60)
    array = numpy_to_vtk(values)
    array.SetName("density")
    doubles.GetPointData().SetScalars(array)
    write_vti(doubles, path, "appended", False, False, 64)
    convert(program, "--overwrite", path, raw)
    check("doubles", (read_raw(raw, 60) == values.astype("<f4")).all())
    print(f"\nbrume convert reads {count + 1} of the forms that vtkXMLImageDataWriter writes (cells and points; ascii, "
          "inline base64, appended raw and base64; with and without zlib; sizes of 32 and 64 bits; doubles)")


def main():
    program = os.path.abspath(sys.argv[1])
    print(f"VTK {vtk.vtkVersion.GetVTKVersion()}")
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "plume.raw")
        make_plume(source)
        image = compare_vti(program, folder, source)
        compare_ply(program, folder)
        compare_written(program, folder, image)
    print("all right" if failures == 0 else f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
