package local_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestVoicesOfEspeak lists the voices of espeak-ng as the contract describes them.
func TestVoicesOfEspeak(t *testing.T) {
	l := newLab(t, service.ProviderC)
	british := l.voice("espeak:en-gb")
	require.Equal(t, service.Voice{
		ID: service.VoiceID(service.ProviderC, "espeak:en-gb"), Native: "espeak:en-gb", Name: "English (Great Britain)", Gender: "male",
		Provider: service.ProviderC, Accent: "United Kingdom", Language: "en", Category: "narrator", Engine: "espeak-ng",
	}, british)
	require.Empty(t, l.voice("espeak:de").Accent)
	all, err := l.Voices(t.Context())
	require.NoError(t, err)
	require.Greater(t, len(all), 100)
	seen := map[string]bool{}
	for _, v := range all {
		require.Contains(t, []string{"male", "female"}, v.Gender)
		require.False(t, seen[v.ID], v.Native)
		seen[v.ID] = true
	}
}

// TestVoicesOfModels offers the voices of the provider's own engine once they are downloaded, and those of espeak-ng before.
func TestVoicesOfModels(t *testing.T) {
	f := fixture(enginetest.FixtureOptions{})
	supertonic := model("supertonic-3", "supertonic", f)
	supertonic.missing = true
	l := newLab(t, service.ProviderA, supertonic, model("kokoro", "kokoro", f), model("piper-x", "piper", f))
	require.Equal(t, "narrator", l.voice("espeak:en-us").Category)
	require.Equal(t, "espeak-ng", l.voice("espeak:en-us").Engine)
	l.modelSet.models[0].missing = false
	l.now = l.now.Add(2 * time.Second)
	all, err := l.Voices(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, service.Voice{
		ID: service.VoiceID(service.ProviderA, "supertonic:af"), Native: "supertonic:af", Name: "Anna", Gender: "female",
		Provider: service.ProviderA, Accent: "United States", Language: "en", Category: "conversational", Engine: "supertonic",
	}, all[0])
}

// TestOneVoiceOfSeveralModels lists a voice once when two models of an engine have it, with the id that either gives it.
func TestOneVoiceOfSeveralModels(t *testing.T) {
	f := fixture(enginetest.FixtureOptions{})
	l := newLab(t, service.ProviderB, model("kokoro", "kokoro", f), model("kokoro-q8", "kokoro", f))
	id := l.voice("kokoro:af").ID
	l.modelSet.models = l.modelSet.models[1:]
	l.now = l.now.Add(2 * time.Second)
	all, err := l.Voices(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, id, all[0].ID)
}

// TestVoicesThatAreNotOffered leaves out voices without a gender and those that this machine cannot speak.
func TestVoicesThatAreNotOffered(t *testing.T) {
	f := enginetest.NewFixture(enginetest.FixtureOptions{Voices: []engines.Voice{
		{ID: "a", Name: "A", Language: "en"},
		{ID: "b", Name: "B", Language: "en", Gender: "neutral"},
		{ID: "c", Name: "C", Language: "ja", Gender: "female", Reason: "There is no Japanese phonemizer."},
		{ID: "d", Name: "D", Language: "en", Gender: "female"},
	}})
	l := newLab(t, service.ProviderB, model("kokoro", "kokoro", f))
	all, err := l.Voices(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, "D", all[0].Name)
}

// loudness returns the integrated loudness in LUFS and the true peak in dB.
func loudness(t *testing.T, sound audio.Buffer) (lufs, peak float64) {
	t.Helper()
	m := audio.NewMeter(sound.Rate, sound.Channels)
	m.Write(sound.Samples)
	lufs, ok := m.Integrated()
	require.True(t, ok)
	return lufs, audio.ToDB(m.TruePeak())
}

const prose = "The harbour was quiet before dawn. A single boat came in, its engine barely audible. " +
	"On the quay a woman waited; she had waited for seven years.\n\nNobody else was awake."

// TestEspeakSpeaks measures the length and level of speech.
func TestEspeakSpeaks(t *testing.T) {
	l := newLab(t, service.ProviderC)
	for _, native := range []string{"espeak:en-us", "espeak:en-gb", "espeak:de"} {
		sound := l.mustSpeak(native, prose)
		perSecond := float64(len(prose)) / sound.Duration().Seconds()
		require.InDelta(t, 14.5, perSecond, 4, "characters a second of %s", native)
		lufs, peak := loudness(t, sound)
		require.InDelta(t, audio.TargetLUFS, lufs, 0.5, native)
		require.LessOrEqual(t, peak, -0.9, native)
	}
	again, err := l.speak("espeak:en-us", prose)
	require.NoError(t, err)
	require.Equal(t, l.mustSpeak("espeak:en-us", prose).Samples, again.Samples, "espeak-ng has no randomness")
}

