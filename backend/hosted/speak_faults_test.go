package hosted_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// TestLostAnswers are never repeated, and say whether the credits went down.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	html := hostedtest.HTML(http.StatusBadGateway)
	html.Charge = true
	for name, c := range map[string]struct {
		fault   hostedtest.Fault
		code    backend.Code
		charged bool
	}{
		"before the answer":       {hostedtest.Fault{Cut: hostedtest.CutBefore}, backend.CodeHostedAnswerLost, true},
		"in the answer":           {hostedtest.Fault{Cut: hostedtest.CutHalf}, backend.CodeHostedAnswerLost, true},
		"after the headers":       {hostedtest.Fault{Cut: hostedtest.CutHeaders}, backend.CodeHostedAnswerLost, true},
		"without a charge":        {hostedtest.Fault{Status: 200, Cut: hostedtest.CutBefore}, backend.CodeHostedAnswerLost, false},
		"HTML of a gateway":       {html, backend.CodeHostedAnswerLost, true},
		"HTML with 200":           {hostedtest.Fault{Body: "<html></html>", Charge: true}, backend.CodeHostedBadAnswer, true},
		"JSON without a link":     {hostedtest.Fault{Body: `{"remainingCredits": 1}`}, backend.CodeHostedBadAnswer, false},
		"a link that is no link":  {hostedtest.Fault{Body: `{"url": "file:///etc/passwd"}`, Charge: true}, backend.CodeHostedBadAnswer, true},
		"a body that is too long": {hostedtest.Fault{Length: 10}, backend.CodeHostedAnswerLost, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t)
			h := k.speech(t, "One.", "Two.")
			k.server.Fault(speechPath, c.fault)
			o := k.speak(t.Context(), h)
			require.Equal(t, c.code, backend.CodeOf(o.err), "%v", o.err)
			shown := backend.AsError(o.err)
			assert.Len(t, k.server.Requests(speechPath), 1, "it is not repeated, and nothing follows it")
			assert.Equal(t, []backend.HostedState{backend.HostedLost}, k.parts.states())
			assert.Equal(t, int64(100_000), shown.Params["credits_before"])
			assert.Equal(t, k.server.Credits(), shown.Params["credits_after"])
			if c.charged {
				assert.Contains(t, shown.Detail, "went down from 100000 to 99992")
				assert.Contains(t, shown.Remedy, "charged again")
				assert.Equal(t, int64(8), *o.bill.Credits)
			} else {
				assert.Contains(t, shown.Detail, "did not go down")
				assert.Zero(t, *o.bill.Credits)
			}
			o = k.speak(t.Context(), h)
			require.NoError(t, o.err)
			assert.Equal(t, 3, len(k.server.Requests(speechPath)))
			assert.Equal(t, 100_000-k.server.Credits(), *o.bill.Credits)
			assert.Equal(t, 3, o.bill.Calls)
		})
	}
}

func TestLostAnswerWithoutABalance(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, "One.")
	k.server.Fault(speechPath, hostedtest.Fault{Cut: hostedtest.CutBefore})
	k.server.Fault("/api/v1/user/credits", hostedtest.Fault{}, hostedtest.Fault{Status: 500}, hostedtest.Fault{Status: 500}, hostedtest.Fault{Status: 500})
	o := k.speak(t.Context(), h)
	require.Equal(t, backend.CodeHostedAnswerLost, backend.CodeOf(o.err))
	shown := backend.AsError(o.err)
	assert.Contains(t, shown.Remedy, "check your credits")
	assert.Nil(t, shown.Params["credits_after"])
	assert.Nil(t, o.bill.Credits, "unknown")
}

func TestBusyIsWaitedFor(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, "One.")
	k.server.Fault(speechPath,
		hostedtest.Fault{Status: 409, Code: "DUPLICATE_REQUEST"},
		hostedtest.Fault{Status: 429, RetryAfter: "7"},
		hostedtest.Fault{Status: 503, Code: "PROVIDER_BUSY", RetryAfter: time.Now().Add(20 * time.Second).UTC().Format(http.TimeFormat)},
		hostedtest.Fault{Status: 503, Code: "SERVER_BUSY"})
	o := k.speak(t.Context(), h)
	require.NoError(t, o.err)
	require.Len(t, o.waits, 4)
	for i, code := range []backend.Code{"hosted_duplicate_request", "hosted_429", "hosted_provider_busy", "hosted_server_busy"} {
		assert.Equal(t, "busy", o.waits[i].Reason)
		assert.Equal(t, code, o.waits[i].Code)
	}
	assert.InDelta(t, 7, o.waits[1].Seconds, 0)
	assert.InDelta(t, 19, o.waits[2].Seconds, 2)
	assert.Equal(t, 1, k.server.Charged())
	assert.Len(t, k.parts.all(), 1)

	h.GenerationID = "generation-2"
	for range 5 {
		k.server.Fault(speechPath, hostedtest.Fault{Status: 503, Code: "SERVER_BUSY"})
	}
	o = k.speak(t.Context(), h)
	require.Equal(t, backend.Code("hosted_server_busy"), backend.CodeOf(o.err))
	assert.Len(t, o.waits, 4)
	assert.Zero(t, o.bill.Calls)
	assert.Equal(t, 1, k.server.Charged())
}

