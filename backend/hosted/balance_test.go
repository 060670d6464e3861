package hosted_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// switchAccount signs in as somebody else and reads that account's balance.
func (k *kit) switchAccount(t *testing.T) {
	t.Helper()
	k.signIn.mu.Lock()
	k.signIn.account.Subject = "bob"
	k.signIn.mu.Unlock()
	_, err := k.Balance(t.Context(), true)
	assert.NoError(t, err)
}

// TestCreditsOfAnotherAccount: the user signs in to another account while a call runs. What the call has left, or may have cost,
// is not mixed up with the credits of that account.
func TestCreditsOfAnotherAccount(t *testing.T) {
	t.Parallel()
	k := newBareKit(t)
	k.signInAs()
	h := k.speech(t, "One.")
	k.server.Fault(speechPath, hostedtest.Fault{Before: func() { k.switchAccount(t) }})
	require.NoError(t, k.speak(t.Context(), h).err)
	quote, err := k.Quote(t.Context(), []backend.HostedSpeech{h}, nil)
	require.NoError(t, err)
	require.Equal(t, int64(100_000), *quote.Left)

	k.signInAs()
	h.GenerationID = "generation-2"
	k.server.Fault(speechPath, hostedtest.Fault{Before: func() { k.switchAccount(t) }, Cut: hostedtest.CutBefore})
	o := k.speak(t.Context(), h)
	require.Equal(t, backend.CodeHostedAnswerLost, backend.CodeOf(o.err))
	require.Nil(t, backend.AsError(o.err).Params["credits_after"])
	require.Nil(t, o.bill.Credits)
}

// TestAccountsWithoutAName are told apart by the time of their sign-in.
func TestAccountsWithoutAName(t *testing.T) {
	t.Parallel()
	k := newBareKit(t)
	k.signInAs()
	k.signIn.nameless = true
	_, err := k.Balance(t.Context(), true)
	require.NoError(t, err)
	k.signIn.mu.Lock()
	k.signIn.account.SignedInAt = k.signIn.account.SignedInAt.Add(1e9)
	k.signIn.mu.Unlock()
	quote, err := k.Quote(t.Context(), nil, nil)
	require.NoError(t, err)
	require.Nil(t, quote.Left)
}

// TestOutdatedBalance is read again before the next call.
func TestOutdatedBalance(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, "One.")
	before, err := k.Balance(t.Context(), true)
	require.NoError(t, err)
	_, err = k.client.Synthesize(t.Context(), client.SynthesizeRequest{Text: "Spent elsewhere.", Voice: h.Voice.ID, Model: h.Model})
	require.NoError(t, err)
	k.Outdate()
	after, err := k.Balance(t.Context(), false)
	require.NoError(t, err)
	require.Less(t, after.Credits, before.Credits)
	require.Equal(t, k.server.Credits(), after.Credits)
}