// TestLongText speaks 5,000 characters sentence by sentence.
func TestLongText(t *testing.T) {
	f := fixture(enginetest.FixtureOptions{})
	l := newLab(t, service.ProviderB, model("kokoro", "kokoro", f))
	const one, sentences = "Here is a sentence of fifty characters, no longer. ", 40
	text := strings.Repeat(one, sentences)
	sound := l.mustSpeak("kokoro:af", text)
	require.Equal(t, sentences, f.Spoken())
	// The fixture speaks 20 characters a second.
	require.InDelta(t, sentences*0.05*float64(len(one)-2)+(sentences-1)*0.35, sound.Duration().Seconds(), 0.5)
}

// TestPausesFollowTheText puts silence between sentences, paragraphs and where markup asks for it.
func TestPausesFollowTheText(t *testing.T) {
	l := newLab(t, service.ProviderB, model("kokoro", "kokoro", fixture(enginetest.FixtureOptions{})))
	length := func(text string) float64 { return l.mustSpeak("kokoro:af", text).Duration().Seconds() }
	parts := length("One.") + length("Two.")
	require.InDelta(t, parts+0.35, length("One. Two."), 0.02)
	require.InDelta(t, parts+0.7, length("One.\n\nTwo."), 0.02)
	require.InDelta(t, parts+2, length("One. [pause 2s] Two."), 0.02)
	require.InDelta(t, parts+3, length("One. [pause 2s] Two. [pause 1s]"), 0.02)
	_, err := l.speak("kokoro:af", "One."+strings.Repeat(" [pause 60s] Two.", 6))
	require.Equal(t, http.StatusBadRequest, service.StatusOf(err), "six minutes of silence")
}

// TestSpeed speaks at any speed of the contract, beyond the range of an engine too.
func TestSpeed(t *testing.T) {
	l := newLab(t, service.ProviderB, model("kokoro", "kokoro", fixture(enginetest.FixtureOptions{})))
	length := func(speed float64) float64 {
		sound, err := l.Speak(t.Context(), service.Speech{
			Turns:    []service.Turn{{Voice: l.voice("kokoro:af"), Text: "Here are some words. Here are some more of them."}},
			Settings: service.VoiceSettings{Speed: speed},
		})
		require.NoError(t, err)
		return sound.Duration().Seconds()
	}
	normal := length(1)
	for _, speed := range []float64{0.25, 0.5, 2, 4} {
		require.InEpsilon(t, normal/speed, length(speed), 0.05, "speed %g", speed)
	}
}

// TestAudioTags leaves out the tags that an engine does not play and hands it the others in its own spelling.
func TestAudioTags(t *testing.T) {
	var said []string
	f := fixture(enginetest.FixtureOptions{})
	plays := tagged{hooked{f, func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		said = append(said, u.Text)
		return f.Speak(ctx, u, emit)
	}}, nil}
	const text = "[excited] Well [laughs] that went [sighs, softly] wrong. [1]"
	for _, tt := range []struct {
		tags []string
		want string
	}{
		{nil, "Well that went [sighs, softly] wrong. [one]"},
		{[]string{"<laugh>", "<sigh>"}, "Well <laugh> that went [sighs, softly] wrong. [one]"},
	} {
		said, plays.tags = nil, tt.tags
		l := newLab(t, service.ProviderA, model("supertonic-3", "supertonic", plays))
		l.mustSpeak("supertonic:af", text)
		require.Equal(t, tt.want, strings.Join(said, " "))
	}
}

// tagged is an engine that plays tags.
type tagged struct {
	hooked
	tags []string
}

func (t tagged) Info() engines.Info {
	info := t.hooked.Info()
	info.Tags, info.Concurrency = t.tags, 1
	return info
}

