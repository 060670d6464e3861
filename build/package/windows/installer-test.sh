#!/usr/bin/env bash
# Installs, upgrades and removes the program as a user of Windows does, and looks at what is in the registry.
#
#   build/package/windows/installer-test.sh INSTALLER      from `make package-windows-test`
#
# WINEPREFIX is a prefix for tests, whose PATH and data of Voicewright are removed; without it there is one for this run. It needs
# build/setup --windows.
set -euo pipefail

scratch=$(mktemp -d)
running=
own_prefix=
finish() {
	[ -z "$running" ] || kill "$running" 2>/dev/null || true
	[ -z "$own_prefix" ] || { wineserver -k && wineserver -w; } || true
	rm -rf "$scratch"
}
trap finish EXIT

# new_prefix makes a Windows. wine 8.0 lacks a library of Windows 10 that every program of Go needs for random numbers.
new_prefix() {
	own_prefix=yes
	export WINEPREFIX=$scratch/prefix WINEARCH=win64 WINEDEBUG=-all LC_ALL=C.UTF-8
	export WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe=d'
	unset DISPLAY WAYLAND_DISPLAY
	wineboot --init 2>/dev/null
	printf '%s\n' '#include <windows.h>' 'BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);' \
		'__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T size) { return SystemFunction036(to, (ULONG)size); }' >"$scratch/random.c"
	x86_64-w64-mingw32-gcc -shared -O2 -s -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$scratch/random.c" -ladvapi32
}
[ -n "${WINEPREFIX:-}" ] || new_prefix

