#!/usr/bin/env bash
# Speaks one sentence with the built-in voice in a data directory of its own, and says how it went.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly text='Hello from Voicewright. Everything that you hear was made on this machine.'
readonly file=$PWD/build/demo/hello.wav

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
mkdir -p build/demo

TIMEFORMAT=%R
exec 3>&2
seconds=$({ time bin/voicewright --data "$data" say "$text" --voice espeak:en-us \
	-o "$file" --json >"$data/said.json" 2>&3; } 2>&1)

node - "$data/said.json" "$seconds" "$file" <<'END'
const [said, seconds, file] = process.argv.slice(2);
const g = JSON.parse(require("fs").readFileSync(said, "utf8"));
const lines = [
  ["said", g.text],
  ["voice", `${g.profile_name} (${g.engine}, ${g.voice})`],
  ["audio", `${g.duration.toFixed(2)} s at ${g.sample_rate} Hz`],
  ["made in", `${seconds} s from start to exit, ${(g.duration / seconds).toFixed(0)} times faster than it plays`],
  ["file", file],
];
for (const [name, value] of lines) console.log(name.padEnd(9) + value);
END
