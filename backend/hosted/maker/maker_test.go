package maker_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

func TestHostedGenerationIsComplete(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	r := l.HostedRequest(studiotest.Ann, "Hello [laughs] there.")
	r.Speed, r.Title = new(1.5), "Greeting"
	g := l.Speak(r)
	require.Equal(t, backend.SourceHosted, g.Source)
	require.Equal(t, []string{"hosted", backend.HostedV3, studiotest.Ann}, []string{g.Engine, g.ModelName, g.Voice})
	require.InDelta(t, 1, g.Speed, 0, "v3 has no speed")
	require.Equal(t, "mp3", g.Format)
	require.Equal(t, studiotest.HostedPrice("Hello [laughs] there."), *g.Credits)
	content, err := os.ReadFile(g.AudioPath)
	require.NoError(t, err)
	require.Equal(t, hostedtest.MP3, content, "byte for byte as it was received")
	sum := sha256.Sum256(hostedtest.MP3)
	require.Equal(t, hex.EncodeToString(sum[:]), g.Receipt.AudioSHA256)
	require.Equal(t, "ProviderA", g.Receipt.Hosted.Provider)
	require.Equal(t, "Ann", g.Receipt.Hosted.VoiceName)
	require.Equal(t, int64(5000), *g.Receipt.Hosted.Left)
	require.Equal(t, 1, g.Receipt.Hosted.Calls)
	require.Equal(t, "hosted", g.Receipt.Device)
	require.False(t, g.Receipt.Reproducible)
	require.InDelta(t, 1, g.Receipt.Speed, 0)
	require.Equal(t, []backend.Chunk{{Text: "Hello [laughs] there.", End: g.Duration, Takes: 1}}, g.Chunks)
	require.Positive(t, g.Duration)
	require.Empty(t, f.Forgot, "the parts stay for a change of the text")
	require.Equal(t, "Greeting", f.Spoken[0].Title)
	l.Settled(g.AudioPath)
}

func TestHostedWAVHasExactPauses(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	r := l.HostedRequest(studiotest.Ann, "[pause 1s]One.[pause 250ms]Two.[pause 2s]")
	r.Format = "wav"
	g := l.Speak(r)
	require.Equal(t, "pcm_24000", f.Spoken[0].Options.ResponseFormat)
	b := studiotest.ReadWAV(t, g.AudioPath)
	require.Equal(t, 24000, b.Rate)
	require.Equal(t, 24000+4+6000+4+48000, len(b.Samples))
	require.InDelta(t, (256.0+'O')/32768, b.Samples[24000], 1e-9, "the samples of the service")
	require.InDelta(t, 1.0, g.Chunks[0].Start, 1e-9)
	require.InDelta(t, 1.25+4.0/24000, g.Chunks[1].Start, 1e-9)
	require.Equal(t, []string{"One.", "Two."}, f.Paid())
}

func TestHostedRetryGoesOnAfterTheLastPaidPart(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	broken := true
	f.Gate = func(_ context.Context, _ backend.HostedSpeech, part int) error {
		if part == 1 && broken {
			return backend.E(backend.HostedCode("PROVIDER_BUSY", 503), "Busy.", "Retry it.")
		}
		return nil
	}
	r := l.HostedRequest(studiotest.Ann, "One.[pause 1s]Two.")
	r.Format = "wav"
	_, err := l.Generations.Generate(t.Context(), r)
	id := backendtest.Failure(t, "hosted_provider_busy", err).Params["generation_id"].(string)
	require.Equal(t, studiotest.HostedPrice("One."), *l.Stored(id).Credits, "what is paid so far")
	broken = false
	_, err = l.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	g := l.Becomes(id, backend.StatusComplete)
	require.Equal(t, []string{"One.", "Two."}, f.Paid(), "nothing is paid twice")
	require.Equal(t, studiotest.HostedPrice("One.")+studiotest.HostedPrice("Two."), *g.Credits)

	again, err := l.Generations.Regenerate(t.Context(), id, nil, nil)
	require.NoError(t, err)
	l.Becomes(again.ID, backend.StatusComplete)
	require.Equal(t, []string{"One.", "Two.", "One.", "Two."}, f.Paid(), "regenerating pays anew")
}

