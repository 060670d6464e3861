package speech_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// The voices of the fake service.
const (
	ann  = "voice-ann" // of ProviderA
	bob  = "voice-bob" // of ProviderA
	cleo = "voice-cleo"
)

// fakeHosted is a hosted service whose raw audio is one sample for each byte of the text.
type fakeHosted struct {
	dir     string
	limit   int
	gate    func(ctx context.Context, h backend.HostedSpeech, part int) error // before each call; may be nil
	check   error
	pending []string

	mu      sync.Mutex
	checked []int // how many speeches, together
	spoken  []backend.HostedSpeech
	stored  map[string]map[string]backend.HostedAudio // by generation and text
	calls   []string                                  // the texts that were paid
	forgot  []string
	waiting *backend.Wait // reported before the calls
}

func newFakeHosted(t *testing.T) *fakeHosted {
	return &fakeHosted{dir: t.TempDir(), limit: 5000, stored: map[string]map[string]backend.HostedAudio{}}
}

func (f *fakeHosted) Voice(_ context.Context, id, model string) (backend.HostedVoice, backend.HostedModel, error) {
	v := backend.HostedVoice{ID: id, Name: "Ann", Provider: "ProviderA", Language: "en-US"}
	m := backend.HostedModel{ID: cmp.Or(model, backend.HostedV3), Provider: "ProviderA"}
	switch id {
	case ann:
	case bob:
		v.Name = "Bob"
	case cleo:
		v.Name, v.Provider, m.Provider, m.ID = "Cleo", "ProviderC", "ProviderC", cmp.Or(model, "providerC-neural2")
	default:
		return v, m, backend.E(backend.CodeHostedVoiceNotFound, "No such voice.", "Choose another one.")
	}
	return v, m, nil
}

func (f *fakeHosted) Limit(string) int { return f.limit }

// price is the rounded price of a text with an API key.
func price(text string) int64 { return (int64(utf8.RuneCountInString(text))*2100*9 + 9999) / 10000 }

func (f *fakeHosted) Quote(_ context.Context, speeches []backend.HostedSpeech, accepted *int64) (backend.HostedQuote, error) {
	q := backend.HostedQuote{Credits: new(int64)}
	known := true
	for _, h := range speeches {
		known = known && h.Model == backend.HostedV3
		for _, t := range sent(h) {
			q.Calls++
			q.Characters += utf8.RuneCountInString(t.Text)
			*q.Credits += price(t.Text)
		}
	}
	if !known {
		q.Credits = nil
	}
	q.Ask = q.Credits != nil && *q.Credits > 1000 && (accepted == nil || *accepted < *q.Credits)
	return q, nil
}

// sent returns what is sent in each call.
func sent(h backend.HostedSpeech) []backend.HostedText {
	if len(h.Turns) == 0 {
		return h.Texts
	}
	var all strings.Builder
	for _, turn := range h.Turns {
		all.WriteString(turn.Text)
	}
	return []backend.HostedText{{Text: all.String()}}
}

func (f *fakeHosted) Check(_ context.Context, speeches []backend.HostedSpeech, _ *int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.checked = append(f.checked, len(speeches))
	return f.check
}

func (f *fakeHosted) Speak(
	ctx context.Context, h backend.HostedSpeech, progress func(done, total int, wait *backend.Wait),
) ([]backend.HostedAudio, backend.HostedBill, error) {
	f.mu.Lock()
	f.spoken = append(f.spoken, h)
	have := len(f.stored[h.GenerationID])
	waiting := f.waiting
	f.mu.Unlock()
	texts := sent(h)
	bill := backend.HostedBill{Credits: new(int64), Left: new(int64(5000))}
	progress(have, len(texts), waiting)
	var all []backend.HostedAudio
	for i, text := range texts {
		if !f.has(h, text) {
			if h.FetchOnly {
				return nil, bill, backend.E(backend.CodeInterrupted, "It was interrupted.", "Retry it.")
			}
			if f.gate != nil {
				if err := f.gate(ctx, h, i); err != nil {
					return nil, bill, err
				}
			}
			f.pay(h, i, text.Text)
		}
		bill.Calls++
		*bill.Credits += price(text.Text)
		progress(i+1, len(texts), nil)
		all = append(all, f.stored[h.GenerationID][text.Text])
		if h.Stored != nil {
			h.Stored(i, all[i])
		}
	}
	return all, bill, nil
}

