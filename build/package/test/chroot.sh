# Sourced by inside.sh: the chroot, and how to run programs there.
# shellcheck shell=bash disable=SC2154

readonly user=anna user_id=1000

say() { printf 'package-test: %s\n' "$*"; }
# note says what a test found that is no fault.
note() { printf '   %s\n' "$*"; }
fail() {
	printf '   FAULT: %s\n' "$*" >&2
	exit 1
}

# quietly runs a command, and prints what it printed only when it fails; that stays in $work/output.
quietly() {
	"$@" >"$work/output" 2>&1 || {
		tail -n 40 "$work/output" >&2
		return 1
	}
}

# step NAME COMMAND... runs a step and prints its seconds.
step() {
	local start=$SECONDS
	printf '\n== %s: %s\n' "$suite" "$1"
	"${@:2}"
	printf -- '-- %s: %d s\n' "$1" "$((SECONDS - start))"
}

# until_true COMMAND... waits until the command succeeds, at most a minute: a busy machine is slow.
until_true() {
	local end=$((SECONDS + 60))
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || return 1
		read -rt 0.1 <> <(:) || true
	done
}
ended() { ! kill -0 "$1" 2>/dev/null; }

# device NAME... makes device files of this machine available, since a plain user can't make any.
device() {
	local name
	for name; do
		touch "$root/dev/$name"
		mount --bind "/dev/$name" "$root/dev/$name"
	done
}

make_chroot() {
	local file
	mkdir "$root"
	tar -C "$root" -xf "$PWD/build/lib/chroots/$suite.tar" --exclude='./dev/*' --numeric-owner
	mount -t proc proc "$root/proc"
	mount -t tmpfs -o mode=755 tmpfs "$root/dev"
	device null zero full random urandom tty
	mkdir "$root/dev/shm" "$root/dev/pts"
	mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
	ln -s /proc/self/fd "$root/dev/fd"
	mount --bind /tmp "$root/tmp"
	for file in /etc/resolv.conf /etc/hosts; do cat "$file" >"$root$file"; done
	mkdir -p "build/lib/chroots/$suite.debs/partial"
	mount --bind "build/lib/chroots/$suite.debs" "$root/var/cache/apt/archives"
	mkdir -p "$root/packages"
	mount --bind "$dist" "$root/packages"
	printf 'force-unsafe-io\n' >"$root/etc/dpkg/dpkg.cfg.d/package-test"
	# No service is started in a chroot: https://people.debian.org/~hmh/invokerc.d-policyrc.d-specification.txt
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
	chmod 755 "$root/usr/sbin/policy-rc.d"
	in_chroot useradd --create-home --uid "$user_id" --shell /bin/bash "$user"
	in_chroot apt-get update -qq || note 'the lists of packages could not be renewed'
	note "$(in_chroot sh -c '. /etc/os-release && echo "$PRETTY_NAME", $(dpkg -l | grep -c ^ii) packages')"
}

# make_network makes a network namespace with a loopback alone, in which offline runs commands.
make_network() {
	touch "$work/net"
	unshare --net="$work/net" ip link set lo up
	! offline ip route get 192.0.2.1 2>/dev/null || fail 'there is a way out'
}
offline() { nsenter --net="$work/net" -- "$@"; }

# in_chroot runs a command as root, with this machine's settings for its proxy.
in_chroot() {
	local settings=()
	mapfile -t settings < <(env | grep -iE '^(https?_proxy|no_proxy)=' || true)
	chroot "$root" env -i "${settings[@]}" HOME=/root LANG=C.UTF-8 LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive TERM=dumb \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# as_user runs a command as a plain user, without a network. What runs in the background starts with the words themselves, and not with
# the function: its process is the program then.
readonly user_words=(nsenter --net="$work/net" -- chroot --userspec="$user_id:$user_id" "$root" env -i HOME="/home/$user" USER="$user"
	LANG=C.UTF-8 TERM=dumb PATH=/usr/local/bin:/usr/bin:/bin sh -c 'cd && exec "$@"' sh)
as_user() { "${user_words[@]}" "$@"; }

# apt installs or removes packages.
apt() { quietly in_chroot apt-get -y -qq -o Dpkg::Use-Pty=0 -o APT::Keep-Downloaded-Packages=true "$@" || fail "apt-get $*"; }
# unpacked prints how many packages the last call of apt unpacked.
unpacked() { grep -c '^Unpacking' "$work/output"; }

# purge removes what a removal leaves; apt no longer has names of packages that came from files.
purge() { quietly in_chroot dpkg --purge "$@" || fail "dpkg --purge $*"; }

# package NAME prints the file of a package as the chroot sees it.
package() {
	local found=("$dist/$1"_*_amd64.deb)
	[ ${#found[@]} -eq 1 ] && [ -e "${found[0]}" ] || fail "$dist has ${#found[@]} packages $1"
	echo "/packages/${found[0]##*/}"
}
version_of() { dpkg-deb -f "$root$(package "$1")" Version; }
# The package of a file is read by apt's own user.
install_packages() {
	local name files=()
	for name; do files+=("$(package "$name")"); done
	apt install "${files[@]}"
}
is_installed() { [ "$(in_chroot dpkg-query -Wf '${db:Status-Abbrev}' "$1" 2>/dev/null)" = 'ii ' ]; }

# file_list prints all files and folders of the chroot, but not the user's nor what is mounted.
file_list() {
	(cd "$root" && find . -xdev \( -path "./home/$user" -o -path ./packages -o -path ./var/cache/apt -o -path ./tmp \) -prune -o -print | sort)
}

# settings_list prints the sums of all settings, each before the name of its file.
settings_list() { (cd "$root" && find ./etc -type f -exec sha256sum {} + | sort); }