func TestHostedRetryTakesAnAcceptedPrice(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	f.Gate = func(_ context.Context, h backend.HostedSpeech, _ int) error {
		if h.AcceptCredits == nil {
			return backend.E(backend.CodeHostedConfirm, "This costs 8 credits.", "Accept it.").With("credits", 8)
		}
		return nil
	}
	_, err := l.Generations.Generate(t.Context(), l.HostedRequest(studiotest.Ann, "One."))
	id := backendtest.Failure(t, "hosted_confirm", err).Params["generation_id"].(string)
	_, err = l.Generations.Retry(t.Context(), id, new(int64(8)))
	require.NoError(t, err)
	l.Becomes(id, backend.StatusComplete)
	require.Equal(t, []string{"One."}, f.Paid())
}

func TestHostedQueueShowsPlacesAndDoesNotWaitForLocalOnes(t *testing.T) {
	local, entered, open := studiotest.Gated()
	defer open()
	f := studiotest.NewHosted(t)
	free := make(chan struct{})
	began := make(chan string, 9)
	f.Gate = func(ctx context.Context, h backend.HostedSpeech, _ int) error {
		began <- h.GenerationID
		select {
		case <-free:
			return nil
		case <-ctx.Done():
			return backend.ErrCancelled
		}
	}
	l := studiotest.New(t, local, func(l *studiotest.Lab) { l.Options.Hosted = f })
	l.Submit("Local speech that hangs.")
	<-entered
	var ids []string
	for range 4 {
		g, err := l.Generations.Submit(t.Context(), l.HostedRequest(studiotest.Ann, "Hosted."))
		require.NoError(t, err)
		ids = append(ids, g.ID)
	}
	require.Equal(t, ids[0], <-began)
	place := func(id string) int {
		g, err := l.Generations.Generation(t.Context(), id)
		require.NoError(t, err)
		if g.Wait == nil || g.Wait.Reason != "queue" {
			return 0
		}
		return g.Wait.Place
	}
	require.Equal(t, []int{0, 1, 2, 3}, []int{place(ids[0]), place(ids[1]), place(ids[2]), place(ids[3])})
	require.Equal(t, backend.StatusGenerating, l.Stored(ids[0]).Status)
	_, err := l.Generations.Cancel(t.Context(), ids[1])
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{place(ids[2]), place(ids[3])}, "the others move up")
	start := time.Now()
	_, err = l.Generations.Cancel(t.Context(), ids[0])
	require.NoError(t, err)
	require.Less(t, time.Since(start), 10*time.Second)
	require.Equal(t, ids[2], <-began)
	require.Equal(t, []int{0, 1}, []int{place(ids[2]), place(ids[3])})
	close(free)
	l.Becomes(ids[3], backend.StatusComplete)
}

func TestHostedStreamBeginsWithTheFirstPart(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	second := make(chan struct{})
	f.Gate = func(ctx context.Context, _ backend.HostedSpeech, part int) error {
		if part == 1 {
			<-second
		}
		return ctx.Err()
	}
	r := l.HostedRequest(studiotest.Ann, "One.[pause 1s]Two.")
	r.Format = "wav"
	st, err := l.Generations.Player.Stream(t.Context(), r)
	require.NoError(t, err, "it returns before the second part is paid")
	require.Equal(t, 24000, st.Rate)
	close(second)
	var out strings.Builder
	require.NoError(t, st.WriteTo(t.Context(), &out))
	require.NoError(t, st.Close())
	require.Equal(t, 2*(4+24000+4), out.Len())
	require.Equal(t, "O\x01n\x01e\x01.\x01", out.String()[:8])
}

