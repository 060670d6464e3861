# Sourced by build/window-test.sh: what takes too long for each change. The end of a long job gives one notification, and
# only to a user who looks elsewhere. About a minute.
# shellcheck shell=bash disable=SC2154
# shellcheck source=build/window-steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/window-steps.sh"

notices() { grep -c 'member=Notify$' "$bus_log" || true; }
told() { [ "$(notices)" -gt "$1" ]; }

# speak_for MS speaks for as long; it is done, or failed where the voice was held for too long.
speak_for() {
	speaking || return 1
	"$2"
	pause "$1"
	let_go
	until_true "$patience" none_speak
}

look_elsewhere() { xdotool windowminimize "$window"; }

steps() {
	if [ "$managed" != yes ] || [ -z "$bus_log" ]; then
		not_tried "notifications: openbox, dbus-daemon or dbus-monitor is missing"
		return 0
	fi
	generate || return 1
	step "a short job in the background ends silently"
	speak_for 2000 look_elsewhere || return 1
	pause 1000
	! told 0 || return 1
	step "a long job in the background gives a notification"
	front
	speak_for 20500 look_elsewhere || return 1
	until_true "$patience" told 0 || return 1
	grep -q 'string "Your speech ' "$bus_log" || return 1
	step "a long job that the user watches ends silently"
	front
	speak_for 20500 front || return 1
	pause 1000
	[ "$(notices)" = 1 ]
}
