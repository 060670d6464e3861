package signin_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

// count returns how many requests had this grant type.
func (i *issuer) grants(kind string) (n int) {
	for _, form := range i.requests() {
		if form.Get("grant_type") == kind {
			n++
		}
	}
	return n
}

// TestManyCallersShareOneRefresh: two windows whose token is rejected at the same time cost one request.
func TestManyCallersShareOneRefresh(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := signedIn(t, i)
	first, err := l.Token(t.Context(), "")
	require.NoError(t, err)
	var callers sync.WaitGroup
	tokens := make([]string, 20)
	for n := range tokens {
		callers.Go(func() { tokens[n], _ = l.Token(t.Context(), first) })
	}
	callers.Wait()
	for _, token := range tokens {
		require.Equal(t, "access-ii", token)
	}
	require.Equal(t, 1, i.grants("refresh_token"))
	require.Equal(t, "refresh-ii", l.secrets.refreshToken(t))
	require.Equal(t, "https://service.test/", i.requests()[0].Get("resource"))
}

// TestTheNewRefreshTokenIsStoredFirst: where it cannot be stored nobody gets the access token, and it is not lost.
func TestTheNewRefreshTokenIsStoredFirst(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := signedIn(t, i)
	l.secrets.setFailure(backend.E(backend.CodeSecretsUnavailable, "The keychain is locked.", "Unlock it."))
	_, err := l.Token(t.Context(), "access-i")
	backendtest.RequireCode(t, backend.CodeSecretsUnavailable, err)
	l.secrets.setFailure(nil)
	token, err := l.Token(t.Context(), "access-i")
	require.NoError(t, err)
	require.Equal(t, "access-iii", token)
	require.Equal(t, "refresh-iii", l.secrets.refreshToken(t))
}

// TestAServiceThatRejectsEverything gets no request of the issuer for each call.
func TestAServiceThatRejectsEverything(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := signedIn(t, i)
	now := time.Now()
	l.setNow(now)
	token, err := l.Token(t.Context(), "access-i")
	require.NoError(t, err)
	for range 5 {
		_, err = l.Token(t.Context(), token)
		backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
	}
	require.Equal(t, 1, i.grants("refresh_token"))
	l.setNow(now.Add(time.Minute))
	_, err = l.Token(t.Context(), token)
	require.NoError(t, err)
}

// TestAnEndedSession is forgotten, and is not tried again.
func TestAnEndedSession(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := signedIn(t, i)
	i.mu.Lock()
	i.refresh = "another"
	i.mu.Unlock()
	before := l.changes.Load()
	_, err := l.Token(t.Context(), "access-i")
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
	require.Greater(t, l.changes.Load(), before)
	require.Equal(t, signin.Failed, l.State().Status)
	require.Equal(t, backend.CodeHostedNotSignedIn, l.State().Err.Code)
	_, ok := l.Account()
	require.False(t, ok)
	_, err = l.Token(t.Context(), "")
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
	require.Equal(t, 1, i.grants("refresh_token"))
	l.start()
	require.Equal(t, signin.Waiting, l.State().Status)
}

// hangUp closes the connection after the request was read.
func (i *issuer) hangUp(times int) {
	i.Handle("/token", func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		now := times > 0
		times--
		i.mu.Unlock()
		if now {
			i.record(r)
			panic(http.ErrAbortHandler)
		}
		i.token(w, r)
	})
}

func TestALostAnswerOfARefresh(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := signedIn(t, i)
	i.hangUp(1)
	token, err := l.Token(t.Context(), "access-i") // sent again
	require.NoError(t, err)
	require.Equal(t, "access-ii", token)
	require.Equal(t, 2, i.grants("refresh_token"))

	l.setNow(time.Now().Add(time.Minute))
	i.hangUp(2)
	_, err = l.Token(t.Context(), token)
	require.ErrorContains(t, err, "broke twice")
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
	require.Equal(t, signin.Failed, l.State().Status)
	require.NotEmpty(t, l.secrets.refreshToken(t), "it may still be valid")
	require.Equal(t, 4, i.grants("refresh_token"))

	i.Handle("/token", func(w http.ResponseWriter, r *http.Request) { // it had replaced the token, and ends the session now
		if i.record(r); i.grants("refresh_token") == 5 {
			panic(http.ErrAbortHandler)
		}
		writeJSON(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
	})
	_, err = l.Token(t.Context(), token)
	require.ErrorContains(t, err, "does not accept the same request twice")
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
	require.Empty(t, l.secrets.value)
}

// TestAnIssuerThatIsDown ends no session.
func TestAnIssuerThatIsDown(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := signedIn(t, i)
	for status, answer := range map[int]string{503: "<html>busy</html>", 502: `{"error":"temporarily_unavailable"}`} {
		i.Handle("/token", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(answer))
		})
		_, err := l.Token(t.Context(), "access-i")
		backendtest.RequireCode(t, backend.CodeHostedUnreachable, err)
		require.NotContains(t, backend.AsError(err).Detail, "html")
	}
	l.setNow(time.Now().Add(2 * time.Hour)) // the discovery document is read again
	i.SetDown(true)
	_, err := l.Token(t.Context(), "")
	backendtest.RequireCode(t, backend.CodeHostedUnreachable, err)
	require.NotEmpty(t, l.secrets.refreshToken(t))
	i.SetDown(false)
	i.Handle("/token", i.token)
	_, err = l.Token(t.Context(), "")
	require.NoError(t, err)
}

