package hosted_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// keysOf returns the idempotency keys of the calls of speech in their order.
func (k *kit) keysOf() []string {
	var keys []string
	for _, r := range k.server.Requests(speechPath) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
	}
	return keys
}

// Each lost answer is found again by the key of its call, whether or not the call was charged, and the text goes on.
func TestLostAnswersAreFoundAgain(t *testing.T) {
	t.Parallel()
	html := hostedtest.HTML(http.StatusBadGateway)
	charged := html
	charged.Charge = true
	busy := hostedtest.Fault{Status: 409, Code: "DUPLICATE_REQUEST", RetryAfter: "1"}
	cut := hostedtest.Fault{Cut: hostedtest.CutBefore}
	for name, faults := range map[string][]hostedtest.Fault{
		"before the answer":          {cut},
		"in the answer":              {{Cut: hostedtest.CutHalf}},
		"after the headers":          {{Cut: hostedtest.CutHeaders}},
		"without a charge":           {{Status: 200, Cut: hostedtest.CutBefore}},
		"HTML of a gateway":          {html},
		"charged behind a gateway":   {charged},
		"a body that is too long":    {{Length: 10}},
		"several times":              {cut, {Cut: hostedtest.CutHalf}, charged, cut},
		"while the call still runs":  {cut, busy, busy, busy, busy, busy, busy, busy, busy},
		"while the service is busy":  {cut, {Status: 503, RetryAfter: "2"}, {Status: 429}, {Status: 500}},
		"busy before it is lost":     {busy, {Status: 503}, cut},
		"the service is not charged": {{Status: 200, Cut: hostedtest.CutBefore}, {Status: 503}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKeepingKit(t)
			h := k.speech(t, "One.", "Two.")
			k.server.Fault(speechPath, faults...)
			o := k.speak(t.Context(), h)
			require.NoError(t, o.err)
			assert.Zero(t, k.server.Unused())
			assert.Equal(t, 2, k.server.Charged())
			assert.Equal(t, 100_000-k.server.Credits(), *o.bill.Credits)
			assert.Equal(t, k.server.Credits(), *o.bill.Left)
			keys := k.keysOf()
			require.Len(t, keys, len(faults)+2)
			assert.NotEmpty(t, keys[0])
			assert.Len(t, slices.Compact(slices.Clone(keys)), 2, "one key for all attempts of a call: %v", keys)
			b, err := k.Balance(t.Context(), false)
			require.NoError(t, err)
			assert.Equal(t, k.server.Credits(), b.Credits)
		})
	}
}

// A lost answer that cannot be asked for now is found by a retry, which pays nothing twice and needs no credits.
func TestRetryFindsALostAnswer(t *testing.T) {
	t.Parallel()
	cut := hostedtest.Fault{Cut: hostedtest.CutBefore}
	for name, c := range map[string]struct {
		faults []hostedtest.Fault
		code   backend.Code
		says   string
	}{
		"the connection stays broken": {[]hostedtest.Fault{cut, cut, cut, cut, cut}, backend.CodeHostedAnswerLost, "went down from 100000 to 99992"},
		"a page in its place":         {[]hostedtest.Fault{{Body: "<html></html>", Charge: true}}, backend.CodeHostedBadAnswer, "went down"},
		"busy for an hour":            {[]hostedtest.Fault{cut, {Status: 503, RetryAfter: "3600"}}, backend.CodeHostedAnswerLost, "could not repeat it"},
		"signed out meanwhile":        {[]hostedtest.Fault{cut, {Status: 401}}, backend.CodeHostedAnswerLost, "could not repeat it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKeepingKit(t)
			h := k.speech(t, "One.", "Two.")
			k.server.Fault(speechPath, c.faults...)
			o := k.speak(t.Context(), h)
			require.Equal(t, c.code, backend.CodeOf(o.err), "%v", o.err)
			shown := backend.AsError(o.err)
			assert.Contains(t, shown.Detail, c.says)
			assert.Contains(t, shown.Remedy, "not charged twice")
			assert.Equal(t, "repeat", shown.Params["reason"])
			assert.Equal(t, int64(99_992), shown.Params["credits_after"])
			assert.Equal(t, []backend.HostedState{backend.HostedLost}, k.parts.states())

			k.server.SetCredits(8) // enough for the second part alone
			o = k.speak(t.Context(), h)
			require.NoError(t, o.err)
			assert.Equal(t, 2, k.server.Charged())
			assert.Equal(t, []backend.HostedState{backend.HostedStored, backend.HostedStored}, k.parts.states())
			assert.Equal(t, int64(16), *o.bill.Credits)
		})
	}
}

