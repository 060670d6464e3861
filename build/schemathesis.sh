#!/usr/bin/env bash
# Runs Schemathesis against both programs, each on a fresh data directory and a port of the loopback, without a network:
# build/schemathesis.sh [local] [service] [-- OPTION...]. EXAMPLES is how many cases the phases fuzzing and stateful make of each
# operation. It prints the figures of each run; the reports are in build/lib/schemathesis.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly lib=build/lib/schemathesis
readonly examples=${EXAMPLES:-30}
readonly checks=all
# Nothing of the person who runs this is found: no keychain, no sound, no screen, no settings.
export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1 DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent PULSE_SERVER=unix:/nonexistent
unset DISPLAY WAYLAND_DISPLAY VOICEWRIGHT_MODELS_DIR HF_HOME HF_HUB_CACHE HF_ENDPOINT HF_TOKEN

programs=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	programs+=("$1")
	shift
done
[ $# = 0 ] || shift
[ ${#programs[@]} != 0 ] || programs=(local service)

install_schemathesis() {
	cmp -s build/schemathesis/requirements.txt "$lib/requirements.txt" && return
	rm -rf "$lib/venv"
	python3 -m venv "$lib/venv"
	"$lib/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: -r build/schemathesis/requirements.txt
	cp build/schemathesis/requirements.txt "$lib/"
}

scratch=$(mktemp -d)
server=
stop_server() {
	[ -n "$server" ] || return 0
	kill "$server" 2>/dev/null || true
	wait "$server" || true
	server=
}
trap 'stop_server; rm -rf "$scratch"' EXIT

# start runs a program and sets url to the address that it prints first.
start() {
	rm -f "$scratch/output"
	mkfifo "$scratch/output"
	HOME=$scratch/home "$@" >"$scratch/output" 2>"$scratch/log" &
	server=$!
	exec 3<"$scratch/output" # kept open: a program that writes into a closed pipe is killed
	local line
	read -r line <&3 || true
	case ${line:-} in
	"listening on "*) url=${line#listening on } ;;
	*)
		cat "$scratch/log" >&2
		exit 1
		;;
	esac
}

start_local() {
	TOKEN=schemathesis
	local vw=(bin/voicewright --data "$scratch/library")
	gunzip -c engines/whisper/whispertest/testdata/ggml-tones.bin.gz >"$scratch/ggml-tones.bin"
	"${vw[@]}" models import "$scratch/ggml-tones.bin" --name tones >/dev/null
	"${vw[@]}" models import app/testdata/en_US-tone-medium --name piper-tone >/dev/null
	start "${vw[@]}" serve --addr 127.0.0.1:0 --token "$TOKEN" --offline
	mkdir "$scratch/empty"
	printf 'no model' >"$scratch/import.bin"
	python3 build/schemathesis/seed.py "$url" "$TOKEN"
}

start_service() {
	start bin/voicewright-service run --dev-idp --offline --database "sqlite:$scratch/service.db" --files "$scratch/files" --metrics
	TOKEN=$(build/service/token.sh "$url")
	curl -sS --fail -o "$scratch/credits" -H "Authorization: Bearer $TOKEN" "$url/api/v1/user/credits" # which makes the account
	bin/voicewright-service account set-plan ann@example.org max --database "sqlite:$scratch/service.db" >/dev/null
}

install_schemathesis
failed=0
for program in "${programs[@]}"; do
	mkdir -p "$scratch/home"
	"start_$program" >"$scratch/values.toml"
	cat "build/schemathesis/$program.toml" "$scratch/values.toml" >"$scratch/schemathesis.toml"
	export TOKEN SCRATCH=$scratch SCHEMATHESIS_HOOKS=hooks PYTHONPATH=build/schemathesis
	"$lib/venv/bin/schemathesis" --no-color --config-file "$scratch/schemathesis.toml" run "$url/openapi.json" --checks "$checks" \
		--phases examples,coverage,fuzzing,stateful --max-examples "$examples" --seed 36 --workers 1 \
		--report ndjson --report-ndjson-path "$lib/$program.ndjson" "$@" || failed=1
	stop_server
	if grep -q '"level":"ERROR"\|level=ERROR' "$scratch/log"; then
		grep -m 5 '"level":"ERROR"\|level=ERROR' "$scratch/log" >&2
		failed=1
	fi
	find "$scratch" -mindepth 1 -delete
done
exit "$failed"
