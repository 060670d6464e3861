package hosted_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

const (
	speechPath = "/api/v1/tts/synthesize"
	filePath   = "/files/"
)

// speech returns a speech of these texts by the first voice of ProviderA and v3.
func (k *kit) speech(t testing.TB, texts ...string) backend.HostedSpeech {
	t.Helper()
	return k.speechBy(t, "ProviderA", backend.HostedV3, texts...)
}

func (k *kit) speechBy(t testing.TB, provider, model string, texts ...string) backend.HostedSpeech {
	t.Helper()
	voices, err := k.client.Voices(t.Context())
	require.NoError(t, err)
	h := backend.HostedSpeech{GenerationID: "generation-1", Model: model, Speed: 1}
	for _, v := range voices {
		if v.Provider == provider {
			h.Voice = v
			break
		}
	}
	for _, text := range texts {
		h.Texts = append(h.Texts, backend.HostedText{Text: text})
	}
	return h
}

// outcome is what Speak returned, and what it reported.
type outcome struct {
	audio []backend.HostedAudio
	bill  backend.HostedBill
	err   error
	waits []backend.Wait
	done  int
	total int
}

func (k *kit) speak(ctx context.Context, h backend.HostedSpeech) outcome {
	var o outcome
	o.audio, o.bill, o.err = k.Speak(ctx, h, func(done, total int, wait *backend.Wait) {
		o.done, o.total = done, total
		if wait != nil {
			o.waits = append(o.waits, *wait)
		}
	})
	return o
}

// reopen creates the service anew on the same data, as the next start of the program does.
func (k *kit) reopen(t testing.TB) {
	t.Helper()
	require.NoError(t, k.Close(context.Background()))
	k.parts.revive()
	k.open(t)
}

func TestSpeakStoresEachPartOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, "One.", "Two, two.", "Three.")
	var stored []int
	h.Stored = func(n int, a backend.HostedAudio) {
		stored = append(stored, n)
		assert.FileExists(t, a.Path)
	}
	o := k.speak(t.Context(), h)
	require.NoError(t, o.err)
	assert.Equal(t, []int{0, 1, 2}, stored)
	assert.Equal(t, [2]int{3, 3}, [2]int{o.done, o.total})
	assert.Len(t, k.server.Requests(speechPath), 3)
	assert.Equal(t, int64(8+18+12), *o.bill.Credits, "of 4, 9 and 6 characters, each rounded up")
	assert.Equal(t, k.server.Credits(), *o.bill.Left)
	assert.Equal(t, 3, o.bill.Calls)
	sum := sha256.Sum256(hostedtest.MP3)
	for i, a := range o.audio {
		content, err := os.ReadFile(a.Path)
		require.NoError(t, err)
		assert.Equal(t, hostedtest.MP3, content)
		assert.Equal(t, hex.EncodeToString(sum[:]), a.SHA256)
		assert.Equal(t, "mp3_44100_128", a.Format)
		row := k.parts.all()[i]
		assert.Equal(t, backend.HostedStored, row.State)
		assert.Empty(t, row.URL, "the link is not kept")
		assert.Equal(t, *a.Credits, *row.Quoted)
		assert.Equal(t, filepath.Join(k.dir, "audio", "hosted", h.GenerationID), filepath.Dir(a.Path))
	}

	again := k.speak(t.Context(), h)
	require.NoError(t, again.err)
	assert.Equal(t, o.audio, again.audio)
	assert.Equal(t, o.bill, again.bill)
	assert.Equal(t, 3, k.server.Charged())

	h.Texts[1].Text = "Two, too."
	changed := k.speak(t.Context(), h)
	require.NoError(t, changed.err)
	assert.Equal(t, 4, k.server.Charged(), "only the part that changed is sent")
	assert.NotEqual(t, o.audio[1].Path, changed.audio[1].Path)
	assert.Equal(t, int64(8+18+12+18), *changed.bill.Credits)

	require.NoError(t, k.Forget(t.Context(), h.GenerationID))
	assert.Empty(t, k.parts.all())
	assert.NoDirExists(t, filepath.Dir(o.audio[0].Path))
	assert.Error(t, k.Forget(t.Context(), "../.."))
	h.GenerationID = "../x"
	assert.Error(t, k.speak(t.Context(), h).err)
}

