#!/bin/sh
# scripts/check_headers.sh - each public header, alone, is clean C11 and C++17 for gcc and clang.
set -eu

status=0
for header in include/glnn/*.h; do
    # Twice, to try the include guard.
    text="#include <glnn/${header##*/}>
#include <glnn/${header##*/}>"
    for compiler in 'gcc -x c -std=c11' 'clang -x c -std=c11' \
        'g++ -x c++ -std=c++17' 'clang++ -x c++ -std=c++17'; do
        # shellcheck disable=SC2086 # a compiler and its options, one word each
        if ! echo "$text" | $compiler -Iinclude -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
            -Werror -fsyntax-only -; then
            echo "$header: not clean under $compiler"
            status=1
        fi
    done
done
exit $status
