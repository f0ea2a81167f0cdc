#!/usr/bin/env python3
"""Small source trees that scripts/lint-structure must accept or refuse, with the lines that it must print."""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile

LINT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "lint-structure")


def header(guard, body="", includes=""):
    return f"#ifndef {guard}\n#define {guard}\n\n{includes}\n{body}\n#endif\n"


# name: (files, expected lines)
CASES = {
    "a tree without violations": (
        {
            "include/brume/sim.h": header(
                "BRUME_SIM_H", "typedef struct BrumeSim BrumeSim;\nBRUME_API int brume_step(BrumeSim *sim);\n"
            ),
            "src/core/memory.h": header("BRUME_CORE_MEMORY_H", "void *brume_alloc(int size);\n"),
            "src/core/memory.c": '#include "core/memory.h"\n\nvoid *brume_alloc(int size)\n{\n    return 0;\n}\n',
            "src/sim/sim.c": '#include "brume/sim.h"\n#include "core/memory.h"\n\n#define INLINE static inline\n\n'
            "struct BrumeSim {\n    int frame;\n};\n\nINLINE int next(BrumeSim *sim)\n{\n    return sim->frame;\n}\n\n"
            "int brume_step(BrumeSim *sim)\n{\n    return next(sim);\n}\n",
            # text in comments and strings is not code
            "src/sim/words.c": '// #include "viewer/viewer.h"\n/*\n#include "app/cli/args.h"\nstruct BrumeSim {\n*/\n'
            'static const char text[] = "struct BrumeSim { BRUME_API";\n',
            "tests/support/x.h": header("BRUME_TESTS_SUPPORT_X_H"),
            "tests/test_x.c": '#include "x.h"\n#include "sim/missing.h"\n',
        },
        [],
    ),
    "functions that differ between machines": (
        {
            "src/sim/decay.c": "#include <math.h>\n\n// exp(-t) in a comment\nstatic const char text[] = \"sin(x)\";\n"
            "static double decay(double t) { return exp(-t); }\nstatic float wave(float t) { return sinf (t); }\n"
            "static double (*const function)(double) = tanh;\n"
            "static double most(double a) { return fmax(a, __builtin_cos(a)); }\n",
            "raymarch/tone.c": "#include <math.h>\n\nstatic const struct { float (*f)(float, float); } table = {powf};\n",
            "src/core/parallel/clock.c": "static double later(double a, double b) { return fmax(a, exp2(b)); }\n",
        },
        [
            "src/core/parallel/clock.c:1: exp2 differs between machines (use that of core/elementary.h)",
            "src/sim/decay.c:5: exp differs between machines (use that of core/elementary.h)",
            "src/sim/decay.c:6: sinf differs between machines (use that of core/elementary.h)",
            "src/sim/decay.c:7: tanh differs between machines (use that of core/elementary.h)",
            "src/sim/decay.c:8: fmax differs between machines (use that of core/minmax.h)",
            "src/sim/decay.c:8: __builtin_cos differs between machines (use that of core/elementary.h)",
            "raymarch/tone.c:3: powf differs between machines (use that of core/elementary.h)",
        ],
    ),
    "functions that differ between machines, where they may": (
        {
            "src/sim/exact.c": "static double f(double x) { return sqrt(x) + floor(x) + fabs(x) + brume_exp(x) + table.exp(x); }\n",
            "src/viewer/drag.c": "static float f(float x) { return expf(x); }\n",
            "raymarch/gl/gl_camera.c": "static float f(float x) { return tanf(x); }\n",
            "tests/test_x.c": "static double f(double x) { return pow(x, fmin(x, 2.0)); }\n",
        },
        [],
    ),
    "core includes a solver's header": (
        {
            "src/sim/wavefront.h": header("BRUME_SIM_WAVEFRONT_H"),
            "src/core/planes.c": '#include <math.h>\n#include "sim/wavefront.h"\n',
        },
        ["src/core/planes.c:2: src/core may not include src/sim/wavefront.h"],
    ),
    "a public header includes an internal one": (
        {
            "src/core/memory.h": header("BRUME_CORE_MEMORY_H"),
            "include/brume/sim.h": header("BRUME_SIM_H", includes='#include "core/memory.h"\n'),
        },
        ["include/brume/sim.h:4: include/brume may not include src/core/memory.h"],
    ),
    "the YAML reader includes scenes": (
        {
            "src/scene/schema.h": header("BRUME_SCENE_SCHEMA_H"),
            "src/yaml/yaml.c": '#include "scene/schema.h"\n',
        },
        ["src/yaml/yaml.c:1: src/yaml may not include src/scene/schema.h"],
    ),
    "raymarch includes the solver": (
        {"src/sim/state.h": header("BRUME_SIM_STATE_H"), "raymarch/cpu/march.c": '#include "sim/state.h"\n'},
        ["raymarch/cpu/march.c:1: raymarch/cpu may not include src/sim/state.h"],
    ),
    "the GL renderer includes the CPU renderer": (
        {
            "raymarch/cpu/ray.h": header("BRUME_RAYMARCH_CPU_RAY_H"),
            "raymarch/gl/gl_program.c": '#include "raymarch/cpu/ray.h"\n',
        },
        ["raymarch/gl/gl_program.c:1: raymarch/gl may not include raymarch/cpu/ray.h"],
    ),
    "the CPU renderer includes the GL renderer": (
        {
            "raymarch/gl/gl_half.h": header("BRUME_RAYMARCH_GL_GL_HALF_H"),
            "raymarch/cpu/march.c": '#include "raymarch/gl/gl_half.h"\n',
        },
        ["raymarch/cpu/march.c:1: raymarch/cpu may not include raymarch/gl/gl_half.h"],
    ),
    "shared lighting includes a renderer": (
        {
            "raymarch/cpu/ray.h": header("BRUME_RAYMARCH_CPU_RAY_H"),
            "raymarch/light/sky.c": '#include "../cpu/ray.h"\n',
        },
        ["raymarch/light/sky.c:1: raymarch/light may not include raymarch/cpu/ray.h"],
    ),
    "the viewer includes the program": (
        {"src/app/cli/args.h": header("BRUME_APP_CLI_ARGS_H"), "src/viewer/viewer.c": '#include "app/cli/args.h"\n'},
        ["src/viewer/viewer.c:1: src/viewer may not include src/app/cli/args.h"],
    ),
    "argument helpers include a command's header": (
        {"src/app/commands.h": header("BRUME_APP_COMMANDS_H"), "src/app/cli/args.c": '#include "app/commands.h"\n'},
        ["src/app/cli/args.c:1: src/app/cli may not include src/app/commands.h"],
    ),
    "an example includes an internal header": (
        {"src/core/memory.h": header("BRUME_CORE_MEMORY_H"), "examples/embed.c": "#include <core/memory.h>\n"},
        ["examples/embed.c:1: examples may not include src/core/memory.h"],
    ),
    "two folders include each other": (
        {
            "src/sim/a.h": header("BRUME_SIM_A_H"),
            "src/sim/a.c": '#include "sim/forces/b.h"\n',
            "src/sim/forces/b.h": header("BRUME_SIM_FORCES_B_H"),
            "src/sim/forces/b.c": '\n#include "sim/a.h"\n',
        },
        [
            "src/sim/forces/b.c:2: cycle of includes between folders: src/sim -> src/sim/forces -> src/sim "
            "(src/sim/a.c:1)"
        ],
    ),
    "three folders form a cycle": (
        {
            "src/sim/a/a.h": header("BRUME_SIM_A_A_H"),
            "src/sim/a/a.c": '#include "sim/b/b.h"\n',
            "src/sim/b/b.h": header("BRUME_SIM_B_B_H"),
            "src/sim/b/b.c": '#include "sim/c/c.h"\n',
            "src/sim/c/c.h": header("BRUME_SIM_C_C_H"),
            "src/sim/c/c.c": '#include "sim/a/a.h"\n',
        },
        [
            "src/sim/c/c.c:1: cycle of includes between folders: src/sim/a -> src/sim/b -> src/sim/c -> src/sim/a "
            "(src/sim/a/a.c:1, src/sim/b/b.c:1)"
        ],
    ),
    "two files of a folder include each other": (
        {
            "raymarch/cpu/lamp.h": header("BRUME_RAYMARCH_CPU_LAMP_H"),
            "raymarch/cpu/lamp.c": '#include "march.h"\n',
            "raymarch/cpu/march.h": header("BRUME_RAYMARCH_CPU_MARCH_H"),
            "raymarch/cpu/march.c": '#include "raymarch/cpu/march_internal.h"\n',
            "raymarch/cpu/march_internal.h": header(
                "BRUME_RAYMARCH_CPU_MARCH_INTERNAL_H", includes='#include "raymarch/cpu/lamp.h"\n'
            ),
        },
        [
            "raymarch/cpu/march_internal.h:4: cycle of includes between files: raymarch/cpu/lamp -> "
            "raymarch/cpu/march -> raymarch/cpu/lamp (raymarch/cpu/lamp.c:1)"
        ],
    ),
    "two types of one name": (
        {
            "src/sim/level.h": header("BRUME_SIM_LEVEL_H", "typedef struct BrumeLevel {\n    int n;\n} BrumeLevel;\n"),
            "src/viewer/level.c": "typedef enum BrumeLevel { LOW, HIGH } BrumeLevel;\n",
        },
        ["src/viewer/level.c:1: the type BrumeLevel is defined in src/sim/level.h:5 too"],
    ),
    "two file-static types of one name": (
        {
            "src/sim/a.c": "struct Row {\n    int n;\n};\n",
            "src/sim/b.c": "typedef struct {\n    struct {\n        int n;\n    } inner;\n} Row;\n",
        },
        ["src/sim/b.c:5: the type Row is defined in src/sim/a.c:1 too"],
    ),
    "an alias and a function type of one name": (
        {"src/core/a.c": "typedef float BrumeReal;\n", "src/core/b.c": "typedef int (*BrumeReal)(int x);\n"},
        ["src/core/b.c:1: the type BrumeReal is defined in src/core/a.c:1 too"],
    ),
    "a test repeats a type of the library": (
        {
            "src/core/field.h": header("BRUME_CORE_FIELD_H", "typedef struct BrumeField {\n    int n;\n} BrumeField;\n"),
            "tests/test_a.c": "struct BrumeField {\n    int n;\n};\nstruct Row {\n    int n;\n};\n",
            "tests/test_b.c": "struct Row {\n    int n;\n};\n",  # another program
        },
        ["tests/test_a.c:1: the type BrumeField is defined in src/core/field.h:5 too"],
    ),
    "a guard of a file's earlier name": (
        {"src/sim/wavefront.h": "/* about */\n" + header("BRUME_SIM_WAVE_H")},
        ["src/sim/wavefront.h:2: the header guard is BRUME_SIM_WAVE_H, not BRUME_SIM_WAVEFRONT_H"],
    ),
    "a header without a guard": (
        {"src/sim/wavefront.h": "#pragma once\n"},
        [
            "src/sim/wavefront.h:1: no header guard (#ifndef BRUME_SIM_WAVEFRONT_H and #define BRUME_SIM_WAVEFRONT_H "
            "before all else)"
        ],
    ),
    "text behind a guard": (
        {"src/sim/wavefront.h": header("BRUME_SIM_WAVEFRONT_H") + "int x;\n"},
        ["src/sim/wavefront.h:7: the header guard's #endif is not the last line"],
    ),
    "two headers of one guard": (
        {"include/brume/sim.h": header("BRUME_SIM_H"), "src/sim.h": header("BRUME_SIM_H")},
        ["src/sim.h:1: the guard BRUME_SIM_H is that of include/brume/sim.h too"],
    ),
    "a function that no header declares": (
        {"src/sim/a.c": "static int inner(void)\n{\n    return 1;\n}\n\nint outer(int x)\n{\n    return inner();\n}\n"},
        ["src/sim/a.c:6: outer has external linkage and is declared in no header (make it static)"],
    ),
    "a public function that is not exported": (
        {"include/brume/sim.h": header("BRUME_SIM_H", "int brume_step(int count);\n")},
        ["include/brume/sim.h:5: the public function brume_step is not marked BRUME_API"],
    ),
    "an internal function that is exported": (
        {"src/core/memory.h": header("BRUME_CORE_MEMORY_H", "BRUME_API void *brume_alloc(int size);\n")},
        ["src/core/memory.h:5: BRUME_API outside include/brume"],
    ),
}


def load_lint():
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("lint_structure", LINT)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint_structure", loader))
    loader.exec_module(module)
    return module


def write_tree(root, files):
    for path, text in files.items():
        os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)


def check_command(files, expected):
    """The command prints the same lines, and its exit status is 1 if there are any."""
    with tempfile.TemporaryDirectory() as root:
        write_tree(root, files)
        result = subprocess.run([sys.executable, LINT, "--root", root], capture_output=True, text=True, check=False)
    return result.stdout.splitlines() == expected and result.returncode == (1 if expected else 0) and not result.stderr


def main():
    lint = load_lint()
    failures = 0
    for name, (files, expected) in CASES.items():
        with tempfile.TemporaryDirectory() as root:
            write_tree(root, files)
            found = list(lint.find_violations(root))
        if found != expected:
            failures += 1
            print(f"{name}:\n  expected {expected}\n  found    {found}")
    for name in list(CASES)[:2]:
        if not check_command(*CASES[name]):
            failures += 1
            print(f"{name}: the output or the exit status of the command is wrong")
    print(f"{len(CASES)} trees, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