// has reports whether a part is paid.
func (f *fakeHosted) has(h backend.HostedSpeech, text backend.HostedText) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.stored[h.GenerationID][text.Text]
	return ok
}

func (f *fakeHosted) Received(_ context.Context, h backend.HostedSpeech) (received []backend.HostedAudio, err error) {
	for _, text := range sent(h) {
		if !f.has(h, text) {
			break
		}
		received = append(received, f.stored[h.GenerationID][text.Text])
	}
	return received, nil
}

func (f *fakeHosted) Unpaid(_ context.Context, h backend.HostedSpeech) (backend.HostedSpeech, error) {
	h.Texts = slices.DeleteFunc(slices.Clone(h.Texts), func(text backend.HostedText) bool { return f.has(h, text) })
	return h, nil
}

func (f *fakeHosted) FetchPaid(context.Context, string) (backend.HostedBill, error) {
	return backend.HostedBill{}, nil
}

// pay stores the audio of a part.
func (f *fakeHosted) pay(h backend.HostedSpeech, i int, text string) {
	content := make([]byte, 0, 2*len(text))
	for _, b := range []byte(text) {
		content = append(content, b, 1)
	}
	if strings.HasPrefix(h.Options.ResponseFormat, "mp3") {
		content = hostedtest.MP3
	}
	path := filepath.Join(f.dir, fmt.Sprintf("%s-%d-%d", h.GenerationID, i, len(f.paid())))
	_ = os.WriteFile(path, content, 0o600)
	sum := sha256.Sum256(content)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, text)
	if f.stored[h.GenerationID] == nil {
		f.stored[h.GenerationID] = map[string]backend.HostedAudio{}
	}
	f.stored[h.GenerationID][text] = backend.HostedAudio{
		Path: path, Format: h.Options.ResponseFormat, SHA256: hex.EncodeToString(sum[:]),
	}
}

func (f *fakeHosted) Pending(context.Context) ([]string, error) { return f.pending, nil }

func (f *fakeHosted) Forget(_ context.Context, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forgot = append(f.forgot, id)
	delete(f.stored, id)
	return nil
}

func (f *fakeHosted) PreviewFile(context.Context, string) (string, error) {
	path := filepath.Join(f.dir, "preview")
	return path, os.WriteFile(path, hostedtest.MP3, 0o600)
}

func (f *fakeHosted) paid() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.calls...)
}

// hostedLab is a lab with a hosted service.
func hostedLab(t *testing.T) (*lab, *fakeHosted) {
	f := newFakeHosted(t)
	return newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) { l.options.Hosted = f }), f
}

// hosted is a request with a hosted voice.
func (l *lab) hosted(voice, text string) generations.Request {
	r := l.request(text)
	r.Voice = "hosted:" + voice
	return r
}

func TestHostedGenerationIsComplete(t *testing.T) {
	l, f := hostedLab(t)
	r := l.hosted(ann, "Hello [laughs] there.")
	r.Speed, r.Title = new(1.5), "Greeting"
	g := l.speak(r)
	require.Equal(t, backend.SourceHosted, g.Source)
	require.Equal(t, []string{"hosted", backend.HostedV3, ann}, []string{g.Engine, g.ModelName, g.Voice})
	require.InDelta(t, 1, g.Speed, 0, "v3 has no speed")
	require.Equal(t, "mp3", g.Format)
	require.Equal(t, price("Hello [laughs] there."), *g.Credits)
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
	require.Empty(t, f.forgot, "the parts stay for a change of the text")
	require.Equal(t, "Greeting", f.spoken[0].Title)
	l.settled(g.AudioPath)
}

