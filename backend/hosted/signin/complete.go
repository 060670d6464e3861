package signin

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// clockTolerance is how far this computer's clock and the issuer's may differ.
const clockTolerance = 5 * time.Minute

// complete exchanges the code for tokens, checks them and stores the session.
func (m *Manager) complete(ctx context.Context, a *attempt, query url.Values) error {
	host := hostOf(a.config.Issuer)
	switch code := query.Get("error"); {
	case query.Has("iss") && query.Get("iss") != a.config.Issuer: // RFC 9207
		return errWrongToken(fmt.Errorf("the answer is of the issuer %.200q", query.Get("iss")))
	case code == "access_denied":
		return failed(reasonDenied, "The sign-in was refused or cancelled in the browser.", "Sign in again if you want.")
	case query.Has("error"):
		return errRefused(host, code, nil)
	}
	token, err := m.exchange(ctx, a, query.Get("code"))
	if err != nil {
		return issuerError(host, err)
	}
	s := session{RefreshToken: token.RefreshToken, Issuer: a.config.Issuer, ClientID: a.config.ClientID}
	if s.Account, err = m.identify(ctx, a, token); err != nil {
		err = issuerError(host, err)
	} else {
		err = m.begin(ctx, s, m.accessOf(token, a.service))
	}
	if err != nil {
		m.abandon(ctx, s)
	}
	return err
}

// exchange sends the code.
func (m *Manager) exchange(ctx context.Context, a *attempt, code string) (*oauth2.Token, error) {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, m.issuers.json), answerLimit)
	defer cancel()
	token, err := a.oauth.Exchange(ctx, code, append(a.config.target(false), oauth2.VerifierOption(a.verifier))...)
	return token, tokenError(err)
}

// identify returns the user of an ID token, which must be for this sign-in. An issuer of plain OAuth 2 sends none.
func (m *Manager) identify(ctx context.Context, a *attempt, token *oauth2.Token) (Account, error) {
	account := Account{Service: a.service, SignedInAt: m.o.Now().UTC().Truncate(time.Second)}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return account, nil
	}
	var claims struct {
		Name      string `json:"name"`
		Preferred string `json:"preferred_username"`
		Email     string `json:"email"`
		Party     string `json:"azp"`
	}
	id, err := m.verify(ctx, a, raw)
	if err != nil {
		return account, err
	}
	if err := id.Claims(&claims); err != nil {
		return account, errWrongToken(err)
	}
	now := m.o.Now()
	switch {
	case !sameText(id.Nonce, a.nonce):
		err = errors.New("the nonce is another one")
	case id.Subject == "":
		err = errors.New("it has no subject")
	case claims.Party != "" && claims.Party != a.config.ClientID:
		err = errors.New("it was made for another client")
	case id.AccessTokenHash != "":
		err = id.VerifyAccessToken(token.AccessToken)
	}
	if err != nil {
		return account, errWrongToken(err)
	}
	if behind := id.IssuedAt.Sub(now); behind.Abs() > clockTolerance || id.Expiry.Add(clockTolerance).Before(now) {
		return account, errClock(behind)
	}
	account.Subject, account.Email, account.Name = clean(id.Subject), clean(claims.Email), clean(claims.Name)
	if account.Name == "" {
		account.Name = clean(claims.Preferred)
	}
	return account, nil
}

// verify checks signature, issuer and audience of an ID token. Times are checked later, to tell a wrong clock.
func (m *Manager) verify(ctx context.Context, a *attempt, raw string) (*oidc.IDToken, error) {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, m.issuers.json), answerLimit)
	defer cancel()
	keys := &keySet{KeySet: oidc.NewRemoteKeySet(ctx, a.issuer.keys)}
	config := &oidc.Config{ClientID: a.config.ClientID, SkipExpiryCheck: true, SupportedSigningAlgs: a.issuer.signing}
	id, err := oidc.NewVerifier(a.config.Issuer, keys, config).Verify(ctx, raw)
	var answer *answerError
	switch {
	case err == nil:
		return id, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case keys.err != nil && (errors.As(keys.err, &answer) || strings.Contains(keys.err.Error(), "get keys failed")):
		return nil, keys.err // the keys could not be read
	default:
		return nil, errWrongToken(err)
	}
}

// keySet remembers its error, of which a verifier keeps the text only.
type keySet struct {
	oidc.KeySet
	err error
}

// VerifySignature checks a token with the keys of the issuer.
func (k *keySet) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := k.KeySet.VerifySignature(ctx, jwt)
	k.err = err
	return payload, err
}

// clean returns a claim for people: one line of at most 255 characters.
func clean(s string) string {
	runes := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " "))
	return string(runes[:min(len(runes), 255)])
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// begin stores a new session in the place of the one before. Errors: cancelled, secrets_unavailable.
func (m *Manager) begin(ctx context.Context, s session, first access) error {
	m.stopRefresh()
	unlock, err := m.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	before, _ := m.load(ctx) // there may be none
	m.setUnsaved(nil)
	if err := m.save(ctx, s); err != nil {
		m.setUnsaved(nil)
		return err
	}
	m.mu.Lock()
	m.access = first
	m.mu.Unlock()
	m.abandon(ctx, before)
	return nil
}
