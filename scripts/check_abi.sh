#!/bin/sh
# scripts/check_abi.sh [VERSION] - compares the shared libraries in build/ with those of another
# version, which is a git revision or a built tree.
#
# Without a name it is the last tag, if there is one. abidiff prints what has changed for programs
# that were built with the other version. They load this library only if its soname is the same.
# Then it may have more functions, and every other change is an error.
set -eu
export LC_ALL=C

# shellcheck source=scripts/find_tree.sh
. scripts/find_tree.sh

base=${1:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
if [ -z "$base" ]; then
    echo 'There is no tag to compare with.'
    exit 0
fi
libraries=$(ls build/libglnn.so build/libglnn-mpi.so 2>/dev/null || true)
# shellcheck disable=SC2086 # names of files, one word each
old=$(find_tree "$base" $libraries)

soname_of()
{
    readelf -d "$1" | sed -n 's/.*SONAME.*\[\(.*\)\]$/\1/p'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The headers of abidw are known by their names alone, which files of lib/ have too.
cat >"$work/suppressions" <<'END'
[suppress_type]
    source_location_not_regexp = include/glnn/
END

# The symbols of a library carry the numbers of its soname. In the description of the other library
# they become those of this one, or all functions would be new.
describe()
{
    abidw --headers-dir "$1/include/glnn" --drop-private-types "$1/$library" |
        sed -E "/ (version|soname|elf-symbol-id)=/s/([._])${former##*.so.}'/\\1${soname##*.so.}'/g"
}

# The status of abidiff is a sum: 1 and 2 are failures of its own, 4 and 8 are changes.
compare()
{
    changes=0
    abidiff --suppressions "$work/suppressions" "$@" "$work/old.abi" "$work/new.abi" || changes=$?
    [ $((changes & 3)) -eq 0 ] || fail "abidiff cannot compare $old/$library with $library"
}

status=0
for library in $libraries; do
    former=$(soname_of "$old/$library")
    soname=$(soname_of "$library")
    echo "$library: $soname, in $base $former"
    describe "$old" >"$work/old.abi"
    describe . >"$work/new.abi"
    compare --leaf-changes-only
    [ "$soname" = "$former" ] || continue
    compare --no-added-syms >/dev/null
    if [ "$changes" -ne 0 ]; then
        echo "$library changes for programs that load $soname"
        status=1
    fi
done
exit $status
