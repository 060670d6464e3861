package devidp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// How much is kept. The oldest goes first.
const (
	maxRequests = 1000
	maxSessions = 1000
)

var (
	errUnknown   = errors.New("not known, or expired")
	errNoMachine = errors.New("this client has no secret and no keys")
)

// storage is what the library stores: sign-ins that are under way, and sessions.
type storage struct {
	issuer, clientID, audience string
	now                        func() time.Time

	mu       sync.Mutex
	requests map[string]*request // by id
	codes    map[string]*request
	saved    *state
}

var (
	_ op.Storage                        = (*storage)(nil)
	_ op.CanSetUserinfoFromRequest      = (*storage)(nil)
	_ op.CanGetPrivateClaimsFromRequest = (*storage)(nil)
)

func newStorage(o Options, saved *state) *storage {
	return &storage{
		issuer: o.Issuer, clientID: o.ClientID, audience: o.Audience, now: o.Now, saved: saved,
		requests: map[string]*request{}, codes: map[string]*request{},
	}
}

// Health returns nil: the storage is in memory.
func (s *storage) Health(context.Context) error { return nil }

// challengePattern is the SHA-256 of a code verifier in base64url.
var challengePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// CreateAuthRequest stores the start of a sign-in.
func (s *storage) CreateAuthRequest(_ context.Context, r *oidc.AuthRequest, _ string) (op.AuthRequest, error) {
	if r.CodeChallengeMethod != oidc.CodeChallengeMethodS256 || !challengePattern.MatchString(r.CodeChallenge) {
		return nil, oidc.ErrInvalidRequest().WithDescription("PKCE with code_challenge_method S256 is required")
	}
	if r.ResponseMode != "" && r.ResponseMode != oidc.ResponseModeQuery {
		return nil, oidc.ErrInvalidRequest().WithDescription("response_mode must be query")
	}
	if slices.Contains(r.Prompt, oidc.PromptNone) {
		return nil, oidc.ErrLoginRequired().WithDescription("nobody stays signed in")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	maps.DeleteFunc(s.requests, func(_ string, r *request) bool { return now.After(r.expires) })
	maps.DeleteFunc(s.codes, func(_ string, r *request) bool { return now.After(r.expires) })
	for len(s.requests) >= maxRequests {
		delete(s.requests, oldest(s.requests, func(r *request) time.Time { return r.expires }))
	}
	stored := &request{AuthRequest: *r, id: rand.Text(), audience: []string{s.audience}, expires: now.Add(requestLifetime)}
	s.requests[stored.id] = stored
	return stored, nil
}

// oldest returns the key of the entry with the earliest time.
func oldest[E any](entries map[string]E, at func(E) time.Time) string {
	return slices.MinFunc(slices.Collect(maps.Keys(entries)), func(a, b string) int { return at(entries[a]).Compare(at(entries[b])) })
}

// request returns a copy of a sign-in that is under way.
func (s *storage) request(id string) (*request, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.requests[id]
	if r == nil || s.now().After(r.expires) {
		return nil, errUnknown
	}
	found := *r
	return &found, nil
}

// AuthRequestByID returns a sign-in that is under way.
func (s *storage) AuthRequestByID(_ context.Context, id string) (op.AuthRequest, error) {
	return s.request(id)
}

// signIn records who signed in.
func (s *storage) signIn(id, subject string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.requests[id]
	if r == nil || r.subject != "" || s.now().After(r.expires) {
		return errUnknown
	}
	r.subject, r.authTime = subject, s.now()
	return nil
}

// SaveAuthCode stores the only code of a sign-in.
func (s *storage) SaveAuthCode(_ context.Context, id, code string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.requests[id]
	if r == nil {
		return errUnknown
	}
	delete(s.requests, id)
	r.expires = s.now().Add(codeLifetime)
	s.codes[code] = r
	return nil
}

// AuthRequestByCode returns the sign-in of a code, which cannot be used again, whatever comes of it.
func (s *storage) AuthRequestByCode(_ context.Context, code string) (op.AuthRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.codes[code]
	delete(s.codes, code)
	if r == nil || s.now().After(r.expires) {
		return nil, errUnknown
	}
	return r, nil
}

// DeleteAuthRequest forgets a sign-in.
func (s *storage) DeleteAuthRequest(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.requests, id)
	return nil
}

