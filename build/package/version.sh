#!/usr/bin/env bash
# Prints the version of this tree: the one place that knows how each format writes it.
#
#   build/package/version.sh             as the programs print it: git describe, or VERSION of the environment
#   build/package/version.sh --package   for .deb and .rpm, where later versions sort later
#   build/package/version.sh --numbers   four numbers, for Windows
#   build/package/version.sh --epoch     when the last commit was made, in seconds: SOURCE_DATE_EPOCH of what is built
#
# The tag v1.2.3 is 1.2.3, v1.2.3-rc.1 is 1.2.3~rc.1, and five commits after v1.2.3 are 1.2.3+5.g0123abc. Without a tag it is
# 0.0.0~git20261129150845.0123abc, with the time of the commit, which any release replaces.
set -euo pipefail
cd "$(dirname "$0")/../.."

epoch() { echo "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"; }

version=${VERSION:-$(git describe --tags --always --dirty --abbrev=12 2>/dev/null || echo unknown)}

# stamp SECONDS prints a time of day as digits; the date of BSD has another option for it.
stamp() { date -u -d "@$1" +%Y%m%d%H%M%S 2>/dev/null || date -u -r "$1" +%Y%m%d%H%M%S; }

# packaged prints the version with numbers first, and only with characters that every package format allows.
packaged() {
	local rest=${version#v} numbers
	if [[ $rest =~ ^[0-9a-f]{7,40}(-dirty)?$ && ! $rest =~ ^[0-9]+\. ]]; then
		rest=0.0.0~git$(stamp "$(epoch)").$rest
	elif [[ ! $rest =~ ^[0-9]+\. ]]; then
		rest=0.0.0~$rest
	fi
	if [[ $rest =~ ^(.*)-([0-9]+)-(g[0-9a-f]+(-dirty)?)$ ]]; then
		numbers=${BASH_REMATCH[1]//-/\~}
		rest=$numbers+${BASH_REMATCH[2]}.${BASH_REMATCH[3]}
	fi
	rest=${rest/-dirty/.dirty}
	rest=${rest/-/\~}
	echo "${rest//[^0-9A-Za-z.+~]/.}"
}

# numbers prints 1.2.3.5 for five commits after v1.2.3.
numbers() {
	local plain commits=0
	plain=$(packaged)
	[[ ! $plain =~ \+([0-9]+)\.g ]] || commits=${BASH_REMATCH[1]}
	[[ $plain =~ ^([0-9]+)\.([0-9]+)(\.([0-9]+))? ]]
	echo "${BASH_REMATCH[1]}.${BASH_REMATCH[2]}.${BASH_REMATCH[4]:-0}.$commits"
}

case ${1:-} in
'') echo "$version" ;;
--package) packaged ;;
--numbers) numbers ;;
--epoch) epoch ;;
*)
	echo 'usage: build/package/version.sh [--package | --numbers | --epoch]' >&2
	exit 2
	;;
esac
