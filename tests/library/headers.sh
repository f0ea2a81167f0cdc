#!/bin/sh
# headers.sh INCLUDE_FOLDER: each public header compiles alone as C11 and C++11, and as C11, C17, C++11 and C++20 with no
# warning by GCC and by Clang (where it is installed), and includes nothing but public headers and the C standard library.
set -eu
include=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warnings='-pedantic-errors -Wall -Wextra -Werror -Wshadow -Wconversion -Wundef'

if grep -hE '^ *# *include' "$include"/brume/*.h |
    grep -vE '"brume/[a-z_0-9]+\.h"|<(stdbool|stddef|stdint)\.h>'; then
    echo "a public header includes something else than public headers and the C standard library"
    exit 1
fi
# the second inclusion meets the guard
: >"$work/all.c"
mkdir "$work/alone"
for header in "$include"/brume/*.h; do
    name=$(basename "$header" .h)
    printf '#include <brume/%s.h>\n#include <brume/%s.h>\nint nothing;\n' "$name" "$name" >"$work/alone/$name.c"
    printf '#include <brume/%s.h>\n#include <brume/%s.h>\n' "$name" "$name" >>"$work/all.c"
    cp "$work/alone/$name.c" "$work/alone/$name.cpp"
done
echo 'int nothing;' >>"$work/all.c"
cp "$work/all.c" "$work/all.cpp"

# What a header includes is the same for each compiler and standard: the first compiler compiles each header alone, the
# others all of them in one file, which takes a tenth of the time.
sources=$work/alone/*
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null 2>&1 || continue
    plus=$(echo "$compiler" | sed 's/gcc/g++/; s/clang/clang++/')
    # shellcheck disable=SC2086 # lists of words
    {
        "$compiler" -std=c11 $warnings -fsyntax-only -I"$include" $sources.c
        "$plus" -std=c++11 $warnings -fsyntax-only -I"$include" $sources.cpp
        "$compiler" -std=c17 $warnings -fsyntax-only -I"$include" "$work/all.c"
        "$plus" -std=c++20 $warnings -fsyntax-only -I"$include" "$work/all.cpp"
    }
    sources=$work/all
done
ls "$work"/alone/*.c | wc -l | sed 's/$/ headers/'