// CreateAccessToken starts a session without a refresh token.
func (s *storage) CreateAccessToken(_ context.Context, r op.TokenRequest) (string, time.Time, error) {
	id, _, expires, err := s.start(r, false)
	return id, expires, err
}

// CreateAccessAndRefreshTokens starts a session with a refresh token, or replaces the current one.
func (s *storage) CreateAccessAndRefreshTokens(
	_ context.Context, r op.TokenRequest, current string,
) (id, refresh string, expires time.Time, err error) {
	if current == "" {
		return s.start(r, true)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	session, one, err := s.refreshed(current)
	if err != nil {
		return "", "", time.Time{}, oidc.ErrInvalidGrant().WithParent(err)
	}
	now := s.now()
	refresh = one.newRefresh(session, now)
	return tokenID(session), refresh, now.Add(tokenLifetime), s.saved.save()
}

func (s *storage) start(r op.TokenRequest, withRefresh bool) (id, refresh string, expires time.Time, err error) {
	in, ok := r.(*request)
	if !ok {
		return "", "", time.Time{}, oidc.ErrUnsupportedGrantType()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	sessions := s.saved.Sessions
	maps.DeleteFunc(sessions, func(_ string, one *session) bool { return now.After(one.Expires) })
	for len(sessions) >= maxSessions {
		delete(sessions, oldest(sessions, func(one *session) time.Time { return one.Expires }))
	}
	name := rand.Text()
	expires = now.Add(tokenLifetime)
	one := &session{Subject: in.subject, Scopes: in.Scopes, AuthTime: in.authTime, Expires: expires}
	sessions[name] = one
	if withRefresh {
		refresh = one.newRefresh(name, now)
	}
	return tokenID(name), refresh, expires, s.saved.save()
}

// tokenID returns a new id of an access token, from which sessionOf gets the session.
func tokenID(session string) string { return session + "." + rand.Text() }

func sessionOf(token string) string {
	session, _, _ := strings.Cut(token, ".")
	return session
}

// newRefresh replaces the refresh token of a session and returns the new one.
func (one *session) newRefresh(name string, now time.Time) string {
	token := name + "." + rand.Text() + rand.Text()
	sum := sha256.Sum256([]byte(token))
	one.Refresh, one.Expires = sum[:], now.Add(refreshLifetime)
	return token
}

// refreshed returns the session of its current refresh token. Another one of the same session was used before, so one of
// its two users has stolen it, and the session ends.
func (s *storage) refreshed(token string) (string, *session, error) {
	name := sessionOf(token)
	one := s.saved.Sessions[name]
	if one == nil || s.now().After(one.Expires) || len(one.Refresh) == 0 {
		return "", nil, op.ErrInvalidRefreshToken
	}
	sum := sha256.Sum256([]byte(token))
	if subtle.ConstantTimeCompare(sum[:], one.Refresh) != 1 {
		delete(s.saved.Sessions, name)
		return "", nil, errors.Join(op.ErrInvalidRefreshToken, s.saved.save())
	}
	return name, one, nil
}

// TokenRequestByRefreshToken returns the session of a refresh token.
func (s *storage) TokenRequestByRefreshToken(_ context.Context, token string) (op.RefreshTokenRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, one, err := s.refreshed(token)
	if err != nil {
		return nil, err
	}
	return &refreshRequest{session: *one, clientID: s.clientID, audience: []string{s.audience}}, nil
}

// GetRefreshTokenInfo returns the user and the session of a refresh token.
func (s *storage) GetRefreshTokenInfo(_ context.Context, _, token string) (userID, session string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := sessionOf(token)
	one := s.saved.Sessions[name]
	sum := sha256.Sum256([]byte(token))
	if one == nil || subtle.ConstantTimeCompare(sum[:], one.Refresh) != 1 {
		return "", "", op.ErrInvalidRefreshToken
	}
	return one.Subject, name, nil
}

// RevokeToken ends the session of a token. A text that is no token has no user; revoking it changes nothing.
func (s *storage) RevokeToken(_ context.Context, token, userID, _ string) *oidc.Error {
	if userID == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.saved.Sessions, sessionOf(token))
	if err := s.saved.save(); err != nil {
		return oidc.ErrServerError().WithParent(err)
	}
	return nil
}

// TerminateSession ends all sessions of a user.
func (s *storage) TerminateSession(_ context.Context, userID, _ string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.saved.Sessions, func(_ string, one *session) bool { return one.Subject == userID })
	return s.saved.save()
}

