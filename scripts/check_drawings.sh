#!/bin/sh
# scripts/check_drawings.sh [--write] BUILD - the drawings in docs/images, and the table of passes
# in docs/architecture.md, are those that the library's answers make now. `make drawings` makes them
# anew, with --write.
set -eu

write=
[ "$1" != --write ] || { write=1; shift; }
new=$(mktemp -d "${TMPDIR:-/tmp}/glnn-drawings.XXXXXX")
trap 'rm -rf "$new"' EXIT

"$1/docs/drawings/drawings" "$new"
mkdir "$new/docs"
awk -v table="$new/lenet_passes.md" '
    /^<!-- end -->$/ { inside = 0 }
    !inside
    /^<!-- lenet passes -->$/ {
        inside = 1
        while ((getline line < table) > 0)
            print line
    }' docs/architecture.md >"$new/docs/architecture.md"
if [ "$write" ]; then
    cp "$new"/*.svg docs/images
    cp "$new/docs/architecture.md" docs
fi
for old in docs/images/*.svg; do
    [ -e "$new/${old##*/}" ] || { echo "$old is made by no program"; exit 1; }
done
for drawing in "$new"/*.svg "$new/docs/architecture.md"; do
    case $drawing in
    *.md) old=docs/architecture.md ;;
    *) old=docs/images/${drawing##*/} ;;
    esac
    cmp "$drawing" "$old" || {
        echo "The library gives other answers now: run 'make drawings' and look at the drawings."
        exit 1
    }
done
