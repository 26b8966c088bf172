#!/bin/sh
# scripts/check_install.sh - tries the installed library as a program from outside would.
#
# The installation is complete, with commands and manual pages, and can be removed. C and C++
# programs build by pkg-config and by CMake, with the shared and the static libraries, also those
# that run as two processes. The shared libraries need no development package of the libraries that
# they link. A library built without the optional libraries still works. MPI is left out by itself
# where pkg-config does not know it, and a machine without any library gets one sentence about it.
set -eu

# shellcheck source=scripts/outside_programs.sh
. scripts/outside_programs.sh
prefix=$work/prefix

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
try_shared "$prefix" "$prefix/lib"
build_project examples/cmake "$work/example" "$prefix"
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
