# Sourced by inside.sh: the package voicewright-service.
# shellcheck shell=bash disable=SC2154

readonly unit=voicewright-service.service
readonly state=/var/lib/voicewright-service
readonly credentials=/run/credentials/$unit

# settings_of KEY prints the values of a key of the unit.
settings_of() { sed -n "s/^$1=//p" "$root$unit_file"; }

# check_unit has systemd of this Debian read the units. It is installed for that alone, since no systemd runs in a chroot.
check_unit() {
	unit_file=$(in_chroot dpkg -L voicewright-service | grep "/systemd/system/$unit\$") || fail 'the package has no unit'
	apt install --no-install-recommends systemd
	quietly in_chroot systemd-analyze verify --man=no "$unit_file" || fail 'systemd-analyze verify has faults'
	! grep -F voicewright "$work/output" || fail 'systemd-analyze verify warns'
	for other in voicewright-service@8081.service voicewright-service-backup.service voicewright-service-backup.timer; do
		quietly in_chroot systemd-analyze verify --man=no "$other" || fail "systemd-analyze verify has faults of $other"
		! grep -F voicewright "$work/output" || fail "systemd-analyze verify warns of $other"
	done
	note "systemd $(in_chroot systemd-analyze --version | sed -n '1s/.*(\(.*\))/\1/p'): verified"
	in_chroot systemd-analyze security --offline=true --threshold=30 "$unit_file" | tail -n 1
}

# service_user prints the user of the unit, as numbers: its own, or the one that systemd would make while it runs.
service_user() {
	local name
	name=$(settings_of User)
	if [ -n "$name" ] && in_chroot id "$name" >/dev/null 2>&1; then
		echo "$(in_chroot id -u "$name"):$(in_chroot id -g "$name")"
	elif [ "$(settings_of DynamicUser)" = yes ]; then
		echo 61999:61999
	else
		fail 'the unit has no user'
	fi
}

# run_unit does what systemd does for the unit: hands on its credentials, makes its folder, and runs ExecStart as its user, with its
# environment, where nothing else can be written.
run_unit() {
	local account command=() line environment=()
	account=$(service_user)
	install -d -m 700 -o "${account%:*}" -g "${account#*:}" "$root$state" "$root$credentials"
	while IFS=: read -r name file; do
		install -m 400 -o "${account%:*}" -g "${account#*:}" "$root$file" "$root$credentials/$name"
	done < <(settings_of LoadCredential)
	while read -r line; do environment+=("${line//%d/$credentials}"); done < <(settings_of Environment)
	read -ra command < <(settings_of ExecStart)
	nsenter --net="$work/net" -- unshare --mount sh -euc '
		root=$1 state=$2 user=$3
		shift 3
		mount --rbind "$root" "$root"
		mount --bind "$root$state" "$root$state"
		mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
		mount -o remount,bind,ro "$root"
		umask 0077
		exec chroot --userspec="$user" --groups= "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 "$@"
	' sh "$root" "$state" "$account" STATE_DIRECTORY="$state" CREDENTIALS_DIRECTORY="$credentials" "${environment[@]}" \
		"${command[@]//%d/$credentials}" >"$work/service.out" 2>"$work/service.log" &
	server=$!
}

run_service() {
	local settings=$root/etc/voicewright-service/config.yaml auth voice made status
	mkdir -p "$root/etc/voicewright-service"
	cat >"$settings" <<-END
		addr: 127.0.0.1:0
		dev_idp: true
		offline: true
		database: sqlite:$state/service.db
		files: $state/files
	END
	chmod 600 "$settings"
	run_unit
	until_true test -s "$work/service.out" || { cat "$work/service.log" >&2; fail 'the service did not start'; }
	url=$(grep -o 'http://[^ ]*' "$work/service.out" | head -n 1)
	offline curl -fsS "$url/health" >/dev/null || fail '/health does not answer'
	offline curl -fsS "$url/ready" >/dev/null || { cat "$work/service.log" >&2; fail '/ready does not answer'; }
	[ "$(awk '/^Uid:/ { print $2 }' "/proc/$server/status")" = "$(service_user | cut -d : -f 1)" ] || fail 'it runs as another user'
	only_loopback
	offline chroot "$root" voicewright-service account create ann@example.org --plan pro --config /etc/voicewright-service/config.yaml |
		grep 'pro' >/dev/null || fail 'no account was made' # reads to the end: the program would fail to print the rest
	auth="Authorization: Bearer $(offline build/service/token.sh "$url" ann@example.org)"
	voice=$(offline curl -fsS -H "$auth" "$url/api/v1/tts/voices" | tr '{' '\n' | awk -F '"' '/ProviderC/ && !n++ { print $4 }')
	made=$(offline curl -fsS -H "$auth" "$url/api/v1/tts/synthesize" \
		-d "{\"text\": \"The kettle is on.\", \"voice\": \"$voice\", \"ttsModel\": \"providerC-neural2\"}") || fail 'the call failed'
	offline curl -fsS -o "$work/kettle.mp3" "$(cut -d '"' -f 4 <<<"$made")"
	[ "$(stat -c %s "$work/kettle.mp3")" -gt 1000 ] || fail 'the audio is empty'
	note "health, ready, an account and a call: $(stat -c %s "$work/kettle.mp3") bytes of MP3"
	kill -TERM "$server"
	status=0
	wait "$server" || status=$?
	[ "$status" -eq 0 ] || fail "the service ended with status $status"
	rm -rf "$root/run/credentials"
	[ "$(stat -c %a "$root$state/service.db")" = 600 ] || fail 'others can read the database'
}
