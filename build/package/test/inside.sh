#!/usr/bin/env bash
# The tests of one Debian, from run.sh: root of namespaces of its own for mounts and processes.
#
#   build/package/test/inside.sh SUITE WORK DIST
set -euo pipefail
suite=$1
tree=/mnt/tree work=/mnt/work dist=/mnt/dist
root=$work/root

# The tree, and the folder of this test, are at fixed places; /tmp is empty, and the same for this machine's programs and for those in
# the chroot, so that a display of this machine can be opened there.
mount -t tmpfs tmpfs /mnt
mkdir "$tree" "$work" "$dist"
mount --bind "$PWD" "$tree"
mount --bind "$2" "$work"
mount --bind "$3" "$dist"
mount -t tmpfs -o mode=1777 tmpfs /tmp
mkdir -m 1777 /tmp/.X11-unix
mount -t proc proc /proc
cd "$tree"
export LC_ALL=C.UTF-8
unset TMPDIR DISPLAY DBUS_SESSION_BUS_ADDRESS

for file in build/package/test/chroot.sh build/package/test/steps/*.sh; do
	# shellcheck source=/dev/null
	. "$file"
done

step 'a clean Debian' make_chroot
step 'the network is the loopback' make_network
file_list >"$work/before"
settings_list >"$work/settings-before"

step 'the program: install' install_program
step 'the program: use it as a plain user' use_program
step 'the archive: unpack it and use it' use_archive
step 'the program: remove and purge' remove_program

step 'earlier packages, with a library of the first version' install_earlier
step 'upgrade while a program runs' upgrade
step 'tools of a desktop' install_tools
step 'manual and completions' check_manuals
step 'the window: entry, icons, file types' check_desktop
step 'the window: open and use it' use_window
step 'the service: unit' check_unit
step 'the service: run it as its user' run_service
step 'remove' remove_all
step 'packages for other systems (.rpm)' check_rpm
step 'purge' purge_all
say "$suite: passed after $SECONDS s"
