# Sourced by inside.sh: what is left of all packages.
# shellcheck shell=bash disable=SC2154

# What packages of Debian write besides their files: lists of dpkg and apt, logs, caches, the names of users with their copies.
written_by_debian='^\./var/(lib/(dpkg|apt|systemd|ucf|man-db)|log|cache)(/|$)|^\./etc/ld\.so\.cache$'
written_by_debian+='|^\./etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$'
readonly written_by_debian
# The data of the service stays, as Debian's databases do, and so do the settings that its operator wrote: the package has none.
readonly data_of_service='^\./var/lib/voicewright-service(/|$)|^\./etc/voicewright-service(/config\.yaml)?$'

# leftovers prints what is in the chroot that was not there before and belongs to no package, and settings that changed.
leftovers() {
	file_list | comm -13 "$work/before" - | grep -vE "$written_by_debian" >"$work/new" || true
	# Debian's /bin, /lib, /lib64 and /sbin are links into /usr.
	in_chroot sh -c 'cat /var/lib/dpkg/info/*.list' | sed -E 's,^/(bin|lib|lib64|sbin)/,/usr/\1/,; s,^,.,' | sort -u | comm -13 - "$work/new"
	settings_list | comm -23 "$work/settings-before" - | cut -c 67- | grep -vE "$written_by_debian" || true
}

# nothing_left: no file has the name of ours, whoever wrote it, no setting names it, and every folder that we made is gone. What other
# packages leave is no fault of ours, and is counted.
nothing_left() {
	local named
	named=$(file_list | grep -i voicewright | grep -vE "$data_of_service") || true
	[ -z "$named" ] || fail "files of the packages are left: $named"
	named=$(cd "$root" && find ./etc ./usr -type f -size -1048576c -exec grep -lis voicewright {} + | grep -vE "$written_by_debian|$data_of_service") || true
	[ -z "$named" ] || fail "these files name the packages: $named"
	leftovers | grep -vE "$data_of_service" >"$work/left" || true
	[ ! -s "$work/left" ] || note "left by other packages: $(wc -l <"$work/left") files, such as $(head -n 1 "$work/left")"
}

# user_files prints the files of the user with their sums.
user_files() { as_user find . -type f -exec sha256sum {} + | sort; }
user_files_stay() { user_files | diff "$work/data-before" - || fail 'files of the user changed'; }

remove_all() {
	user_files >"$work/data-before"
	apt remove "${packages[@]}"
	user_files_stay
	[ -f "$root$state/service.db" ] || fail 'the removal took the data of the service'
	for program in "${packages[@]}"; do
		[ ! -e "$root/usr/bin/$program" ] || fail "$program is still there"
	done
	! grep -s voicewright "$root/usr/share/applications/mimeinfo.cache" || fail 'files are still opened with it'
}

purge_all() {
	user_files >"$work/data-before"
	purge "${packages[@]}"
	apt autoremove --purge
	rm -rf "$root/earlier"
	nothing_left
	[ -f "$root$state/service.db" ] || fail 'the purge took the data of the service'
	[ -f "$root/etc/voicewright-service/config.yaml" ] || fail "the purge took the operator's settings"
	user_files_stay
	in_chroot id voicewright-service >/dev/null || fail 'nobody owns the data of the service'
	note "the user's files stay: $(wc -l <"$work/data-before"), and $(du -sh "$root$state" | cut -f 1) of the service"
}
