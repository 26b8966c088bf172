#!/bin/sh
# scripts/check_layers.sh - no folder of lib/ includes a higher layer of lib/layers.txt, only gl
# names OpenGL's headers, and public headers include each other and the C library alone.
set -eu
export LC_ALL=C

awk '
function complain(sentence) {
    printf "%s:%d: %s\n", FILENAME, FNR, sentence
    failed = 1
}

FILENAME == "lib/layers.txt" {
    if ($0 !~ /^#/ && NF)
        height[$1] = ++layers
    next
}

FNR == 1 {
    split(FILENAME, path, "/")
    folder = path[1] == "lib" ? path[2] : ""
    if (folder && !(folder in height))
        complain("lib/" folder " is not in lib/layers.txt")
}

/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    match($0, /["<][^">]*/)
    kind = substr($0, RSTART, 1)
    name = substr($0, RSTART + 1, RLENGTH - 1)
    split(name, part, "/")
    if (folder && kind == "\"") {
        if (!(part[1] in height))
            complain("\"" name "\" does not start with a folder of lib/")
        else if (height[part[1]] > height[folder])
            complain(folder " may not include " part[1] ", a higher layer")
    }
    if (name ~ /^(GL|EGL|GLFW|KHR|X11)\// && folder != "gl")
        complain("<" name "> may be included in lib/gl alone")
    if (!folder && name !~ /^glnn\/|^std(arg|bool|def|int)\.h$/)
        complain("<" name "> does not belong in a public header")
}

END { exit failed }
' lib/layers.txt include/glnn/*.h lib/*/*.[ch]

for header in include/glnn/*.h; do
    name=glnn/${header##*/}
    if [ "$name" != glnn/glnn.h ] && ! grep -q "^#include <$name>" include/glnn/glnn.h; then
        echo "include/glnn/glnn.h: does not include <$name>"
        exit 1
    fi
done
