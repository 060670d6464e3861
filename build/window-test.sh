#!/usr/bin/env bash
# Opens the real window on a display of its own and looks at it: with a fresh data directory it must be visible within
# WINDOW_LIMIT_MS (5000) and show more than one colour; asked to end, it must end cleanly and remember its place.
#
#   build/window-test.sh PROGRAM PICTURE [STEPS]
#
# PROGRAM is the window's program, PICTURE the PNG file to write. STEPS is a file of shell functions; its function
# `steps` runs while the window is open and painted, and fails the test with any status but 0. It sees:
#   window      the window's id, for xdotool (DISPLAY is set)
#   data        the data directory
#   url, token  the local API
#   shot FILE   takes a picture of the whole display
#   until_true MS COMMAND...   waits for a command to succeed
set -euo pipefail

[ $# -ge 2 ] || {
	sed -n '5,14s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
program=$(realpath "$1") picture=$2 steps=${3:-}
readonly limit=${WINDOW_LIMIT_MS:-5000}

for tool in Xvfb xdotool import identify curl; do
	command -v "$tool" >/dev/null || {
		echo "window-test: $tool is missing; run: build/setup --desktop" >&2
		exit 1
	}
done

work=$(mktemp -d)
data=$work/data
app= display_server=
# shellcheck disable=SC2329 # called by trap
finish() {
	[ -z "$app" ] || kill "$app" 2>/dev/null || true
	[ -z "$display_server" ] || kill "$display_server" 2>/dev/null || true
	wait 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT

fail() {
	echo "window-test: $*" >&2
	[ ! -s "$work/log" ] || sed 's/^/  /' "$work/log" >&2
	exit 1
}

now() { date +%s%3N; }

# until_true MS COMMAND... waits until the command succeeds, at most MS milliseconds.
until_true() {
	local end=$(($(now) + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(now)" -lt "$end" ] || return 1
		read -rt 0.02 <> <(:) || true
	done
}

shot() { import -display "$DISPLAY" -window root "$1"; }

# A page of one colour has not been painted.
painted() { shot "$work/look.png" && [ "$(identify -format %k "$work/look.png")" -gt "${1:-8}" ]; }

find_window() { window=$(xdotool search --onlyvisible --name '^Voicewright' 2>/dev/null | head -n 1) && [ -n "$window" ]; }

gone() { ! kill -0 "$1" 2>/dev/null; }

# answers: the page of the window could reach the API by what stands in this file.
answers() {
	url=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$data/server.json")
	token=$(sed -n 's/.*"token":"\([^"]*\)".*/\1/p' "$data/server.json")
	curl -fsS --max-time 2 -H "Authorization: Bearer $token" "$url/system"
}

Xvfb -displayfd 3 -screen 0 1400x1000x24 -nolisten tcp 3>"$work/display" >"$work/xvfb.log" 2>&1 &
display_server=$!
until_true 10000 test -s "$work/display" || fail "Xvfb did not start"
DISPLAY=:$(tr -d '\n' <"$work/display")
export DISPLAY GDK_BACKEND=x11 LIBGL_ALWAYS_SOFTWARE=1 NO_AT_BRIDGE=1
export XDG_CONFIG_HOME=$work/config XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/share

started=$(now)
"$program" --data "$data" >"$work/log" 2>&1 &
app=$!
until_true "$limit" find_window || fail "the window was not visible within $limit ms"
echo "window-test: visible after $(($(now) - started)) ms"
until_true 10000 painted || fail "nothing was painted"
echo "window-test: painted after $(($(now) - started)) ms"
until_true 5000 answers || fail "the local API does not answer"

if [ -n "$steps" ]; then
	# shellcheck source=/dev/null
	. "$steps"
	steps || fail "steps failed"
fi
shot "$picture"

kill -TERM "$app"
until_true 15000 gone "$app" || fail "the window did not end"
status=0
wait "$app" || status=$?
app=
[ "$status" -eq 0 ] || [ "$status" -eq 130 ] || fail "the program ended with status $status"
[ -s "$data/window.json" ] || fail "the window's place was not kept"
[ ! -e "$data/server.json" ] || fail "the address was not removed"
echo "window-test: picture in $picture"
