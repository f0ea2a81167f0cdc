#!/bin/sh
# packager_flags.sh SOURCE CC: the flags by which distributions build (environment and build type) reach the compiler and
# the linker, and none that contradicts them is added. Nothing is compiled.
set -eu
source=$1
cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "packager_flags: $*" >&2
    exit 1
}

# configure NAME ARGUMENT...: configures $work/NAME; $compiled is then how a source is compiled, $linked how the library is
configure() {
    build=$work/$1
    shift
    cmake -S "$source" -B "$build" -G 'Unix Makefiles' -DCMAKE_C_COMPILER="$cc" -DBRUME_PROGRAMS=OFF "$@" \
        >"$work/log" 2>&1 || fail "$(cat "$work/log")"
    compiled=$(grep '"command".*sim/sim.c' "$build/compile_commands.json")
    linked=$(cat "$build/CMakeFiles/brume_shared.dir/link.txt")
}
# contains TEXT WORD..., lacks TEXT WORD...
contains() {
    text=$1
    shift
    for word in "$@"; do
        case " $text " in *" $word "*) ;; *) fail "no $word in: $text" ;; esac
    done
}
lacks() {
    text=$1
    shift
    for word in "$@"; do
        case " $text " in *" $word "*) fail "$word in: $text" ;; esac
    done
}

export CFLAGS='-O2 -g -fstack-protector-strong' CPPFLAGS=-D_FORTIFY_SOURCE=2 LDFLAGS=-Wl,-z,relro,-z,now
configure none -DCMAKE_BUILD_TYPE=None # as debhelper
contains "$compiled" -O2 -fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffp-contract=off
lacks "$compiled" -O3 -DNDEBUG
contains "$linked" -fstack-protector-strong -Wl,-z,relro,-z,now
cmake "$work/none" >/dev/null # the variables are kept, as CMake keeps those that it reads
contains "$(grep '"command".*sim/sim.c' "$work/none/compile_commands.json")" -D_FORTIFY_SOURCE=2

configure empty
contains "$compiled" -O2
lacks "$compiled" -O3

configure release -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-DNDEBUG # as Fedora's macro %cmake
contains "$compiled" -O2 -DNDEBUG
lacks "$compiled" -O3

unset CFLAGS CPPFLAGS LDFLAGS
configure debug_info -DCMAKE_BUILD_TYPE=RelWithDebInfo
contains "$compiled" -O2 -g -DNDEBUG
lacks "$compiled" -O3

configure default # without flags the library is fast
contains "$compiled" -O3 -DNDEBUG
