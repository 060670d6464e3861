# Sourced by inside.sh: packages with a lower version, and what an upgrade does.
# shellcheck shell=bash disable=SC2154

readonly packages=(voicewright voicewright-desktop voicewright-service)
readonly earlier_version=0~earlier

# make_earlier NAME makes a package of the same files with a lower version, and one file more, which an upgrade must remove.
make_earlier() {
	local name=$1 made=$work/earlier/$1 version
	version=$(version_of "$name")
	dpkg --compare-versions "$earlier_version" lt "$version" || fail "$version is not later than $earlier_version"
	dpkg-deb -R "$root$(package "$name")" "$made"
	sed -i -e "s/^Version: .*/Version: $earlier_version/" \
		-e "s/\([<>=]*=\) ${version//./\\.})/\1 $earlier_version)/g" "$made/DEBIAN/control"
	mkdir -p "$made/usr/share/doc/$name"
	echo 'An earlier version.' >"$made/usr/share/doc/$name/EARLIER"
	dpkg-deb --root-owner-group -Znone -b "$made" "$root/earlier/$name.deb" >/dev/null
	rm -rf "$made"
}

# recommended prints what our packages recommend; what others recommend would be a gigabyte.
recommended() {
	local name
	for name in "${packages[@]}"; do dpkg-deb -f "$root$(package "$name")" Recommends; done | tr ',' '\n' | sed 's/^ *//; s/[ (|].*//' |
		grep -v '^voicewright' | sort -u
}

# install_earlier installs the earlier packages, with what they recommend, and gives the user a library with the
# schema of the first migration.
install_earlier() {
	local name others library=$root/home/$user/.local/share/voicewright
	mkdir -p "$work/earlier" "$root/earlier"
	for name in "${packages[@]}"; do make_earlier "$name"; done
	mapfile -t others < <(recommended)
	apt install --no-install-recommends /earlier/voicewright{,-desktop,-service}.deb "${others[@]}"
	for name in "${packages[@]}"; do
		[ "$(in_chroot dpkg-query -Wf '${Version}' "$name")" = "$earlier_version" ] || fail "$name is not the earlier one"
	done
	note "$(unpacked) packages, $(du -shx --exclude=./var/cache/apt/archives "$root/usr" | cut -f 1) in /usr"
	linked "${packages[@]}"
	as_user rm -rf .local/share/voicewright
	as_user mkdir -p -m 700 .local/share/voicewright
	install -o "$user_id" -g "$user_id" -m 600 backend/sqlite/testdata/version-1.db "$library/voicewright.db"
	[ "$(schema)" = 1 ] || fail "the library has schema $(schema)"
}

# schema prints the number of the last migration of the user's library.
schema() {
	python3 - "$root/home/$user/.local/share/voicewright/voicewright.db" <<-'END'
		import sqlite3, sys
		print(sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute("SELECT max(version_id) FROM goose_db_version").fetchone()[0])
	END
}

# upgrade installs the packages over the earlier ones while the earlier program serves another folder of the user.
upgrade() {
	local name settings=$root/etc/voicewright-service/config.yaml exe
	mkdir -p "${settings%/*}"
	echo '# A line of the operator.' >>"$settings"
	serve --data /home/anna/other
	install_packages "${packages[@]}"
	for name in "${packages[@]}"; do
		[ "$(in_chroot dpkg-query -Wf '${Version}' "$name")" = "$(version_of "$name")" ] || fail "$name was not upgraded"
		[ ! -e "$root/usr/share/doc/$name/EARLIER" ] || fail "a file of the earlier $name is left"
	done
	grep -q 'A line of the operator' "$settings" || fail 'the settings of the service were replaced'
	! compgen -G "$settings.dpkg-*" >/dev/null || fail 'dpkg left other settings'
	# Linux keeps the file of a program that runs: it goes on as it is, until the user ends it.
	exe=$(readlink "/proc/$server/exe")
	offline curl -fsS "$url/health" >/dev/null || fail 'the program that ran does not answer any more'
	note "the program that ran goes on until it is ended: ${exe##*/}"
	stop_server
	upgraded_library
}

# upgraded_library: the first start of the new program brings the library up, with every row.
upgraded_library() {
	local text
	serve
	voicewright profiles list --json >"$work/profiles"
	voicewright history list --json >"$work/history"
	for text in Bella 'Built-in voice' "Ömer'in sesi"; do grep -qF "$text" "$work/profiles" || fail "the profile $text is lost"; done
	[ "$(grep -o '"status":' "$work/history" | wc -l)" = 4 ] || fail 'the history has not its 4 generations'
	grep -qF 'Çalışma odasında ışık açık kaldı.' "$work/history" || fail 'a text of the history is lost'
	voicewright history search calisma --json | grep -F 'Çalışma' >/dev/null || fail 'the history cannot be searched'
	voicewright say 'After the upgrade.' --profile Bella --voice espeak:en-us -o after.wav >/dev/null
	stop_server
	[ "$(schema)" -gt 1 ] || fail 'the library still has the first schema'
	note "the library was brought from schema 1 to $(schema); 3 profiles and 4 generations are there"
}
