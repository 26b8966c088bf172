# shellcheck shell=sh
# scripts/outside_programs.sh - what scripts/check_install.sh and scripts/check_deb.sh share, which
# read it with `.`: programs from outside of the tree that use an installed library. It sets the
# folder `work` for the programs, which is gone at the end.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=tests/install/outside.c
several=tests/install/several.c

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

build_project()
{
    if ! { cmake -S "$1" -B "$2" -DCMAKE_PREFIX_PATH="$3" &&
        cmake --build "$2"; } >"$work/cmake.log"; then
        cat "$work/cmake.log"
        exit 1
    fi
}

# try_shared PREFIX LIBDIR - with the shared libraries in LIBDIR. No other package is in sight, as
# on a machine without the development packages.
try_shared()
{
    export LD_LIBRARY_PATH="$2"
    flags=$(PKG_CONFIG_LIBDIR="$2/pkgconfig" pkg-config --cflags --libs glnn)
    # shellcheck disable=SC2086 # options, one word each
    {
        build_and_run C gcc -std=c11 -Wall -Wextra -Werror "$source" $flags
        build_and_run C++ g++ -x c++ -std=c++17 -Wall -Wextra -Werror "$source" -x none $flags
    }
    flags=$(PKG_CONFIG_LIBDIR="$2/pkgconfig" pkg-config --cflags --libs glnn-mpi)
    # shellcheck disable=SC2086 # options, one word each
    {
        build_and_run several-C gcc -std=c11 -Wall -Wextra -Werror "$several" $flags
        build_and_run several-C++ g++ -x c++ -std=c++17 -Wall -Wextra -Werror "$several" \
            -x none $flags
    }
    build_project tests/install "$work/cmake" "$1"
    "$work/cmake/shared"
    mpirun -n 2 "$work/cmake/several"
}