func TestHostedWAVHasExactPauses(t *testing.T) {
	l, f := hostedLab(t)
	r := l.hosted(ann, "[pause 1s]One.[pause 250ms]Two.[pause 2s]")
	r.Format = "wav"
	g := l.speak(r)
	require.Equal(t, "pcm_24000", f.spoken[0].Options.ResponseFormat)
	b := readWAV(t, g.AudioPath)
	require.Equal(t, 24000, b.Rate)
	require.Equal(t, 24000+4+6000+4+48000, len(b.Samples))
	require.InDelta(t, (256.0+'O')/32768, b.Samples[24000], 1e-9, "the samples of the service")
	require.InDelta(t, 1.0, g.Chunks[0].Start, 1e-9)
	require.InDelta(t, 1.25+4.0/24000, g.Chunks[1].Start, 1e-9)
	require.Equal(t, []string{"One.", "Two."}, f.paid())
}

func TestHostedRetryGoesOnAfterTheLastPaidPart(t *testing.T) {
	l, f := hostedLab(t)
	broken := true
	f.gate = func(_ context.Context, _ backend.HostedSpeech, part int) error {
		if part == 1 && broken {
			return backend.E(backend.HostedCode("PROVIDER_BUSY", 503), "Busy.", "Retry it.")
		}
		return nil
	}
	r := l.hosted(ann, "One.[pause 1s]Two.")
	r.Format = "wav"
	_, err := l.service.Generations.Generate(t.Context(), r)
	id := failure(t, "hosted_provider_busy", err).Params["generation_id"].(string)
	require.Equal(t, price("One."), *l.stored(id).Credits, "what is paid so far")
	broken = false
	_, err = l.service.Generations.Retry(t.Context(), id, nil)
	require.NoError(t, err)
	g := l.becomes(id, backend.StatusComplete)
	require.Equal(t, []string{"One.", "Two."}, f.paid(), "nothing is paid twice")
	require.Equal(t, price("One.")+price("Two."), *g.Credits)

	again, err := l.service.Generations.Regenerate(t.Context(), id, nil, nil)
	require.NoError(t, err)
	l.becomes(again.ID, backend.StatusComplete)
	require.Equal(t, []string{"One.", "Two.", "One.", "Two."}, f.paid(), "regenerating pays anew")
}

func TestHostedRetryTakesAnAcceptedPrice(t *testing.T) {
	l, f := hostedLab(t)
	f.gate = func(_ context.Context, h backend.HostedSpeech, _ int) error {
		if h.AcceptCredits == nil {
			return backend.E(backend.CodeHostedConfirm, "This costs 8 credits.", "Accept it.").With("credits", 8)
		}
		return nil
	}
	_, err := l.service.Generations.Generate(t.Context(), l.hosted(ann, "One."))
	id := failure(t, "hosted_confirm", err).Params["generation_id"].(string)
	_, err = l.service.Generations.Retry(t.Context(), id, new(int64(8)))
	require.NoError(t, err)
	l.becomes(id, backend.StatusComplete)
	require.Equal(t, []string{"One."}, f.paid())
}

func TestHostedQueueShowsPlacesAndDoesNotWaitForLocalOnes(t *testing.T) {
	local, entered, open := gated()
	defer open()
	f := newFakeHosted(t)
	free := make(chan struct{})
	began := make(chan string, 9)
	f.gate = func(ctx context.Context, h backend.HostedSpeech, _ int) error {
		began <- h.GenerationID
		select {
		case <-free:
			return nil
		case <-ctx.Done():
			return backend.ErrCancelled
		}
	}
	l := newLab(t, local, func(l *lab) { l.options.Hosted = f })
	l.submit("Local speech that hangs.")
	<-entered
	var ids []string
	for range 4 {
		g, err := l.service.Generations.Submit(t.Context(), l.hosted(ann, "Hosted."))
		require.NoError(t, err)
		ids = append(ids, g.ID)
	}
	require.Equal(t, ids[0], <-began)
	place := func(id string) int {
		g, err := l.service.Generations.Generation(t.Context(), id)
		require.NoError(t, err)
		if g.Wait == nil || g.Wait.Reason != "queue" {
			return 0
		}
		return g.Wait.Place
	}
	require.Equal(t, []int{0, 1, 2, 3}, []int{place(ids[0]), place(ids[1]), place(ids[2]), place(ids[3])})
	require.Equal(t, backend.StatusGenerating, l.stored(ids[0]).Status)
	_, err := l.service.Generations.Cancel(t.Context(), ids[1])
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{place(ids[2]), place(ids[3])}, "the others move up")
	start := time.Now()
	_, err = l.service.Generations.Cancel(t.Context(), ids[0])
	require.NoError(t, err)
	require.Less(t, time.Since(start), 10*time.Second)
	require.Equal(t, ids[2], <-began)
	require.Equal(t, []int{0, 1}, []int{place(ids[2]), place(ids[3])})
	close(free)
	l.becomes(ids[3], backend.StatusComplete)
}

