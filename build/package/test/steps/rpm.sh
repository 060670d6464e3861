# Sourced by inside.sh: the packages for systems with rpm. They are read and unpacked here, with the libraries of this Debian;
# installing them on Fedora is not tried.
# shellcheck shell=bash disable=SC2154

# rpm_file NAME prints the package of a name; rpm_query asks it.
rpm_file() {
	local found=("$dist/$1"-[0-9]*.x86_64.rpm)
	[ ${#found[@]} -eq 1 ] && [ -e "${found[0]}" ] || fail "$dist has ${#found[@]} packages $1 for rpm"
	echo "${found[0]}"
}
# The database is an empty one: not every machine with rpm has one.
rpm_query() { rpm --dbpath "$work/rpmdb" -qp "$@" 2>"$work/rpm.log" || { cat "$work/rpm.log" >&2; fail "rpm -qp $*"; }; }

# same_as_listed NAME WHAT compares standard input with the list in expected/. Versions of the package are written as VERSION there.
same_as_listed() {
	local list=build/package/test/expected/$1.$2 version
	version=$(rpm_query --qf '%{VERSION}' "$(rpm_file "$1")")
	sed -e "s|${version//./\\.}|VERSION|g" >"$work/listed"
	if [ -n "${UPDATE:-}" ]; then cp "$work/listed" "$list"; fi
	diff -u "$list" "$work/listed" || fail "rpm: $1 has another list: $2 (UPDATE=1 writes it)"
}

check_rpm() {
	local name file
	for name in "${packages[@]}"; do
		file=$(rpm_file "$name")
		rpm_query -l "$file" | sort | same_as_listed "$name" files
		rpm_query --requires "$file" | sort -u | same_as_listed "$name" requires
		rpm_query --scripts "$file" | same_as_listed "$name" scripts
		[ "$(rpm_query --qf '%{VERSION}' "$file")" = "$(version_of "$name")" ] || fail "the versions of both packages $name differ"
	done
	start_unpacked
}

rpm_in_chroot() { rpm --root "$root" --dbpath /rpmdb "$@"; }

# start_unpacked unpacks them with rpm, whose database is in the chroot too, and starts what is in them.
start_unpacked() {
	local name files=()
	for name in "${packages[@]}"; do files+=("$(rpm_file "$name")"); done
	quietly rpm_in_chroot -i --nodeps --nosignature "${files[@]}" || fail 'rpm could not unpack them'
	quietly rpm_in_chroot -V --nodeps "${packages[@]}" || fail 'rpm finds other files than it unpacked'
	linked_files $(rpm_query -l "${files[@]}")
	note "$(voicewright --version), $(in_chroot voicewright-service --version)"
	found 'ONNX Runtime' whisper.cpp
	speak espeak:en-us rpm.wav
	voicewright models import en_US-tone-medium --name tone >/dev/null
	speak tone: rpm-tone.wav
	as_user voicewright-desktop --version >/dev/null || fail 'the window program does not start'
	quietly rpm_in_chroot -e --nodeps "${packages[@]}" || fail 'rpm could not remove them'
	rm -rf "$root/rpmdb"
	nothing_of_rpm
}

# nothing_of_rpm: the removal left none of its files, and no folder of its own.
nothing_of_rpm() {
	! (cd "$root" && find ./usr ./etc -iname '*voicewright*') | grep -vE "$data_of_service" || fail 'rpm left these'
}