func TestSpeakDialogue(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t)
	stability := 0.3
	h.Options = backend.HostedOptions{Stability: &stability, ResponseFormat: "pcm_24000"}
	h.Title = "Tea"
	h.Turns = []backend.HostedTurn{{Voice: h.Voice.ID, Text: "Tea?"}, {Voice: h.Voice.ID, Text: "Yes, please."}}
	o := k.speak(t.Context(), h)
	require.NoError(t, o.err)
	require.Len(t, o.audio, 1)
	assert.Equal(t, ".pcm", filepath.Ext(o.audio[0].Path))
	assert.Equal(t, "pcm_24000", o.audio[0].Format)
	assert.Equal(t, int64(31), *o.bill.Credits, "16 characters")
	requests := k.server.Requests(speechPath)
	require.Len(t, requests, 1)
	assert.JSONEq(t, `{"turns": [{"voice": "`+h.Voice.ID+`", "text": "Tea?"}, {"voice": "`+h.Voice.ID+`", "text": "Yes, please."}],
		"ttsModel": "providerA-v3", "stability": 0.3, "response_format": "pcm_24000", "title": "Tea"}`, requests[0].Body)
	again := k.speak(t.Context(), h)
	require.NoError(t, again.err)
	assert.Equal(t, 1, k.server.Charged())
}

// TestCreditsOfUnknownRates are what the balance says.
func TestCreditsOfUnknownRates(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speechBy(t, "ProviderB", "providerB-2-5-flash", "Hello.")
	h.Speed = 1.5
	o := k.speak(t.Context(), h)
	require.NoError(t, o.err)
	assert.Equal(t, 100_000-k.server.Credits(), *o.bill.Credits)
	assert.Nil(t, k.parts.all()[0].Quoted)
	assert.Contains(t, k.server.Requests(speechPath)[0].Body, `"speed":1.5`)

	k.server.Fault(speechPath, hostedtest.Fault{Body: `{"url": "` + k.server.URL + `/files/audio0000000000000001.mp3", "projectCreated": true}`})
	h.GenerationID = "generation-2"
	o = k.speak(t.Context(), h)
	require.NoError(t, o.err)
	assert.Nil(t, o.bill.Credits, "the service did not say what is left")
	assert.Equal(t, 1, o.bill.Calls)
}

func TestRulesComeBeforeTheFirstPart(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, strings.Repeat("a", 4000), strings.Repeat("b", 4000))
	k.server.SetCredits(10_000)
	o := k.speak(t.Context(), h)
	require.Equal(t, backend.Code("hosted_insufficient_credits"), backend.CodeOf(o.err), "each part fits, both do not")
	assert.Empty(t, k.server.Requests(speechPath))
	assert.Empty(t, k.parts.all())

	k.server.SetCredits(100_000)
	k.pass(2 * time.Minute)
	k.change(func(s *settings) { s.ask = 100 })
	o = k.speak(t.Context(), h)
	require.Equal(t, backend.CodeHostedConfirm, backend.CodeOf(o.err))
	accepted := int64(15_120)
	h.AcceptCredits = &accepted
	k.server.Fault(speechPath, hostedtest.Fault{}, hostedtest.Fault{Status: 500})
	o = k.speak(t.Context(), h)
	require.Equal(t, backend.Code("hosted_500"), backend.CodeOf(o.err), "%v", o.err)
	assert.Equal(t, int64(7560), *o.bill.Credits)
	h.AcceptCredits = nil
	require.Equal(t, backend.CodeHostedConfirm, backend.CodeOf(k.speak(t.Context(), h).err), "of what is left to pay")
	half := int64(7560)
	h.AcceptCredits = &half
	o = k.speak(t.Context(), h)
	require.NoError(t, o.err)
	assert.Equal(t, 2, k.server.Charged())

	k.change(func(s *settings) { s.offline = true })
	o = k.speak(t.Context(), h)
	require.NoError(t, o.err, "all is stored")
}

// TestStartAfterADeath fetches what is paid and pays nothing.
func TestStartAfterADeath(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, "One.", "Two.")
	k.parts.dieAfter(2) // the first call is answered
	require.Error(t, k.speak(t.Context(), h).err)
	require.NoError(t, os.MkdirAll(filepath.Join(k.dir, "audio", "hosted", "deleted"), 0o700))
	k.reopen(t)
	pending, err := k.Pending(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{h.GenerationID}, pending)
	assert.NoDirExists(t, filepath.Join(k.dir, "audio", "hosted", "deleted"))
	assert.DirExists(t, filepath.Join(k.dir, "audio", "hosted", h.GenerationID))
	h.FetchOnly = true
	o := k.speak(t.Context(), h)
	require.Equal(t, backend.CodeInterrupted, backend.CodeOf(o.err), "the second part was never sent")
	assert.Equal(t, []backend.HostedState{backend.HostedStored}, k.parts.states())
	assert.Equal(t, 1, k.server.Charged())
	assert.Equal(t, int64(8), *o.bill.Credits)

	other := k.speech(t, "Lost.")
	other.GenerationID = "generation-2"
	k.parts.dieAfter(1) // the call has begun
	require.Error(t, k.speak(t.Context(), other).err)
	k.reopen(t)
	pending, err = k.Pending(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{other.GenerationID}, pending)
	other.FetchOnly = true
	require.Equal(t, backend.CodeHostedAnswerLost, backend.CodeOf(k.speak(t.Context(), other).err))
	assert.Equal(t, 2, k.server.Charged())
	k.reopen(t)
	pending, err = k.Pending(t.Context())
	require.NoError(t, err)
	assert.Empty(t, pending, "a lost answer is told once")
}

