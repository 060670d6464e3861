#!/usr/bin/env bash
# Writes what the programs of a platform consist of, from bin/TARGET, build/lib/TARGET and the packages of the page:
#
#   FOLDER/voicewright.cdx.json   the bill of materials, in the format CycloneDX
#   FOLDER/third-party.txt        the texts of all licences
#   FOLDER/copyright              who holds the rights in each part, as Debian writes it
#
#   build/package/licences.sh TARGET FOLDER        CYCLONEDX names cyclonedx-gomod, from `make`
set -euo pipefail
cd "$(dirname "$0")/../.."

target=$1 folder=$2
version=$(build/package/version.sh --package)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mkdir -p "$folder"
# The modules that the linker put into each program, and the standard library. Go's cache stands in for the proxy, so that nobody is
# asked for this tree, which no proxy has.
go version -m "bin/$target"/voicewright* | awk '$1 == "dep" { print $2 "@" $3 }' | LC_ALL=C sort -u | xargs go mod download
proxy=file://$(go env GOMODCACHE)/cache/download
for program in "bin/$target"/voicewright*; do
	GOFLAGS=-mod=mod GOPROXY="$proxy" GONOSUMDB="*" "$CYCLONEDX" bin -json -licenses -assert-licenses -noserial -notimestamp -std -version "$version" \
		-output "$scratch/${program##*/}.json" "$program" 2>"$scratch/log" || {
		cat "$scratch/log" >&2
		exit 1
	}
done
# What Debian's compiler for Windows and the maker of the installer put in.
if [[ $target = windows-* ]]; then
	cp build/package/parts-windows.json "$scratch/windows.json"
	for package in mingw-w64-common gcc-mingw-w64-base nsis-common; do
		sed -i "s/@$package@/$(dpkg-query -W -f '${Version}' "$package")/g" "$scratch/windows.json"
	done
fi
(cd frontend && npm sbom --sbom-format cyclonedx --omit dev --package-lock-only) >"$scratch/page.json"
go run ./build/package sbom "$version" "$folder/voicewright.cdx.json" "$scratch"/*.json
go run ./build/package notices "$target" "$folder/voicewright.cdx.json" "$folder/third-party.txt" "$folder/copyright"
