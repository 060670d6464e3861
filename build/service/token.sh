#!/usr/bin/env bash
# Signs in at the issuer of `voicewright-service run --dev-idp`, as the app does in a browser, and prints an access token:
# build/service/token.sh http://127.0.0.1:PORT [NAME [CLIENT-ID]]. The proof key is the example of RFC 7636, which is good
# enough for trying out; a client makes one of its own for each sign-in.
set -euo pipefail
issuer=$1/dev-idp name=${2:-ann@example.org} client=${3:-voicewright} redirect=http://127.0.0.1/done
verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
follow() { curl -sS --fail -o /dev/null -w '%{redirect_url}' "$@"; } # prints where an answer leads to

page=$(follow -G "$issuer/authorize" -d response_type=code -d "client_id=$client" -d "redirect_uri=$redirect" \
	--data-urlencode 'scope=openid email' -d "code_challenge=$challenge" -d code_challenge_method=S256)
back=$(follow "$(follow "$page" --data-urlencode "name=$name")")
curl -sS --fail "$issuer/oauth/token" -d grant_type=authorization_code -d "client_id=$client" \
	-d "redirect_uri=$redirect" -d "code_verifier=$verifier" -d "code=${back##*code=}" |
	sed 's/.*"access_token":"\([^"]*\)".*/\1/'
