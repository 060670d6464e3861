#!/usr/bin/env bash
# Runs make targets as a stranger would: on a clone of HEAD, in a minimal Debian 12, as a plain user with sudo. Prints how
# long each target took, and ends with 1 at the first one that fails.
#
#   build/clean-room.sh [TARGET...]     demo and test where none is named
#
# Needs root and debootstrap. Go and Node are copied from this machine, as Debian 12 has older ones, and so are its CA
# certificates and its proxy and package settings. It takes about 5 GB below TMPDIR while it runs; all of it goes away.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly user=stranger
TIMEFORMAT='%0R s, %0U s of CPU time and %0S s in the system'

say() { printf 'clean-room: %s\n' "$*"; }
die() {
	say "$*" >&2
	exit 1
}

# copy_if_there FILE... copies files and folders of this machine to the same place in the room.
copy_if_there() {
	local file
	for file; do
		if [ -e "$file" ]; then cp -a --parents "$file" "$room"; fi
	done
}

make_debian() {
	say "making a minimal Debian"
	debootstrap --variant=minbase --include=ca-certificates,git,make,curl,sudo bookworm "$room" >"$room/debootstrap.log" ||
		{ tail -n 20 "$room/debootstrap.log" >&2; die "debootstrap failed."; }
	copy_if_there /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/pip.conf /etc/npmrc /etc/gitconfig
	local file
	for file in /etc/apt/apt.conf.d/*; do
		if grep -qs '^Acquire' "$file"; then copy_if_there "$file"; fi
	done
	chroot "$room" useradd --create-home --shell /bin/bash "$user"
	echo "$user ALL=(ALL) NOPASSWD: ALL" >"$room/etc/sudoers.d/$user"
}

copy_languages() {
	local npm
	cp -a "$(go env GOROOT)" "$room/usr/local/go"
	cp -L "$(node -p process.execPath)" "$room/usr/local/bin/node"
	npm=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
	mkdir -p "$room/usr/local/lib/node_modules"
	cp -a "$npm" "$room/usr/local/lib/node_modules/npm"
	ln -s ../lib/node_modules/npm/bin/npm-cli.js "$room/usr/local/bin/npm"
	ln -s ../lib/node_modules/npm/bin/npx-cli.js "$room/usr/local/bin/npx"
}

copy_tree() {
	local home=$room/home/$user file
	git clone --quiet --no-local . "$home/voicewright"
	mkdir -p "$home/.config"
	for file in .npmrc .config/pip .config/go; do
		if [ -e "$HOME/$file" ]; then cp -a "$HOME/$file" "$home/$file"; fi
	done
	chroot "$room" chown -R "$user:" "/home/$user"
}

# settings prints the variables of this machine that say how the network is reached.
settings() {
	env | grep -iE '^(https?_proxy|no_proxy|all_proxy|ssl_cert_[a-z]+|node_extra_ca_certs|pip_(cert|proxy|index_url|extra_index_url|trusted_host|default_timeout)|npm_config_[a-z_]+|goproxy|gosumdb|gonosumdb|goprivate)=' || true
}

# as_stranger COMMAND runs it in the clone. Nothing of this machine's environment is in it but the settings.
as_stranger() {
	local environment=()
	mapfile -t environment < <(settings)
	chroot --userspec="$user:$user" "$room" env -i "${environment[@]}" HOME="/home/$user" USER="$user" LANG=C.UTF-8 \
		PATH=/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin bash -c "cd ~/voicewright && $1"
}

# inside runs in mount and process namespaces of its own: mounts and processes end with it, however it ends.
inside() {
	local target times=() status=0
	make_debian
	copy_languages
	copy_tree
	mount -t proc proc "$room/proc"
	mount --rbind /dev "$room/dev"
	mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$room/dev/pts"
	for target; do
		say "make $target"
		{ time as_stranger "make $target" >&3 2>&4 || status=$?; } 3>&1 4>&2 2>"$room/time"
		times+=("make $target: $(<"$room/time")")
		[ "$status" -eq 0 ] || break
	done
	say "$(git log -1 --format='%h %s')"
	for target in "${times[@]}"; do say "$target"; done
	[ "$status" -eq 0 ] || die "the last of them failed."
}

if [ "${1:-}" = --inside ]; then
	room=$2
	shift 2
	inside "$@"
	exit
fi

[ "$(id -u)" = 0 ] || die "it mounts and changes root, so it must be run by root."
for tool in debootstrap chroot unshare go node npm git; do
	command -v "$tool" >/dev/null || die "$tool is missing."
done
[ $# -gt 0 ] || set -- demo test
room=$(mktemp -d "${TMPDIR:-/tmp}/voicewright-clean-room.XXXXXX")
chmod 755 "$room"
trap 'rm -rf --one-file-system "$room"' EXIT
unshare --mount --propagation private --pid --fork --kill-child -- "$PWD/build/clean-room.sh" --inside "$room" "$@" &
readonly inner=$!
trap 'kill -KILL "$inner"; wait "$inner"; exit 130' INT TERM HUP
wait "$inner"