func TestCancelledCall(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, "One.", "Two.")

	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan struct{})
	k.mu.Lock()
	k.asleep = func(context.Context, time.Duration) { <-answered } // the grace ends with the answer
	k.mu.Unlock()
	k.server.Fault(speechPath, hostedtest.Fault{Before: func() { cancel() }})
	k.server.Fault(filePath, hostedtest.Fault{})
	done := make(chan outcome)
	go func() { done <- k.speak(ctx, h) }()
	o := <-done
	close(answered)
	require.ErrorIs(t, o.err, backend.ErrCancelled)
	assert.Equal(t, []backend.HostedState{backend.HostedAnswered}, k.parts.states(), "the answer came within the grace")

	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	k.mu.Lock()
	k.asleep = nil
	k.mu.Unlock()
	k.server.Fault(speechPath, hostedtest.Fault{Before: cancel, Hang: true})
	o = k.speak(ctx, h)
	require.Equal(t, backend.CodeHostedAnswerLost, backend.CodeOf(o.err), "%v", o.err)
	assert.Equal(t, []backend.HostedState{backend.HostedStored, backend.HostedLost}, k.parts.states())

	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	k.mu.Lock()
	k.asleep = func(context.Context, time.Duration) { cancel() }
	k.mu.Unlock()
	k.server.Fault(speechPath, hostedtest.Fault{Status: 503})
	before := len(k.server.Requests(speechPath))
	o = k.speak(ctx, h)
	require.Error(t, o.err)
	assert.Len(t, k.server.Requests(speechPath), before+1, "nothing is sent after the cancel")
	assert.Equal(t, backend.HostedRefused, k.parts.states()[2])
}

// TestReceived has a text that was stopped after its second part: the parts up to the first that is missing, without a call.
func TestReceived(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, "One.", "Two.", "Three.")
	received, err := k.Received(t.Context(), h)
	require.NoError(t, err)
	assert.Empty(t, received)
	ctx, stop := context.WithCancel(t.Context())
	var paid []backend.HostedAudio
	h.Stored = func(n int, a backend.HostedAudio) {
		_, err := k.Received(t.Context(), h)
		assert.Error(t, err, "it is being spoken")
		if paid = append(paid, a); n == 1 {
			stop()
		}
	}
	require.Error(t, k.speak(ctx, h).err)
	require.Len(t, paid, 2)
	k.reopen(t)
	received, err = k.Received(t.Context(), h)
	require.NoError(t, err)
	assert.Equal(t, paid, received)

	h.Texts[0].Text = "Zero."
	received, err = k.Received(t.Context(), h)
	require.NoError(t, err)
	assert.Empty(t, received, "the first part is missing")
	h.Texts = h.Texts[1:]
	received, err = k.Received(t.Context(), h)
	require.NoError(t, err)
	assert.Equal(t, paid[1:], received)
	assert.Len(t, k.server.Requests(speechPath), 2)
}

func TestOneSynthesisAtATime(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	results := make(chan outcome)
	for _, id := range []string{"a", "b", "c"} {
		h := k.speech(t, "One.", "Two.")
		h.GenerationID = id
		go func() { results <- k.speak(t.Context(), h) }()
	}
	for range 3 {
		require.NoError(t, (<-results).err)
	}
	assert.Equal(t, 1, k.server.Busiest())
	assert.Equal(t, 6, k.server.Charged())
}

// TestRateIsWaitedFor sends 31 parts within a minute of the clock.
func TestRateIsWaitedFor(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	o := k.speak(t.Context(), k.speech(t, strings.Split(strings.Repeat("One. ", 31), " ")[:31]...))
	require.NoError(t, o.err)
	assert.Equal(t, 31, k.server.Charged())
	require.Len(t, o.waits, 1)
	assert.Equal(t, "rate", o.waits[0].Reason)
	assert.InDelta(t, 61, o.waits[0].Seconds, 1)
}

// TestCancelWhileTheKeyIsRead: nothing is sent, so nothing is charged.
func TestCancelWhileTheKeyIsRead(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	h := k.speech(t, "One.")
	_, err := k.Balance(t.Context(), true)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	k.secrets.onGet = cancel
	require.Error(t, k.speak(ctx, h).err)
	assert.Empty(t, k.server.Requests(speechPath))
	assert.Equal(t, []backend.HostedState{backend.HostedRefused}, k.parts.states())
}
