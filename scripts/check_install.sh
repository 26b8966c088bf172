#!/bin/sh
# scripts/check_install.sh - tries the installed library as a program from outside would.
#
# The installation is complete, with commands and manual pages, and can be removed. C and C++
# programs build by pkg-config and by CMake, with the shared and the static libraries, also those
# that run as two processes. The shared libraries need no development package of the libraries that
# they link. A library built without the optional libraries still works. MPI is left out by itself
# where pkg-config does not know it, and a machine without any library gets one sentence about it.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=tests/install/outside.c
several=tests/install/several.c
prefix=$work/prefix

# The processes are more than the cores, perhaps, and perhaps run by root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Of Open MPI up to 4, and from 5 on.
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
# They are on one host. To look for the networks of libfabric takes longer than all else they do.
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=^ofi

build_and_run()
{
    name=$1
    shift
    case $name in
    several*) launcher='mpirun -n 2' ;;
    *) launcher= ;;
    esac
    # shellcheck disable=SC2086 # a command and its arguments, one word each
    if ! { "$@" -o "$work/$name" && $launcher "$work/$name"; }; then
        echo "the $name program does not build or does not run: $*"
        exit 1
    fi
}

staged="DESTDIR=$work/stage PREFIX=/usr LIBDIR=/usr/lib/other"
# shellcheck disable=SC2086 # one word each
make -s install $staged
if grep -rlF "$work" "$work/stage"; then
    echo "these files name the staging folder"
    exit 1
fi
if [ ! -e "$work/stage/usr/lib/other/libglnn.so" ] || [ -e "$work/stage/usr/lib/pkgconfig" ]; then
    echo "make install does not obey LIBDIR"
    exit 1
fi
for page in man1/glnn-train.1 man7/glnn.7; do
    command=$(basename "${page%.*}")
    if ! grep -qi "^.TH $command " "$work/stage/usr/share/man/$page" ||
        { [ "$command" != glnn ] && ! "$work/stage/usr/bin/$command" --help >/dev/null; }; then
        echo "$command does not run, or its manual page does not name it"
        exit 1
    fi
done
# shellcheck disable=SC2086 # one word each
make -s uninstall $staged
if find "$work/stage" ! -type d -o -name glnn | grep .; then
    echo "make uninstall left these files and folders"
    exit 1
fi

make -s install DESTDIR= PREFIX="$prefix"
export LD_LIBRARY_PATH="$prefix/lib"
# No other package is in sight, as on a machine without the development packages.
flags=$(PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" pkg-config --cflags --libs glnn)
# shellcheck disable=SC2086 # options, one word each
{
    build_and_run C gcc -std=c11 -Wall -Wextra -Werror "$source" $flags
    build_and_run C++ g++ -x c++ -std=c++17 -Wall -Wextra -Werror "$source" -x none $flags
}
flags=$(PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" pkg-config --cflags --libs glnn-mpi)
# shellcheck disable=SC2086 # options, one word each
{
    build_and_run several-C gcc -std=c11 -Wall -Wextra -Werror "$several" $flags
    build_and_run several-C++ g++ -x c++ -std=c++17 -Wall -Wextra -Werror "$several" -x none $flags
}

cmake -S tests/install -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log" &&
    cmake --build "$work/cmake" >>"$work/cmake.log" || {
    cat "$work/cmake.log"
    exit 1
}
"$work/cmake/shared"
mpirun -n 2 "$work/cmake/several"

cmake -S examples/cmake -B "$work/example" -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log" &&
    cmake --build "$work/example" >>"$work/cmake.log" || {
    cat "$work/cmake.log"
    exit 1
}
"$work/example/product" | grep -q ': 58 64 139 154$'

rm "$prefix"/lib/libglnn*.so*
unset LD_LIBRARY_PATH
"$work/cmake/static"
flags=$(PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" pkg-config --static --cflags --libs glnn)
# shellcheck disable=SC2086 # options, one word each
{
    build_and_run static-C gcc -std=c11 "$source" $flags
    build_and_run static-C++ g++ -x c++ -std=c++17 "$source" -x none $flags
}
flags=$(PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" pkg-config --static --cflags --libs glnn-mpi)
# shellcheck disable=SC2086 # options, one word each
build_and_run several-static-C gcc -std=c11 "$several" $flags

reduced=$work/reduced
cat >"$work/pkg-config" <<'EOF'
#!/bin/sh
case " $* " in *' mpi-c '*) exit 1 ;; esac
exec pkg-config "$@"
EOF
chmod +x "$work/pkg-config"
make install WITHOUT='glfw lapack png sndfile imgui sdl2' PKG_CONFIG="$work/pkg-config" DESTDIR= \
    PREFIX="$reduced" >"$work/make.log" || {
    cat "$work/make.log"
    exit 1
}
if ! grep -q 'libglnn-mpi is not built without MPI' "$work/make.log"; then
    echo "make does not say that it builds without MPI"
    exit 1
fi
if ldd "$reduced"/lib/libglnn.so | grep -E 'glfw|lapack|libpng|sndfile'; then
    echo "a library built without these libraries links them"
    exit 1
fi
if find "$reduced" -name '*mpi*' | grep . ||
    ! LD_LIBRARY_PATH="$reduced/lib" "$reduced/bin/glnn-train" --data tests --distributed 2>&1 |
        grep -q 'built without MPI'; then
    echo "libglnn-mpi is there without MPI, or glnn-train does not say that it was built without it"
    exit 1
fi
flags=$(PKG_CONFIG_LIBDIR="$reduced/lib/pkgconfig" pkg-config --cflags --libs glnn)
# shellcheck disable=SC2086 # options, one word each
LD_LIBRARY_PATH="$reduced/lib" build_and_run without gcc -std=c11 tests/install/without.c $flags

if make -s PKG_CONFIG="$work/absent" build/options >"$work/make.log" 2>&1 ||
    [ "$(grep -cv '^make' "$work/make.log")" -ne 1 ] ||
    ! grep -q 'needs: .*/absent cglm egl .* scripts/deps.sh build installs' "$work/make.log"; then
    cat "$work/make.log"
    echo "make does not name the missing packages in one sentence"
    exit 1
fi
