#!/bin/sh
# examples.sh BUILD CC CXX: installs the build into a prefix of its own, moves the prefix, and builds and runs all
# programs of examples/ against it. Checks the installed components. EMBED_FLAGS are passed to the
# compilers; EMBED_PYTHON=no leaves out Python, which cannot load a library that is built with sanitizers.
set -eu
build=$1
cc=$2
cxx=$3
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "examples: $*" >&2
    exit 1
}

# the program alone: it runs without the library, and without libraries that only the viewer needs
cmake --install "$build" --prefix "$work/program" --component program >/dev/null
"$work/program/bin/brume" --version
if [ -e "$work/program/lib" ] || [ -e "$work/program/include" ]; then
    fail "the component 'program' has files of the library"
fi
if ldd "$work/program/bin/brume" | grep -E 'libSDL|libX11|libGL|libepoxy|libimgui'; then
    fail "brume loads what only the viewer needs"
fi
"$work/program/bin/brume" help view | grep -q -- --fullscreen || fail "brume help view does not list the options"
if "$work/program/bin/brume" view 2>"$work/absent"; then
    fail "brume view runs without its viewer"
fi
[ "$(wc -l <"$work/absent")" -eq 1 ] || fail "brume view says: $(cat "$work/absent")"

# everything, moved after it was installed
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/usr"
libraries=$(dirname "$(find "$work/usr" -name 'libbrume.a')")
PKG_CONFIG_PATH="$libraries/pkgconfig"
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion brume)" = "$("$work/usr/bin/brume" --version | sed 's/brume //')" ] || fail "versions differ"
if [ -e "$build/brume-view" ]; then
    [ -x "$work/usr/libexec/brume/brume-view" ] || fail "the viewer is not installed"
fi
if [ -e "$build/man" ]; then
    for file in man/man1/brume.1 man/man1/brume-render.1 bash-completion/completions/brume zsh/site-functions/_brume \
        fish/vendor_completions.d/brume.fish; do
        [ -s "$work/usr/share/$file" ] || fail "share/$file is not installed"
    done
fi

warnings='-Wall -Wextra -Werror'
# shellcheck disable=SC2046,SC2086 # lists of words
{
    $cc -std=c17 $warnings ${EMBED_FLAGS:-} "$examples/embed.c" -o "$work/shared" $(pkg-config --cflags --libs brume) \
        -Wl,-rpath,"$libraries"
    $cc -std=c17 $warnings ${EMBED_FLAGS:-} "$examples/embed.c" -o "$work/static" $(pkg-config --cflags brume) \
        $(pkg-config --static --libs brume | sed "s:-lbrume:$libraries/libbrume.a:")
}
shared=$("$work/shared" "$work/shared.png")
static=$("$work/static" "$work/static.png")
echo "$shared"
[ "$shared" = "$static" ] || fail "shared prints '$shared', static prints '$static'"
cmp "$work/shared.png" "$work/static.png"
if ldd "$work/static" | grep libbrume; then
    fail "the static program loads the shared library"
fi

# shellcheck disable=SC2046,SC2086
$cc -std=c17 $warnings ${EMBED_FLAGS:-} "$examples/drag.c" -o "$work/drag" $(pkg-config --cflags --libs brume) -lm \
    -Wl,-rpath,"$libraries"
"$work/drag" "$work/star.png" >"$work/dragged"
cat "$work/dragged"
grep -q ': 0.500.. m^3 of smoke, the star at -0.238 0.562 m,' "$work/dragged" || fail "drag loses smoke or its star"
[ -s "$work/star.png" ] || fail "drag leaves no picture"

for target in brume::brume brume::brume_static; do
    folder=$work/cpp-$(echo $target | tr -d :)
    cp -r "$examples/cpp" "$folder"
    sed -i "s/brume::brume)/$target)/" "$folder/CMakeLists.txt"
    cmake -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="$work/usr" -DCMAKE_CXX_COMPILER="$cxx" \
        -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_FLAGS="$warnings -pedantic-errors ${EMBED_FLAGS:-}" >"$folder/log" 2>&1 ||
        fail "$(cat "$folder/log")"
    cmake --build "$folder/build" >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
    "$folder/build/embed" "$folder/fan.png" >"$folder/result"
done
cat "$work/cpp-brumebrume/result"
cmp "$work/cpp-brumebrume/result" "$work/cpp-brumebrume_static/result"
cmp "$work/cpp-brumebrume/fan.png" "$work/cpp-brumebrume_static/fan.png"

# same_structures PYTHON: the structures of the Python examples have the sizes of those of the headers
same_structures() {
    PYTHONPATH=$examples BRUME_LIBRARY=$libraries/libbrume.so "$1" -B -c '
import ctypes, drag, embed
names = {name: kind for module in (embed, drag) for name, kind in vars(module).items()
         if isinstance(kind, type) and issubclass(kind, ctypes.Structure)}
print("#include <brume/brume.h>")
for name, kind in names.items():
    print(f"_Static_assert(sizeof(Brume{name}) == {ctypes.sizeof(kind)}, \"{name} of the Python examples\");")
' >"$work/structures.c"
    # shellcheck disable=SC2046
    $cc -std=c17 -fsyntax-only $(pkg-config --cflags brume) "$work/structures.c" || fail "a structure of the Python examples differs"
}

if [ "${EMBED_PYTHON:-}" != no ]; then
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import numpy' 2>/dev/null; then
            same_structures "$python"
            BRUME_LIBRARY="$libraries/libbrume.so" "$python" "$examples/embed.py" "$work/thermal.png"
            [ -s "$work/thermal.png" ] || fail "embed.py leaves no picture"
            BRUME_LIBRARY="$libraries/libbrume.so" "$python" -B "$examples/drag.py" "$work/knot.png" >"$work/dragged"
            cat "$work/dragged"
            grep -q ': smoke of 0.\(4999\|5000\) m^3,' "$work/dragged" || fail "drag.py loses smoke"
            [ -s "$work/knot.png" ] || fail "drag.py leaves no picture"
            break
        fi
    done
    [ -e "$work/thermal.png" ] || fail "no Python with numpy (Debian: python3-numpy)"
fi
if [ -n "${EMBED_PICTURES:-}" ]; then
    cp "$work/shared.png" "$work/star.png" "$work/cpp-brumebrume/fan.png" "$EMBED_PICTURES"
    [ ! -e "$work/thermal.png" ] || cp "$work/thermal.png" "$EMBED_PICTURES"
fi
