# shellcheck shell=sh
# scripts/find_tree.sh - what scripts/compare.sh and scripts/check_abi.sh share, which read it with
# `.`: another version, which is a built tree or a git revision.
fail()
{
    echo "$0: $*" >&2
    exit 2
}

# find_tree TREE PATH... - prints the folder of a tree or revision that has these built files. A
# revision is built below build/compare. If it lacks the source of a program, it gets this tree's.
find_tree()
{
    tree=$1
    shift
    if [ ! -d "$tree" ]; then
        commit=$(git rev-parse --verify --quiet "$tree^{commit}") ||
            fail "'$tree' is neither a folder nor a git revision"
        tree=build/compare/$commit
        mkdir -p "$tree"
        [ -f "$tree/Makefile" ] || git archive "$commit" | tar -x -C "$tree"
        for path in "$@"; do
            source=${path#build/}.c
            [ ! -e "$source" ] || git cat-file -e "$commit:$source" 2>/dev/null ||
                cp -p "$source" "$tree/$source"
        done
        (cd "$tree" && make -s -j"$(nproc)" "$@") >&2 || fail "revision $commit cannot be built"
    fi
    for path in "$@"; do
        [ -x "$tree/$path" ] || fail "$tree has no $path: run 'make ${path#build/}' there"
    done
    echo "$tree"
}