func TestHostedStreamBeginsWithTheFirstPart(t *testing.T) {
	l, f := hostedLab(t)
	second := make(chan struct{})
	f.gate = func(ctx context.Context, _ backend.HostedSpeech, part int) error {
		if part == 1 {
			<-second
		}
		return ctx.Err()
	}
	r := l.hosted(ann, "One.[pause 1s]Two.")
	r.Format = "wav"
	st, err := l.service.Generations.Stream(t.Context(), r)
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
	l, f := hostedLab(t)
	s, err := l.service.Scripts.Script(t.Context(), scripts.Request{
		Turns: []generations.Request{l.hosted(ann, "Hello Bob. [pause 1s]"), l.hosted(bob, "[laughs] Hello Ann.")}, Gap: time.Second,
	})
	require.NoError(t, err)
	require.Len(t, s.Turns, 2)
	require.Equal(t, s.Turns[0].ID, s.Turns[1].ID)
	require.Equal(t, []backend.HostedTurn{{Voice: ann, Text: "Hello Bob."}, {Voice: bob, Text: "[laughs] Hello Ann."}}, f.spoken[0].Turns)
	g := s.Turns[0]
	require.Len(t, g.Request.Dialogue, 2)
	require.Equal(t, backend.DialogueLine{ProfileID: l.profile.ID, ProfileName: l.profile.Name, Voice: bob, Text: "[laughs] Hello Ann."}, g.Request.Dialogue[1])
	require.Equal(t, []string{"[pause 1s]"}, g.Receipt.DroppedTags)
	require.InDelta(t, g.Duration, s.Duration, 1e-3, "no gap within a dialogue")

	again, err := l.service.Generations.Regenerate(t.Context(), g.ID, nil, nil)
	require.NoError(t, err)
	require.Len(t, l.becomes(again.ID, backend.StatusComplete).Request.Dialogue, 2)
}

func TestHostedDialogueIsCutBetweenTurns(t *testing.T) {
	l, f := hostedLab(t)
	f.limit = 60
	long := strings.Repeat("word ", 9) + "end."
	var turns []generations.Request
	for range 3 {
		turns = append(turns, l.hosted(ann, long))
	}
	turns = append(turns, l.hosted(bob, "Short."), l.hosted(bob, long+" "+long))
	s, err := l.service.Scripts.Script(t.Context(), scripts.Request{Turns: turns})
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
	l, f := hostedLab(t)
	s, err := l.service.Scripts.Script(t.Context(), scripts.Request{
		Turns: []generations.Request{l.hosted(ann, "Hosted."), l.request("Local."), l.hosted(cleo, "Other model [laughs].")},
	})
	require.NoError(t, err)
	require.Len(t, s.Turns, 3)
	require.Equal(t, backend.SourceLocal, s.Turns[1].Source)
	require.Equal(t, []string{"[laughs]"}, s.Turns[2].Receipt.DroppedTags)
	require.Equal(t, []string{"Hosted.", "Other model."}, f.paid())
	require.Positive(t, s.Duration)
}

func TestHostedGenerationsAreResumedWithoutPaying(t *testing.T) {
	l, f := hostedLab(t)
	f.gate = func(ctx context.Context, h backend.HostedSpeech, part int) error {
		if part == 1 {
			return backend.E(backend.CodeHostedUnreachable, "Not reached.", "Retry it.")
		}
		return ctx.Err()
	}
	var ids []string
	for range 2 { // as if the program had ended while the second part was fetched, or before it was paid
		_, err := l.service.Generations.Generate(t.Context(), l.hosted(ann, "One.[pause 1s]Two."))
		ids = append(ids, failure(t, backend.CodeHostedUnreachable, err).Params["generation_id"].(string))
	}
	f.pay(backend.HostedSpeech{GenerationID: ids[0], Options: backend.HostedOptions{ResponseFormat: "mp3_44100_128"}}, 1, "Two.")
	paid := f.paid()
	now, cancel := context.WithCancel(context.Background())
	cancel()
	require.NoError(t, l.service.Close(now))
	f.pending = ids
	l.start()
	g := l.becomes(ids[0], backend.StatusComplete)
	require.Len(t, g.Chunks, 2)
	require.Equal(t, backend.CodeInterrupted, l.becomes(ids[1], backend.StatusFailed).Error.Code)
	require.Equal(t, paid, f.paid(), "nothing is paid at the start")
	require.True(t, f.spoken[len(f.spoken)-1].FetchOnly)
}

