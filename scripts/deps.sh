#!/bin/sh
# scripts/deps.sh NEED - installs the Debian packages that are missing for it: build, mnist, window,
# mpi, check, fuzz, drivers, bench, docs, deb, release, web or check_web.
#
# Says nothing and takes no time when all is there, however it got there: programs, headers and
# libraries are looked for, not packages.
set -eu

usage()
{
    echo "usage: scripts/deps.sh" \
        "build|mnist|window|mpi|check|fuzz|drivers|bench|docs|deb|release|web|check_web" >&2
    exit 2
}

# One line a need: how to look for it, what to look for, the package that brings it.
needs_build='
program gcc gcc
program make make
program pkg-config pkg-config
header stdio.h libc6-dev
module egl libegl-dev
module gl libgl-dev
module glew libglew-dev
module glfw3 libglfw3-dev
module cglm libcglm-dev
module zlib zlib1g-dev
module libpng libpng-dev
module sndfile libsndfile1-dev
module lapacke liblapacke-dev
library libEGL.so.1 libegl1
driver libEGL_mesa.so.0 libegl-mesa0
driver swrast_dri.so libgl1-mesa-dri
'
needs_mnist='
program curl curl
file /etc/ssl/certs/ca-certificates.crt ca-certificates
'
needs_window='
program g++ g++
module imgui libimgui-dev
module sdl2 libsdl2-dev
font DejaVuSans.ttf fonts-dejavu-core
'
needs_mpi='
module mpi-c libopenmpi-dev
program mpirun openmpi-bin
'
needs_check='
module cmocka libcmocka-dev
module epoxy libepoxy-dev
module openblas libopenblas-dev
module xtst libxtst-dev
program clang clang
program clang-format clang-format
program glslangValidator glslang-tools
program Xvfb xvfb
program cmake cmake
program python3 python3
file /usr/share/i18n/locales/de_DE locales
'
needs_fuzz='
module cmocka libcmocka-dev
program clang clang
runtime libclang_rt.fuzzer libclang-rt-dev
program llvm-cov llvm
program python3 python3
'
needs_bench='
module openblas libopenblas-dev
program gnuplot gnuplot-nox
program python3 python3
'
needs_docs='
program doxygen doxygen
program python3 python3
'
needs_deb='
program dpkg-shlibdeps dpkg-dev
'
needs_release='
program fakeroot fakeroot
program lintian lintian
program abidiff abigail-tools
'
needs_drivers='
library libvulkan_lvp.so mesa-vulkan-drivers
program virgl_test_server virgl-server
file /usr/sbin/debootstrap debootstrap
'
needs_web='
program make make
program pkg-config pkg-config
program emcc emscripten
module cglm libcglm-dev
'
needs_check_web='
program chromium chromium
program node nodejs
program npm npm
driver swrast_dri.so libgl1-mesa-dri
'
needs_check=$needs_window$needs_mpi$needs_check$needs_docs

case ${1-} in
build) needs=$needs_build ;;
mnist) needs=$needs_build$needs_mnist ;;
window) needs=$needs_build$needs_mnist$needs_window ;;
mpi) needs=$needs_build$needs_mpi ;;
check) needs=$needs_build$needs_check ;;
fuzz) needs=$needs_build$needs_fuzz ;;
drivers) needs=$needs_build$needs_check$needs_drivers ;;
bench) needs=$needs_build$needs_bench ;;
docs) needs=$needs_docs ;;
deb) needs=$needs_build$needs_deb ;;
release) needs=$needs_build$needs_check$needs_deb$needs_release ;;
web) needs=$needs_web ;;
check_web) needs=$needs_web$needs_check_web ;;
*) usage ;;
esac

exists()
{
    for candidate in "$@"; do
        [ ! -e "$candidate" ] || return 0
    done
    return 1
}

has_library()
{
    exists /usr/lib/*/"$1" /usr/lib/"$1" /usr/lib64/"$1" /usr/local/lib/"$1"
}

present()
{
    case $1 in
    program) command -v "$2" >/dev/null 2>&1 ;;
    module) pkg-config --exists "$2" 2>/dev/null ;;
    file) exists "$2" ;;
    header) exists /usr/include/"$2" /usr/include/*/"$2" ;;
    font) exists /usr/share/fonts/*/"$2" /usr/share/fonts/*/*/"$2" ;;
    library) has_library "$2" ;;
    # A library of clang's sanitizers; there is a file for each kind of processor.
    runtime) exists /usr/lib/llvm-*/lib/clang/*/lib/*/"$2"* ;;
    # Mesa is what a machine without a GPU computes with; another vendor's driver will do as well.
    driver) has_library "$2" || has_library "dri/$2" || has_library libEGL_nvidia.so.0 ;;
    esac
}

missing()
{
    echo "$needs" | while read -r kind name package; do
        [ -z "$kind" ] || present "$kind" "$name" || printf '%s ' "$package"
    done
}

packages=$(missing)
packages=${packages% }
[ -n "$packages" ] || exit 0

command_line="apt-get install --no-install-recommends $packages"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "scripts/deps.sh: missing (names of Debian's packages): $packages" >&2
    echo "Install what corresponds to them here, then run this again." >&2
    exit 1
fi

if [ "$(id -u)" -eq 0 ]; then
    root=
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    root=sudo
else
    echo "scripts/deps.sh: missing: $packages" >&2
    echo "Run this as root, then try again: $command_line" >&2
    exit 1
fi

apt()
{
    $root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 "$@"
}

echo "Installing: $packages"
apt update || echo "scripts/deps.sh: the package lists could not be updated; going on" >&2
# shellcheck disable=SC2086 # a list of packages, one word each
if ! apt install --no-install-recommends $packages; then
    echo "scripts/deps.sh: this failed: $command_line" >&2
    exit 1
fi

packages=$(missing)
if [ -n "$packages" ]; then
    echo "scripts/deps.sh: installed, and still not found: $packages" >&2
    exit 1
fi