// TestNothingToSpeak refuses texts without a word, before an engine is asked and after it found none.
func TestNothingToSpeak(t *testing.T) {
	l := newLab(t, service.ProviderC)
	for _, text := range []string{"", " ", "...", "[laughs]", "[laughs] ... [sighs]!", "[pause 1s]"} {
		_, err := l.speak("espeak:en-us", text)
		require.Equal(t, http.StatusBadRequest, service.StatusOf(err), "%q: %v", text, err)
		require.Empty(t, service.CodeOf(err))
	}
}

// TestDialogue speaks turns one after another with a pause, each at the same loudness.
func TestDialogue(t *testing.T) {
	f := fixture(enginetest.FixtureOptions{})
	l := newLab(t, service.ProviderA, model("supertonic-3", "supertonic", hooked{f, func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		return f.Speak(ctx, u, func(b audio.Buffer) error {
			if u.Voice == "bm" {
				for i := range b.Samples {
					b.Samples[i] /= 20
				}
			}
			return emit(b)
		})
	}}))
	anna, bert := l.voice("supertonic:af"), l.voice("supertonic:bm")
	sound, err := l.Speak(t.Context(), service.Speech{Turns: []service.Turn{
		{Voice: anna, Text: "Who is there at this hour of the night?"},
		{Voice: bert, Text: "[laughs]"},
		{Voice: bert, Text: "Nobody you would know by the name of it."},
	}})
	require.NoError(t, err)
	first := l.mustSpeak("supertonic:af", "Who is there at this hour of the night?")
	second := l.mustSpeak("supertonic:bm", "Nobody you would know by the name of it.")
	require.InDelta(t, first.Duration().Seconds()+second.Duration().Seconds()+0.3, sound.Duration().Seconds(), 0.01)
	a, _ := loudness(t, first)
	b, _ := loudness(t, second)
	require.InDelta(t, a, b, 0.5)
}

// TestSeeds speaks each sentence with a random seed of its own.
func TestSeeds(t *testing.T) {
	f := fixture(enginetest.FixtureOptions{})
	l := newLab(t, service.ProviderB, model("kokoro", "kokoro", f))
	first, second := l.mustSpeak("kokoro:af", "One and the same."), l.mustSpeak("kokoro:af", "One and the same.")
	require.Equal(t, len(first.Samples), len(second.Samples))
	require.NotEqual(t, first.Samples, second.Samples)
}

// TestFailures turns what goes wrong in an engine into errors: none of them ends the process or keeps a model.
func TestFailures(t *testing.T) {
	f := fixture(enginetest.FixtureOptions{})
	engine := func(speak func(context.Context, engines.Utterance, func(audio.Buffer) error) error) fakeModel {
		return model("kokoro", "kokoro", hooked{f, speak})
	}
	deleted := model("kokoro", "kokoro", f)
	deleted.err = backend.E(backend.CodeModelNotDownloaded, "It is not downloaded.", "")
	cramped := model("kokoro", "kokoro", f)
	cramped.err = backend.E(backend.CodeOutOfMemory, "It does not fit.", "")
	for name, tt := range map[string]struct {
		model  fakeModel
		status int
		code   service.Code
	}{
		"panic": {engine(func(context.Context, engines.Utterance, func(audio.Buffer) error) error { panic("broken") }), 500, ""},
		"error": {engine(func(context.Context, engines.Utterance, func(audio.Buffer) error) error { return errors.New("broken") }), 500, ""},
		"silence": {engine(func(_ context.Context, _ engines.Utterance, emit func(audio.Buffer) error) error {
			return emit(audio.Buffer{Samples: make([]float32, 9000), Rate: 24000, Channels: 1})
		}), 400, ""},
		"an engine that notices silence": {engine(func(context.Context, engines.Utterance, func(audio.Buffer) error) error {
			return engines.Failed("speaking", engines.ErrSilent)
		}), 400, ""},
		"another script": {engine(func(context.Context, engines.Utterance, func(audio.Buffer) error) error {
			return engines.NothingToSpeak("Write some words.")
		}), 400, ""},
		"deleted meanwhile": {deleted, 500, ""},
		"out of memory":     {cramped, 503, service.CodeProviderBusy},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, service.ProviderB, tt.model)
			_, err := l.speak("kokoro:af", prose)
			require.Error(t, err)
			require.Equal(t, tt.status, service.StatusOf(err), err)
			require.Equal(t, tt.code, service.CodeOf(err))
		})
	}
	l := newLab(t, service.ProviderB, model("kokoro", "kokoro", f))
	_, err := l.Speak(t.Context(), service.Speech{Turns: []service.Turn{{Voice: service.Voice{Native: "kokoro:gone"}, Text: "Hello."}}})
	require.Error(t, err)
}

