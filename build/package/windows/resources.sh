#!/usr/bin/env bash
# Writes resources_windows_amd64.syso, which Go links into the programs for Windows: icon, version and manifest. The same tree and version
# give the same bytes.
#
#   build/package/windows/resources.sh      from build/cross.sh
set -euo pipefail
cd "$(dirname "$0")/../../.."

readonly stage=build/lib/windows-amd64/resources result=resources_windows_amd64.syso
version=$(build/package/version.sh) numbers=$(build/package/version.sh --numbers)
mkdir -p "$stage"
for file in program.rc program.manifest; do
	sed -e "s/@VERSION@/$version/" -e "s/@NUMBERS@/$numbers/" -e "s/@COMMAS@/${numbers//./,}/" "build/package/windows/$file" >"$stage/$file"
done
go run ./build/package ico "$stage/program.ico"
x86_64-w64-mingw32-windres --include-dir="$stage" --output-format=coff -o "$stage/$result" "$stage/program.rc"
cmp -s "$stage/$result" "$result" || cp "$stage/$result" "$result" # another time would have Go link again