// After a death the answer is found with what is stored, whatever has changed since, for the same account within a day.
func TestLostAnswerAfterADeath(t *testing.T) {
	t.Parallel()
	die := func(t *testing.T) (*kit, backend.HostedSpeech) {
		k := newKeepingKit(t)
		h := k.speech(t, "Lost.")
		h.Title = "Before"
		k.parts.dieAfter(1) // the call has begun
		require.Error(t, k.speak(t.Context(), h).err)
		require.Equal(t, 1, k.server.Charged())
		k.server.SetCredits(0)
		k.reopen(t)
		h.FetchOnly, h.Title = true, "After"
		return k, h
	}
	t.Run("found", func(t *testing.T) {
		t.Parallel()
		k, h := die(t)
		pending, err := k.Pending(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{h.GenerationID}, pending)
		o := k.speak(t.Context(), h)
		require.NoError(t, o.err)
		require.FileExists(t, o.audio[0].Path)
		assert.Equal(t, int64(10), *o.bill.Credits)
		sent := k.server.Requests(speechPath)
		require.Len(t, sent, 2)
		assert.Equal(t, sent[0].Body, sent[1].Body)
		assert.Equal(t, k.keysOf()[0], k.keysOf()[1])
		assert.Empty(t, k.parts.all()[0].Request, "the text is not kept with the call")
	})
	t.Run("for the next change of a text", func(t *testing.T) {
		t.Parallel()
		k, h := die(t)
		require.NoError(t, k.Recover(t.Context()))
		bill, err := k.FetchPaid(t.Context(), h.GenerationID)
		require.NoError(t, err)
		assert.Equal(t, int64(10), *bill.Credits)
		assert.Equal(t, []backend.HostedState{backend.HostedStored}, k.parts.states())
	})
	t.Run("dead again meanwhile", func(t *testing.T) {
		t.Parallel()
		k, h := die(t)
		k.parts.dieAfter(1)
		require.Error(t, k.speak(t.Context(), h).err)
		k.reopen(t)
		require.NoError(t, k.speak(t.Context(), h).err)
	})
	for name, change := range map[string]func(k *kit){
		"of another account": func(k *kit) {
			require.NoError(t, k.credentials.DeleteKey(context.Background()))
			k.signInAs()
		},
		"of yesterday": func(k *kit) { k.pass(25 * time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k, h := die(t)
			change(k)
			require.Equal(t, backend.CodeHostedAnswerLost, backend.CodeOf(k.speak(t.Context(), h).err))
			require.Len(t, k.server.Requests(speechPath), 1)
		})
	}
	t.Run("after another account was refused meanwhile", func(t *testing.T) {
		t.Parallel()
		k, h := die(t)
		h.FetchOnly = false
		require.NoError(t, k.credentials.DeleteKey(t.Context()))
		k.signInAs()
		k.server.SetCredits(100)
		k.server.Fault(speechPath, hostedtest.Fault{Status: 402})
		require.Equal(t, backend.Code("hosted_402"), backend.CodeOf(k.speak(t.Context(), h).err))
		_, err := k.credentials.SetKey(t.Context(), hostedtest.Key)
		require.NoError(t, err)
		require.NoError(t, k.speak(t.Context(), h).err)
		assert.Equal(t, 1, k.server.Charged())
		assert.Equal(t, k.keysOf()[0], k.keysOf()[2])
	})
	t.Run("lost again", func(t *testing.T) {
		t.Parallel()
		k, h := die(t)
		cut := hostedtest.Fault{Cut: hostedtest.CutBefore}
		k.server.Fault(speechPath, cut, cut, cut, cut, cut)
		o := k.speak(t.Context(), h)
		require.Equal(t, backend.CodeHostedAnswerLost, backend.CodeOf(o.err))
		assert.NotContains(t, backend.AsError(o.err).Detail, "did not go down")
		require.NoError(t, k.speak(t.Context(), h).err)
		assert.Equal(t, 1, k.server.Charged())
	})
	t.Run("its text is forgotten when it is old", func(t *testing.T) {
		t.Parallel()
		k, _ := die(t)
		require.NoError(t, k.Recover(t.Context()))
		assert.NotEmpty(t, k.parts.all()[0].Request)
		k.pass(25 * time.Hour)
		k.reopen(t)
		require.NoError(t, k.Recover(t.Context()))
		assert.Empty(t, k.parts.all()[0].Request)
	})
	t.Run("offline", func(t *testing.T) {
		t.Parallel()
		k, h := die(t)
		k.change(func(s *settings) { s.offline = true })
		require.Equal(t, backend.CodeOffline, backend.CodeOf(k.speak(t.Context(), h).err))
		k.change(func(s *settings) { s.offline = false })
		require.NoError(t, k.speak(t.Context(), h).err)
	})
	t.Run("its audio is gone", func(t *testing.T) {
		t.Parallel()
		k, h := die(t)
		k.server.ExpireLinks()
		o := k.speak(t.Context(), h)
		require.Equal(t, backend.CodeHostedLinkExpired, backend.CodeOf(o.err))
		assert.Equal(t, []backend.HostedState{backend.HostedExpired}, k.parts.states())
		assert.Equal(t, int64(10), *o.bill.Credits)
		k.server.SetCredits(100)
		h.FetchOnly = false
		require.NoError(t, k.speak(t.Context(), h).err)
		assert.Equal(t, 2, k.server.Charged())
		assert.NotEqual(t, k.keysOf()[1], k.keysOf()[2])
	})
}

