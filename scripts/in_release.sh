#!/bin/sh
# scripts/in_release.sh FOLDER RELEASE PACKAGES COMMAND... - runs a command in a release of Debian.
#
# debootstrap makes FOLDER, which needs root and takes a minute. It is complete when it has the list
# of its packages, and stays for later calls. In it this tree has the same path as outside, and the
# mounts end with the command. The exit status is that of the command, 77 without root, or 125 if
# the folder cannot be made.
set -eu

folder=$1 release=$2 packages=$3
shift 3

if [ "$(id -u)" -ne 0 ] || ! unshare --mount true 2>/dev/null; then
    echo "needs root, for a folder with Debian's $release" >&2
    exit 77
fi
if [ "$(cat "$folder/packages" 2>/dev/null)" != "$packages" ]; then
    mkdir -p "$folder"
    rm -rf "$folder"
    # shellcheck disable=SC2086 # names, one word each
    if ! debootstrap --variant=minbase --include="$(echo $packages | tr ' ' ,)" \
        "$release" "$folder" http://deb.debian.org/debian >"$folder.log" 2>&1; then
        echo "debootstrap cannot make the folder; see $folder.log" >&2
        exit 125
    fi
    echo "$packages" >"$folder/packages"
fi
# shellcheck disable=SC2016 # for the other shell
exec unshare --mount sh -c 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" &&
    mkdir -p "$0$PWD" && mount --bind . "$0$PWD" && exec chroot "$0" env -C "$PWD" "$@"' \
    "$(realpath "$folder")" -u TMPDIR "$@"