func TestHostedDialogueIsOneGeneration(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	s, err := l.Scripts.Script(t.Context(), scripts.Request{
		Turns: []generations.Request{l.HostedRequest(studiotest.Ann, "Hello Bob. [pause 1s]"), l.HostedRequest(studiotest.Bob, "[laughs] Hello Ann.")}, Gap: time.Second,
	})
	require.NoError(t, err)
	require.Len(t, s.Turns, 2)
	require.Equal(t, s.Turns[0].ID, s.Turns[1].ID)
	require.Equal(t, []backend.HostedTurn{{Voice: studiotest.Ann, Text: "Hello Bob."}, {Voice: studiotest.Bob, Text: "[laughs] Hello Ann."}}, f.Spoken[0].Turns)
	g := s.Turns[0]
	require.Len(t, g.Request.Dialogue, 2)
	require.Equal(t, backend.DialogueLine{ProfileID: l.Profile.ID, ProfileName: l.Profile.Name, Voice: studiotest.Bob, Text: "[laughs] Hello Ann."}, g.Request.Dialogue[1])
	require.Equal(t, []string{"[pause 1s]"}, g.Receipt.DroppedTags)
	require.InDelta(t, g.Duration, s.Duration, 1e-3, "no gap within a dialogue")

	again, err := l.Generations.Regenerate(t.Context(), g.ID, nil, nil)
	require.NoError(t, err)
	require.Len(t, l.Becomes(again.ID, backend.StatusComplete).Request.Dialogue, 2)
}

func TestHostedDialogueIsCutBetweenTurns(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	f.MaxCharacters = 60
	long := strings.Repeat("word ", 9) + "end."
	var turns []generations.Request
	for range 3 {
		turns = append(turns, l.HostedRequest(studiotest.Ann, long))
	}
	turns = append(turns, l.HostedRequest(studiotest.Bob, "Short."), l.HostedRequest(studiotest.Bob, long+" "+long))
	s, err := l.Scripts.Script(t.Context(), scripts.Request{Turns: turns})
	require.NoError(t, err)
	require.Len(t, s.Turns, 5)
	ids := []string{}
	for _, g := range s.Turns {
		ids = append(ids, g.ID)
	}
	require.NotEqual(t, ids[0], ids[1])
	require.NotEqual(t, ids[1], ids[2])
	require.Equal(t, ids[2], ids[3], "two turns fit")
	require.NotEqual(t, ids[3], ids[4])
	require.Empty(t, s.Turns[4].Request.Dialogue, "too long for a dialogue: in parts")
	require.Len(t, s.Turns[4].Chunks, 2)
}

func TestMixedScriptIsSpokenTurnByTurn(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	s, err := l.Scripts.Script(t.Context(), scripts.Request{
		Turns: []generations.Request{l.HostedRequest(studiotest.Ann, "Hosted."), l.Request("Local."), l.HostedRequest(studiotest.Cleo, "Other model [laughs].")},
	})
	require.NoError(t, err)
	require.Len(t, s.Turns, 3)
	require.Equal(t, backend.SourceLocal, s.Turns[1].Source)
	require.Equal(t, []string{"[laughs]"}, s.Turns[2].Receipt.DroppedTags)
	require.Equal(t, []string{"Hosted.", "Other model."}, f.Paid())
	require.Positive(t, s.Duration)
}

func TestHostedGenerationsAreResumedWithoutPaying(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	f.Gate = func(ctx context.Context, h backend.HostedSpeech, part int) error {
		if part == 1 {
			return backend.E(backend.CodeHostedUnreachable, "Not reached.", "Retry it.")
		}
		return ctx.Err()
	}
	var ids []string
	for range 2 { // as if the program had ended while the second part was fetched, or before it was paid
		_, err := l.Generations.Generate(t.Context(), l.HostedRequest(studiotest.Ann, "One.[pause 1s]Two."))
		ids = append(ids, backendtest.Failure(t, backend.CodeHostedUnreachable, err).Params["generation_id"].(string))
	}
	f.Pay(backend.HostedSpeech{GenerationID: ids[0], Options: backend.HostedOptions{ResponseFormat: "mp3_44100_128"}}, 1, "Two.")
	paid := f.Paid()
	now, cancel := context.WithCancel(context.Background())
	cancel()
	require.NoError(t, l.Close(now))
	f.PendingIDs = ids
	l.Start()
	g := l.Becomes(ids[0], backend.StatusComplete)
	require.Len(t, g.Chunks, 2)
	require.Equal(t, backend.CodeInterrupted, l.Becomes(ids[1], backend.StatusFailed).Error.Code)
	require.Equal(t, paid, f.Paid(), "nothing is paid at the start")
	require.True(t, f.Spoken[len(f.Spoken)-1].FetchOnly)
}

