#!/bin/bash
# shells.sh MAN_FOLDER COMPLETION_FOLDER PROGRAM_FOLDER: mandoc finds no fault in the manual pages, and the shells offer
# what they should, by asking the program, for command lines with and without a command, an option and the start of a value.
# A shell or a program that is not installed is left out, with a line that says so.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
man=$(realpath "$1")
completions=$(realpath "$2")
PATH=$(realpath "$3"):$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p scenes/inner
touch scenes/plume.yaml scenes/vent.yml scenes/notes.txt room.csv plume.vdb

fail() {
    echo "shells: $*" >&2
    exit 1
}

has() {
    command -v "$1" >/dev/null 2>&1 || {
        echo "shells: $1 is not installed; $2"
        return 1
    }
}

if has mandoc 'the manual pages are not checked'; then
    mandoc -T lint "$man"/*.1 || fail "mandoc complains about a page"
fi
if has man 'the manual pages are not set'; then
    for page in "$man"/*.1; do
        LC_ALL=C.UTF-8 man --warnings -l "$page" >/dev/null 2>warnings
        [ ! -s warnings ] || fail "$page: $(cat warnings)"
    done
fi

# expect SHELL LINE WORD...: the words that the function complete_SHELL prints for a command line
expect() {
    local shell=$1 line=$2
    shift 2
    local found
    found=$("complete_$shell" "$line" | sort -u | tr '\n' ' ')
    [ "$found" = "${*:+$* }" ] || fail "$shell offers '$found' for '$line', expected '$*'"
    count=$((count + 1))
}

# what all shells offer
check_shell() {
    local shell=$1
    count=0
    expect "$shell" 'brume ren' render
    expect "$shell" 'brume help ben' bench
    expect "$shell" 'brume --ver' --version
    expect "$shell" 'brume render --over' --overwrite
    expect "$shell" 'brume sim --dry-run' # belongs to render
    expect "$shell" 'brume scenes/plume.yaml render --dry' --dry-run
    expect "$shell" 'brume view --renderer ' auto cpu gl
    expect "$shell" 'brume view --renderer c' cpu
    expect "$shell" 'brume sim --keep-checkpoints ' all
    expect "$shell" 'brume bench --steps '
    expect "$shell" 'brume render -D solver.resol' solver.resolution=
    expect "$shell" 'brume render --measures ro' room.csv
    echo "shells: $shell: $count command lines"
}

if [ -r /usr/share/bash-completion/bash_completion ]; then
    bash -n "$completions/brume.bash"
    # readline separates words at "=" and ":" too
    complete_bash() {
        bash --norc -c '
            set +u
            . /usr/share/bash-completion/bash_completion
            . "$1"
            compopt() { :; }
            COMP_LINE=$2 COMP_POINT=${#2}
            for word in $2; do
                while [[ $word == ?*=* ]]; do
                    COMP_WORDS+=("${word%%=*}" =)
                    word=${word#*=}
                done
                [[ -z $word ]] || COMP_WORDS+=("$word")
            done
            [[ $2 != *[\ =] || $2 == *= ]] || COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _brume
            [[ ${#COMPREPLY[@]} -eq 0 ]] || printf "%s\n" "${COMPREPLY[@]}"' - "$completions/brume.bash" "$1"
    }
    check_shell bash
    expect bash 'brume render scenes/' scenes/inner scenes/plume.yaml scenes/vent.yml
    expect bash 'brume render --probes-dir scenes/' scenes/inner
    expect bash 'brume render -o pl' plume.vdb
    expect bash 'brume render --resume=f' force
    expect bash 'brume render --measures=ro' room.csv
    expect bash 'brume render -Dsolver.resol' -Dsolver.resolution=
    expect bash 'brume render --resume f'
    expect bash 'brume render -D solver.kernels=r' reference
    expect bash 'brume render --define=solver.kernels=r' reference
else
    echo 'shells: bash-completion is not installed; the completion for bash is not tested'
fi

if has zsh 'the completion for zsh is not tested'; then
    zsh -n "$completions/_brume"
    complete_zsh() { timeout 60 zsh -f "$here/complete.zsh" "$completions" "$1"; }
    check_shell zsh
    expect zsh 'brume render scenes/' scenes/inner scenes/plume.yaml scenes/vent.yml
    expect zsh 'brume render --probes-dir scenes/' scenes/inner
    expect zsh 'brume render -o pl' plume.vdb
    expect zsh 'brume render --resume=f' --resume=force
    expect zsh 'brume render --measures=ro' --measures=room.csv
    expect zsh 'brume render -Dsolver.resol' -Dsolver.resolution=
    expect zsh 'brume render -D solver.kernels=r' solver.kernels=reference
fi

if has fish 'the completion for fish is not tested'; then
    fish -n "$completions/brume.fish"
    # from version 4 on, fish adds words that have the typed letters in this order, as --checkpoint-every for --over
    complete_fish() {
        HOME=$work fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$completions/brume.fish" "$1" | cut -f 1 |
            awk -v typed="${1##* }" 'substr($0, 1, length(typed)) == typed'
    }
    check_shell fish
    expect fish 'brume render --probes-dir scenes/' scenes/inner/
    expect fish 'brume render -o pl' plume.vdb
    expect fish 'brume render --resume=f' --resume=force
    expect fish 'brume render --measures=ro' --measures=room.csv
    expect fish 'brume render -Dsolver.resol' -Dsolver.resolution=
    expect fish 'brume render -D solver.kernels=r' solver.kernels=reference
fi
