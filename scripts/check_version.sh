#!/bin/sh
# scripts/check_version.sh - all files that name the version agree with include/glnn/base.h, and
# CHANGELOG.md begins with it: "## 0.4.0, unreleased", or with the day of the release.
set -eu
export LC_ALL=C

version=$(scripts/version.sh)
series=${version%.*}
status=0

# has FILE LINE - LINE is a regular expression.
has()
{
    grep -qE "$2" "$1" || {
        echo "$1: a line like '$2' is missing, for version $version of include/glnn/base.h"
        status=1
    }
}

has lib/glnn.map "^GLNN_$series \{$"
has lib/glnn-mpi.map "^GLNN_MPI_$series \{$"
has web/package.json "\"version\": \"$version\""
has examples/cmake/CMakeLists.txt "find_package\(glnn $series "
has tests/install/CMakeLists.txt "find_package\(glnn $series "
day='[0-9]{4}-[0-9]{2}-[0-9]{2}'
if ! grep -m 1 '^## ' CHANGELOG.md | grep -qE "^## $version, (unreleased|$day)$"; then
    echo "CHANGELOG.md: the first section is not that of version $version," \
        "with a day or 'unreleased'"
    status=1
fi
exit $status
