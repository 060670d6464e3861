package supertonic

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// buffers returns what an utterance emits.
func buffers(t *testing.T, e engines.Speaker, u engines.Utterance) (out [][]float32) {
	t.Helper()
	require.NoError(t, e.Speak(t.Context(), u, func(b audio.Buffer) error {
		out = append(out, b.Samples)
		return nil
	}))
	return out
}

func TestSuite(t *testing.T) {
	enginetest.RunModel(t, NewDriver(library(t)), kit(t, "repo"), enginetest.Suite{Text: "Hello.", LongText: strings.Repeat("One, two, three and four. ", 130)})
}

func TestInfo(t *testing.T) {
	info := openKit(t, 3).Info()
	require.Equal(t, 3, info.Threads)
	require.Len(t, info.Languages, 31)
	require.Equal(t, []string{"<laugh>", "<breath>", "<sigh>"}, info.Tags)
	require.False(t, info.Phonemes)
	require.True(t, info.Reproducible)
	require.Equal(t, 44100, info.SampleRate)
	require.InDelta(t, 0.667, info.MinSpeed, 1e-3)
	require.InDelta(t, 1.905, info.MaxSpeed, 1e-3)
}

func TestSpeedOneIsTheMakersDefault(t *testing.T) {
	e := openKit(t, 1)
	for speed, want := range map[float64]float32{0: 1.05, 1: 1.05, minSpeed: 0.7, maxSpeed: 2, 1.5: 1.575} {
		got, err := e.pace(speed)
		require.NoError(t, err)
		require.Equal(t, want, got, "speed %g", speed)
	}
	for _, speed := range []float64{-1, 0.5, 2, math.NaN(), math.Inf(1)} {
		_, err := e.pace(speed)
		require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err), "speed %g", speed)
		require.Equal(t, "Choose a speed from 0.667 to 1.9.", backend.AsError(err).Remedy)
	}
}

func TestSteps(t *testing.T) {
	e := openKit(t, 1)
	u := engines.Utterance{Text: "Hello there.", Language: "en", Seed: 3}
	heard := map[int][]float32{}
	for _, steps := range []int{0, 1, 2, 5, 8, 12, 100} {
		u.Steps = steps
		heard[steps] = enginetest.Say(t, e, u)
	}
	require.Equal(t, heard[8], heard[0])
	delete(heard, 0)
	for a, one := range heard {
		for b, other := range heard {
			if a != b {
				require.NotEqual(t, one, other, "%d and %d steps", a, b)
			}
		}
	}
	for _, steps := range []int{-1, 101} {
		u.Steps = steps
		err := e.Speak(t.Context(), u, func(audio.Buffer) error { return nil })
		require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err))
		require.Equal(t, "Choose from 1 to 100 steps.", backend.AsError(err).Remedy)
	}
}

func TestSeeds(t *testing.T) {
	e := openKit(t, 1)
	u := engines.Utterance{Text: "Hello there.\n\nHello there.", Seed: 1}
	first := buffers(t, e, u)
	require.Equal(t, first, buffers(t, e, u))
	pause := 44100 * 3 / 10
	require.NotEqual(t, first[0], first[1][pause:], "two pieces of equal text start from the same noise")
	u.Seed = 2
	require.NotEqual(t, first, buffers(t, e, u))
}

func TestPauseBetweenPieces(t *testing.T) {
	e := openKit(t, 1)
	alone := buffers(t, e, engines.Utterance{Text: "First one.", Language: "en"})
	require.Len(t, alone, 1)
	both := buffers(t, e, engines.Utterance{Text: "First one.\n\nSecond one.", Language: "en"})
	require.Len(t, both, 2)
	require.Equal(t, alone[0], both[0])
	const silent = 13230
	require.Equal(t, make([]float32, silent), both[1][:silent])
	require.NotEqual(t, make([]float32, 100), both[1][silent:silent+100])
}

