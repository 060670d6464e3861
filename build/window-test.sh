#!/usr/bin/env bash
# Opens the real window on a private display and checks it: with a new data directory it must become visible, within
# WINDOW_LIMIT_MS if that is set, and show more than one colour; at SIGTERM it must end cleanly and save its placement.
#
#   build/window-test.sh PROGRAM PICTURE [STEPS]
#
# PROGRAM is the window program, PICTURE the PNG file to write. STEPS is a file of shell functions; its function
# `steps` runs while the window is open and painted; a status other than 0 fails the test. It can use:
#   window, app   the window's id, for xdotool (DISPLAY is set), and its process
#   program, data the program and its data directory
#   work          a temporary folder
#   url, token    the local API; api METHOD PATH [CURL ARGUMENTS] makes a request
#   managed       "yes" with a window manager (openbox); without one, windows are not minimised, raised or placed
#   bus_log       a log of the session bus, "" without one (dbus-daemon, dbus-monitor); no service is on it
#   hold, release the built-in voice waits, and continues
#   shot FILE     takes a picture of the whole display
#   until_true MS COMMAND...   waits for a command to succeed; pause MS waits where no condition can be checked
#   timeout_ms    how long anything may take: a busy machine is slow
#   start_window  opens the window, with the files that are given; end_window ends it, which must succeed
#   not_tried WHAT  reports what could not be tested; with WINDOW_ALL=1 that fails the test
set -euo pipefail

[ $# -ge 2 ] || {
	sed -n '5,20s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
program=$(realpath "$1") picture=$2 steps=${3:-}
readonly timeout_ms=30000
readonly limit=${WINDOW_LIMIT_MS:-$timeout_ms}

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
app='' helpers=() untested=()
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
	untested+=("$*")
	echo "window-test: NOT TESTED: $*" >&2
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

# pause MS waits where no condition can be checked.
pause() { until_true "$1" false || true; }

shot() { import -display "$DISPLAY" -window root "$1"; }

# painted: a page of one colour has not been painted.
painted() { shot "$work/look.png" && [ "$(identify -format %k "$work/look.png")" -gt "${1:-8}" ]; }

find_window() { window=$(xdotool search --onlyvisible --name 'Voicewright' 2>/dev/null | head -n 1) && [ -n "$window" ]; }

ended() { ! kill -0 "$1" 2>/dev/null; }

api() {
	local method=$1 path=$2
	shift 2
	curl -fsS --max-time 20 -X "$method" -H "Authorization: Bearer $token" "$@" "$url$path"
}

# api_responds: the API responds at the address that the program has written.
api_responds() {
	url=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$data/server.json")
	token=$(sed -n 's/.*"token":"\([^"]*\)".*/\1/p' "$data/server.json")
	api GET /system
}

hold() { touch "$work/hold"; }
release() { rm -f "$work/hold"; }

# The built-in voice, which waits while there is a file "hold".
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
	until_true "$timeout_ms" test -s "$work/display" || fail "Xvfb did not start"
	DISPLAY=:$(tr -d '\n' <"$work/display")
	export DISPLAY GDK_BACKEND=x11 LIBGL_ALWAYS_SOFTWARE=1 NO_AT_BRIDGE=1 GSETTINGS_BACKEND=memory LC_ALL=C.UTF-8
	export XDG_CONFIG_HOME=$work/config XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/share XDG_RUNTIME_DIR=$work/run
	mkdir -m 700 "$XDG_RUNTIME_DIR"
	unset DBUS_SESSION_BUS_ADDRESS XDG_ACTIVATION_TOKEN DESKTOP_STARTUP_ID
}

manager_runs() { xdotool get_num_desktops; }

# A window manager, as on a desktop.
start_manager() {
	type -P openbox >/dev/null || return 0
	openbox >"$work/openbox.log" 2>&1 &
	helpers+=($!)
	until_true "$timeout_ms" manager_runs || fail "openbox did not start"
	managed=yes
}

# A private session bus, without services of this machine, and a monitor that logs its messages.
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
	# It prints its address when it listens, a moment after it has created its socket.
	dbus-daemon --config-file="$work/bus.conf" --nofork --print-address=3 3>"$work/address" >"$work/dbus.log" 2>&1 &
	helpers+=($!)
	until_true "$timeout_ms" test -s "$work/address" || fail "dbus-daemon did not start"
	export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/bus
	dbus-monitor --session >"$work/bus.log" 2>&1 &
	helpers+=($!)
	until_true "$timeout_ms" grep -q NameAcquired "$work/bus.log" || fail "dbus-monitor did not start"
	bus_log=$work/bus.log
}

start_window() {
	local started
	started=$(now)
	"$program" --data "$data" "$@" >>"$work/log" 2>&1 &
	app=$!
	until_true "$limit" find_window || fail "the window was not visible within $limit ms"
	echo "window-test: visible after $(($(now) - started)) ms"
	until_true "$timeout_ms" painted || fail "nothing was painted"
	echo "window-test: painted after $(($(now) - started)) ms"
	until_true "$timeout_ms" api_responds || fail "the local API does not respond"
}

end_window() {
	local status=0
	kill -TERM "$app"
	until_true "$timeout_ms" ended "$app" || fail "the window did not end"
	wait "$app" || status=$?
	app=''
	[ "$status" -eq 0 ] || [ "$status" -eq 130 ] || fail "the program ended with status $status"
	[ -s "$data/window.json" ] || fail "the placement of the window was not saved"
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
if [ ${#untested[@]} -gt 0 ]; then
	printf 'window-test: NOT TESTED: %s\n' "${untested[@]}" >&2
	[ -z "${WINDOW_ALL:-}" ] || exit 1
fi
