package hosted_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
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
	assert.Equal(t, k.Now(), *st.CheckedAt)
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
