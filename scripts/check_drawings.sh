#!/bin/sh
# scripts/check_drawings.sh BUILD - the drawings in docs/images are those that the library's answers
# make now; `make drawings` makes them anew.
set -eu

new=$(mktemp -d "${TMPDIR:-/tmp}/glnn-drawings.XXXXXX")
trap 'rm -rf "$new"' EXIT

"$1/docs/drawings/drawings" "$new"
for old in docs/images/*.svg; do
    [ -e "$new/${old##*/}" ] || { echo "$old is made by no program"; exit 1; }
done
for drawing in "$new"/*.svg; do
    cmp "$drawing" "docs/images/${drawing##*/}" || {
        echo "The library gives other answers now: run 'make drawings' and look at the drawings."
        exit 1
    }
done
