#!/bin/sh
# scripts/get_mnist.sh [--if-needed] [DIR] - downloads the MNIST files into DIR (data/mnist).
# scripts/get_mnist.sh --fashion [DIR]     - downloads Fashion-MNIST into DIR (data/fashion-mnist),
#                                            and writes the names of its classes.
#
# With --if-needed it leaves off where the trainer would find a data set anyway. All four files
# arrive, with the right checksums, or none does.
set -eu

set_name=MNIST
default=data/mnist
classes=
mirrors='https://storage.googleapis.com/cvdf-datasets/mnist
https://ossci-datasets.s3.amazonaws.com/mnist'

files='440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609 train-images-idx3-ubyte.gz
3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c train-labels-idx1-ubyte.gz
8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6 t10k-images-idx3-ubyte.gz
f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6 t10k-labels-idx1-ubyte.gz'

site=https://raw.githubusercontent.com/zalandoresearch/fashion-mnist
fashion_mirrors="$site/master/data/fashion
http://fashion-mnist.s3-website.eu-central-1.amazonaws.com"

fashion='3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84 train-images-idx3-ubyte.gz
a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845 train-labels-idx1-ubyte.gz
346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073 t10k-images-idx3-ubyte.gz
67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5 t10k-labels-idx1-ubyte.gz'

fashion_classes='T-shirt/top
trouser
pullover
dress
coat
sandal
shirt
sneaker
bag
ankle boot'

if [ "${1-}" = --fashion ]; then
    set_name=Fashion-MNIST
    default=data/fashion-mnist
    mirrors=$fashion_mirrors
    files=$fashion
    classes=$fashion_classes
    shift
fi

if_needed=false
if [ "${1-}" = --if-needed ]; then
    if_needed=true
    shift
fi
folder=${1-$default}

has_all()
{
    echo "$files" | while read -r _ name; do
        [ -e "$folder/$name" ] || [ -e "$folder/${name%.gz}" ] || exit 1
    done
}

if $if_needed && { [ -n "${GLNN_DATA_DIR-}" ] || has_all; }; then
    exit 0
fi

fetch()
{
    curl -fsSL --connect-timeout 5 --speed-limit 1000 --speed-time 10 -o "$2" "$1" 2>/dev/null
}

fetch_from_any_mirror()
{
    for mirror in $mirrors; do
        if fetch "$mirror/$2" "$incoming/$2" &&
            echo "$1  $incoming/$2" | sha256sum --check --status; then
            return 0
        fi
    done
    return 1
}

# Next to the folder, so that the files can be renamed into it.
mkdir -p "$folder"
incoming=$(mktemp -d "$folder/incoming.XXXXXX")
cleanup()
{
    rm -rf "$incoming"
    rmdir "$folder" 2>/dev/null || true
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

echo "$files" | while read -r checksum name; do
    if ! fetch_from_any_mirror "$checksum" "$name"; then
        echo "scripts/get_mnist.sh: $set_name cannot be downloaded: no mirror delivers $name" >&2
        exit 1
    fi
done
mv -f "$incoming"/*.gz "$folder"
[ -z "$classes" ] || printf '%s\n' "$classes" >"$folder/classes.txt"
echo "$set_name is in $folder"
