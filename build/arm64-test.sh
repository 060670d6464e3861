#!/usr/bin/env bash
# Tests on arm64 without such a machine: under QEMU, which runs a single program of another processor. Before, build/setup --arm64 and
# `make cross TARGET=linux-arm64` put compilers, libraries and programs where this looks for them.
#
#   build/arm64-test.sh [packages] [engines] [program]
#
# Three steps, all without arguments: the tests of the packages that need no C; those of the engines on ONNX Runtime and on whisper.cpp,
# which C libraries of arm64 run; and tests of the app that start the program for arm64, which imports a voice, speaks with it, and
# transcribes.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly library=$PWD/build/lib/linux-arm64/onnxruntime

# A program that runs under QEMU cannot start another one of arm64, and these tests start their own.
readonly starters='backend/(secrets|subprocess|jobs/.*)|app/(datadir|typing)|build/.*'
# Of these packages, some tests do.
declare -rA starting=(
	[backend/generations]='^TestKill'
	[backend/hub]='^Test(.*Process|Waiter)'
	[backend/service/sqlite]='^Test.*Processes'
)

# Those of the engines that run graphs and models, and compare what comes out with the reference.
readonly engines='^Test(EqualSeedsEqualBytes|InspectAgreesWithTheLibrary|Suite|Tones|TextToSamples|TextToSound|PhonemesToSound|'\
'.*EqualsTheReference|.*EqualTheReference|EqualsWhisperCLI|AlignedTimes|EnglishOnlyModel)$'

# Those of the app that speak with an imported neural voice, and transcribe.
readonly app='^Test(Say|SayFiles|SayJSON|SayImportedVoice|Transcribe|TranscribeLikeTheReference)$'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
readonly emulator=(qemu-aarch64 -L "$scratch/root")

# processors prints /proc/cpuinfo of a machine with arm64. ONNX Runtime ends at once where it finds that of another one, and QEMU shows
# that of this machine.
processors() {
	local i
	for i in $(seq 0 $(($(getconf _NPROCESSORS_ONLN) - 1))); do
		printf '%s\n' "processor : $i" 'Features : fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp' \
			'CPU implementer : 0x41' 'CPU architecture: 8' 'CPU variant : 0x3' 'CPU part : 0xd0c' 'CPU revision : 1' ''
	done
}

# What QEMU finds in this folder hides what this machine has.
mkdir -p "$scratch/root/proc" "$scratch/programs"
ln -s /usr/aarch64-linux-gnu/lib "$scratch/root/lib"
processors >"$scratch/root/proc/cpuinfo"

say() { printf '\n== arm64: %s\n' "$*"; }

# results prints the results of go test -v, and fails where no test ran.
results() {
	grep --line-buffered -E '^(--- |ok|FAIL|panic)' | tee "$scratch/results"
	grep -q '^--- PASS' "$scratch/results" || { echo 'arm64: no test has one of these names.' >&2; return 1; }
}

packages() {
	local found some name
	say 'the packages that need no C'
	some=$(IFS='|'; echo "${!starting[*]}")
	mapfile -t found < <(build/without-c.sh linux-arm64 tests | grep -vE "/($starters|$some)$")
	emulated "${found[@]}"
	for name in "${!starting[@]}"; do emulated -skip "${starting[$name]}" "./$name"; done
}
emulated() { GOARCH=arm64 CGO_ENABLED=0 go test -trimpath -exec "${emulator[*]}" -vet=off -timeout 60m "$@"; }

engines() {
	say 'the engines, on the libraries for arm64'
	VOICEWRIGHT_ORT=$library build/cross.sh linux-arm64 go test -exec "${emulator[*]}" -vet=off -timeout 60m -v -run "$engines" \
		./engines/onnx ./engines/piper ./engines/kokoro ./engines/vad ./engines/whisper | results
}

program() {
	say 'the program, which speaks and transcribes'
	cat >"$scratch/programs/voicewright" <<-END
		#!/bin/sh
		exec ${emulator[*]} '$PWD/bin/linux-arm64/voicewright' "\$@"
	END
	chmod +x "$scratch/programs/voicewright"
	"$scratch/programs/voicewright" --version
	export VOICEWRIGHT_ORT=$library # which the tests pass on
	"$scratch/programs/voicewright" doctor --data "$scratch/data" | grep -E 'devices|ONNX|whisper'
	VOICEWRIGHT_TEST_PROGRAMS=$scratch/programs go test -tags=whisper -vet=off -count=1 -timeout 60m -v -run "$app" ./app |
		results
}

[ $# -gt 0 ] || set -- packages engines program
for step; do
	case $step in
	packages | engines | program) "$step" ;;
	*)
		echo 'usage: build/arm64-test.sh [packages] [engines] [program]' >&2
		exit 2
		;;
	esac
done
