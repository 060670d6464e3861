# Sourced by inside.sh: the package voicewright.
# shellcheck shell=bash disable=SC2154

install_program() {
	apt install --no-install-recommends "$(package voicewright)"
	is_installed voicewright || fail 'voicewright is not installed'
	note "voicewright $(version_of voicewright) with $(unpacked) packages: only what it depends on"
	linked voicewright
	# What it only recommends must exist in this Debian.
	in_chroot apt-get install -s --install-recommends ffmpeg poppler-utils >/dev/null || fail 'what it recommends cannot be installed'
}

# linked NAME...: every program and library of the packages finds the libraries that it is linked with.
linked() {
	local files=()
	mapfile -t files < <(in_chroot dpkg -L "$@")
	linked_files "${files[@]}"
}
linked_files() {
	local file
	for file; do
		[ -f "$root$file" ] && head -c 4 "$root$file" | grep ELF >/dev/null || continue
		! in_chroot ldd "$file" 2>/dev/null | grep 'not found' || fail "$file misses libraries"
	done
}

# prepare_fixtures puts what the user has into his home: a voice, a transcription model, a text.
prepare_fixtures() {
	local home=$root/home/$user
	cp -r app/testdata/en_US-tone-medium "$home/"
	gzip -dc engines/whisper/whispertest/testdata/ggml-plain.bin.gz >"$home/listener.bin"
	printf 'The kettle is on. Grüße aus dem Süden.\n' >"$home/a text.txt"
	chown -R "$user_id:$user_id" "$home"
	chmod -R u=rwX,go= "$home/en_US-tone-medium" "$home/listener.bin" "$home/a text.txt"
}

# serve [ARGUMENT...] starts the local API as the user, and sets server (its process), url and token.
serve() {
	rm -f "$work/served"
	"${user_words[@]}" voicewright "$@" serve --addr 127.0.0.1:0 >"$work/served" 2>"$work/serve.log" &
	server=$!
	until_true test -s "$work/served" || {
		cat "$work/serve.log" >&2
		fail 'the local API did not start'
	}
	url=$(grep -o 'http://[^ /?]*' "$work/served" | head -n 1)
}
stop_server() {
	local status=0
	kill -TERM "$server"
	wait "$server" || status=$?
	[ "$status" -eq 0 ] || [ "$status" -eq 130 ] || fail "serve ended with status $status"
	[ "$(listening)" = 0 ] || fail 'something still listens'
}

# only_loopback: what listens in the network of the tests, listens on the loopback.
only_loopback() {
	local foreign
	foreign=$(offline cat /proc/net/tcp /proc/net/tcp6 /proc/net/udp /proc/net/udp6 |
		awk '($4 == "0A" || $4 == "07") && $2 !~ /^(0100007F|00000000000000000000000001000000):/ { print $2 }')
	[ -z "$foreign" ] || fail "something listens beyond the loopback: $foreign"
}
listening() { offline cat /proc/net/tcp | awk '$4 == "0A"' | wc -l; }

# voicewright runs the program as the user, and shows what it printed on standard error only when it fails.
voicewright() {
	as_user voicewright "$@" 2>"$work/cli.log" || {
		cat "$work/cli.log" >&2
		fail "voicewright $*"
	}
}

# speak VOICE FILE speaks a sentence and measures it: seconds, peak and level.
speak() {
	voicewright say 'Hello from the package. Everything here was made on this computer.' --voice "$1" -o "$2" >/dev/null
	quietly python3 build/package/test/listen.py "$root/home/$user/$2" || fail "$1 does not speak"
	note "$1 $(cat "$work/output")"
}

# right_version: the program says the version of its package, which is spelt as Debian wants it.
right_version() {
	local says packaged
	says=$(voicewright --version) packaged=$(version_of voicewright)
	note "$says"
	says=${says#voicewright }
	says=${says#v}
	[[ ${packaged//[^0-9a-z]/} == *"${says//[^0-9a-z]/}" ]] || fail "the program says $says, and the package $packaged"
}

# found NAME...: doctor finds no faults, and these parts.
found() {
	local name
	quietly as_user voicewright doctor || fail 'doctor found faults'
	for name; do
		grep -qE "^ok +$name " "$work/output" || { cat "$work/output" >&2; fail "doctor does not find $name"; }
	done
}

use_program() {
	prepare_fixtures
	right_version
	found espeak-ng 'ONNX Runtime' whisper.cpp
	serve
	offline curl -fsS "$url/health" >/dev/null || fail '/health does not answer'
	offline curl -fsS -o "$work/page" "$url/" && grep -q '<div id="root"' "$work/page" || fail 'the page is missing'
	[ "$(listening)" -ge 1 ] || fail 'nothing listens'
	only_loopback
	voicewright models import en_US-tone-medium --name tone >/dev/null
	voicewright models import listener.bin --engine whisper --name listener >/dev/null
	speak espeak:en-us espeak.wav
	speak tone: tone.wav
	voicewright say --file 'a text.txt' --voice espeak:en-us -o 'a text.wav' >/dev/null
	quietly python3 build/package/test/listen.py "$root/home/$user/a text.wav" || fail 'the text of a file is not spoken'
	voicewright transcribe espeak.wav --model listener >"$work/transcript"
	[ -s "$work/transcript" ] || fail 'the transcript is empty'
	note "transcript of the model for tests: $(head -c 60 "$work/transcript" | head -n 1)"
	[ "$(voicewright history list --json | grep -o '"status":"complete"' | wc -l)" = 3 ] || fail 'the history has other generations'
	only_loopback
	stop_server
}

# use_archive unpacks the archive for other systems into the home of the user, speaks with it and removes it.
use_archive() {
	local archive=("$dist"/voicewright-*-linux-x64.tar.xz) folder opt=$root/home/$user/opt
	[ ${#archive[@]} -eq 1 ] && [ -e "${archive[0]}" ] || fail "$dist has ${#archive[@]} archives for Linux x64"
	as_user mkdir opt
	xz -dc "${archive[0]}" | as_user tar -x -C opt # a minimal Debian has no xz
	folder=$(ls "$opt")
	linked_files "/home/$user/opt/$folder/voicewright" "/home/$user/opt/$folder/libonnxruntime.so.1"
	quietly as_user "opt/$folder/voicewright" --data opt/data doctor || fail 'doctor of the archive finds faults'
	grep -qE '^ok +ONNX Runtime ' "$work/output" || fail 'the archive does not find its ONNX Runtime'
	quietly as_user "opt/$folder/voicewright" --data opt/data models import en_US-tone-medium --name tone || fail 'models import'
	quietly as_user "opt/$folder/voicewright" --data opt/data say 'Hello from the archive.' --voice tone: -o opt/archive.wav || fail 'say'
	quietly python3 build/package/test/listen.py "$opt/archive.wav" || fail 'the archive does not speak'
	note "$folder $(cat "$work/output")"
	rm -r "$opt"
}

# remove_program removes the package and purges it: the data of the user stays, and nothing else of it.
remove_program() {
	user_files >"$work/data-before"
	apt remove voicewright
	! as_user voicewright --version 2>/dev/null || fail 'the program is still there'
	purge voicewright
	nothing_left
	user_files_stay
}
