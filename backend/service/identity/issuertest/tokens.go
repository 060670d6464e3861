package issuertest

import (
	"crypto"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // what x5t is made of
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

// accessToken returns an access token as the app gets it: a JWT for the service, or one that only the issuer can read.
func (i *Issuer) accessToken(g grant, life time.Duration) string {
	switch i.Name {
	case Google:
		return "ya29." + rand.Text() + rand.Text()
	case Entra:
		if !slices.ContainsFunc(g.scopes, func(scope string) bool { return strings.HasSuffix(scope, entraScope) }) {
			return "EwB4A8l6" + rand.Text() // for Microsoft Graph
		}
		return i.sign(i.claims(life, object{
			"aud": i.ClientID, "azp": i.ClientID, "azpacr": "0", "scp": "speak", "oid": "00000000-0000-0000-66f3-3332eca7ea81",
			"preferred_username": Email, "name": "Ann Example", "tid": entraTenant, "ver": "2.0",
		}))
	case Keycloak:
		return i.sign(i.claims(life, object{
			"aud": []string{i.ClientID, "account"}, "azp": i.ClientID, "typ": "Bearer", "jti": "onrtac:" + rand.Text(),
			"scope": strings.Join(g.scopes, " "),
			"email": Email, "email_verified": true, "preferred_username": "ann", "name": "Ann Example", "acr": "1",
		}))
	case Zitadel:
		audience := []string{i.ClientID}
		if slices.Contains(g.scopes, zitadelScope) {
			audience = append(audience, zitadelTeam)
		}
		return i.sign(i.claims(life, object{"aud": audience, "client_id": i.ClientID, "jti": "V2_" + rand.Text(), "sub": zitadelUser}))
	default: // Authentik's is the ID token with two members more
		return i.sign(i.claims(life, object{
			"aud": i.ClientID, "azp": i.ClientID, "uid": rand.Text(), "email": Email, "email_verified": false, "name": "Ann Example",
			"acr": "goauthentik.io/providers/oauth2/default", "sub": strings.Repeat("ab", 32),
		}))
	}
}

// idToken returns an ID token.
func (i *Issuer) idToken(nonce string, life time.Duration) string {
	more := object{"aud": i.ClientID, "name": "Ann Example", "email": Email}
	if nonce != "" {
		more["nonce"] = nonce
	}
	maps.Copy(more, map[string]object{
		Google:   {"azp": i.ClientID, "email_verified": true, "hd": "example.org", "given_name": "Ann", "family_name": "Example"},
		Entra:    {"preferred_username": Email, "oid": "00000000-0000-0000-66f3-3332eca7ea81", "tid": entraTenant, "ver": "2.0"},
		Keycloak: {"azp": i.ClientID, "typ": "ID", "preferred_username": "ann", "email_verified": true, "acr": "1"},
		Zitadel: {
			"aud": []string{i.ClientID, zitadelTeam}, "azp": i.ClientID, "client_id": i.ClientID, "amr": []string{"pwd"},
			"sub": zitadelUser,
		},
		Authentik: {"preferred_username": "ann", "acr": "goauthentik.io/providers/oauth2/default", "sub": strings.Repeat("ab", 32)},
	}[i.Name])
	return i.sign(i.claims(life, more))
}

// claims returns the claims of a token. Those of Entra claim to be five minutes old.
func (i *Issuer) claims(life time.Duration, more object) object {
	now := time.Now()
	issued := now
	if i.Name == Entra {
		issued = now.Add(-5 * time.Minute)
	}
	c := object{"iss": i.URL, "sub": Subject, "iat": issued.Unix(), "exp": now.Add(life).Unix()}
	if i.Name == Entra || i.Name == Zitadel {
		c["nbf"] = issued.Unix()
	}
	maps.Copy(c, more)
	return c
}

func (i *Issuer) sign(claims object) string {
	payload, err := json.Marshal(claims)
	if err != nil {
		panic(fmt.Sprintf("encode claims: %v", err))
	}
	return identitytest.SignWith(i.keys.Key(), payload, nil)
}

// keySet returns the keys as the issuer publishes them: Entra names no algorithm, and gives certificates and an issuer; Keycloak
// has a key for encryption beside it.
func (i *Issuer) keySet() object {
	signing := i.keys.Key()
	key := publicKey(signing.Public())
	switch i.Name {
	case Entra:
		delete(key, "alg")
		maps.Copy(key, certificate(signing.Key.(crypto.Signer)))
		key["issuer"] = i.URL
	case Keycloak:
		maps.Copy(key, certificate(signing.Key.(crypto.Signer)))
		encryption := maps.Clone(key)
		maps.Copy(encryption, object{"kid": "encryption", "use": "enc", "alg": "RSA-OAEP"})
		return object{"keys": []object{encryption, key}}
	case Authentik:
		maps.Copy(key, certificate(signing.Key.(crypto.Signer)))
	}
	return object{"keys": []object{key}}
}

// publicKey returns a key as JSON has it.
func publicKey(key any) object {
	var members object
	data, err := json.Marshal(key)
	if err == nil {
		err = json.Unmarshal(data, &members)
	}
	if err != nil {
		panic(fmt.Sprintf("encode a key: %v", err))
	}
	return members
}

// certificate returns the members of a JSON Web Key with the certificate of a key.
func certificate(key crypto.Signer) object {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "accounts.accesscontrol.windows.net"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(5, 0, 0),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(fmt.Sprintf("make a certificate: %v", err))
	}
	one, two := sha1.Sum(der), sha256.Sum256(der) //nolint:gosec // as above
	return object{
		"x5c": []string{base64.StdEncoding.EncodeToString(der)}, "x5t": base64.RawURLEncoding.EncodeToString(one[:]),
		"x5t#S256": base64.RawURLEncoding.EncodeToString(two[:]),
	}
}
