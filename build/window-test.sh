#!/usr/bin/env bash
# Opens the real window on a display of its own and looks at it: with a fresh data directory it must become visible, which
# takes at most WINDOW_LIMIT_MS where that is given, and show more than one colour; asked to end, it must end cleanly and
# remember its place.
#
#   build/window-test.sh PROGRAM PICTURE [STEPS]
#
# PROGRAM is the window's program, PICTURE the PNG file to write. STEPS is a file of shell functions; its function
# `steps` runs while the window is open and painted, and fails the test with any status but 0. It sees:
#   window, app   the window's id, for xdotool (DISPLAY is set), and its process
#   program, data the program and its data directory
#   work          a folder that goes away
#   url, token    the local API; api METHOD PATH [CURL ARGUMENTS] asks it
#   managed       "yes" with a window manager (openbox): without one, nothing is minimised, raised or placed
#   bus_log       what was said on the session bus, "" without one (dbus-daemon, dbus-monitor); no service is on it
#   hold, let_go  the built-in voice waits, and goes on
#   shot FILE     takes a picture of the whole display
#   until_true MS COMMAND...   waits for a command to succeed; pause MS waits for what nothing tells of
#   patience      the milliseconds that anything may take which must happen: a busy machine is slow
#   start_window  opens the window; end_window asks it to end, and it must do so cleanly
#   not_tried WHAT  says that something could not be tried; with WINDOW_ALL=1 that fails the test
set -euo pipefail

