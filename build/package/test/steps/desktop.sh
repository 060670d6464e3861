# Sourced by inside.sh: the package voicewright-desktop, manuals and completions.
# shellcheck shell=bash disable=SC2154

# install_tools installs what a desktop has, after the packages were installed without it.
install_tools() {
	apt install --no-install-recommends man-db bash-completion desktop-file-utils appstream shared-mime-info libglib2.0-bin
}

check_manuals() {
	local name command
	for name in voicewright voicewright-desktop voicewright-service; do
		as_user man -w "$name" >/dev/null || fail "there is no manual of $name"
		as_user man --warnings -E UTF-8 -l "$(as_user man -w "$name")" 2>"$work/man.log" >"$work/man" || fail "man cannot read that of $name"
		grep -q NAME "$work/man" || fail "the manual of $name is empty"
		[ ! -s "$work/man.log" ] || { cat "$work/man.log" >&2; fail "man warns about $name"; }
	done
	# As bash calls them, for `voicewright hist<Tab>` and `voicewright-service acc<Tab>`.
	for command in 'voicewright hist history' 'voicewright-service acc account'; do
		read -r name typed want <<<"$command"
		completed "$name" "$typed" | grep -x "$want" >/dev/null || fail "$name $typed is not completed"
	done
	for name in voicewright voicewright-service; do
		[ -s "$root/usr/share/zsh/vendor-completions/_$name" ] || fail "no completion of $name for zsh"
		[ -s "$root/usr/share/fish/vendor_completions.d/$name.fish" ] || fail "no completion of $name for fish"
	done
}

# completed PROGRAM WORD prints what bash offers for a word that was begun.
completed() {
	as_user bash -c '
		. /usr/share/bash-completion/bash_completion
		_completion_loader "$1" || true
		COMP_LINE="$1 $2" COMP_POINT=$((${#1} + 1 + ${#2})) COMP_WORDS=("$1" "$2") COMP_CWORD=1 COMP_TYPE=9 COMPREPLY=()
		"$(complete -p "$1" | sed "s/.*-F \([^ ]*\).*/\1/")" "$1" "$2" "$1" 2>/dev/null # compopt fails outside of a completion
		printf "%s\n" "${COMPREPLY[@]}" | sed "s/ *$//"
	' bash "$1" "$2"
}

check_desktop() {
	local entry=/usr/share/applications/voicewright.desktop type types file files size
	in_chroot desktop-file-validate "$entry" || fail 'desktop-file-validate has faults'
	mapfile -t files < <(in_chroot dpkg -L voicewright-desktop | grep '/metainfo/.*\.xml$')
	[ ${#files[@]} -gt 0 ] || fail 'there is no AppStream metadata'
	for file in "${files[@]}"; do
		quietly in_chroot appstreamcli validate --no-net --pedantic "$file" || fail "appstreamcli has faults of $file"
	done
	note "appstreamcli: $(tail -n 1 "$work/output")"
	read -ra types < <(sed -n 's/^MimeType=//p' "$root$entry" | tr ';' ' ')
	[ ${#types[@]} -gt 20 ] || fail 'the entry has few types of files'
	for type in "${types[@]}"; do
		as_user gio mime "$type" | grep 'voicewright.desktop' >/dev/null || fail "$type is not opened with Voicewright"
	done
	note "${#types[@]} types of files are opened with it, of which $(known_types "${types[@]}") are in this Debian's database"
	for size in 48x48 scalable; do
		compgen -G "$root/usr/share/icons/hicolor/$size/apps/voicewright.*" >/dev/null || fail "there is no icon $size"
	done
	[ -x "$root$(in_chroot sh -c "command -v $(sed -n 's/^Exec=\([^ ]*\).*/\1/p' "$root$entry")")" ] || fail 'the entry names no program'
}

# known_types TYPE... counts those that the shared database of types has.
known_types() {
	local type count=0
	for type; do [ ! -e "$root/usr/share/mime/$type.xml" ] || count=$((count + 1)); done
	echo "$count"
}

# open_window opens the window on a display of this machine, in the network of the tests and as the user: the programs of the test are
# this machine's, the window and all that it needs are the chroot's. The user may change the root, for this program; what it starts there
# may not.
open_window() {
	offline setpriv --reuid "$user_id" --regid "$user_id" --clear-groups --inh-caps +sys_chroot --ambient-caps +sys_chroot \
		env HOME="/home/$user" USER="$user" build/window-test.sh "$1" "$2" build/package/test/window-steps.sh
}

# use_window gives a display that was slow once a second chance.
use_window() {
	local program=/tmp/voicewright-desktop made=/tmp/window.png picture=$dist/pictures/window-$suite.png
	cat >"$program" <<-END
		#!/bin/sh
		exec chroot $root setpriv --ambient-caps -all --inh-caps -all --no-new-privs /usr/bin/voicewright-desktop "\$@"
	END
	chmod 755 "$program"
	open_window "$program" "$made" || open_window "$program" "$made" || fail 'the window'
	[ "$(identify -format %k "$made")" -gt 64 ] || fail 'the picture is blank'
	cp "$made" "$picture"
	note "picture: dist/pictures/${picture##*/}, $(identify -format '%wx%h, %k colours' "$made")"
	rm -f "$program" "$made"
}
