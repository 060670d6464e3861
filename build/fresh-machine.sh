#!/usr/bin/env bash
# Runs make targets on a new machine: on a clone of HEAD, in a minimal Debian 12, as a plain user with sudo. Prints the time
# of each target, and ends with 1 at the first one that fails.
#
#   build/fresh-machine.sh [TARGET...]     default: demo and test
#
# Needs root and debootstrap. Go and Node are copied from this machine, as Debian 12 has older ones, and so are its CA
# certificates and its proxy and package settings. It needs about 5 GB in TMPDIR, which it removes at the end.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly user=newcomer
TIMEFORMAT='%0R s, %0U s of CPU time and %0S s in the system'

say() { printf 'fresh-machine: %s\n' "$*"; }
die() {
	say "$*" >&2
	exit 1
}

# copy_if_exists FILE... copies files and folders of this machine to the same path in the new root.
copy_if_exists() {
	local file
	for file; do
		if [ -e "$file" ]; then cp -a --parents "$file" "$root"; fi
	done
}

make_debian() {
	say "installing a minimal Debian"
	debootstrap --variant=minbase --include=ca-certificates,git,make,curl,sudo bookworm "$root" >"$root/debootstrap.log" ||
		{ tail -n 20 "$root/debootstrap.log" >&2; die "debootstrap failed."; }
	copy_if_exists /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/pip.conf /etc/npmrc /etc/gitconfig
	local file
	for file in /etc/apt/apt.conf.d/*; do
		if grep -qs '^Acquire' "$file"; then copy_if_exists "$file"; fi
	done
	chroot "$root" useradd --create-home --shell /bin/bash "$user"
	echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$user"
}

copy_languages() {
	local npm
	cp -a "$(go env GOROOT)" "$root/usr/local/go"
	cp -L "$(node -p process.execPath)" "$root/usr/local/bin/node"
	npm=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
	mkdir -p "$root/usr/local/lib/node_modules"
	cp -a "$npm" "$root/usr/local/lib/node_modules/npm"
	ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
	ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
}

copy_tree() {
	local home=$root/home/$user file
	git clone --quiet --no-local . "$home/voicewright"
	commit=$(git log -1 --format='%h %s')
	mkdir -p "$home/.config"
	for file in .npmrc .config/pip .config/go; do
		if [ -e "$HOME/$file" ]; then cp -a "$HOME/$file" "$home/$file"; fi
	done
	chroot "$root" chown -R "$user:" "/home/$user"
}

# settings prints the variables of this machine for network access.
settings() {
	env | grep -iE '^(https?_proxy|no_proxy|all_proxy|ssl_cert_[a-z]+|node_extra_ca_certs|pip_(cert|proxy|index_url|extra_index_url|trusted_host|default_timeout)|npm_config_[a-z_]+|goproxy|gosumdb|gonosumdb|goprivate)=' || true
}

# as_user COMMAND runs it in the clone. Of the environment of this machine, it only has the settings.
as_user() {
	local environment=()
	mapfile -t environment < <(settings)
	chroot --userspec="$user:$user" "$root" env -i "${environment[@]}" HOME="/home/$user" USER="$user" LANG=C.UTF-8 \
		PATH=/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin bash -c "cd ~/voicewright && $1"
}

# inside runs in its own mount and process namespaces, so that mounts and processes end with it in any case.
inside() {
	local target times=() status=0
	make_debian
	copy_languages
	copy_tree
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
	for target; do
		say "make $target"
		{ time as_user "make $target" >&3 2>&4 || status=$?; } 3>&1 4>&2 2>"$root/time"
		times+=("make $target: $(<"$root/time")")
		[ "$status" -eq 0 ] || break
	done
	say "$commit"
	for target in "${times[@]}"; do say "$target"; done
	[ "$status" -eq 0 ] || die "the last of them failed."
}

if [ "${1:-}" = --inside ]; then
	root=$2
	shift 2
	inside "$@"
	exit
fi

[ "$(id -u)" = 0 ] || die "it mounts file systems and changes root, so it must run as root."
for tool in debootstrap chroot unshare go node npm git; do
	command -v "$tool" >/dev/null || die "$tool is missing."
done
[ $# -gt 0 ] || set -- demo test
root=$(mktemp -d "${TMPDIR:-/tmp}/voicewright-fresh-machine.XXXXXX")
chmod 755 "$root"
trap 'rm -rf --one-file-system "$root"' EXIT
unshare --mount --propagation private --pid --fork --kill-child -- "$PWD/build/fresh-machine.sh" --inside "$root" "$@" &
readonly inner=$!
trap 'kill -KILL "$inner"; wait "$inner"; exit 130' INT TERM HUP
wait "$inner"