func TestQuoteIsTheBill(t *testing.T) {
	l, _ := studiotest.NewWithHosted(t)
	r := l.HostedRequest(studiotest.Ann, "Run nginx. [pause 1s] It is [[Oslo|/ˈʊʂlʊ/]].")
	r.Format, r.Pronunciations = "wav", map[string]string{"nginx": "engine ex"}
	q, err := l.Generations.Previews.QuoteRequest(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, 2, q.Calls)
	g := l.Speak(r)
	require.Equal(t, *g.Credits, *q.Credits)
	free, err := l.Generations.Previews.QuoteRequest(t.Context(), l.Request("Local."))
	require.NoError(t, err)
	require.Zero(t, *free.Credits)
	require.Zero(t, free.Calls)
}

func TestHostedRefusals(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	_, err := l.Generations.Submit(t.Context(), l.HostedRequest("nobody", "Hello."))
	backendtest.RequireCode(t, backend.CodeHostedVoiceNotFound, err)
	_, err = l.Generations.Submit(t.Context(), l.HostedRequest(studiotest.Cleo, "[laughs] ..."))
	backendtest.RequireCode(t, backend.CodeNothingToSpeak, err)
	f.CheckError = backend.E(backend.CodeHostedConfirm, "Dear.", "Accept it.")
	_, err = l.Generations.Submit(t.Context(), l.HostedRequest(studiotest.Ann, "Hello."))
	backendtest.RequireCode(t, backend.CodeHostedConfirm, err)
	f.CheckError = nil
	turns := []generations.Request{l.HostedRequest(studiotest.Ann, studiotest.LongSentence(4000)), l.HostedRequest(studiotest.Bob, studiotest.LongSentence(3000))}
	f.Checked = nil
	f.CheckError = backend.E("hosted_insufficient_credits", "Too dear.", "Shorten it.")
	_, err = l.Scripts.Script(t.Context(), scripts.Request{Turns: append(turns, l.Request("Local."))})
	backendtest.RequireCode(t, "hosted_insufficient_credits", err)
	require.Equal(t, []int{2}, f.Checked, "all hosted turns together, before the first call")
	f.CheckError = backend.E(backend.CodeHostedUnreachable, "Not reached.", "Retry it.")
	_, err = l.Scripts.Script(t.Context(), scripts.Request{Turns: turns})
	backendtest.RequireCode(t, backend.CodeHostedConfirm, err)
	f.CheckError = nil
	list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{Source: backend.SourceHosted})
	require.NoError(t, err)
	require.Empty(t, list.Items, "a refused request leaves no row")
	require.Empty(t, f.Paid())
	g := l.Speak(l.HostedRequest(studiotest.Ann, "Hello."))
	_, err = l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	n, err := l.Generations.Checks.Verify(t.Context(), []string{g.ID})
	require.NoError(t, err)
	require.Zero(t, n)
}

// TestHostedOptionsAreCheckedBeforeTheCall tests that a wrong value is refused before anything is paid.
func TestHostedOptionsAreCheckedBeforeTheCall(t *testing.T) {
	t.Parallel()
	l, f := studiotest.NewWithHosted(t)
	for field, o := range map[string]backend.HostedOptions{
		"stability":        {Stability: new(2.0)},
		"similarity_boost": {SimilarityBoost: new(-0.1)},
		"response_format":  {ResponseFormat: "ogg"},
	} {
		r := l.HostedRequest(studiotest.Ann, "Hello.")
		r.Hosted = &o
		_, err := l.Generations.Generate(t.Context(), r)
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid)
		require.Equal(t, []string{"body", "hosted", field}, invalid.Fields[0].Loc)
	}
	require.Empty(t, f.Paid())
}