func TestLanguages(t *testing.T) {
	e := openKit(t, 1)
	speak := func(language string) []float32 {
		return enginetest.Say(t, e, engines.Utterance{Text: "Hello.", Language: language})
	}
	require.Equal(t, speak("en"), speak("en-US"))
	require.Equal(t, speak("en"), speak("EN-gb"))
	require.Equal(t, speak("na"), speak(""))
	require.NotEqual(t, speak("en"), speak(""))
	require.NotEqual(t, speak("en"), speak("fr"))
	for text, want := range map[string]string{
		"Привет, мир!": "na", "שלום 2026": "na", "Привет, Bob!": "en", "Zoë": "en", "2026": "en", "": "en",
	} {
		got, err := e.frontend.language("en-US", text)
		require.NoError(t, err)
		require.Equal(t, want, got, text)
		got, err = e.frontend.language("ru", text)
		require.NoError(t, err)
		require.Equal(t, "ru", got, "a language that was chosen stays")
	}
	for _, language := range e.Info().Languages {
		require.NotEmpty(t, speak(language))
	}
	sentence := strings.Repeat("가나다라마바사 ", 8) + "끝. "
	require.Len(t, buffers(t, e, engines.Utterance{Text: strings.Repeat(sentence, 4), Language: "ko"}), 4)
	require.Len(t, buffers(t, e, engines.Utterance{Text: strings.Repeat(sentence, 4), Language: "en"}), 1)
}

func TestSpeakRefuses(t *testing.T) {
	e := openKit(t, 1)
	for name, tt := range map[string]struct {
		u    engines.Utterance
		code backend.Code
		says string
	}{
		"unknown voice":    {engines.Utterance{Text: "Hello", Voice: "F9"}, backend.CodeNotFound, "F1, M1."},
		"name of a voice":  {engines.Utterance{Text: "Hello", Voice: "Female 1"}, backend.CodeNotFound, `"Female 1"`},
		"unknown language": {engines.Utterance{Text: "你好", Language: "zh-CN"}, backend.CodeLanguageNotSupported, "does not speak zh-CN."},
		"emoji only":       {engines.Utterance{Text: "😀 ❤️ 👩‍👩‍👧 🇺🇸"}, backend.CodeNothingToSpeak, "nothing"},
		"unknown script":   {engines.Utterance{Text: "𐍈𐌰𐌹"}, backend.CodeNothingToSpeak, "nothing"},
		"marks only":       {engines.Utterance{Text: "?! -- (…) §"}, backend.CodeNothingToSpeak, "nothing"},
		"control signs":    {engines.Utterance{Text: "\x00\x01\x02\ufeff"}, backend.CodeNothingToSpeak, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			err := e.Speak(t.Context(), tt.u, func(audio.Buffer) error { return nil })
			require.Equal(t, tt.code, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail+" "+backend.AsError(err).Remedy, tt.says)
		})
	}
}

// TestAllKindsOfText: text that no one writes for a speaker is spoken as far as the model knows it.
func TestAllKindsOfText(t *testing.T) {
	e := openKit(t, 2)
	for name, text := range map[string]string{
		"mixed scripts":   "Hello Привет こんにちは 안녕 مرحبا שלום नमस्ते 你好 γειά",
		"right to left":   "مرحبا بالعالم! \u202bكيف حالك\u202c؟",
		"emoji inside":    "I ❤️ this 👍🏽 very much 😀😀😀.",
		"one word again":  strings.Repeat("word ", 10_000),
		"one long word":   strings.Repeat("a", 5_000),
		"ssml":            `<speak version="1.1"><p>Hello <break time="500ms"/> <emphasis level="strong">you</emphasis>.</p></speak>`,
		"marks":           "<laugh> That is funny. <sigh>",
		"broken encoding": "caf\xe9 and \xff\xfe then",
		"many accents":    "a" + strings.Repeat("\u0301", 100) + "b",
		"web address":     "See https://example.com/a_b?c=d#e, or mail me@example.com.",
		"numbers":         "12, 3.5% and $4",
	} {
		t.Run(name, func(t *testing.T) {
			samples := enginetest.Say(t, e, engines.Utterance{Text: text, Steps: 1})
			require.Greater(t, len(samples), 4410, "shorter than 0.1 s")
		})
	}
}

func TestNumbersThatReachTheGraphs(t *testing.T) {
	f := openKit(t, 1).frontend
	letters := func(text string) []int64 {
		ids, _ := f.ids(text, "")
		return ids
	}
	// An accent, a joiner that the table lacks, and a letter beyond U+FFFF; the space before the mark is the letter's.
	require.Equal(t, [][]int64{letters("<pt>Ola\u0301 !</pt>")}, f.pieces("Olá\u200d 𐍈!", "pt"))
	require.Equal(t, [][]int64{letters("<na>Hi.</na>")}, f.pieces("  Hi", anyLanguage))
	require.Empty(t, f.pieces("\n\n ... \n\n 😀", anyLanguage))
	require.Len(t, f.pieces("One.\n\n...\n\nTwo.", anyLanguage), 2, "a piece without words is spoken")
}

func TestThreads(t *testing.T) {
	require.Positive(t, usualThreads())
	require.LessOrEqual(t, usualThreads(), 4)
}
