#!/usr/bin/env bash
# Makes what users of Windows download, in dist/, from bin/windows-amd64 and build/lib/windows-amd64, which `make cross` builds: an archive
# and an installer. The same tree and version give the same bytes: every time in them is that of the last commit.
#
#   build/package/windows.sh        from `make package-windows`; CYCLONEDX names cyclonedx-gomod
set -euo pipefail
cd "$(dirname "$0")/../.."
umask 022
export LC_ALL=C.UTF-8 TZ=UTC

SOURCE_DATE_EPOCH=$(build/package/version.sh --epoch)
export SOURCE_DATE_EPOCH
version=$(build/package/version.sh --package)
version=${version//\~/-}
readonly version
numbers=$(build/package/version.sh --numbers)
readonly numbers name=$PWD/dist/voicewright-$version-windows-x64
scratch=$(mktemp -d "$PWD/build/lib/.windows.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
readonly root=$scratch/Voicewright

# text FILE NAME copies a text as editors of Windows show it.
text() { sed 's/$/\r/' "$1" >"$root/$2"; }

mkdir -p "$root" dist
cp bin/windows-amd64/voicewright{,-desktop}.exe build/lib/windows-amd64/onnxruntime/onnxruntime.dll "$root/"
text build/package/windows/README.txt README.txt
text LICENSE LICENSE.txt
text THIRD_PARTY.md THIRD_PARTY.txt
build/package/licences.sh windows-amd64 "$scratch/parts"
text "$scratch/parts/third-party.txt" LICENCES.txt
cp "$scratch/parts/voicewright.cdx.json" "$root/"
chmod 755 "$root"/*.exe
chmod 644 "$root"/*.dll "$root"/*.txt "$root"/*.json
find "$root" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +

rm -f dist/*-windows-x64.zip dist/*-windows-x64-setup.exe
(cd "$scratch" && find Voicewright | sort | zip -q -9 -X "$name.zip" -@)

go run ./build/package ico "$scratch/program.ico"
go run ./build/package types >"$scratch/types.nsh"
cp build/package/windows/*.ns[hi] "$scratch/"
(
	cd "$scratch"
	makensis -V2 -WX -INPUTCHARSET UTF8 -DSTAGE="$scratch" -DVERSION="$version" -DNUMBERS="$numbers" -DOUTPUT="$name-setup.exe" installer.nsi
)
ls -l "$name".zip "$name"-setup.exe
