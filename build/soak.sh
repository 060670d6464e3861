#!/usr/bin/env bash
# Runs the tests named TestSoak, one after another, and prints what they measure: build/soak.sh [go flags]. They are behind the
# build tag soak, because each of them takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

flags=()
for flag in "$@"; do
	flags+=("${flag/#-tags=/-tags=soak,}")
done

packages=$(grep -rl --include='*_test.go' '^//go:build .*soak' . | grep -v node_modules | xargs -n1 dirname | sort -u)
# shellcheck disable=SC2086 # one word for each package
go test "${flags[@]}" -run '^TestSoak' -v -p 1 -count=1 -timeout 4h $packages | grep --line-buffered -vE '^(=== |PASS$)'