// TestRefusedCallsCostNothing and leave the parts before them.
func TestRefusedCallsCostNothing(t *testing.T) {
	t.Parallel()
	for _, f := range []hostedtest.Fault{
		{Status: 400, Code: "TEXT_TOO_LONG"}, {Status: 402}, {Status: 403, Code: "PAID_ACCESS_REQUIRED"}, {Status: 500}, {Status: 404},
	} {
		k := newKit(t)
		h := k.speech(t, "One.", "Two.")
		k.server.Fault(speechPath, hostedtest.Fault{}, f)
		o := k.speak(t.Context(), h)
		require.Equal(t, backend.HostedCode(f.Code, f.Status), backend.CodeOf(o.err))
		assert.NotContains(t, backend.AsError(o.err).Remedy, "Nothing was charged", "the first part was")
		assert.Equal(t, []backend.HostedState{backend.HostedStored, backend.HostedRefused}, k.parts.states())
		assert.Equal(t, int64(8), *o.bill.Credits)
		assert.Equal(t, 1, o.bill.Calls)
		o = k.speak(t.Context(), h)
		require.NoError(t, o.err)
		assert.True(t, o.bill.Refunded)
		assert.Equal(t, 2, o.bill.Calls)
		assert.Equal(t, 2, k.server.Charged())
	}
}

// TestPaidAudioIsFetchedLater tries again without paying again.
func TestPaidAudioIsFetchedLater(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]hostedtest.Fault{
		"broken": {Cut: hostedtest.CutBefore}, "failing": {Status: 500}, "not found yet": {Status: 503},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t)
			h := k.speech(t, "One.", "Two.")
			for range 20 {
				k.server.Fault(filePath, f)
			}
			o := k.speak(t.Context(), h)
			require.Equal(t, backend.CodeHostedUnreachable, backend.CodeOf(o.err), "%v", o.err)
			assert.Contains(t, backend.AsError(o.err).Remedy, "not charged again")
			assert.Equal(t, []backend.HostedState{backend.HostedAnswered}, k.parts.states())
			pending, err := k.Pending(t.Context())
			require.NoError(t, err)
			assert.Equal(t, []string{h.GenerationID}, pending)

			k.reopen(t)
			k.server.Fault(filePath) // nothing more
			for k.server.Unused() > 0 {
				o = k.speak(t.Context(), h)
			}
			o = k.speak(t.Context(), h)
			require.NoError(t, o.err)
			assert.Equal(t, 2, k.server.Charged())
		})
	}
}

func TestExpiredLinkIsPaidOnlyByTheNextRetry(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, "One.")
	k.server.Fault(filePath, hostedtest.Fault{Before: k.server.ExpireLinks})
	o := k.speak(t.Context(), h)
	require.Equal(t, backend.CodeHostedLinkExpired, backend.CodeOf(o.err), "%v", o.err)
	assert.Equal(t, 1, k.server.Charged())
	h.FetchOnly = true
	require.Equal(t, backend.CodeHostedLinkExpired, backend.CodeOf(k.speak(t.Context(), h).err))
	h.FetchOnly = false
	o = k.speak(t.Context(), h)
	require.NoError(t, o.err)
	assert.Equal(t, 2, k.server.Charged())
	assert.Equal(t, int64(16), *o.bill.Credits, "both were paid")
}

// TestLinkThatIsRefusedForGood: a store that answers 403 after a day has deleted the audio. Before that it is tried again.
func TestLinkThatIsRefusedForGood(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, "One.")
	refused := hostedtest.Fault{Status: http.StatusForbidden, Body: "<Error/>", Type: "application/xml"}
	k.server.Fault(filePath, refused, refused)
	require.Equal(t, backend.CodeHostedUnreachable, backend.CodeOf(k.speak(t.Context(), h).err))
	k.pass(25 * time.Hour)
	require.Equal(t, backend.CodeHostedLinkExpired, backend.CodeOf(k.speak(t.Context(), h).err))
	assert.Equal(t, 1, k.server.Charged())
	require.NoError(t, k.speak(t.Context(), h).err)
	assert.Equal(t, 2, k.server.Charged())
}

// TestDamagedAudioIsPaidAgain covers files that were removed or changed by others.
func TestDamagedAudioIsPaidAgain(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, "One.", "Two.")
	o := k.speak(t.Context(), h)
	require.NoError(t, o.err)
	require.NoError(t, os.WriteFile(o.audio[1].Path, []byte("damaged"), 0o600))
	h.FetchOnly = true
	require.Equal(t, backend.CodeHostedLinkExpired, backend.CodeOf(k.speak(t.Context(), h).err))
	h.FetchOnly = false
	require.NoError(t, k.speak(t.Context(), h).err)
	assert.Equal(t, 3, k.server.Charged())
}

// TestDownloadThatIsNoAudio is that of a sign-in page of a network: the audio is fetched by the next attempt.
func TestDownloadThatIsNoAudio(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, format := range []string{"mp3_44100_128", "pcm_24000"} {
		h := k.speech(t, "One.")
		h.GenerationID, h.Options.ResponseFormat = format, format
		page := hostedtest.Fault{Body: "<html>Sign in</html>", Type: "text/html"}
		if format == "pcm_24000" {
			k.server.Fault(filePath, page)
			require.Equal(t, backend.CodeHostedBadAnswer, backend.CodeOf(k.speak(t.Context(), h).err))
			page = hostedtest.Fault{Status: 200, Body: " ", Length: -1}
		}
		k.server.Fault(filePath, page)
		o := k.speak(t.Context(), h)
		require.Equal(t, backend.CodeHostedBadAnswer, backend.CodeOf(o.err), "%v", o.err)
		entries, err := os.ReadDir(filepath.Join(k.dir, "audio", "hosted", h.GenerationID))
		require.NoError(t, err)
		assert.Empty(t, entries)
		charged := k.server.Charged()
		require.NoError(t, k.speak(t.Context(), h).err)
		assert.Equal(t, charged, k.server.Charged())
	}
}