readonly installer=$1 drive_c=$WINEPREFIX/drive_c
local_data=$(find "$drive_c/users" -maxdepth 3 -path '*/AppData/Local' ! -path '*/Public/*' | head -n 1)
readonly local_data folder=$local_data/Programs/Voicewright
windows_folder=C:${folder#"$drive_c"}
windows_folder=${windows_folder//\//\\}
readonly windows_folder
readonly menu=${local_data%/Local}/Roaming/Microsoft/Windows/Start\ Menu/Programs/Voicewright.lnk
readonly uninstall='HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Voicewright'

say() { echo "=== installer: $*"; }
fail() {
	echo "installer-test: $*" >&2
	exit 1
}

# value KEY NAME prints a string of the registry; nothing where there is none.
value() { wine reg query "$1" /v "$2" 2>/dev/null | tr -d '\r' | sed -nE "s/^ +$2 +REG_[A-Z_]+ +//p"; }
# default KEY prints the unnamed string of a key.
default() { wine reg query "$1" /ve 2>/dev/null | tr -d '\r' | sed -nE 's/^ +\(Default\) +REG_SZ +//p'; }
set_path() { wine reg add 'HKCU\Environment' /v Path /t "${2:-REG_EXPAND_SZ}" /d "$1" /f >/dev/null; }
no_path() { wine reg delete 'HKCU\Environment' /v Path /f >/dev/null 2>&1 || true; }
path() { value 'HKCU\Environment' Path; }

equal() { [ "$2" = "$3" ] || fail "$1: want $2, have $3"; }

# installs [EXIT CODE [ARGUMENTS...]] runs the installer.
installs() {
	local want=${1:-0} code=0
	shift || true
	wine "$installer" /S "$@" || code=$?
	equal 'exit code of the installer' "$want" "$code"
}

# removes [FOLDER] runs the uninstaller, and waits: it goes on in a copy of itself.
removes() {
	local from=${1:-$folder}
	wine "$from/uninstall.exe" /S
	for _ in $(seq 600); do
		[ -e "$from/uninstall.exe" ] || { sleep 1; return 0; }
		sleep 0.1
	done
	fail "$from is still there"
}

say 'a user without a PATH'
no_path
installs
for file in voicewright.exe voicewright-desktop.exe onnxruntime.dll README.txt LICENSE.txt THIRD_PARTY.txt uninstall.exe; do
	[ -s "$folder/$file" ] || fail "$file is missing"
done
[ -s "$menu" ] || fail 'there is nothing in the Start menu'
equal PATH "$windows_folder" "$(path)"
equal 'name of the program' Voicewright "$(value "$uninstall" DisplayName)"
equal 'how it is removed without questions' "\"$windows_folder\\uninstall.exe\" /S" "$(value "$uninstall" QuietUninstallString)"
equal 'what opens a file' "\"$windows_folder\\voicewright-desktop.exe\" \"%1\"" "$(default 'HKCU\Software\Classes\Voicewright.File\shell\open\command')"
for type in txt epub pdf mp3 mp4; do
	wine reg query "HKCU\\Software\\Classes\\.$type\\OpenWithProgids" /v Voicewright.File >/dev/null || fail "nothing offers to open .$type"
done

say 'an upgrade'
echo old >"$folder/README.txt"
installs
grep -q Voicewright "$folder/README.txt" || fail 'the upgrade left an old file'
equal 'PATH after the upgrade' "$windows_folder" "$(path)"

say 'an upgrade and a removal while the program runs'
cp "$folder/README.txt" "$scratch/"
echo old >"$folder/README.txt"
wine "$folder/voicewright.exe" serve --data "$scratch/data" --addr 127.0.0.1:0 >"$scratch/served" 2>&1 &
running=$!
for _ in $(seq 600); do
	grep -q http "$scratch/served" && break
	sleep 0.1
done
installs 2
equal 'file that an upgrade may not change' old "$(cat "$folder/README.txt")"
wine "$folder/uninstall.exe" /S || true
sleep 5
[ -e "$folder/voicewright.exe" ] || fail 'a program in use was removed'
[ -n "$(value "$uninstall" DisplayName)" ] || fail 'a program in use is not among the installed ones'
kill "$running"
wait "$running" 2>/dev/null || true
running=
for _ in $(seq 100); do
	wine "$installer" /S && break
	sleep 0.1
done
cmp "$scratch/README.txt" "$folder/README.txt"

say 'removal keeps what is of the user'
mkdir -p "$local_data/voicewright"
echo mine >"$local_data/voicewright/mine"
echo mine >"$folder/mine.txt"
wine reg add 'HKCU\Software\Classes\.md' /ve /d Other.File /f >/dev/null
wine reg add 'HKCU\Software\Classes\.txt\OpenWithProgids' /v Other.File /f >/dev/null
removes
equal 'what stays in the folder' mine.txt "$(ls "$folder")"
rm -r "$folder"
equal 'the data' mine "$(cat "$local_data/voicewright/mine")"
rm -r "$local_data/voicewright"
[ ! -e "$menu" ] || fail 'the Start menu was not cleaned'
equal 'PATH after the removal' '' "$(path)"
equal 'what opens .md' Other.File "$(default 'HKCU\Software\Classes\.md')"
wine reg query 'HKCU\Software\Classes\.txt\OpenWithProgids' /v Other.File >/dev/null || fail 'what another program had for .txt was removed'
for key in "$uninstall" 'HKCU\Software\Voicewright' 'HKCU\Software\Classes\Voicewright.File' 'HKCU\Software\Classes\.epub' \
	'HKCU\Software\Classes\Applications\voicewright-desktop.exe'; do
	wine reg query "$key" >/dev/null 2>&1 && fail "$key was not removed"
done
wine reg delete 'HKCU\Software\Classes\.md' /f >/dev/null
wine reg delete 'HKCU\Software\Classes\.txt' /f >/dev/null

say 'a PATH longer than a string of NSIS'
long='%USERPROFILE%\bin;C:\bin'
for number in $(seq 60); do long+=";C:\\Program Files\\Some Program $number\\bin"; done
set_path "$long"
installs
equal 'long PATH' "$long;$windows_folder" "$(path)"
installs
equal 'long PATH after an upgrade' "$long;$windows_folder" "$(path)"
removes
equal 'long PATH after the removal' "$long" "$(path)"

say 'a folder in the middle of the PATH, in another case'
set_path "C:\\a;${windows_folder^^};C:\\b" REG_SZ
installs
equal 'PATH with the folder' "C:\\a;${windows_folder^^};C:\\b" "$(path)"
removes
equal 'PATH without the folder' 'C:\a;C:\b' "$(path)"

say 'another folder, and no PATH'
no_path
installs 0 /NOPATH '/D=C:\Jörg'\''s\Voicewright'
equal 'PATH without the choice' '' "$(path)"
wine "$drive_c/Jörg's/Voicewright/voicewright.exe" --version
installs
equal 'PATH after an upgrade without the choice' '' "$(path)"
[ -e "$drive_c/Jörg's/Voicewright/voicewright.exe" ] && [ ! -e "$folder" ] || fail 'the upgrade went to another folder'
installs 0 /NOOPENWITH
installs
for key in 'HKCU\Software\Classes\Voicewright.File' 'HKCU\Software\Classes\.epub'; do
	wine reg query "$key" >/dev/null 2>&1 && fail "$key was not removed by an upgrade without the choice"
done
removes "$drive_c/Jörg's/Voicewright"
rmdir "$drive_c/Jörg's"
say 'passed'