[ $# -ge 2 ] || {
	sed -n '6,24s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
program=$(realpath "$1") picture=$2 steps=${3:-}
readonly patience=30000
readonly limit=${WINDOW_LIMIT_MS:-$patience}

for tool in Xvfb xdotool xclip import identify curl; do
	command -v "$tool" >/dev/null || {
		echo "window-test: $tool is missing; run: build/setup --desktop" >&2
		exit 1
	}
done

work=$(mktemp -d)
data=$work/data
managed=no bus_log='' # for the steps
export managed bus_log
app='' helpers=() left_out=()
# shellcheck disable=SC2329 # called by trap
finish() {
	[ -z "$app" ] || kill -KILL "$app" 2>/dev/null || true
	[ ${#helpers[@]} -eq 0 ] || kill "${helpers[@]}" 2>/dev/null || true
	wait 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT

fail() {
	echo "window-test: $*" >&2
	[ ! -s "$work/log" ] || tail -n 30 "$work/log" | sed 's/^/  /' >&2
	[ -z "${DISPLAY:-}" ] || [ ! -d "$(dirname "$picture")" ] || shot "$picture" 2>/dev/null || true
	exit 1
}

not_tried() {
	left_out+=("$*")
	echo "window-test: NOT TRIED: $*" >&2
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

# pause MS is for what nothing tells of.
pause() { until_true "$1" false || true; }

shot() { import -display "$DISPLAY" -window root "$1"; }

# A page of one colour has not been painted.
painted() { shot "$work/look.png" && [ "$(identify -format %k "$work/look.png")" -gt "${1:-8}" ]; }

find_window() { window=$(xdotool search --onlyvisible --name '^Voicewright' 2>/dev/null | head -n 1) && [ -n "$window" ]; }

gone() { ! kill -0 "$1" 2>/dev/null; }

api() {
	local method=$1 path=$2
	shift 2
	curl -fsS --max-time 20 -X "$method" -H "Authorization: Bearer $token" "$@" "$url$path"
}

# answers: the page of the window could reach the API by what stands in this file.
answers() {
	url=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$data/server.json")
	token=$(sed -n 's/.*"token":"\([^"]*\)".*/\1/p' "$data/server.json")
	api GET /system
}

hold() { touch "$work/hold"; }
let_go() { rm -f "$work/hold"; }

# The built-in voice, which waits while it is held.
make_voice() {
	local voice
	voice=$(type -P espeak-ng) || return 0
	mkdir "$work/bin"
	cat >"$work/bin/espeak-ng" <<-END
		#!/bin/sh
		case "\$*" in
		*--version* | *--voices*) ;;
		*) while [ -e "$work/hold" ]; do sleep 0.05; done ;;
		esac
		exec "$voice" "\$@"
	END
	chmod +x "$work/bin/espeak-ng"
	PATH=$work/bin:$PATH
}

start_display() {
	Xvfb -displayfd 3 -screen 0 1400x1000x24 -nolisten tcp 3>"$work/display" >"$work/xvfb.log" 2>&1 &
	helpers+=($!)
	until_true "$patience" test -s "$work/display" || fail "Xvfb did not start"
	DISPLAY=:$(tr -d '\n' <"$work/display")
	export DISPLAY GDK_BACKEND=x11 LIBGL_ALWAYS_SOFTWARE=1 NO_AT_BRIDGE=1 GSETTINGS_BACKEND=memory LC_ALL=C.UTF-8
	export XDG_CONFIG_HOME=$work/config XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/share XDG_RUNTIME_DIR=$work/run
	mkdir -m 700 "$XDG_RUNTIME_DIR"
	unset DBUS_SESSION_BUS_ADDRESS XDG_ACTIVATION_TOKEN DESKTOP_STARTUP_ID
}

managing() { xdotool get_num_desktops; }

# A window manager, as every desktop has one.
start_manager() {
	type -P openbox >/dev/null || return 0
	openbox >"$work/openbox.log" 2>&1 &
	helpers+=($!)
	until_true "$patience" managing || fail "openbox did not start"
	managed=yes
}

# A session bus of our own, on which nothing of this machine is started, and who writes down what is said on it.
start_bus() {
	type -P dbus-daemon >/dev/null && type -P dbus-monitor >/dev/null || return 0
	cat >"$work/bus.conf" <<-END
		<busconfig>
		  <type>session</type>
		  <listen>unix:path=$work/bus</listen>
		  <policy context="default">
		    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
		  </policy>
		</busconfig>
	END
	# It prints its address when it listens, which is a moment after its socket is there.
	dbus-daemon --config-file="$work/bus.conf" --nofork --print-address=3 3>"$work/address" >"$work/dbus.log" 2>&1 &
	helpers+=($!)
	until_true "$patience" test -s "$work/address" || fail "dbus-daemon did not start"
	export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/bus
	dbus-monitor --session >"$work/bus.log" 2>&1 &
	helpers+=($!)
	until_true "$patience" grep -q NameAcquired "$work/bus.log" || fail "dbus-monitor did not start"
	bus_log=$work/bus.log
}

start_window() {
	local started
	started=$(now)
	"$program" --data "$data" >>"$work/log" 2>&1 &
	app=$!
	until_true "$limit" find_window || fail "the window was not visible within $limit ms"
	echo "window-test: visible after $(($(now) - started)) ms"
	until_true "$patience" painted || fail "nothing was painted"
	echo "window-test: painted after $(($(now) - started)) ms"
	until_true "$patience" answers || fail "the local API does not answer"
}

end_window() {
	local status=0
	kill -TERM "$app"
	until_true "$patience" gone "$app" || fail "the window did not end"
	wait "$app" || status=$?
	app=''
	[ "$status" -eq 0 ] || [ "$status" -eq 130 ] || fail "the program ended with status $status"
	[ -s "$data/window.json" ] || fail "the window's place was not kept"
	[ ! -e "$data/server.json" ] || fail "the address was not removed"
}

start_display
make_voice
start_manager
start_bus
start_window

if [ -n "$steps" ]; then
	# shellcheck source=/dev/null
	. "$steps"
	steps || fail "steps failed"
fi
shot "$picture"
end_window

echo "window-test: picture in $picture"
if [ ${#left_out[@]} -gt 0 ]; then
	printf 'window-test: NOT TRIED: %s\n' "${left_out[@]}" >&2
	[ -z "${WINDOW_ALL:-}" ] || exit 1
fi
