#!/bin/sh
# scripts/make_docs.sh BUILD - makes the reference pages, BUILD/reference/html.
#
# Fails if Doxygen has a warning, if an enumerator has no comment or if a link of the pages leads
# nowhere.
set -eu
export LC_ALL=C.UTF-8

to=$1/reference
version=$(awk '/^#define GLNN_VERSION/ { v = v "." $3 } END { print substr(v, 2) }' \
    include/glnn/base.h)

# A page for each example; the first sentence of the comment at its head describes it.
list_examples()
{
    find examples \( -name '*.c' -o -name '*.cpp' \) ! -path 'examples/common/*' \
        ! -path 'examples/train/*' | sort | while read -r file; do
        awk -v name="${file#examples/}" '
        NR == 1 { sub(/^\/[*\/]+ *[^ ]* - /, "") }
        {
            sub(/^(\/[*\/]+| \*) ?/, "")
            text = text (NR > 1 ? " " : "") $0
        }
        text ~ /[.:]( |$)|\*\// || NR == 9 { exit }
        END {
            sub(/([.:] | *\*\/).*/, "", text)
            sub(/[.:]$/, "", text)
            print "/** @example " name
            print " * @details " toupper(substr(text, 1, 1)) substr(text, 2) ". */\n"
        }' "$file"
    done
}

configure()
{
    cat docs/reference/Doxyfile
    echo "PROJECT_NUMBER = $version"
    echo "OUTPUT_DIRECTORY = $to"
    echo "INPUT += $to/examples.dox"
    find docs -type d | sed 's/^/IMAGE_PATH += /'
}

# Doxygen leaves enumerators without a comment out, and says nothing.
find_enumerators_left_out()
{
    sed -n 's/^    \(GLNN_[A-Z0-9_]*\)\( =.*\|,.*\| .*\|\)$/\1/p' include/glnn/*.h |
        grep -v '_COUNT$' | while read -r name; do
        grep -q "</a>$name&#160;" "$to"/html/group__*.html ||
            echo "$name: the enumerator has no comment"
    done
}

rm -rf "$to"
mkdir -p "$to"
list_examples >"$to/examples.dox"
configure | doxygen - 2>"$to/warnings"
if [ -s "$to/warnings" ]; then
    sed "s|^$PWD/||" "$to/warnings"
    exit 1
fi
left_out=$(find_enumerators_left_out)
if [ -n "$left_out" ]; then
    echo "$left_out"
    exit 1
fi
docs/reference/check_links.py "$to/html"
