package kitten

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/espeak"
)

func TestSuite(t *testing.T) {
	suite := enginetest.Suite{Text: "Hello there, all of you.", LongText: strings.Repeat("One, two, three and four. ", 12)}
	few := suite
	few.Opens = 10
	for name, tt := range map[string]struct {
		dir   string
		suite enginetest.Suite
	}{
		"nano": {modelDir(t, "repo"), suite}, "mini": {modelDir(t, "repo_mini"), few}, "tone": {modelDir(t, "repo_tone"), few},
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.RunModel(t, newDriver(t, letters{}), tt.dir, tt.suite)
		})
	}
}

func TestSeeds(t *testing.T) {
	e := open(t, randomModel(t), letters{}, 0)
	require.True(t, e.Info().Reproducible)
	u := engines.Utterance{Text: "Hello there. All of you.", Seed: 7}
	first := enginetest.Say(t, e, u)
	require.Equal(t, first, enginetest.Say(t, e, u))
	got := make([][]float32, 8)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			_ = e.Speak(t.Context(), u, func(b audio.Buffer) error {
				got[i] = append(got[i], b.Samples...)
				return nil
			})
		})
	}
	wg.Wait()
	for i := range got {
		require.Equal(t, first, got[i], "caller %d", i)
	}
	u.Seed = 8
	require.NotEqual(t, first, enginetest.Say(t, e, u))
	var takes [][]float32
	u.Text = "Hello there, all of you. Hello there, all of you."
	require.NoError(t, e.Speak(t.Context(), u, func(b audio.Buffer) error {
		takes = append(takes, b.Samples)
		return nil
	}))
	require.Len(t, takes, 2)
	require.NotEqual(t, takes[0], takes[1], "equal sentences are said in the same way")
}

func TestInfo(t *testing.T) {
	info := open(t, modelDir(t, "repo"), letters{}, 3).Info()
	require.True(t, info.Phonemes)
	require.True(t, info.Reproducible)
	require.Equal(t, 3, info.Threads)
	require.Equal(t, 24000, info.SampleRate)
	require.Contains(t, info.Runtimes, "onnxruntime")
	require.NotContains(t, info.Runtimes, "espeak-ng", "letters has no version")
	p := espeak.NewPhonemizer()
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	require.Contains(t, open(t, modelDir(t, "repo"), p, 0).Info().Runtimes, "espeak-ng")
}

func TestVoiceByIDAndName(t *testing.T) {
	e := open(t, modelDir(t, "repo"), letters{}, 0)
	const text = "Hello there, all of you"
	require.Equal(t, enginetest.Say(t, e, engines.Utterance{Text: text, Voice: "Hugo"}), enginetest.Say(t, e, engines.Utterance{Text: text, Voice: "expr-voice-4-m"}))
	require.Equal(t, enginetest.Say(t, e, engines.Utterance{Text: text}), enginetest.Say(t, e, engines.Utterance{Text: text, Voice: "Bella"}))
}

func TestSpeedPriors(t *testing.T) {
	nano, mini := open(t, modelDir(t, "repo"), letters{}, 0), open(t, modelDir(t, "repo_mini"), letters{}, 0)
	for voice, want := range map[string]float64{"expr-voice-4-m": 0.9, "expr-voice-2-f": 0.8} {
		require.InDelta(t, want, nano.config.speed(voice, 1), 1e-7)
		require.InDelta(t, 1.5*want, nano.config.speed(voice, 1.5), 1e-7)
		require.InDelta(t, 1.5, mini.config.speed(voice, 1.5), 1e-7)
	}
}

func TestSpeakRefuses(t *testing.T) {
	e := open(t, modelDir(t, "repo"), letters{}, 0)
	for name, tt := range map[string]struct {
		u    engines.Utterance
		code backend.Code
		says string
	}{
		"unknown voice":          {engines.Utterance{Text: "Hello", Voice: "Nobody"}, backend.CodeNotFound, "expr-voice-2-f, expr-voice-2-m"},
		"voice of another model": {engines.Utterance{Text: "Hello", Voice: "af_heart"}, backend.CodeNotFound, "af_heart"},
		"other language":         {engines.Utterance{Text: "Hallo", Language: "de"}, backend.CodeLanguageNotSupported, "not de"},
		"empty":                  {engines.Utterance{}, backend.CodeNothingToSpeak, "nothing"},
		"only marks":             {engines.Utterance{Text: "?! ... ,"}, backend.CodeNothingToSpeak, "nothing"},
		"unknown script":         {engines.Utterance{Text: "東京"}, backend.CodeNothingToSpeak, "nothing"},
		"unknown phonemes":       {engines.Utterance{Text: "[[ж]]"}, backend.CodeNothingToSpeak, "nothing"},
		"too short for a speed":  {engines.Utterance{Text: "a", Speed: 2, Voice: "expr-voice-4-m"}, backend.CodeNothingToSpeak, "lower speed"},
		"too slow":               {engines.Utterance{Text: "a", Speed: 0.4}, backend.CodeEngineMismatch, "from 0.5 to 2"},
		"too fast":               {engines.Utterance{Text: "a", Speed: 2.1}, backend.CodeEngineMismatch, "from 0.5 to 2"},
		"no number":              {engines.Utterance{Text: "a", Speed: math.NaN()}, backend.CodeEngineMismatch, "from 0.5 to 2"},
	} {
		t.Run(name, func(t *testing.T) {
			err := e.Speak(t.Context(), tt.u, func(audio.Buffer) error {
				t.Error("something is emitted")
				return nil
			})
			require.Equal(t, tt.code, backend.CodeOf(err), "%v", err)
			if tt.says != "" {
				require.Contains(t, backend.AsError(err).Detail+backend.AsError(err).Remedy, tt.says)
			}
		})
	}
	for _, language := range []string{"", "en", "en-GB", "EN-us"} {
		require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: "Hello there, all of you", Language: language}))
	}
}

