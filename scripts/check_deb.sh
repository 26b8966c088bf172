#!/bin/sh
# scripts/check_deb.sh BUILD - tries the packages of Debian that `make deb` has put into BUILD/deb.
#
# lintian finds no error in them. They can be installed into a folder with a system like this one,
# where dpkg demands the packages that they depend on. Programs from outside are built with them and
# run, and glnn-train runs. dpkg then removes them, and none of their files and folders remains.
set -eu
export LC_ALL=C

packages=$(echo "$1"/deb/*.deb)
libdir=usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
# shellcheck source=scripts/outside_programs.sh
. scripts/outside_programs.sh
root=$work/root

# shellcheck disable=SC2086 # names, one word each
lintian --allow-root --fail-on error --suppress-tags initial-upload-closes-no-bugs $packages

# The packages of this system count as installed there, without their files: dpkg warns of each.
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
cp /var/lib/dpkg/status "$root/var/lib/dpkg/status"
call_dpkg()
{
    PATH=$PATH:/usr/sbin:/sbin fakeroot dpkg --root="$root" --log="$work/dpkg.log" "$@" \
        >"$work/log" 2>&1 || {
        grep -v ' files list file for package ' "$work/log"
        exit 1
    }
}
list_files()
{
    (cd "$root" && find . -path ./var -prune -o -print | sort)
}

list_files >"$work/before"
# shellcheck disable=SC2086 # names, one word each
call_dpkg --install $packages
(cd "$root" && cat var/lib/dpkg/info/*.md5sums | md5sum --check --quiet)
if grep -rlF "$PWD" "$root/usr"; then
    echo "these files name the folder in which they were built"
    exit 1
fi
LD_LIBRARY_PATH=$root/$libdir "$root/usr/bin/glnn-train" --help >/dev/null
export PKG_CONFIG_SYSROOT_DIR="$root"
try_shared "$root/usr" "$root/$libdir"

# shellcheck disable=SC2046 # names, one word each
call_dpkg --purge $(for package in $packages; do dpkg-deb --field "$package" Package; done)
list_files | diff "$work/before" - || {
    echo "dpkg left these files and folders"
    exit 1
}
