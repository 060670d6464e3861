# Sourced by build/window-test.sh under build/latency: several texts are generated in the window, then on the page of the same
# server in Chromium.
# shellcheck shell=bash disable=SC2154
# shellcheck source=build/window-steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/window-steps.sh"

sounds() { [ -e "$LATENCY/sound" ]; }
is_silent() { ! sounds; }

# keep_file copies the file of what was heard last.
keep_file() {
	local path
	path=$(api GET '/history?limit=1' | grep -o '"audio_path":"[^"]*' | cut -d '"' -f 4)
	heard=$((heard + 1))
	cp "$path" "$LATENCY/files/$heard.wav"
}

# hear generates a text of two passages on a new page. The second passage is held until the first one sounds.
hear() {
	local all
	touch "$LATENCY/hold"
	front && xdotool key ctrl+alt+n
	pause 1000
	xdotool type --delay 5 "The first passage is read aloud. It has more than one sentence."
	xdotool key Return Return
	xdotool type --delay 5 "Second, this one is read too. By now all of it is made, and the file is heard. This is the end."
	pause 1000
	all=$(generations '[a-z_]*')
	xdotool key ctrl+Return
	until_true "$timeout_ms" more_than '[a-z_]*' "$all" || return 1
	until_true "$timeout_ms" sounds || return 1
	rm "$LATENCY/hold"
	until_true "$timeout_ms" is_silent || return 1
	keep_file
}

# measure hears texts with a player that has just started.
measure() {
	echo "$1" >"$LATENCY/player"
	pause 5000 # until the page is loaded
	for text in 1 2 3 4 5 6; do
		step "$1: text $text"
		hear || return 1
	done
}

browser_window() { browser=$(xdotool search --onlyvisible --class chromium | tail -n 1) && [ -n "$browser" ]; }

# open_browser opens the page in Chromium, in the place of the window.
open_browser() {
	chromium --no-sandbox --disable-gpu --no-first-run --password-store=basic --disable-background-networking \
		--user-data-dir="$work/chromium" --app="$url/#token=$token" >>"$work/log" 2>&1 &
	chromium=$!
	helpers+=("$chromium")
	until_true "$timeout_ms" browser_window || return 1
	window=$browser
}

close_browser() {
	kill "$chromium"
	until_true "$timeout_ms" ended "$chromium" || return 1
	pause 2000 # until its processes have left its folder
}

steps() {
	heard=0
	measure WebKitGTK || return 1
	if type -P chromium >/dev/null; then
		open_browser && measure Chromium && close_browser
	else
		not_tried "Chromium, which is missing"
	fi
}
