#!/bin/sh
# scripts/make_deb.sh FOLDER MODULES MPI_MODULES - makes the packages of Debian.
#
# FOLDER/stage has what `make install` installs below /usr, with libraries in the folder that Debian
# has for this processor. Each of these files goes into one package, and the packages go into
# FOLDER. Their texts are in lib/debian-control.in. MODULES and MPI_MODULES are the libraries that
# the static libraries need, by their names for pkg-config.
#
# DEBFULLNAME and DEBEMAIL name the maintainer. All times are the day of the version in CHANGELOG.md
# or SOURCE_DATE_EPOCH, so that the same files make the same packages.
set -eu
export LC_ALL=C
umask 022

folder=$1
modules=$2
mpi_modules=$3
name=${DEBFULLNAME:-libglnn authors}
maintainer="$name <${DEBEMAIL:-libglnn@example.org}>"
version=$(scripts/version.sh)
series=${version%.*}
libdir=usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
day=$(sed -n "s/^## $version, \([0-9-]*\)$/\1/p" CHANGELOG.md)
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(date -u -d "${day:-now}" +%s)}"

# dpkg-shlibdeps and dpkg-gencontrol want the folder of a source package around them.
rm -rf "$folder/source" "$folder"/*.deb
mkdir -p "$folder/source/debian"
sed -e "s/@SERIES@/$series/" -e "s/@MAINTAINER@/$maintainer/" lib/debian-control.in \
    >"$folder/source/debian/control"
cat >"$folder/source/debian/changelog" <<END
libglnn ($version-1) unstable; urgency=medium

  * Version $version of libglnn; its changes are in changelog.gz.

 -- $maintainer  $(date -uR -d "@$SOURCE_DATE_EPOCH")
END
{
    echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
    echo 'Upstream-Name: libglnn'
    echo
    echo 'Files: *'
    sed -n 's/^Copyright (c)/Copyright:/p' LICENSE
    echo 'License: Expat'
    sed -e '1,/^Copyright/d' LICENSE | sed -e 1d -e 's/^$/./' -e 's/^/ /'
} >"$folder/source/debian/copyright"
cp CHANGELOG.md "$folder/source/changelog"
cd "$folder/source"

# Moves files of the stage into a package.
put()
{
    package=$1
    shift
    for path in "$@"; do
        mkdir -p "debian/$package/$(dirname "$path")"
        mv "../stage/$path" "debian/$package/$path"
    done
}

# Prints the files of the stage that a pattern names.
staged()
{
    (cd ../stage && for path in $1; do [ ! -e "$path" ] || echo "$path"; done)
}

# put_library NAME PATH... - one package has the library that programs load. The other one has its
# other forms and the PATHs, for those who build programs.
put_library()
{
    library=$1
    shift
    # shellcheck disable=SC2046 # names without spaces
    put "$library$series" $(staged "$libdir/$library.so.*")
    put "$library-dev" "$libdir/$library.a" "$libdir/$library.so" "$@"
    chmod 644 "debian/$library$series/$libdir/$library.so.$version"
    mkdir -p "debian/$library$series/DEBIAN"
    echo "$library $series $library$series (>= $version)" \
        >"debian/$library$series/DEBIAN/shlibs"
    echo 'activate-noawait ldconfig' >"debian/$library$series/DEBIAN/triggers"
}

if [ -n "$(staged usr/include/glnn/mpi.h)" ]; then
    put_library libglnn-mpi usr/include/glnn/mpi.h "$libdir/pkgconfig/glnn-mpi.pc"
fi
# shellcheck disable=SC2046 # names without spaces
put_library libglnn usr/include/glnn "$libdir/pkgconfig/glnn.pc" "$libdir/cmake/glnn" \
    usr/share/man/man7 $(staged usr/share/doc/libglnn-dev)
put glnn-tools usr/bin usr/share/man/man1
if find ../stage ! -type d | grep .; then
    echo "scripts/make_deb.sh: these installed files are in none of the packages" >&2
    exit 1
fi

# The packages that have the files of these modules, as a list for a field.
packages_of()
{
    for module in "$@"; do
        dpkg -S "$(realpath "$(pkg-config --variable=pcfiledir "$module")/$module.pc")" 2>/dev/null
    done | sed 's/:.*//' | sort -u | paste -sd, | sed 's/,/, /g'
}

for package in debian/*/; do
    package=$(basename "$package")
    tree=debian/$package
    case $package in
    libglnn-mpi-dev) static=$mpi_modules ;;
    libglnn-dev) static=$modules ;;
    *) static= ;;
    esac
    docs=$tree/usr/share/doc/$package
    mkdir -p "$docs" "$tree/DEBIAN"
    cp debian/copyright "$docs/copyright"
    gzip -9nc debian/changelog >"$docs/changelog.Debian.gz"
    gzip -9nc changelog >"$docs/changelog.gz"
    find "$tree/usr" -path '*/man/man*' -type f -exec gzip -9n {} +
    find "$tree/usr" -name '*.a' -exec strip --strip-debug --enable-deterministic-archives {} +
    loaded=$(find "$tree/usr" -type f \( -name '*.so.*' -o -path '*/usr/bin/*' \))
    if [ -n "$loaded" ]; then
        # shellcheck disable=SC2086 # names without spaces
        strip --strip-unneeded --remove-section=.comment --remove-section=.note $loaded
        # shellcheck disable=SC2086
        dpkg-shlibdeps --warnings=0 "-T$tree.substvars" $loaded
    fi
    # shellcheck disable=SC2086 # names, one word each
    dpkg-gencontrol "-p$package" "-P$tree" "-T$tree.substvars" \
        "-Vstatic:Recommends=$(packages_of $static)"
    (cd "$tree" && find usr -type f | sort | xargs md5sum >DEBIAN/md5sums)
    dpkg-deb --root-owner-group --build "$tree" .. >/dev/null
done
