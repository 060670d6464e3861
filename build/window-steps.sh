# Sourced by build/window-test.sh: what a user does with the window. Steps wait for their result, and repeat key presses that
# a page that was not ready has missed.
# shellcheck shell=bash disable=SC2154

step() { echo "window-test: $*"; }

front() {
	if [ "$managed" = yes ]; then
		xdotool windowactivate "$window"
	else
		xdotool windowfocus "$window"
	fi
} 2>/dev/null

# generations prints the number of generations in a state.
generations() { api GET /history | grep -o "\"status\":\"$1\"" | wc -l; }

more_than() { [ "$(generations "$1")" -gt "$2" ]; }

# generate presses Generate until the page reacts, and waits until the history has one more complete generation.
generate() {
	local before all
	before=$(generations complete)
	all=$(generations '[a-z_]*')
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		front && xdotool key ctrl+Return
		if until_true 3000 more_than '[a-z_]*' "$all"; then
			until_true "$timeout_ms" more_than complete "$before"
			return
		fi
		xdotool key Escape # a page that has not loaded the voices yet shows a dialog
	done
	return 1
}

# start_held starts a generation that waits for release.
start_held() {
	local profile
	hold
	profile=$(api GET /profiles | grep -o '"id":"[^"]*' | cut -c7- | sed -n 1p)
	api POST /generate -H 'Content-Type: application/json' -H 'Prefer: respond-async' \
		-d "{\"profile_id\":\"$profile\",\"text\":\"One moment.\"}" >/dev/null
	until_true "$timeout_ms" more_than generating 0
}

dialog() { xdotool search --onlyvisible --name "$1"; }
no_dialog() { ! dialog "$1"; }

has_draft() { api GET /drafts | grep 'From a file' >/dev/null; }

dismissed() {
	xdotool key Escape
	until_true 300 no_dialog "$1"
}

# open_text opens a text file with the dialog of the system, whose field for a path opens with a slash.
open_text() {
	printf 'From a file: Grüße.\n' >"$work/a text.txt"
	for tried in 1 2 3 4 5; do
		front && xdotool key ctrl+o
		until_true 8000 dialog '^Open text file$' || continue
		pause 300
		xdotool type /
		pause $((300 * tried))
		xdotool key ctrl+a
		xdotool type --delay 5 "$work/a text.txt"
		pause 300
		xdotool key Return
		until_true 4000 no_dialog '^Open text file$' && until_true 15000 has_draft && return 0
		until_true "$timeout_ms" dismissed '^Open text file$' || return 1
	done
	return 1
}

copied() { timeout 5 xclip -selection clipboard -o -t "$1" 2>/dev/null | grep "$2" >/dev/null; }

# copies_audio copies the audio file in the player to the clipboard with the palette, for file managers and for editors.
copies_audio() {
	for _ in 1 2 3; do
		front && xdotool key ctrl+k
		pause 700
		xdotool type --delay 20 'Copy audio'
		pause 700
		xdotool key Return
		until_true 3000 copied text/uri-list '^file://.*/audio/.*\.wav' && break
		xdotool key Escape Escape
	done
	copied text/uri-list '^file://.*/audio/.*\.wav' && copied x-special/gnome-copied-files '^copy$' && copied UTF8_STRING '^/.*\.wav$'
}

in_front() { [ "$(xdotool getactivewindow)" = "$window" ]; }
not_in_front() { ! in_front; }

# second_start brings the window to the front, also when it is minimised, and ends.
second_start() {
	if [ "$managed" = yes ]; then
		xdotool windowminimize "$window"
		until_true "$timeout_ms" not_in_front || return 1
	fi
	timeout 60 "$program" --data "$data" >>"$work/log" 2>&1 || return 1
	[ "$managed" != yes ] || until_true "$timeout_ms" in_front
}

# asked: the title of the question is the name of the program alone; that of the window begins with the screen.
asked() { [ "$(xdotool search --onlyvisible --name '^Voicewright$' | wc -l)" -gt 0 ]; }
not_asked() { ! asked; }

# close_asks closes the window during a generation, and cancels at the question.
close_asks() {
	start_held || return 1
	front && xdotool key ctrl+q
	until_true "$timeout_ms" asked || return 1
	until_true "$timeout_ms" escape || return 1
	release
	until_true "$timeout_ms" none_running && ! ended "$app"
}

none_running() { [ "$(generations generating)" = 0 ]; }

escape() {
	xdotool key Escape
	until_true 500 not_asked
}

# page_process prints the process of the page.
page_process() {
	local stat id name parent
	for stat in /proc/[0-9]*/stat; do
		read -r id name _ parent _ <"$stat" || continue
		[ "$name $parent" != "(WebKitWebProces) $app" ] || echo "$id"
	done 2>/dev/null
}

another_page() { [ -n "$(page_process)" ] && [ "$(page_process)" != "$1" ]; }

# page_crashes kills the page during a generation: the generation continues, and the page is loaded again.
page_crashes() {
	local page before
	start_held || return 1
	before=$(generations complete)
	page=$(page_process)
	[ -n "$page" ] || return 1
	kill -KILL "$page"
	until_true "$timeout_ms" another_page "$page" || return 1
	release
	until_true "$timeout_ms" more_than complete "$before" || return 1
	generate
}

# tray calls the icon in the notification area, whose entries are numbered from 1.
tray() {
	dbus-send --session --print-reply --dest="org.kde.StatusNotifierItem-$app-1" /StatusNotifierItem/menu \
		com.canonical.dbusmenu.Event "int32:$1" string:clicked variant:string: uint32:0 >/dev/null 2>&1
}

