#!/bin/sh
# web/test/check.sh BUILD [RASTERISER...] - runs the tests of the library for browsers in Chromium:
# by Mesa's llvmpipe and by SwiftShader, or by those that are named.
set -eu

build=$1
shift
[ "$#" -gt 0 ] || set -- llvmpipe swiftshader
failed=
for rasteriser in "$@"; do
    echo "== self-test, $rasteriser"
    node web/test/run.mjs "$build" "$rasteriser" selftest ||
        failed="$failed selftest_by_$rasteriser"
    for part in package streams files lost look pages; do
        echo "== $part, $rasteriser"
        WEB_BUILD=$build RASTERISER=$rasteriser node --test "web/test/$part.test.mjs" ||
            failed="$failed ${part}_by_$rasteriser"
    done
done
[ -z "$failed" ] || {
    echo "failed:$failed" >&2
    exit 1
}
