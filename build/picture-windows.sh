#!/usr/bin/env bash
# Takes the pictures of the Windows installer for docs/install.md: it runs under wine, on a private display, in a Windows of its own.
#
#   build/picture-windows.sh INSTALLER FOLDER
set -euo pipefail

[ $# -eq 2 ] || {
	sed -n '2,4s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
installer=$(realpath "$1") pictures=$(realpath "$2")
scratch=$(mktemp -d)
export WINEPREFIX=$scratch/prefix WINEARCH=win64 WINEDEBUG=-all LC_ALL=C.UTF-8
export WINEDLLOVERRIDES='mscoree,mshtml=;winemenubuilder.exe=d' # no questions about Mono and Gecko
helpers=()
# shellcheck disable=SC2329 # called by trap
finish() {
	wineserver -k 2>/dev/null || true
	wineserver -w 2>/dev/null || true
	[ ${#helpers[@]} -eq 0 ] || kill "${helpers[@]}" 2>/dev/null || true
	rm -rf "$scratch"
}
trap finish EXIT

# until_true COMMAND... waits until the command succeeds, at most two minutes.
until_true() {
	local end=$((SECONDS + 120))
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || {
			echo "picture-windows: waited in vain for: $*" >&2
			return 1
		}
		sleep 0.3
	done
}

opened() { page=$(xdotool search --onlyvisible --name '^Voicewright Setup' | tail -n 1) && [ -n "$page" ]; }

look() { import -window "$page" -frame "$1"; }

# still: the page is painted, and looks the same for a moment.
still() {
	look "$scratch/before.png" && sleep 0.7 && look "$scratch/after.png" &&
		[ "$(identify -format %k "$scratch/after.png")" -gt 8 ] &&
		[ "$(compare -metric AE "$scratch/before.png" "$scratch/after.png" null: 2>&1)" = 0 ]
}

other() { still && [ "$(compare -metric AE "$scratch/page.png" "$scratch/after.png" null: 2>&1)" != 0 ]; }

# choose KEY presses a button by its letter, and waits for the next page.
choose() {
	cp "$scratch/after.png" "$scratch/page.png"
	xdotool windowactivate "$page" key "alt+$1"
	until_true other
}

installed() { [ -n "$(find "$WINEPREFIX/drive_c/users" -name uninstall.exe)" ]; }

picture() { convert "$scratch/after.png" +dither -colors 96 -strip -define png:exclude-chunks=date,time "PNG8:$pictures/$1.png"; }

Xvfb -displayfd 3 -screen 0 1000x800x24 -nolisten tcp 3>"$scratch/display" >/dev/null 2>&1 &
helpers+=($!)
until_true test -s "$scratch/display"
DISPLAY=:$(tr -d '\n' <"$scratch/display")
export DISPLAY
openbox >/dev/null 2>&1 &
helpers+=($!)

wineboot --init
wine winecfg /v win10 # wine's default is an older one
wine "$installer" &
until_true opened
until_true still
choose n
picture install-windows # what is installed
choose n
cp "$scratch/after.png" "$scratch/page.png"
xdotool windowactivate "$page" key alt+i
until_true installed
until_true other
picture install-windows-needs # what is missing in this Windows
