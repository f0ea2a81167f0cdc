# Shared by the scripts: the packages that the project needs, and functions that install them and build. To be sourced
# by a POSIX shell; changes the working folder to the top of the repository.
# shellcheck shell=sh

script=$(basename "$0")
cd "$(dirname "$0")/.." || exit 1

say() { printf '%s: %s\n' "$script" "$*"; }
fail() {
    say "$*" >&2
    exit 1
}

# Debian and Ubuntu packages: what every build needs, ...
build_packages='build-essential cmake pkg-config libyaml-dev libstb-dev libxxhash-dev libcmocka-dev'
# ... volume files, ...
volume_packages='libhdf5-dev libdeflate-dev libexpat1-dev zlib1g-dev libopenvdb-dev libboost-dev'
# ... linear images, ...
image_packages='libopenexr-dev'
# ... meshes, ...
mesh_packages='libassimp-dev'
# ... the viewer, ...
viewer_packages='libsdl2-dev libepoxy-dev libimgui-dev libcglm-dev libdbus-1-dev fonts-dejavu-core'
# ... the encoder of videos, ...
video_packages='libavcodec-dev libavformat-dev libavutil-dev'
# ... simulations of several processes, ...
mpi_packages='libopenmpi-dev openmpi-bin'
# ... the tests of the viewer, on a display without hardware and a session bus of their own, ...
display_packages='xvfb xauth xdotool x11-utils weston dbus-daemon libgl1-mesa-dri libegl1'
# ... the other tests: a cache of compiled files, Ninja, the check of the structure, the example that embeds the library in
# Python, the manual pages, the completions of the shells, a farm of workers, and EXR images, ...
test_packages='ccache ninja-build python3 python3-numpy mandoc bash-completion zsh fish parallel openexr'
# ... all of these, which scripts/test needs, ...
suite_packages="$build_packages $viewer_packages $volume_packages $image_packages $mesh_packages $video_packages $mpi_packages
    $display_packages $test_packages"
# ... hosts of a cluster as network namespaces, ...
cluster_packages='openssh-server openssh-client iproute2 procps'
# ... the check with Slurm, ...
slurm_packages='slurmctld slurmd slurm-client munge'
# ... the comparison with ARM64, ...
arm64_packages='gcc-aarch64-linux-gnu libc6-dev-arm64-cross libgomp1:arm64 libyaml-dev:arm64 libxxhash-dev:arm64 qemu-user'
arm64_volume_packages='libhdf5-103-1:arm64 libdeflate-dev:arm64'
# ... Debian packages, ...
debian_packages='dpkg-dev file gzip'
# ... their check in a minimal Debian, and other releases of Debian, ...
check_packages='debootstrap'
# ... and the checks of the sources
lint_packages='python3 clang clang-format clang-tidy libomp-dev libclang-rt-dev'

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

# as_root COMMAND...
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        command -v sudo >/dev/null 2>&1 || fail "root or sudo is needed for: $*"
        sudo "$@"
    fi
}

# install PACKAGE...: installs those that are missing
install() {
    if ! command -v apt-get >/dev/null 2>&1; then
        fail "this system has no apt-get. Please install the equivalents of these Debian packages, then build with
    cmake --preset release && cmake --build build/release
packages: $*"
    fi
    missing=
    for package in "$@"; do
        installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    say "installing$missing"
    # shellcheck disable=SC2086 # lists of words
    as_root apt-get update -qq &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
        fail "apt-get could not install$missing"
}

# on_display SIZE COMMAND...: runs a command on a virtual display of its own, on which a key that is held does not repeat
on_display() {
    size=$1
    shift
    xvfb-run -a -s "-screen 0 ${size}x24 -noreset -r" "$@"
}

jobs() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# run_tests PRESET [OPTION...]: runs the tests of build/PRESET, with more options of ctest, and prints the ten that took
# longest. There is one more at a time than there are cores, because those of the window mostly wait. More at a time are
# done sooner, but then pictures come too late for some of them.
run_tests() {
    preset=$1
    shift
    status=0
    ctest --preset "$preset" -j "$(($(jobs) + 1))" "$@" || status=$?
    say "the slowest tests of build/$preset [s]:"
    awk '/^[0-9]+\/[0-9]+ Testing: / { name = $3 } /^Test time = / { printf "%8.1f  %s\n", $4, name }' \
        "build/$preset/Testing/Temporary/LastTest.log" | sort -rn | sed -n 1,10p
    return $status
}

# warnings_are_errors COMPILER: the sources have no warnings under GCC 12 and Clang 14. Other compilers may warn of more,
# which must not stop a build.
warnings_are_errors() {
    case $("$1" --version 2>/dev/null | head -n 1) in
    *clang*' 14.'* | *' 12.'*) echo ON ;;
    *) echo OFF ;;
    esac
}

# cache_compiled: CMake, configured after this call, compiles with ccache where it is installed. Files of equal text in
# another clone are not compiled again: paths below this folder count relative to it.
cache_compiled() {
    command -v ccache >/dev/null 2>&1 || return 0
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
}

# build PRESET [TARGET]: configures build/PRESET and builds it, or one target of it, with Ninja where it is installed
build() {
    say "building build/$1"
    cache_compiled
    ! command -v ninja >/dev/null 2>&1 || export CMAKE_GENERATOR=Ninja # of new folders
    case $1 in
    fuzz | tsan) compiler=clang ;;
    *) compiler=cc ;;
    esac
    log=$(cmake --preset "$1" -DBRUME_WERROR="$(warnings_are_errors "$compiler")" 2>&1) || fail "cannot configure build/$1:
$log"
    log=$(cmake --build "build/$1" -j "$(jobs)" --target "${2:-all}" 2>&1) || fail "cannot build build/$1:
$(printf '%s\n' "$log" | tail -n 100)"
}