// TestATokenGoesToItsServiceOnly: after a change of the base URL nothing of the sign-in is used.
func TestATokenGoesToItsServiceOnly(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := signedIn(t, i)
	l.setService("https://other.test")
	account, ok := l.Account()
	require.True(t, ok)
	require.Equal(t, "https://service.test", account.Service)
	_, err := l.Token(t.Context(), "")
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
	require.Zero(t, i.grants("refresh_token"))
	l.setService("https://SERVICE.test/api-root/")
	_, err = l.Token(t.Context(), "")
	require.NoError(t, err)
}

func TestSignOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(*lab, *issuer)
		code    backend.Code // of the notice
	}{
		"told":    {func(*lab, *issuer) {}, ""},
		"offline": {func(l *lab, _ *issuer) { l.offline.Store(true) }, backend.CodeOffline},
		"down":    {func(_ *lab, i *issuer) { i.SetDown(true) }, backend.CodeHostedUnreachable},
		"broken":  {func(_ *lab, i *issuer) { i.Handle("/revoke", http.NotFound) }, backend.CodeHostedBadAnswer},
		"redirected": {func(_ *lab, i *issuer) {
			i.Handle("/revoke", http.RedirectHandler("http://127.0.0.1:1/", http.StatusTemporaryRedirect).ServeHTTP)
		}, backend.CodeHostedBadAnswer},
	} {
		i := newIssuer(t)
		l := signedIn(t, i)
		c.prepare(l, i)
		notice, err := l.SignOut(t.Context())
		require.NoError(t, err, name)
		require.Empty(t, l.secrets.value, name)
		require.Equal(t, signin.Idle, l.State().Status, name)
		if c.code == "" {
			require.Nil(t, notice)
			last := i.requests()[len(i.requests())-1]
			require.Equal(t, "refresh-i", last.Get("token"))
			require.Equal(t, "refresh_token", last.Get("token_type_hint"))
			require.Equal(t, clientID, last.Get("client_id"))
		} else {
			require.Equal(t, c.code, notice.Code, name)
			require.Contains(t, notice.Detail, "signed out on this computer", name)
		}
		notice, err = l.SignOut(t.Context()) // there is nothing left
		require.NoError(t, err)
		require.Nil(t, notice)
	}
}

// TestASlowIssuer: callers that leave are let go at once, and what they began is not lost.
func TestASlowIssuer(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := signedIn(t, i)
	begun, release := make(chan struct{}), make(chan struct{})
	i.Handle("/token", func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		<-release
		i.token(w, r)
	})
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		_, err := l.Token(ctx, "access-i")
		result <- err
	}()
	<-begun
	cancel()
	backendtest.RequireCode(t, backend.CodeCancelled, <-result) // while the issuer still waits
	close(release)
	token, err := l.Token(t.Context(), "access-i")
	require.NoError(t, err)
	require.Equal(t, "access-ii", token)

	begun, hold := make(chan struct{}), make(chan struct{})
	defer close(hold)
	i.Handle(identitytest.DiscoveryPath, func(http.ResponseWriter, *http.Request) {
		close(begun)
		<-hold
	})
	l.setNow(time.Now().Add(2 * time.Hour))
	go func() {
		_, err := l.Start(t.Context(), false)
		result <- err
	}()
	<-begun
	require.NoError(t, l.Cancel())
	backendtest.RequireCode(t, backend.CodeCancelled, <-result)
	require.Equal(t, signin.Idle, l.State().Status)
}

func TestSecretsDoNotReachNotes(t *testing.T) {
	t.Parallel()
	l := signedIn(t, newIssuer(t))
	note, ok := l.secrets.Note(signin.Secret)
	require.True(t, ok)
	require.NotContains(t, note, "refresh-i")
	require.NotContains(t, note, "access-i")
	require.NotContains(t, l.secrets.value[signin.Secret], "access-i")
}
