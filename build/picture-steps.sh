# Sourced by build/window-test.sh, after it has opened a window: takes the pictures of docs/install.md.
#
#   COMMAND  the program of the command line, which uses the same data directory
#   PICTURES the folder of the pictures
# shellcheck shell=bash disable=SC2154

# shellcheck source=build/window-steps.sh
. "$(dirname "${BASH_SOURCE[0]}")/window-steps.sh"

# picture NAME takes a picture of a window with its frame, in few colours and without the time, so that it is small and that
# an equal one is an equal file.
picture() {
	import -display "$DISPLAY" -frame -window "${2:-$window}" "$work/picture.png"
	convert "$work/picture.png" +dither -colors 96 -strip -define png:exclude-chunks=date,time "PNG8:$PICTURES/$1.png"
}

# is_quiet: the window looks the same for a moment.
is_quiet() {
	shot "$work/before.png"
	pause 700
	shot "$work/after.png"
	[ "$(compare -metric AE "$work/before.png" "$work/after.png" null: 2>&1)" = 0 ]
}

sized() { xdotool windowsize "$window" 1000 660 windowmove "$window" 40 40 && [ "$(geometry | sed -n 's/.*Geometry: //p')" = 1000x660 ]; }

# commands shows the session of a terminal: each command behind a prompt, with what it prints. It runs where /home has nobody else,
# so that the files have paths as on any machine.
commands() {
	mkdir -p "$work/homes/anna"
	cat >"$work/session" <<-'END'
		mount --bind "$1/homes" /home && cd "$HOME" || exit
		while read -r line; do
			printf '$ %s\n' "$line"
			eval "$line"
		done <"$1/lines"
		printf '$ '
		touch "$1/shown"
		read -r _ </dev/tty
	END
	cat >"$work/lines" <<-'END'
		voicewright say "The kettle is on." -o hello.wav
		voicewright say "Guten Tag." --voice espeak:de -o tag.wav
		voicewright history list
	END
	cp "$COMMAND" "$work/bin/voicewright"
	HOME=/home/anna VOICEWRIGHT_DATA_DIR=$data xterm -name picture -title Terminal -fa 'DejaVu Sans Mono' -fs 9 -bg white -fg black \
		-geometry 145x17+60+60 -e unshare --user --map-root-user --mount bash "$work/session" "$work" &
	terminal=$!
	until_true "$timeout_ms" test -e "$work/shown" && until_true "$timeout_ms" is_quiet || return 1
	picture install-commands "$(xdotool search --onlyvisible --name '^Terminal$' | head -n 1)"
	kill "$terminal"
}

steps() {
	until_true "$timeout_ms" sized || return 1
	until_true "$timeout_ms" is_quiet || return 1
	picture install-window
	step "the first sound"
	generate || return 1
	until_true "$timeout_ms" is_quiet || return 1
	picture install-first-sound
	step "the command line"
	commands
}
