#!/usr/bin/env bash
# Runs every test that compares with a reference implementation, on the kits in a folder (see enginetest.Parity): build/parity.sh
# FOLDER [FLAGS of go test]. With an empty FOLDER they use the copies in testdata.
set -euo pipefail
cd "$(dirname "$0")/.."

kits=$1
shift
if [ -n "$kits" ]; then
	[ -d "$kits" ] || { echo "There is no folder $kits. Give that of the kits: make parity PARITY=DIR" >&2; exit 1; }
	VOICEWRIGHT_PARITY=$(cd "$kits" && pwd)
	export VOICEWRIGHT_PARITY
else
	unset VOICEWRIGHT_PARITY
fi

# The tests that call Parity, as package and name.
found=$(grep -rl --include='*_test.go' 'enginetest\.Parity(' backend engines app | sort | while read -r file; do
	awk -v package="./$(dirname "$file")" '
		/^func / { name = $2; sub(/\(.*/, "", name) }
		/^[^\/]*enginetest\.Parity\(/ { print package, name }
	' "$file"
done)
if others=$(grep -v ' Test' <<<"$found"); then
	echo "Only tests call enginetest.Parity, so that they are found by name: $others" >&2
	exit 1
fi
mapfile -t packages < <(cut -d' ' -f1 <<<"$found" | sort -u)
names=$(cut -d' ' -f2 <<<"$found" | sort -u | paste -sd'|')
printf '%d tests in %d packages, kits: %s\n' "$(wc -l <<<"$found")" "${#packages[@]}" "${VOICEWRIGHT_PARITY:-those of testdata}"
go test "$@" -count=1 -timeout 20m -run "^($names)\$" "${packages[@]}"
