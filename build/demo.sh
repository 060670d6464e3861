#!/usr/bin/env bash
# Generates one sentence with the built-in voice in a temporary data directory, and prints the result.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly text='Hello from Voicewright. Everything you hear was generated on this computer.'
readonly file=$PWD/build/demo/hello.wav

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
mkdir -p build/demo

TIMEFORMAT=%R
exec 3>&2
seconds=$({ time bin/voicewright --data "$data" say "$text" --voice espeak:en-us \
	-o "$file" --json >"$data/result.json" 2>&3; } 2>&1)

node - "$data/result.json" "$seconds" "$file" <<'END'
const [result, seconds, file] = process.argv.slice(2);
const g = JSON.parse(require("fs").readFileSync(result, "utf8"));
const lines = [
  ["text", g.text],
  ["voice", `${g.profile_name} (${g.engine}, ${g.voice})`],
  ["audio", `${g.duration.toFixed(2)} s at ${g.sample_rate} Hz`],
  ["time", `${seconds} s from start to exit, ${(g.duration / seconds).toFixed(0)} times faster than real time`],
  ["file", file],
];
for (const [name, value] of lines) console.log(name.padEnd(9) + value);
END
