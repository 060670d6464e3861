#!/usr/bin/env bash
# Runs every fuzz target of the module, one after another: build/fuzz.sh TIME [go flags].
set -euo pipefail
cd "$(dirname "$0")/.."
time=$1
shift

# `go test -list` prints the names of a package, then a line "ok <package> <time>".
go test "$@" -list '^Fuzz' ./... | awk '
	/^Fuzz/ { names[++n] = $1 }
	/^ok/   { for (i = 1; i <= n; i++) print $2, names[i]; n = 0 }
' | while read -r package target; do
	echo "fuzz: $package $target"
	# Each new input is made smaller for up to a minute by default: then most of the time goes into that.
	go test "$@" -run '^$' -fuzz "^$target\$" -fuzzminimizetime 3s -fuzztime "$time" "$package" </dev/null
done