// SigningKey returns the private key.
func (s *storage) SigningKey(context.Context) (op.SigningKey, error) { return s.saved.key, nil }

// SignatureAlgorithms returns the one algorithm.
func (s *storage) SignatureAlgorithms(context.Context) ([]jose.SignatureAlgorithm, error) {
	return []jose.SignatureAlgorithm{signingAlgorithm}, nil
}

// KeySet returns the public key.
func (s *storage) KeySet(context.Context) ([]op.Key, error) {
	return []op.Key{publicKey{s.saved.key}}, nil
}

// GetClientByClientID returns the one client, with the redirect address of this request, which is checked already.
func (s *storage) GetClientByClientID(ctx context.Context, id string) (op.Client, error) {
	if id != s.clientID {
		return nil, errUnknown
	}
	redirect, _ := ctx.Value(redirectKey{}).(string)
	return client{id: id, redirect: redirect, issuer: s.issuer}, nil
}

// AuthorizeClientIDSecret refuses: the client is public. Clients that send Basic authentication with an empty secret to revoke a
// token are let in.
func (s *storage) AuthorizeClientIDSecret(_ context.Context, id, secret string) error {
	if id != s.clientID || secret != "" {
		return errNoMachine
	}
	return nil
}

// SetUserinfoFromScopes does nothing, as the library wants it.
func (s *storage) SetUserinfoFromScopes(context.Context, *oidc.UserInfo, string, string, []string) error {
	return nil
}

// SetUserinfoFromRequest writes the claims of an ID token.
func (s *storage) SetUserinfoFromRequest(_ context.Context, info *oidc.UserInfo, r op.IDTokenRequest, scopes []string) error {
	describe(info, r.GetSubject(), scopes)
	return nil
}

// SetUserinfoFromToken writes the answer of the userinfo endpoint, while the session lasts.
func (s *storage) SetUserinfoFromToken(_ context.Context, info *oidc.UserInfo, token, subject, _ string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.saved.Sessions[sessionOf(token)]
	if one == nil || one.Subject != subject {
		return errUnknown
	}
	describe(info, one.Subject, one.Scopes)
	return nil
}

// GetPrivateClaimsFromRequest returns the claims of an access token beside the standard ones.
func (s *storage) GetPrivateClaimsFromRequest(_ context.Context, r op.TokenRequest, _ []string) (map[string]any, error) {
	if email := emailOf(r.GetSubject()); email != "" {
		return map[string]any{"email": email}, nil
	}
	return nil, nil //nolint:nilnil // no claims
}

// GetPrivateClaimsFromScopes is not called, because GetPrivateClaimsFromRequest is there.
func (s *storage) GetPrivateClaimsFromScopes(context.Context, string, string, []string) (map[string]any, error) {
	return nil, nil //nolint:nilnil // no claims
}

// SetIntrospectionFromToken refuses: introspection is not offered.
func (s *storage) SetIntrospectionFromToken(context.Context, *oidc.IntrospectionResponse, string, string, string) error {
	return errNoMachine
}

// GetKeyByIDAndClientID refuses: the client has no keys.
func (s *storage) GetKeyByIDAndClientID(context.Context, string, string) (*jose.JSONWebKey, error) {
	return nil, errNoMachine
}

// ValidateJWTProfileScopes refuses: the client has no keys.
func (s *storage) ValidateJWTProfileScopes(context.Context, string, []string) ([]string, error) {
	return nil, errNoMachine
}
