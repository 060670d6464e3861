#!/usr/bin/env bash
# Builds the image of build/service/Containerfile and speaks in it, without a registry: the base is a Debian that mmdebstrap makes and
# that an image FROM scratch holds. Needs root, mmdebstrap and buildah, which it installs where apt is, and 4 GB in TMPDIR.
#
#   build/service/image-test.sh        from `make service-image-test`, which builds the program
set -euo pipefail
cd "$(dirname "$0")/../.."
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs BUILDAH_FORMAT=docker # docker, as the other format has no HEALTHCHECK

say() { printf 'service image: %s\n' "$*"; }
die() {
	say "$*" >&2
	exit 1
}
[ "$(id -u)" = 0 ] || die 'this test needs root.'
for tool in mmdebstrap buildah; do
	command -v "$tool" >/dev/null || missing=1
done
if [ -n "${missing:-}" ]; then
	say 'installing mmdebstrap and buildah'
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends mmdebstrap buildah >/dev/null
fi

work=$(mktemp -d)
image() { buildah --root "$work/storage" --runroot "$work/run" "$@"; }
cleanup() {
	image rm --all >/dev/null 2>&1 || true
	rm -rf "$work"
}
trap cleanup EXIT

say 'a minimal Debian'
mmdebstrap --quiet --variant=minbase --include=ca-certificates bookworm "$work/base.tar"
# What this machine needs to reach its package mirror and its proxy.
mkdir -p "$work/context/etc/apt/apt.conf.d"
for file in /etc/apt/apt.conf.d/*; do
	if grep -qs '^Acquire' "$file"; then cp "$file" "$work/context/etc/apt/apt.conf.d/"; fi
done
mv "$work/base.tar" "$work/context/"
printf 'FROM scratch\nADD base.tar /\nCOPY etc /etc\n' >"$work/context/Containerfile"
image build --quiet -t localhost/debian "$work/context" >/dev/null

say 'the image'
image build --quiet --build-arg BASE=localhost/debian -f build/service/Containerfile -t localhost/voicewright-service . >/dev/null
image inspect --type image --format '{{.Docker.Config.User}} {{.Docker.Config.Healthcheck.Test}}' localhost/voicewright-service |
	grep -q '^65532:65532 .*/ready' || die 'the image must run as a plain user and ask /ready.'

say 'one sentence in it'
box=$(image from localhost/voicewright-service)
image run -v "$PWD/build/service/token.sh:/token.sh:ro" "$box" -- bash -euc '
	[ "$(id -u)" = 65532 ]
	! touch /usr/local/bin/x 2>/dev/null
	voicewright-service run --dev-idp --addr 127.0.0.1:0 >/tmp/out 2>/tmp/log &
	until [ -s /tmp/out ]; do kill -0 $!; sleep 0.1; done
	url=$(cut -d " " -f 3 /tmp/out)
	curl -fsS $url/ready
	auth="Authorization: Bearer $(/token.sh $url ann@example.org)"
	voice=$(curl -fsS -H "$auth" $url/api/v1/tts/voices | tr "{" "\n" | grep -m1 ProviderC | cut -d "\"" -f 4)
	made=$(curl -fsS -H "$auth" $url/api/v1/tts/synthesize \
		-d "{\"text\": \"The kettle is on.\", \"voice\": \"$voice\", \"ttsModel\": \"providerC-neural2\"}")
	curl -fsS -o /tmp/kettle.mp3 "$(cut -d "\"" -f 4 <<<"$made")"
	[ "$(stat -c %s /tmp/kettle.mp3)" -gt 1000 ]
	kill -TERM $!
	wait $!
'
say 'it is ready, speaks as a plain user, and ends with SIGTERM'