// TestCancel returns soon after the caller has gone, from every step.
func TestCancel(t *testing.T) {
	l := newLab(t, service.ProviderB, model("kokoro", "kokoro", fixture(enginetest.FixtureOptions{Block: true})))
	long := service.Speech{Turns: []service.Turn{{Voice: l.voice("kokoro:af"), Text: strings.Repeat(prose, 20)}}}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := l.Speak(ctx, long)
		done <- err
	}()
	cancel()
	select {
	case err := <-done:
		require.ErrorIs(t, err, context.Canceled)
	case <-time.After(time.Minute):
		require.Fail(t, "it does not return")
	}
}

// TestSentencesInOrder joins sentences in the order of the text, whichever ends first, with silence between them.
func TestSentencesInOrder(t *testing.T) {
	words := strings.Fields("one two three four five six seven eight nine ten")
	f := fixture(enginetest.FixtureOptions{})
	l := newLab(t, service.ProviderB, model("kokoro", "kokoro", hooked{f, func(_ context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		i := slices.Index(words, strings.ToLower(strings.Trim(u.Text, ".")))
		time.Sleep(time.Duration(len(words)-i) * time.Millisecond) // the later ones end first
		b := audio.Buffer{Rate: 24000, Channels: 1, Samples: make([]float32, 12000)}
		for k := range b.Samples {
			b.Samples[k] = float32(0.05 * float64(i+1) * math.Sin(float64(k)/10))
		}
		return emit(b)
	}}))
	var text strings.Builder
	for _, w := range words {
		text.WriteString(strings.ToUpper(w[:1]) + w[1:] + ". ")
	}
	sound := l.mustSpeak("kokoro:af", text.String())
	var peaks []float64 // of the parts between silences
	silent := 0
	for _, x := range sound.Samples {
		if math.Abs(float64(x)) < 0.001 {
			silent++
			continue
		}
		if silent > 4000 || len(peaks) == 0 {
			peaks = append(peaks, 0)
		}
		silent = 0
		peaks[len(peaks)-1] = max(peaks[len(peaks)-1], math.Abs(float64(x)))
	}
	require.Len(t, peaks, len(words))
	for i, peak := range peaks[:5] { // the limiter may lower louder ones
		require.InEpsilon(t, float64(i+1)*peaks[0], peak, 0.02, words[i])
	}
	require.IsIncreasing(t, peaks)
}

// counter is a fixture that counts its calls.
type counter struct{ now, highest atomic.Int64 }

func (c *counter) engine() hooked {
	f := fixture(enginetest.FixtureOptions{Delay: time.Millisecond})
	return hooked{f, func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		n := c.now.Add(1)
		defer c.now.Add(-1)
		for top := c.highest.Load(); n > top && !c.highest.CompareAndSwap(top, n); top = c.highest.Load() {
		}
		return f.Speak(ctx, u, emit)
	}}
}

var manySentences = strings.Repeat("Some words. ", 100)

// TestCallsShareTheCores runs no more sentences of all providers at once than there are cores.
func TestCallsShareTheCores(t *testing.T) {
	var calls counter
	l := newLab(t, service.ProviderB, model("kokoro", "kokoro", calls.engine()), model("supertonic", "supertonic", calls.engine()))
	other := l.another(service.ProviderA)
	var work sync.WaitGroup
	for _, p := range []*lab{l, other} {
		engine := map[*lab]string{l: "kokoro", other: "supertonic"}[p]
		turn := service.Turn{Voice: p.voice(engine + ":af"), Text: manySentences}
		work.Go(func() {
			_, err := p.Speak(t.Context(), service.Speech{Turns: []service.Turn{turn}})
			assert.NoError(t, err)
		})
	}
	work.Wait()
	require.EqualValues(t, cores, calls.highest.Load())
}

// TestMemoryBoundsSentences speaks one sentence at a time where the memory is short.
func TestMemoryBoundsSentences(t *testing.T) {
	var calls counter
	kokoro := model("kokoro", "kokoro", calls.engine())
	kokoro.memory = 1e9
	l := newLab(t, service.ProviderB, kokoro)
	l.total, l.free = 16e9, 3e9
	l.mustSpeak("kokoro:af", manySentences)
	require.EqualValues(t, 1, calls.highest.Load())
}
