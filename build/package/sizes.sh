#!/usr/bin/env bash
# Prints the sizes of the packages in a folder, in MB of 1,000,000 bytes, and fails where one is larger than it should be: 3 % more than
# when it was measured. Who needs more says in docs/benchmarks.md (Size of the program) what for, and raises the limit.
#
#   build/package/sizes.sh FOLDER
set -euo pipefail
cd "$1"

# limit NAME sets most, in thousands of bytes; 0 where nobody has measured yet.
limit() {
	case $1 in
	voicewright_*.deb) most=25300 ;;
	voicewright-desktop_*.deb) most=16700 ;;
	voicewright-service_*.deb) most=12500 ;;
	voicewright-desktop-*.rpm) most=19600 ;;
	voicewright-service-*.rpm) most=14800 ;;
	voicewright-*.rpm) most=30200 ;;
	*-linux-x64.tar.xz) most=34600 ;;
	*-linux-arm64.tar.xz) most=26700 ;;
	*-windows-x64-setup.exe) most=25600 ;;
	*-windows-x64.zip) most=48800 ;;
	*) most=0 ;;
	esac
}

status=0
for package in voicewright*; do
	size=$(stat -c %s "$package")
	limit "$package"
	note=
	if ((most > 0 && size > most * 1000)); then
		note=$(printf '  more than %d.%d MB' $((most / 1000)) $((most % 1000 / 100)))
		status=1
	fi
	printf '%6d.%d MB  %s%s\n' $((size / 1000000)) $((size % 1000000 / 100000)) "$package" "$note"
done
exit $status
