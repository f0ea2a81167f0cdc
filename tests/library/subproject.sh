#!/bin/sh
# subproject.sh SOURCE CC: builds and runs a small project that contains Brume by add_subdirectory, with both libraries.
# The project gets the library alone, without warnings, build type, tests or installed files that it did not ask for.
set -eu
source=$1
cc=$2
work=$(mktemp -d -p "$PWD") # below the build: a cache of compiled files finds those of another run
trap 'rm -rf "$work"' EXIT
fail() {
    echo "subproject: $*" >&2
    exit 1
}

cat >"$work/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.20)
project(host LANGUAGES C)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
enable_testing()
set(BUILD_TESTING ON)
add_subdirectory($source brume)
add_executable(host_shared main.c)
target_link_libraries(host_shared PRIVATE brume::brume)
add_executable(host_static main.c)
target_link_libraries(host_static PRIVATE brume::brume_static)
install(TARGETS host_shared)
END
cat >"$work/main.c" <<'END'
#include <brume/brume.h>
#include <stdio.h>
int main(void)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = 8;
    BrumeSim *sim;
    BrumeError error;
    if (brume_sim_create(&sim, &def, &error) != BRUME_OK || brume_sim_frame(sim, NULL, &error) != BRUME_OK) {
        return puts(error.text), 1;
    }
    printf("brume %s, state %016llx\n", brume_version(), (unsigned long long)brume_sim_hash(sim));
    brume_sim_destroy(sim);
}
END
# -O0: the library is compiled as a whole. The commands of make's files take a fifth of the time; Ninja has none.
generator='Unix Makefiles'
! command -v ninja >/dev/null 2>&1 || generator=Ninja
export CCACHE_BASEDIR="$source" # the paths of a run are not part of what ccache, where CC is one, looks up
cmake -G "$generator" -S "$work" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS=-O0 >"$work/log" 2>&1 || fail "$(cat "$work/log")"
if grep -E -e '-Wall|-Wconversion|-O3|-DNDEBUG' "$work/build/compile_commands.json"; then
    fail "the library is compiled with warnings or a build type of its own"
fi
cmake --build "$work/build" --parallel 2 >"$work/log" 2>&1 || fail "$(cat "$work/log")"
shared=$("$work/build/host_shared")
static=$("$work/build/host_static")
echo "$shared"
[ "$shared" = "$static" ] || fail "shared prints '$shared', static prints '$static'"
ldd "$work/build/host_shared" | grep -q libbrume || fail "brume::brume is not the shared library"
! ldd "$work/build/host_static" | grep libbrume || fail "brume::brume_static is not the static library"
[ ! -e "$work/build/brume/brume" ] || fail "the program is built"
ctest --test-dir "$work/build" -N | grep -q '^Total Tests: 0$' || fail "the project has tests of Brume"
cmake --install "$work/build" --prefix "$work/installed" >/dev/null
[ "$(cd "$work/installed" && find . -type f)" = ./bin/host_shared ] || fail "files of Brume are installed"