func TestQuoteIsTheBill(t *testing.T) {
	l, _ := hostedLab(t)
	r := l.hosted(ann, "Run nginx. [pause 1s] It is [[Oslo|/ˈʊʂlʊ/]].")
	r.Format, r.Pronunciations = "wav", map[string]string{"nginx": "engine ex"}
	q, err := l.service.Generations.QuoteRequest(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, 2, q.Calls)
	g := l.speak(r)
	require.Equal(t, *g.Credits, *q.Credits)
	free, err := l.service.Generations.QuoteRequest(t.Context(), l.request("Local."))
	require.NoError(t, err)
	require.Zero(t, *free.Credits)
	require.Zero(t, free.Calls)
}

func TestHostedRefusals(t *testing.T) {
	l, f := hostedLab(t)
	_, err := l.service.Generations.Submit(t.Context(), l.hosted("nobody", "Hello."))
	requireCode(t, backend.CodeHostedVoiceNotFound, err)
	_, err = l.service.Generations.Submit(t.Context(), l.hosted(cleo, "[laughs] ..."))
	requireCode(t, backend.CodeNothingToSpeak, err)
	f.check = backend.E(backend.CodeHostedConfirm, "Dear.", "Accept it.")
	_, err = l.service.Generations.Submit(t.Context(), l.hosted(ann, "Hello."))
	requireCode(t, backend.CodeHostedConfirm, err)
	f.check = nil
	turns := []generations.Request{l.hosted(ann, longSentence(4000)), l.hosted(bob, longSentence(3000))}
	f.checked = nil
	f.check = backend.E("hosted_insufficient_credits", "Too dear.", "Shorten it.")
	_, err = l.service.Scripts.Script(t.Context(), scripts.Request{Turns: append(turns, l.request("Local."))})
	requireCode(t, "hosted_insufficient_credits", err)
	require.Equal(t, []int{2}, f.checked, "all hosted turns together, before the first call")
	f.check = backend.E(backend.CodeHostedUnreachable, "Not reached.", "Retry it.")
	_, err = l.service.Scripts.Script(t.Context(), scripts.Request{Turns: turns})
	requireCode(t, backend.CodeHostedConfirm, err)
	f.check = nil
	list, err := l.db.Generations(t.Context(), backend.GenerationFilter{Source: backend.SourceHosted})
	require.NoError(t, err)
	require.Empty(t, list.Items, "a refused request leaves no row")
	require.Empty(t, f.paid())
	g := l.speak(l.hosted(ann, "Hello."))
	_, err = l.service.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
	requireCode(t, backend.CodeNotInProgress, err)
	n, err := l.service.Generations.Verify(t.Context(), []string{g.ID})
	require.NoError(t, err)
	require.Zero(t, n)
}

// TestHostedOptionsAreCheckedBeforeTheCall tests that a wrong value is refused before anything is paid.
func TestHostedOptionsAreCheckedBeforeTheCall(t *testing.T) {
	t.Parallel()
	l, f := hostedLab(t)
	for field, o := range map[string]backend.HostedOptions{
		"stability":        {Stability: new(2.0)},
		"similarity_boost": {SimilarityBoost: new(-0.1)},
		"response_format":  {ResponseFormat: "ogg"},
	} {
		r := l.hosted(ann, "Hello.")
		r.Hosted = &o
		_, err := l.service.Generations.Generate(t.Context(), r)
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid)
		require.Equal(t, []string{"body", "hosted", field}, invalid.Fields[0].Loc)
	}
	require.Empty(t, f.paid())
}
