#!/usr/bin/env bash
# scripts/check_stages.sh - each line of tests/stages.txt names a program that exists, the ways in
# which it is left out or added, and why.
set -euo pipefail

status=0
while read -r name ways reason; do
    case $name in '' | '#'*) continue ;; esac
    if [ ! -e "tests/test_$name.c" ]; then
        echo "tests/stages.txt: there is no tests/test_$name.c"
        status=1
    elif [[ ! ${ways//[()]/} =~ ^(compute|images|compute,images)?,?([+]targets)?$ ]] ||
        [ -z "$ways" ] || [ -z "$reason" ]; then
        echo "tests/stages.txt: $name needs 'compute', 'images' or 'compute,images'," \
            "perhaps in parentheses, or '+targets', or both, and a reason"
        status=1
    fi
done <tests/stages.txt
exit "$status"
