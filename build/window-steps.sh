# Sourced by build/window-test.sh: Generate by the keyboard, then wait until the history has the sound.
# shellcheck shell=bash disable=SC2154
in_history() { curl -fsS -H "Authorization: Bearer $token" "$url/history" | grep -q '"status":"complete"'; }

steps() {
	sleep 3 # the editor comes after the first paint
	xdotool windowfocus "$window" key --window "$window" ctrl+Return || return 1
	until_true 20000 in_history || return 1
	sleep 2 # for the picture: the page hears of it by its stream
}
