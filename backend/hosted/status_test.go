package hosted_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

func TestStatusWithAKey(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	st, err := k.Status(t.Context())
	require.NoError(t, err)
	assert.True(t, st.Enabled && st.Configured)
	assert.False(t, st.SignedIn)
	assert.Equal(t, "svc_sk_test", st.KeyPrefix)
	assert.Equal(t, "pro", st.Plan)
	assert.Equal(t, int64(100_000), *st.Credits)
	assert.Equal(t, int64(0), *st.Payg)
	assert.WithinDuration(t, k.Now(), *st.CheckedAt, time.Millisecond)
	assert.Nil(t, st.Error)
	assert.Nil(t, st.Notice)
	assert.Equal(t, 2, k.events(), "the key, and the balance")

	k.server.SetCredits(5)
	k.pass(29 * time.Second)
	st, err = k.Status(t.Context())
	require.NoError(t, err)
	assert.Equal(t, int64(100_000), *st.Credits, "read less than 30 s ago")
	k.pass(2 * time.Second)
	st, err = k.Status(t.Context())
	require.NoError(t, err)
	assert.Equal(t, int64(5), *st.Credits)
	assert.Equal(t, 3, k.events())
}

// TestStatusBeforeAnything proves that nothing is contacted and no keychain opened before there is a credential.
func TestStatusBeforeAnything(t *testing.T) {
	t.Parallel()
	k := newBareKit(t)
	st, err := k.Status(t.Context())
	require.NoError(t, err)
	assert.Nil(t, st.Error)
	assert.Empty(t, st.Plan)
	assert.False(t, st.SignedIn)
	assert.Empty(t, k.server.Requests("/"))
	assert.Zero(t, k.secrets.opened)
}

func TestStatusKeepsTheLastValues(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	_, err := k.Status(t.Context())
	require.NoError(t, err)
	k.change(func(s *settings) { s.offline = true })
	k.pass(time.Minute)
	st, err := k.Status(t.Context())
	require.NoError(t, err)
	require.NotNil(t, st.Error)
	assert.Equal(t, backend.CodeOffline, st.Error.Code)
	assert.Equal(t, int64(100_000), *st.Credits)
}

// TestStatusOfASlowService does not wait for the answer, which still counts when it arrives.
func TestStatusOfASlowService(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.SetStatusTimeout(time.Millisecond)
	answer := make(chan struct{})
	k.server.Fault("/api/v1/user/credits", hostedtest.Fault{Before: func() { <-answer }})
	st, err := k.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, backend.CodeHostedUnreachable, st.Error.Code)
	require.Equal(t, "svc_sk_test", st.KeyPrefix)
	close(answer)
	k.SetStatusTimeout(time.Minute)
	st, err = k.Status(t.Context())
	require.NoError(t, err)
	require.Nil(t, st.Error)
	require.Equal(t, "pro", st.Plan)
	require.Len(t, k.server.Requests("/api/v1/user/credits"), 1)
}

// TestBalance is read once for all who ask at the same time, and again after a call.
func TestBalance(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var wait sync.WaitGroup
	for range 10 {
		wait.Go(func() {
			_, err := k.Balance(t.Context(), false)
			assert.NoError(t, err)
		})
	}
	wait.Wait()
	require.Len(t, k.server.Requests("/api/v1/user/credits"), 1)
	k.server.SetCredits(7)
	b, err := k.Balance(t.Context(), true)
	require.NoError(t, err)
	require.Equal(t, int64(7), b.Credits)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = k.Balance(ctx, true)
	require.ErrorIs(t, err, context.Canceled)
}

func TestConnection(t *testing.T) {
	t.Parallel()
	k, other := newKit(t), hostedtest.Start(t, hostedtest.Options{})
	test, err := k.Test(t.Context(), "")
	require.NoError(t, err)
	require.True(t, test.OK && *test.KeyAccepted)
	require.Nil(t, test.Error)

	test, err = k.Test(t.Context(), other.URL)
	require.NoError(t, err)
	require.True(t, test.OK)
	require.Nil(t, test.KeyAccepted)
	for _, r := range other.Requests("/") {
		require.Empty(t, r.Header.Get("Authorization")+r.Header.Get("X-Api-Key"), "no credential for another address")
	}
	test, err = k.Test(t.Context(), hostedtest.Closed(t))
	require.NoError(t, err)
	require.False(t, test.OK)
	require.Equal(t, backend.CodeHostedUnreachable, test.Error.Code)
	_, err = k.Test(t.Context(), "http://192.0.2.1")
	backendtest.RequireCode(t, backend.CodeHostedNotConfigured, err)

	k.server.RevokeKeys()
	test, err = k.Test(t.Context(), "")
	require.NoError(t, err)
	require.True(t, test.OK)
	require.False(t, *test.KeyAccepted)
	require.Equal(t, backend.CodeHostedNotSignedIn, test.Error.Code)
	k.change(func(s *settings) { s.offline = true })
	_, err = k.Test(t.Context(), "")
	backendtest.RequireCode(t, backend.CodeOffline, err)
}
