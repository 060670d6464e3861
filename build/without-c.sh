#!/usr/bin/env bash
# Prints the packages that a compiler without C builds for a platform, GOOS-GOARCH: those that use no package with C in it, nor do
# their tests. With tests it prints only those that have any. Files behind build tags are left out.
#
#   build/without-c.sh TARGET [tests]
set -euo pipefail
cd "$(dirname "$0")/.."

export GOOS=${1%-*} GOARCH=${1#*-} CGO_ENABLED=1 GOFLAGS=
# The client of Prometheus has a variant without C.
needs=$(go list -test -deps -f '{{if and (not .Standard) .CgoFiles}}{{.ImportPath}}{{end}}' ./... | grep -vE '^$|prometheus' | cut -d' ' -f1 |
	sort -u | paste -sd'|')
# A package with tests is listed as itself and as PACKAGE.test, the program of its tests.
go list -test -f '{{.ImportPath}},{{join .Deps ","}}' ./... | awk -F, -v needs=",($needs)( |,|$)" -v tests="${2:-}" '
	{ name = $1; sub(/ .*/, "", name); tested = sub(/\.test$/, "", name); sub(/_test$/, "", name) }
	("," $0) ~ needs { without[name] }
	tested || tests == "" { all[name] }
	END { for (name in all) if (!(name in without)) print name }' | sort
