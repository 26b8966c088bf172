#!/bin/sh
# scripts/check_install.sh - what is installed is complete, can be taken away again, and builds C
# and C++ programs by `pkg-config --cflags --libs glnn` alone, with the shared library and the
# static one.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=tests/install/outside.c
prefix=$work/prefix

build_and_run()
{
    name=$1
    shift
    if ! { "$@" -o "$work/$name" && "$work/$name"; }; then
        echo "the $name program does not build or does not run: $*"
        exit 1
    fi
}

make -s install DESTDIR="$work/stage" PREFIX=/usr
if grep -rlF "$work" "$work/stage"; then
    echo "these files name the staging folder"
    exit 1
fi
make -s uninstall DESTDIR="$work/stage" PREFIX=/usr
if find "$work/stage" ! -type d | grep .; then
    echo "make uninstall left these files"
    exit 1
fi

make -s install DESTDIR= PREFIX="$prefix"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
flags=$(pkg-config --cflags --libs glnn)
# shellcheck disable=SC2086 # options, one word each
{
    export LD_LIBRARY_PATH="$prefix/lib"
    build_and_run C gcc -std=c11 -Wall -Wextra -Werror "$source" $flags
    build_and_run C++ g++ -x c++ -std=c++17 -Wall -Wextra -Werror "$source" -x none $flags

    rm "$prefix"/lib/libglnn.so*
    flags=$(pkg-config --static --cflags --libs glnn)
    unset LD_LIBRARY_PATH
    build_and_run static-C gcc -std=c11 "$source" $flags
    build_and_run static-C++ g++ -x c++ -std=c++17 "$source" -x none $flags
}