// TestShortSentencesAmongOthers: one whose sound is all cut off is left out, and the others are spoken.
func TestShortSentencesAmongOthers(t *testing.T) {
	e := open(t, modelDir(t, "repo"), letters{}, 0)
	long := engines.Utterance{Text: "Hello there, all of you.", Speed: 2, Voice: "expr-voice-4-m"}
	want := enginetest.Say(t, e, long)
	long.Text = "A\n\n" + long.Text
	require.Equal(t, want, enginetest.Say(t, e, long))
}

func TestHardTexts(t *testing.T) {
	p := espeak.NewPhonemizer()
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	e := open(t, modelDir(t, "repo"), p, 0)
	for name, text := range map[string]string{
		"5,000-letter word":    strings.Repeat("abcdefghij", 500),
		"mixed scripts":        "Hello мир, γειά 東京 and שלום, mixed.",
		"right to left":        "مرحبا بالعالم. שלום עולם.",
		"SSML":                 `<speak version="1.0"><p>Hello <break time="500ms"/> there &amp; you.</p></speak>`,
		"many digits":          strings.Repeat("9876543210 ", 60),
		"unclosed block":       "Say [[ this and that.",
		"nested brackets":      "[[[[ə]]]] x",
		"bad UTF-8":            "Hello \xff\xfe there.",
		"NUL and controls":     "Hello\x00 there\x1b\x85 you",
		"dotted abbreviations": "U.S.A" + strings.Repeat("b", 200) + " e.g. i.e. a.k.a.",
		"emoji":                "I am 😀 happy",
		"zero width":           "He\u200bllo\u00ad there\ufeff",
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: text}))
		})
	}
	for _, text := range []string{"\u200b", "\u0301", "☐", "]] [["} {
		err := e.Speak(t.Context(), engines.Utterance{Text: text}, func(audio.Buffer) error { return nil })
		if err != nil {
			require.Equal(t, backend.CodeNothingToSpeak, backend.CodeOf(err), "%q: %v", text, err)
		}
	}
}

// TestManyRepeats: ten thousand sentences are spoken one by one, and stop when asked to.
func TestManyRepeats(t *testing.T) {
	e := open(t, modelDir(t, "repo"), letters{}, 0)
	text := strings.Repeat("This goes on and on. ", 10_000)
	calls, stop := 0, errors.New("enough")
	err := e.Speak(t.Context(), engines.Utterance{Text: text}, func(audio.Buffer) error {
		if calls++; calls == 500 {
			return stop
		}
		return nil
	})
	require.ErrorIs(t, err, stop)
	require.Equal(t, 500, calls)
	require.Len(t, chunks(text), 10_000)
}

func TestCancelInTheMiddle(t *testing.T) {
	e := open(t, modelDir(t, "repo"), letters{}, 0)
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan time.Time, 1)
	time.AfterFunc(100*time.Millisecond, func() {
		stopped <- time.Now()
		cancel()
	})
	err := e.Speak(ctx, engines.Utterance{Text: strings.Repeat("This goes on and on. ", 10_000)}, func(audio.Buffer) error { return nil })
	t.Logf("returned %v after the cancel", time.Since(<-stopped))
	require.ErrorIs(t, err, backend.ErrCancelled)
}

func TestSpeakWords(t *testing.T) {
	p := espeak.NewPhonemizer()
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	e := open(t, modelDir(t, "repo"), p, 0)
	var texts []string
	err := e.SpeakWords(t.Context(), engines.Utterance{Text: "The quick brown fox, it costs 42 [[dˈɑːlɚz]]. Is that so?"},
		func(b audio.Buffer, words []backend.Word) error {
			at := 0.0
			for _, w := range words {
				require.GreaterOrEqual(t, w.Start, at, "%v", words)
				require.GreaterOrEqual(t, w.End, w.Start, "%v", words)
				require.LessOrEqual(t, w.End, b.Duration().Seconds()+1e-6)
				at = w.Start
				texts = append(texts, w.Text)
			}
			return nil
		})
	require.NoError(t, err)
	require.Equal(t, strings.Fields("The quick brown fox, it costs 42 [[dˈɑːlɚz]]. Is that so?"), texts)
}

type broken struct{ err error }

func (b broken) Pronounce(context.Context, string, string, bool) (string, error) { return "", b.err }

func TestPronouncerErrors(t *testing.T) {
	missing := backend.E(backend.CodeRuntimeMissing, "espeak-ng was not found.", "Install espeak-ng.")
	e := open(t, modelDir(t, "repo"), broken{missing}, 0)
	err := e.Speak(t.Context(), engines.Utterance{Text: "Hello"}, func(audio.Buffer) error { return nil })
	require.ErrorIs(t, err, missing)

	ctx, cancel := context.WithCancel(t.Context())
	e = open(t, modelDir(t, "repo"), cancelling{cancel}, 0)
	err = e.Speak(ctx, engines.Utterance{Text: "Hello"}, func(audio.Buffer) error { return nil })
	require.ErrorIs(t, err, backend.ErrCancelled)
}

type cancelling struct{ cancel func() }

func (c cancelling) Pronounce(context.Context, string, string, bool) (string, error) {
	c.cancel()
	return "", errors.New("the process was stopped")
}
