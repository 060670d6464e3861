#!/usr/bin/env bash
# Makes the packages twice from the last commit, in two clones with different paths, times, locales and rights of new files, and compares
# what came out byte for byte. What `make` installed is copied: the tools, the libraries in build/lib and the packages of the page. The
# page, the programs and the packages are built, in the second clone with an empty cache of Go.
#
#   build/package/reproducible.sh        from `make package-reproducible`
set -euo pipefail
cd "$(dirname "$0")/../.."

commit=$(git rev-parse HEAD)
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT

# build CLONE [VARIABLE=VALUE...] makes the packages in a clone.
build() {
	local folder
	git clone --quiet --no-checkout --no-hardlinks . "$1"
	git -C "$1" checkout --quiet --detach "$commit"
	mkdir -p "$1/build/lib" "$1/frontend"
	for folder in build/lib/{bin,onnxruntime,linux-*,windows-*}; do
		[ ! -d "$folder" ] || cp -a "$folder" "$1/build/lib/"
	done
	cp -a frontend/node_modules "$1/frontend/"
	touch "$1/frontend/node_modules/.package-lock.json" # newer than the lock file of the clone
	env "${@:2}" make -C "$1" package
}

first=$scratch/one
second="$scratch/another place/two"
mkdir -p "${second%/*}"
build "$first" TZ=Asia/Tokyo LC_ALL=C
(umask 077 && build "$second" TZ=America/Lima LC_ALL=C.UTF-8 GOCACHE="$scratch/cache")
diff -r "$first/dist" "$second/dist" || {
	echo 'The two builds differ.' >&2
	exit 1
}
echo "$(find "$first/dist" -type f | wc -l) files are equal in both builds."