// A lost dialogue is found again like a text.
func TestLostDialogueIsFoundAgain(t *testing.T) {
	t.Parallel()
	k := newKeepingKit(t)
	h := k.speech(t)
	h.Turns = []backend.HostedTurn{{Voice: h.Voice.ID, Text: "One."}, {Voice: h.Voice.ID, Text: "Two."}}
	k.parts.dieAfter(1)
	require.Error(t, k.speak(t.Context(), h).err)
	k.reopen(t)
	h.FetchOnly = true
	require.NoError(t, k.speak(t.Context(), h).err)
	assert.Equal(t, 1, k.server.Charged())
	assert.Equal(t, k.keysOf()[0], k.keysOf()[1])
}

// The service is asked once an hour whether it keeps keys. One that cannot be asked gets a key all the same, and no repeat.
func TestServicesThatMayNotKeepKeys(t *testing.T) {
	t.Parallel()
	const wellKnown = "/.well-known/"
	k := newKeepingKit(t)
	h := k.speech(t, "One.")
	k.server.Fault(wellKnown, hostedtest.Fault{Status: 500}, hostedtest.Fault{Status: 500}, hostedtest.Fault{Status: 500})
	k.server.Fault(speechPath, hostedtest.Fault{Cut: hostedtest.CutBefore})
	require.Equal(t, backend.CodeHostedAnswerLost, backend.CodeOf(k.speak(t.Context(), h).err))
	require.Len(t, k.server.Requests(speechPath), 1, "it may not be repeated")
	require.NotEmpty(t, k.keysOf()[0])

	asked := len(k.server.Requests(wellKnown))
	h.GenerationID = "soon after"
	require.NoError(t, k.speak(t.Context(), h).err)
	require.Len(t, k.server.Requests(wellKnown), asked, "a call does not wait for the same failure again")

	k.server.Heal()
	k.pass(5*time.Minute + time.Second)
	for _, id := range []string{"a", "b", "c"} {
		h.GenerationID = id
		require.NoError(t, k.speak(t.Context(), h).err)
	}
	require.Len(t, k.server.Requests(wellKnown), asked+1)
	k.pass(time.Hour)
	h.GenerationID = "d"
	require.NoError(t, k.speak(t.Context(), h).err)
	require.Len(t, k.server.Requests(wellKnown), asked+2)
}
