package signin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const (
	// clockTolerance is how far this computer's clock and the issuer's may differ.
	clockTolerance = 5 * time.Minute
	// backdated is how long before its making a token may claim to be made: Microsoft Entra takes 5 minutes off.
	backdated = 5 * time.Minute
)

// complete exchanges the code for tokens, checks them and stores the session.
func (m *Manager) complete(ctx context.Context, a *attempt, query url.Values) error {
	host := hostOf(a.config.Issuer)
	switch code := query.Get("error"); {
	case query.Has("iss") && query.Get("iss") != a.config.Issuer: // RFC 9207
		return errWrongToken(fmt.Errorf("the answer is of the issuer %.200q", query.Get("iss")))
	case code == "access_denied":
		return errFailed(reasonDenied, "The sign-in was refused or cancelled in the browser.", "Sign in again if you want.")
	case query.Has("error"):
		return errRefused(host, code, nil)
	}
	token, err := m.exchange(ctx, a, query.Get("code"))
	if err != nil {
		return issuerError(host, err)
	}
	s := session{
		RefreshToken: token.RefreshToken, Issuer: a.config.Issuer, ClientID: a.config.ClientID, ClientSecret: a.config.ClientSecret,
		UseIDToken: a.config.UseIDToken, Scopes: chosen(a.config.Scopes),
	}
	id, err := m.identify(ctx, a, token)
	if err != nil {
		err = issuerError(host, err)
	} else {
		s.Account = m.accountOf(id, a.service)
		err = m.begin(ctx, s, m.accessOf(token, id, s))
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
	token, err := a.oauth.Exchange(ctx, code, append(target(a.config, false), oauth2.VerifierOption(a.verifier))...)
	return token, tokenError(err)
}

// identity is what an ID token says. The zero value is that of an issuer of plain OAuth 2, which sends none.
type identity struct {
	token string // as received
	*oidc.IDToken
	claims
}

// claims are the members of an ID token that are read beside those of the protocol.
type claims struct {
	Name      string `json:"name"`
	Preferred string `json:"preferred_username"`
	Email     string `json:"email"`
	Party     string `json:"azp"`
}

// identify returns the identity of an ID token, which must be for this sign-in.
func (m *Manager) identify(ctx context.Context, a *attempt, token *oauth2.Token) (identity, error) {
	id, err := m.read(ctx, a.issuer, a.config.Issuer, a.config.ClientID, token)
	switch {
	case err != nil:
		return identity{}, err
	case id.IDToken == nil && a.config.UseIDToken:
		return identity{}, errNoIDToken()
	case id.IDToken == nil:
		return identity{}, nil
	case !sameText(id.Nonce, a.nonce):
		return identity{}, errWrongToken(errors.New("the nonce is another one"))
	}
	now := m.o.Now()
	behind := id.IssuedAt.Sub(now)
	if behind > clockTolerance || behind < -clockTolerance-backdated || id.Expiry.Add(clockTolerance).Before(now) {
		return identity{}, errClock(behind)
	}
	return id, nil
}

// read returns the identity of the ID token beside an access token, the zero value where there is none. The issuer signed it, for
// this client; nonce and times are not checked.
func (m *Manager) read(ctx context.Context, i *issuer, name, clientID string, token *oauth2.Token) (id identity, err error) {
	raw, ok := token.Extra("id_token").(string)
	if !ok || raw == "" {
		return identity{}, nil
	}
	id.token = raw
	if id.IDToken, err = m.verify(ctx, i, name, clientID, raw); err != nil {
		return identity{}, err
	}
	if err := id.Claims(&id.claims); err != nil {
		return identity{}, errWrongToken(err)
	}
	switch {
	case id.Subject == "":
		err = errors.New("it has no subject")
	case id.Party != "" && id.Party != clientID:
		err = errors.New("it was made for another client")
	case id.AccessTokenHash != "":
		err = id.VerifyAccessToken(token.AccessToken)
	}
	if err != nil {
		return identity{}, errWrongToken(err)
	}
	return id, nil
}

// accountOf returns the user who signed in to a service.
func (m *Manager) accountOf(id identity, service string) Account {
	account := Account{Service: service, SignedInAt: m.o.Now().UTC().Truncate(time.Second)}
	if id.IDToken != nil {
		account.Subject, account.Email, account.Name = clean(id.Subject), clean(id.Email), cmp.Or(clean(id.Name), clean(id.Preferred))
	}
	return account
}

// verify checks signature, issuer and audience of an ID token. Times are checked later, to tell a wrong clock.
func (m *Manager) verify(ctx context.Context, i *issuer, name, clientID, raw string) (*oidc.IDToken, error) {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, m.issuers.json), answerLimit)
	defer cancel()
	keys := &keySet{KeySet: oidc.NewRemoteKeySet(ctx, i.keys)}
	config := &oidc.Config{ClientID: clientID, SkipExpiryCheck: true, SupportedSigningAlgs: i.signing}
	id, err := oidc.NewVerifier(name, keys, config).Verify(ctx, raw)
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
