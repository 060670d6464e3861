# Sourced by run.sh: the Debians from which the tests start.
# shellcheck shell=bash

readonly chroots=build/lib/chroots

# mirror KIND prints the address from which this machine has the packages of its Debian: of `main` or of `security`.
mirror() {
	local kind=$1 default=http://deb.debian.org/debian
	[ "$kind" = main ] || default+=-security
	# shellcheck disable=SC2016 # apt fills it in
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(ORIGIN)' 'Created-By: Packages' 2>/dev/null |
		awk -v want="$([ "$kind" = main ] || echo -security)" -v default="$default" '
			$3 == "Debian" && $2 ~ "^[a-z]+" want "$" && !found { sub("/$", "", $1); found = $1 }
			END { print found ? found : default }'
}

# apt_settings prints the settings by which apt of this machine reaches its mirror, one of mmdebstrap's options for each file.
apt_settings() {
	local file
	for file in /etc/apt/apt.conf.d/*; do
		if grep -qs '^Acquire' "$file"; then echo "--aptopt=$file"; fi
	done
}

# ensure_base SUITE makes the tar archive of a minimal Debian, unless there is one of the last 30 days.
ensure_base() {
	local suite=$1 archive=$chroots/$1.tar start=$SECONDS main security settings=() include=()
	mkdir -p "$chroots"
	if [ -n "$(find "$archive" -mtime -30 2>/dev/null)" ]; then return 0; fi
	say "$suite: making a minimal Debian with mmdebstrap"
	main=$(mirror main) security=$(mirror security)
	mapfile -t settings < <(apt_settings)
	[[ "$main $security" != *https:* ]] || include=(--include=ca-certificates)
	rm -rf "$archive.new"
	mmdebstrap --quiet --format=tar --variant=minbase "${include[@]}" "${settings[@]}" --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
		"$suite" "$archive.new" "deb $main $suite main" "deb $main $suite-updates main" "deb $security $suite-security main" ||
		die "mmdebstrap could not make $suite; is debian-archive-keyring new enough for it?"
	mv "$archive.new" "$archive"
	say "$suite: a minimal Debian, after $((SECONDS - start)) s"
}
