#!/bin/sh
# scripts/make_docs.sh BUILD - makes the reference pages, BUILD/reference/html.
#
# Fails if Doxygen has a warning or docs/reference/check_pages.py a complaint.
set -eu
export LC_ALL=C.UTF-8

to=$1/reference
version=$(scripts/version.sh)

# A page for each example; the first sentence of the comment at its head describes it.
list_examples()
{
    find examples \( -name '*.c' -o -name '*.cpp' \) ! -path 'examples/common/*' \
        ! -path 'examples/window/*' \
        \( ! -path 'examples/train/*' -o -name main.c \) | sort | while read -r file; do
        awk -v name="${file#examples/}" '
        NR == 1 { sub(/^\/[*\/]+ *[^ ]* - /, "") }
        {
            sub(/^(\/[*\/]+| \*) ?/, "")
            text = text (NR > 1 ? " " : "") $0
        }
        text ~ /\.( |$)|\*\// || NR == 9 { exit }
        END {
            sub(/(\. | *\*\/).*/, "", text)
            sub(/\.$/, "", text)
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

rm -rf "$to"
mkdir -p "$to"
list_examples >"$to/examples.dox"
configure | doxygen - 2>"$to/warnings"
if [ -s "$to/warnings" ]; then
    sed "s|^$PWD/||" "$to/warnings"
    exit 1
fi
docs/reference/check_pages.py "$to/html"
