#!/usr/bin/env bash
# Uses the program for Windows under wine, as a person does who has installed it: the tests TestAnySystem... of ./app, which
# `make test` runs with the program of this system.
#
#   build/windows-test.sh INSTALLER [-run REGEXP...]   the installer, or a folder with voicewright.exe and onnxruntime.dll, and
#                                                      arguments of go test
#
# Writes dist/windows-test.log, which ends with the seconds of each test and with what wine cannot show. The prefix, which is a folder
# with a Windows of its own, exists for one run.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly source=$1 log=$PWD/dist/windows-test.log
shift
mkdir -p dist
exec 3>&1 >"$log" 2>&1
scratch=$(mktemp -d)
export WINEPREFIX=$scratch/prefix WINEARCH=win64 WINEDEBUG=-all LC_ALL=C.UTF-8
# No questions about Mono and Gecko, and no entries in the menus of this machine.
export WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe=d'
unset DISPLAY WAYLAND_DISPLAY
readonly drive_c=$WINEPREFIX/drive_c

finish() {
	local status=$?
	wineserver -k 2>/dev/null || true
	wineserver -w 2>/dev/null || true
	rm -rf "$scratch"
	[ "$status" = 0 ] || { grep -vE '^(=== |\s*$)' "$log" | tail -n 60; echo "windows-test failed; see $log"; } >&3
}
trap finish EXIT
trap 'exit 130' INT TERM

# new_windows makes the prefix. wine 8.0 lacks a library of Windows 10 that every program of Go needs for random numbers.
new_windows() {
	wineboot --init
	printf '%s\n' '#include <windows.h>' 'BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);' \
		'__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T size) {' \
		'	return SystemFunction036(to, (ULONG)size);' '}' >"$scratch/random.c"
	x86_64-w64-mingw32-gcc -shared -O2 -s -o "$drive_c/windows/system32/bcryptprimitives.dll" "$scratch/random.c" -ladvapi32
	mkdir -p "$drive_c/Program Files/eSpeak NG"
	CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go build -trimpath -buildvcs=false \
		-o "$drive_c/Program Files/eSpeak NG/espeak-ng.exe" ./app/programtest/standin
	# One program that runs all the time keeps the services of wine running: a test that started them would wait for their end.
	mkfifo "$scratch/open"
	exec 4<>"$scratch/open"
	: >"$drive_c/held.txt"
	wine "$drive_c/Program Files/eSpeak NG/espeak-ng.exe" hold 'C:\held.txt' <&4 &
}

# install puts the program where its installer does, for this user.
install() {
	local folder
	folder=$(find "$drive_c/users" -maxdepth 3 -path '*/AppData/Local' ! -path '*/Public/*' | head -n 1)/Programs/Voicewright
	if [ -d "$source" ]; then
		mkdir -p "$folder"
		cp "$source/voicewright.exe" "$source/onnxruntime.dll" "$folder/"
	else
		export VOICEWRIGHT_TEST_INSTALLER
		VOICEWRIGHT_TEST_INSTALLER=$(realpath "$source")
		wine "$VOICEWRIGHT_TEST_INSTALLER" /S
	fi
	export VOICEWRIGHT_TEST_PROGRAM=$folder/voicewright.exe
	[ -f "$VOICEWRIGHT_TEST_PROGRAM" ] || { echo "nothing was installed in $folder" >&2; return 1; }
	wine "$VOICEWRIGHT_TEST_PROGRAM" --version
}

# use runs tests. One that removes the program comes last, alone.
use() {
	export VOICEWRIGHT_TEST_RUNNER=wine VOICEWRIGHT_TEST_DRIVE_C=$drive_c
	local before
	before=$(passed)
	go test -trimpath -buildvcs=false -tags=whisper -vet=off -count=1 -timeout 60m -v "$@" ./app
	[ "$(passed)" -gt "$before" ] || { echo "no test has the name: $*" >&2; return 1; }
}
passed() { grep -c '^--- PASS' "$log" || true; }

# use_archive unpacks the archive beside the installer and speaks with it.
use_archive() {
	local archive=${source%-setup.exe}.zip folder=$drive_c/Archive/Voicewright
	mkdir "$drive_c/Archive"
	unzip -q "$archive" -d "$drive_c/Archive"
	wine "$folder/voicewright.exe" --version
	wine "$folder/voicewright.exe" --data 'C:\Archive\data' say 'Hello from the archive.' -o 'C:\Archive\hello.wav'
	[ "$(stat -c %s "$drive_c/Archive/hello.wav")" -gt 10000 ] || { echo 'the archive does not speak' >&2; return 1; }
	rm -r "$drive_c/Archive"
}

unverified() {
	cat <<-'END'
		Not verified, because wine cannot show it; verify on a Windows machine:
		  the window (WebView2), its installation from the installer, and "Open with" from the Explorer
		  a microphone, and global shortcuts and typing into other programs
		  a real virus scanner, SmartScreen and the warning about an unknown publisher
		  the real espeak-ng and ffmpeg for Windows: a stand-in took the place of espeak-ng
	END
}

new_windows
if [ ! -d "$source" ]; then
	use_archive
	build/package/windows/installer-test.sh "$(realpath "$source")"
fi
install
if [ $# -gt 0 ]; then
	use "$@"
else
	use -run '^TestAnySystem' -skip '^TestAnySystemRemoval$'
	use -run '^TestAnySystemRemoval$'
fi
{
	echo
	echo "All tests passed under $(wine --version) in $SECONDS s:"
	grep -E '^--- PASS' "$log"
	unverified
} >"$scratch/summary"
cat "$scratch/summary"
cat "$scratch/summary" >&3
