#!/bin/sh
# scripts/check_layers.sh BUILD - checks which files include and call which.
#
# No room of lib/ includes a higher one of lib/rooms.txt, and no files include or call each other in
# a circle. Only gl includes OpenGL's headers, and of its files only lib/gl/egl* those of EGL and
# GLX, and only lib/gl/web those of Emscripten. Only dist includes those of MPI. dist is a library
# of its own, so it includes no other room but base, of which it has copies. Headers of the system
# that C does not have belong in lib/base/posix, lib/base/thread.h and dist. Files of io include
# functions of templates/ that exports have too. Public headers include each other and the C library
# alone. <glnn/glnn.h> includes all of them but that of dist. A module
# is a header and the C files of the same name. A circle is a chain of modules of which each
# includes the next one and the last one the first.
set -eu
export LC_ALL=C
build=${1:-build}

awk '
BEGIN {
    c = "(assert|ctype|errno|float|inttypes|limits|locale|math|setjmp|signal|stdalign|stdarg|" \
        "stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|time)"
    libraries = "(cglm/cglm|lapacke|png|sndfile|zlib)"
    portable = "^glnn/|^" c "\\.h$|^" libraries "\\.h$"
}

function complain(place, sentence) {
    printf "%s: %s\n", place, sentence
    failed = 1
}

# A header that is not one of lib/.
function check_foreign(name) {
    if (name ~ /^(EGL|KHR|X11)\/|^GL\/glx/) {
        if (FILENAME !~ /^lib\/gl\/egl/)
            complain(place, "<" name "> may be included in lib/gl/egl*.c alone")
    } else if (name ~ /^emscripten(\/|\.h$)/) {
        if (FILENAME !~ /^lib\/gl\/web\//)
            complain(place, "<" name "> may be included in lib/gl/web alone")
    } else if (name ~ /^(GL|GLFW)\//) {
        if (room != "gl")
            complain(place, "<" name "> may be included in lib/gl alone")
    } else if (name == "mpi.h") {
        if (room != "dist")
            complain(place, "<" name "> may be included in lib/dist alone")
    } else if (name !~ portable && FILENAME !~ /^lib\/(base\/posix\/|base\/thread\.h|dist\/)/)
        complain(place, "<" name "> is not a header of C; only lib/base/posix, " \
            "lib/base/thread.h and lib/dist may include those of the system")
}

# Follows the includes from a module; `path` are the modules on the way to it.
function visit(module, path,    i, next_ones, count) {
    if (state[module] == "done")
        return
    if (state[module] == "open") {
        sub(".* " module " -> ", module " -> ", path)
        complain("lib", "a circle of includes: " path module)
        return
    }
    state[module] = "open"
    count = split(includes[module], next_ones, " ")
    for (i = 1; i <= count; ++i)
        visit(next_ones[i], path module " -> ")
    state[module] = "done"
}

FILENAME == "lib/rooms.txt" {
    if ($0 !~ /^#/ && NF)
        height[$1] = ++rooms
    next
}

FNR == 1 {
    split(FILENAME, path, "/")
    room = path[1] == "lib" ? path[2] : ""
    module = substr(FILENAME, 5)
    sub(/\.[ch]$/, "", module)
    if (room && !(room in height))
        complain(FILENAME, "lib/" room " is not in lib/rooms.txt")
}

/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    place = FILENAME ":" FNR
    match($0, /["<][^">]*/)
    kind = substr($0, RSTART, 1)
    name = substr($0, RSTART + 1, RLENGTH - 1)
    split(name, part, "/")
    if (room == "io" && name ~ /^\.\.\/templates\/[a-z_]*\.c$/)
        next
    if (room && kind == "\"") {
        if (!(part[1] in height))
            complain(place, "\"" name "\" does not start with a room of lib/")
        else if (height[part[1]] > height[room])
            complain(place, room " may not include " part[1] ", a higher room")
        else if (room == "dist" && part[1] != room && part[1] != "base")
            complain(place, "dist may include public headers, files of its own and base alone")
        sub(/\.h$/, "", name)
        if (name != module)
            includes[module] = includes[module] " " name
        modules[module]
    } else if (room)
        check_foreign(name)
    else if (name !~ /^glnn\/|^std(arg|bool|def|int)\.h$/)
        complain(place, "<" name "> does not belong in a public header")
}

END {
    for (module in modules)
        visit(module, " ")
    exit failed
}
' lib/rooms.txt include/glnn/*.h $(find lib -name '*.[ch]' | sort)

for header in include/glnn/*.h; do
    name=glnn/${header##*/}
    if [ "$name" != glnn/glnn.h ] && [ "$name" != glnn/mpi.h ] &&
        ! grep -q "^#include <$name>" include/glnn/glnn.h; then
        echo "include/glnn/glnn.h: does not include <$name>"
        exit 1
    fi
done

# Files call each other in a circle if one calls a function, or reads a variable, of another one,
# this one of a third, and so on until the first. tsort names the files of such a circle.
objects=
for source in $(find lib -name '*.c' | sort); do
    object=$build/obj/${source%.c}.o
    [ ! -e "$object" ] || objects="$objects $object"
done
# shellcheck disable=SC2086 # the names have no spaces
nm -A $objects | awk '
    {
        file = $1
        sub(/:.*/, "", file)
        sub(/.*\/obj\/lib\//, "", file)
        sub(/\.o$/, ".c", file)
        if ($(NF - 1) == "U")
            uses[file, $NF] = 1
        else if ($(NF - 1) ~ /^[TDRBC]$/)
            home[$NF] = file
    }
    END {
        for (use in uses) {
            split(use, part, SUBSEP)
            if (part[2] in home && home[part[2]] != part[1])
                print part[1], home[part[2]]
        }
    }' | sort -u | tsort >/dev/null || {
    echo "lib: these files call each other in a circle"
    exit 1
}
