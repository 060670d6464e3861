#!/usr/bin/env bash
# Installs the packages of dist/ in clean Debians, uses them as a plain user, upgrades and removes them. Prints each step with its
# seconds, also into dist/package-test.log; pictures of the window are in dist/pictures.
#
#   build/package/test/run.sh [SUITE...]     from `make package-test`; default: bookworm trixie
#
# DIST is the folder of the packages, dist by default. Root can run it, and a plain user where user namespaces are allowed. Each Debian
# is unpacked from build/lib/chroots, where mmdebstrap puts it once, into TMPDIR (3 GB), in namespaces of its own: with them all
# processes and mounts end, whatever happens. The packages it depends on come from the mirror that this machine uses, and are kept in
# build/lib/chroots too. Their programs run in a network that is nothing but its own loopback.
set -euo pipefail
cd "$(dirname "$0")/../../.."
PATH=$PATH:/usr/sbin:/sbin
. build/package/test/base.sh

say() { printf 'package-test: %s\n' "$*"; }
die() {
	say "$*" >&2
	exit 1
}

for tool in mmdebstrap dpkg-deb rpm ip unshare setpriv python3; do
	command -v "$tool" >/dev/null || die "$tool is missing; run: build/setup --package --desktop"
done
dist=$(realpath "${DIST:-dist}")
compgen -G "$dist/voicewright_*_amd64.deb" >/dev/null || die "no packages in $dist; run: make package"
[ $# -gt 0 ] || set -- bookworm trixie

as_root=()
if [ "$(id -u)" != 0 ]; then as_root=(--user --map-root-user --map-auto); fi

mkdir -p "$dist/pictures"
exec > >(tee -i "$dist/package-test.log") 2>&1
work=$(mktemp -d "${TMPDIR:-/tmp}/voicewright-package-test.XXXXXX")
chmod 755 "$work"
inner=''
# shellcheck disable=SC2329 # called by trap
finish() {
	local status=$?
	trap '' INT TERM HUP
	[ -z "$inner" ] || kill -KILL "$inner" 2>/dev/null || true
	wait "$inner" 2>/dev/null || true
	if [ ${#as_root[@]} -gt 0 ]; then unshare "${as_root[@]}" -- rm -rf --one-file-system "$work"; fi
	rm -rf --one-file-system "$work"
	exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

for suite; do
	ensure_base "$suite"
	mkdir "$work/$suite"
	unshare "${as_root[@]}" --mount --propagation private --pid --fork --kill-child -- \
		build/package/test/inside.sh "$suite" "$work/$suite" "$dist" &
	inner=$!
	wait "$inner" || die "$suite: the last step failed."
	inner=''
	unshare "${as_root[@]}" -- rm -rf --one-file-system "${work:?}/$suite"
done
say "all good in $*, after $SECONDS s"
