#!/usr/bin/env bash
# Generates one sentence with the built-in voice in a temporary data directory, and prints the result.
#
#   build/demo.sh PROGRAM
set -euo pipefail
cd "$(dirname "$0")/.."

readonly program=$1
readonly text='Hello from Voicewright. Everything you hear was generated on this computer.'
readonly file=$PWD/build/demo/hello.wav

data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
mkdir -p build/demo

TIMEFORMAT=%R
seconds=$({ time "$program" --data "$data" say "$text" --voice espeak:en-us -o "$file" >"$data/result" 2>"$data/messages"; } 2>&1) || {
	cat "$data/messages" >&2
	exit 1
}
cat "$data/result"
echo "Time:  $seconds s from start to exit"