# tray_reads_the_clipboard lets the tray read the clipboard aloud.
tray_reads_the_clipboard() {
	local before
	before=$(generations complete)
	printf 'From the clipboard.' | xclip -selection clipboard -i >/dev/null 2>&1
	until_true "$timeout_ms" tray 2 && until_true "$timeout_ms" more_than complete "$before" &&
		api GET /history | grep 'From the clipboard.' >/dev/null
}

# read_by_shortcut copies a text and presses the shortcut until the text is spoken.
read_by_shortcut() {
	xdotool key ctrl+alt+r
	until_true 3000 spoken 'By the shortcut.'
}
spoken() { api GET /history | grep "$1" >/dev/null; }

# shortcut_and_login turns on the shortcut that reads the clipboard, and starting at login.
shortcut_and_login() {
	api PUT /settings -H 'Content-Type: application/json' \
		-d '{"desktop.read_shortcut":"Ctrl+Alt+R","desktop.start_at_login":true}' >/dev/null
	until_true "$timeout_ms" grep -q -- --background "$work/config/autostart/voicewright.desktop" || return 1
	printf 'By the shortcut.' | xclip -selection clipboard -i >/dev/null 2>&1
	until_true "$timeout_ms" read_by_shortcut || return 1
	api PUT /settings -H 'Content-Type: application/json' -d '{"desktop.start_at_login":false}' >/dev/null
	until_true "$timeout_ms" test ! -e "$work/config/autostart/voicewright.desktop"
}

# mpris calls the page's media player on the session bus.
mpris() {
	local name
	name=$(dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames |
		grep -o 'org\.mpris\.MediaPlayer2\.[^"]*') || return 1
	dbus-send --session --print-reply --dest="$name" /org/mpris/MediaPlayer2 "org.$1" "${@:2}" | tr -s ' \n' ' '
}

# mpris_says: the properties of the media player match.
mpris_says() { mpris freedesktop.DBus.Properties.GetAll string:org.mpris.MediaPlayer2.Player | grep "$1" >/dev/null; }

press() { mpris "mpris.MediaPlayer2.Player.$1" >/dev/null && mpris_says "PlaybackStatus\" variant string \"$2"; }

# media_keys_control_the_player waits until the text of the shortcut is in the player, where Play would else start the former
# audio, then plays and pauses it with the keys that a desktop sends.
media_keys_control_the_player() {
	until_true "$timeout_ms" mpris_says 'xesam:title" variant string "By the shortcut' &&
		until_true "$timeout_ms" press Play Playing && until_true "$timeout_ms" press Pause Paused
}

# opens_files starts the program once more with a file, which becomes a draft of the window that is open.
opens_files() {
	printf 'Handed over: Grüße.\n' >"$work/handed over.txt"
	timeout 60 "$program" --data "$data" "$work/handed over.txt" >>"$work/log" 2>&1 || return 1
	until_true "$timeout_ms" has_handed
}
has_handed() { api GET /drafts | grep 'Handed over: Grüße' >/dev/null; }

# opens_with_files starts the window with subtitles, which become a script.
opens_with_files() {
	printf '1\n00:00:01,000 --> 00:00:02,000\nAnna: Who is there?\n\n2\n00:00:02,000 --> 00:00:03,000\nBen: Nobody.\n' >"$work/film.srt"
	end_window
	start_window "$work/film.srt"
	until_true "$timeout_ms" has_script
}
has_script() { api GET /drafts | grep '"name":"film"' >/dev/null; }

geometry() { xdotool getwindowgeometry "$window" | sed -n '2,3p'; }
is_at() { [ "$(geometry)" = "$1" ]; }

# has_moved: the window has another position and the requested size, which change one after the other.
has_moved() {
	local now
	now=$(geometry)
	[ "${now%%$'\n'*}" != "${1%%$'\n'*}" ] && [ "${now##* }" = 1000x700 ]
}

# is_still: the window does not move any more.
is_still() {
	local place
	place=$(geometry)
	pause 300
	is_at "$place"
}

# placement_is_restored moves the window, ends it, and finds it in the same place.
placement_is_restored() {
	local place
	place=$(geometry)
	xdotool windowsize "$window" 1000 700 windowmove "$window" 60 80
	until_true "$timeout_ms" has_moved "$place" || return 1
	until_true "$timeout_ms" is_still || return 1
	place=$(geometry)
	end_window
	start_window
	until_true "$timeout_ms" is_at "$place"
}

steps() {
	step "generates with the keyboard"
	generate || return 1
	step "a second start brings the window to the front"
	second_start || return 1
	step "a crashed page is loaded again, and no speech is lost"
	page_crashes || return 1
	step "copies an audio file to the clipboard"
	copies_audio || return 1
	step "reads the clipboard aloud by a shortcut, and starts at login on request"
	shortcut_and_login || return 1
	if [ -n "$bus_log" ]; then
		step "plays and pauses by media keys"
		media_keys_control_the_player || return 1
		step "reads the clipboard aloud from the notification area"
		tray_reads_the_clipboard || return 1
	else
		not_tried "the notification area: dbus-daemon or dbus-monitor is missing"
	fi
	step "opens files: of a second start in the open window, and at the start"
	opens_files || return 1
	opens_with_files || return 1
	if [ "$managed" = yes ]; then
		step "opens a text file with a dialog"
		open_text || return 1
		step "asks before it closes during a generation"
		close_asks || return 1
		step "restores its placement"
		placement_is_restored || return 1
	else
		not_tried "dialogs, the question at the end, minimising, placement: openbox is missing"
	fi
	pause 1000 # for the picture
}
