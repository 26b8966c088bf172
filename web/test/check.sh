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
    echo "== package, $rasteriser"
    WEB_BUILD=$build RASTERISER=$rasteriser node --test web/test/package.test.mjs ||
        failed="$failed package_by_$rasteriser"
    echo "== look inside, $rasteriser"
    WEB_BUILD=$build RASTERISER=$rasteriser node --test web/test/look.test.mjs ||
        failed="$failed look_by_$rasteriser"
    echo "== pages, $rasteriser"
    WEB_BUILD=$build RASTERISER=$rasteriser node --test web/test/pages.test.mjs ||
        failed="$failed pages_by_$rasteriser"
done
[ -z "$failed" ] || {
    echo "failed:$failed" >&2
    exit 1
}
