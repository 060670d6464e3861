#!/usr/bin/env bash
# Runs OpenAI's clients for Python and Node against the built program, and the examples of docs/api.md with them. It has a temporary
# data directory with one transcription model, which hears tones as words.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly model=engines/whisper/whispertest/testdata/ggml-tones.bin.gz
readonly golden=backend/transcribe/testdata/whisper/tones.tones70.greedy
export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1

scratch=$(mktemp -d)
server=
finish() {
	local status=$?
	if [ -n "$server" ]; then
		kill "$server" 2>/dev/null || true
		wait "$server" || true
	fi
	[ "$status" = 0 ] || cat "$scratch/log" 2>/dev/null >&2 || true
	rm -rf "$scratch"
}
trap finish EXIT

# make_tones writes 30 s of tones and silence: the beginning of the audio whose text is in the golden files.
make_tones() {
	node - "$1" <<-'END_OF_SCRIPT'
		const words = "low mid high none mid mid".split(" ");
		const hz = { low: 300, mid: 1000, high: 3000, none: 0 };
		const rate = 16000, block = 5 * rate, size = 2 * block * words.length;
		const wav = Buffer.alloc(44 + size);
		wav.write("RIFF", 0), wav.writeUInt32LE(36 + size, 4), wav.write("WAVEfmt ", 8), wav.writeUInt32LE(16, 16);
		wav.writeUInt16LE(1, 20), wav.writeUInt16LE(1, 22), wav.writeUInt32LE(rate, 24), wav.writeUInt32LE(2 * rate, 28);
		wav.writeUInt16LE(2, 32), wav.writeUInt16LE(16, 34), wav.write("data", 36), wav.writeUInt32LE(size, 40);
		for (let i = 0; i < block * words.length; i++) {
		  const angle = (2 * Math.PI * hz[words[Math.floor(i / block)]] * (i % block)) / rate;
		  wav.writeInt16LE(Math.round(16383 * Math.sin(angle)), 44 + 2 * i);
		}
		require("fs").writeFileSync(process.argv[2], wav);
	END_OF_SCRIPT
}

gunzip -c "$model" >"$scratch/ggml-tones.bin"
make_tones "$scratch/tones.wav"
# Three segments, without the space that the model puts before each.
head -n 12 "$golden.srt" | sed 's/^ //' >"$scratch/tones.srt"
head -n 11 "$golden.vtt" | sed 's/^ //' >"$scratch/tones.vtt"
bin/voicewright --data "$scratch/library" models import "$scratch/ggml-tones.bin" --name tones >/dev/null

mkfifo "$scratch/output"
bin/voicewright --data "$scratch/library" serve --addr 127.0.0.1:0 --token abc --offline >"$scratch/output" 2>"$scratch/log" &
server=$!
exec 3<"$scratch/output" # kept open: a program that writes into a closed pipe is killed
read -r line <&3 || true
case ${line:-} in
"listening on "*) url=${line#listening on } ;;
*)
	echo "clients-test: the program did not start" >&2
	exit 1
	;;
esac

python=$(type -P python3 || type -P python || type -P py)
PYTHONPATH=build/lib/clients/python "$python" build/clients/openai_client.py "$url" tones "$scratch/tones.wav" "$scratch/tones"
node build/clients/openai_client.mjs "$url" tones "$scratch/tones.wav" "$scratch/tones"

# example LANGUAGE COMMAND... runs the example of the page: it must write audio and print the text of the tones.
example() {
	sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" docs/api.md | sed '1d;$d' >"$scratch/page/example.mjs"
	[ -s "$scratch/page/example.mjs" ] || {
		echo "clients-test: docs/api.md has no example for $1" >&2
		exit 1
	}
	rm -f "$scratch/page/kettle.wav"
	(cd "$scratch/page" && URL=$url TOKEN=abc "${@:2}" example.mjs) >"$scratch/printed"
	if ! diff "$scratch/printed" "$scratch/tones.txt" || [ "$(head -c 4 "$scratch/page/kettle.wav")" != RIFF ]; then
		echo "clients-test: the example of docs/api.md for $1 did something else" >&2
		exit 1
	fi
	echo "example of docs/api.md for $1: all good"
}

mkdir "$scratch/page"
cp "$scratch/tones.wav" "$scratch/page/talk.wav"
ln -s "$PWD/build/lib/clients/node/node_modules" "$scratch/page/node_modules"
awk 'NR % 4 == 3' "$scratch/tones.srt" | paste -sd ' ' >"$scratch/tones.txt"
example python env PYTHONPATH="$PWD/build/lib/clients/python" "$python"
example js node
