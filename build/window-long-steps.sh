# Sourced by build/window-test.sh: what takes too long for every change, about a minute. The end of a long job shows one
# notification, and only when the user is in another window.
# shellcheck shell=bash disable=SC2154
# shellcheck source=build/window-steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/window-steps.sh"

notifications() { grep -c 'member=Notify$' "$bus_log" || true; }
notified() { [ "$(notifications)" -gt "$1" ]; }

# speak_for MS COMMAND runs a generation for that time, and COMMAND meanwhile. It ends as done, or as failed if the time was too
# long.
speak_for() {
	start_held || return 1
	"$2"
	pause "$1"
	release
	until_true "$timeout_ms" none_running
}

leave_window() { xdotool windowminimize "$window"; }

steps() {
	if [ "$managed" != yes ] || [ -z "$bus_log" ]; then
		not_tried "notifications: openbox, dbus-daemon or dbus-monitor is missing"
		return 0
	fi
	generate || return 1
	step "no notification for a short job in the background"
	speak_for 2000 leave_window || return 1
	pause 1000
	! notified 0 || return 1
	step "a notification for a long job in the background"
	front
	speak_for 20500 leave_window || return 1
	until_true "$timeout_ms" notified 0 || return 1
	grep -qE 'string "(Your speech is ready|Speech generation failed)' "$bus_log" || return 1
	step "no notification for a long job in the window in front"
	front
	speak_for 20500 front || return 1
	pause 1000
	[ "$(notifications)" = 1 ]
}
