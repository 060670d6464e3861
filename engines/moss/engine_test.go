package moss

import (
	"bytes"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

func TestSuite(t *testing.T) {
	d := NewDriver(library(t))
	files := enginetest.Find(t, d, kit(t, repos))
	one := recording(t, "reference_48k_mono.wav")
	other := audio.Buffer{Samples: one.Samples[:len(one.Samples)/2], Rate: one.Rate, Channels: 1}
	enginetest.RunCloner(t, func(t *testing.T) engines.Cloner {
		t.Helper()
		return enginetest.OpenFiles(t, d, files, engines.Options{Threads: 1}).(*Engine)
	}, [2]audio.Buffer{one, other}, enginetest.Suite{
		Text: "Hello world.", LongText: strings.Repeat("This is one of several sentences, and it is not short. ", 12), Opens: 2,
	})
}

// reference returns a reference to a recording, and the number of times that it was asked for.
func reference(in audio.Buffer, key, cache string) (*engines.Reference, *atomic.Int32) {
	var asked atomic.Int32
	return &engines.Reference{Key: key, Cache: cache, Audio: func(context.Context) (audio.Buffer, error) {
		asked.Add(1)
		return in, nil
	}}, &asked
}

func TestSpeakWithTheVoiceOfASample(t *testing.T) {
	e := openKit(t)
	in := recording(t, "reference_48k_mono.wav")
	dir := t.TempDir()
	ref, asked := reference(in, "aa", dir)
	u := engines.Utterance{Text: "Hello world.", Seed: 3, Reference: ref}
	first := enginetest.Say(t, e, u)
	require.Equal(t, first, enginetest.Say(t, e, u))
	require.EqualValues(t, 1, asked.Load())

	other, _ := reference(audio.Buffer{Samples: in.Samples[:len(in.Samples)/2], Rate: in.Rate, Channels: 1}, "bb", dir)
	require.NotEqual(t, first, enginetest.Say(t, e, engines.Utterance{Text: u.Text, Seed: 3, Reference: other}))
	require.NotEqual(t, first, enginetest.Say(t, e, engines.Utterance{Text: u.Text, Seed: 3}))

	e.Forget("aa")
	require.Equal(t, first, enginetest.Say(t, e, u))
	require.EqualValues(t, 1, asked.Load(), "the file beside the sample holds its codes")
}

// TestPausesBetweenPieces: a longer text is spoken in pieces of at most 75 ids, with the makers' pauses between them.
func TestPausesBetweenPieces(t *testing.T) {
	e := openKit(t)
	sentence := "This is one of several sentences, and it is not short at all. "
	text := strings.Repeat(sentence, 5)
	pieces := e.frontend.pieces(text)
	require.Greater(t, len(pieces), 1)
	var silent []int
	require.NoError(t, e.Speak(t.Context(), engines.Utterance{Text: text}, func(b audio.Buffer) error {
		if onnx.Peak(b.Samples) == 0 {
			silent = append(silent, b.Frames())
		}
		return nil
	}))
	require.Len(t, silent, len(pieces)-1)
	require.Equal(t, 11520, silent[0])
	require.InDelta(t, 0.40, e.frontend.pieces("Done.")[0].pause, 0)
}

// TestAllKindsOfText: no text makes a piece that is longer than the model takes, and nothing that can be spoken is lost.
func TestAllKindsOfText(t *testing.T) {
	f := openKit(t).frontend
	for name, text := range map[string]string{
		"a long sentence":   strings.Repeat("word ", 4_000),
		"one long word":     strings.Repeat("a", 4_000),
		"chinese":           strings.Repeat("今天天气很好我们去公园散步吧", 100),
		"mixed scripts":     "Hello Привет こんにちは 안녕 مرحبا שלום नमस्ते 你好 γειά",
		"right to left":     "مرحبا بالعالم! \u202bكيف حالك\u202c؟",
		"broken encoding":   "caf\xe9 and \xff\xfe then",
		"many accents":      "a" + strings.Repeat("\u0301", 1000) + "b",
		"numbers and signs": "12, 3.5% and $4; see https://example.com/a_b?c=d#e",
	} {
		t.Run(name, func(t *testing.T) {
			pieces := f.pieces(text)
			require.NotEmpty(t, pieces)
			for _, p := range pieces {
				require.NotEmpty(t, p.ids)
				require.LessOrEqual(t, len(p.ids), longestPiece)
			}
		})
	}
	require.Empty(t, f.pieces("\n\n ... \n\n 😀 — \x00"))
	spoken, word := 0, len(f.ids("word"))
	for _, p := range f.pieces(strings.Repeat("word ", 750)) {
		spoken += len(p.ids) / word
	}
	require.Equal(t, 750, spoken)
}

// TestSamplesOfAnyLengthAndRate: 20 s of a sample are used, whatever its rate.
func TestSamplesOfAnyLengthAndRate(t *testing.T) {
	g := openKit(t).graphs
	tone := func(seconds float64, rate, channels int) audio.Buffer {
		b := audio.Buffer{Rate: rate, Channels: channels}
		for i := range int(seconds * float64(rate)) {
			for range channels {
				b.Samples = append(b.Samples, float32(0.3*math.Sin(2*math.Pi*150*float64(i)/float64(rate))))
			}
		}
		return b
	}
	const perFrame = 16
	for _, rate := range []int{8000, 16000, 44100, 48000} {
		codes, err := g.listen(t.Context(), tone(3.2, rate, 1))
		require.NoError(t, err)
		require.Len(t, codes, 40*perFrame)
	}
	whole, err := g.listen(t.Context(), tone(60, 24000, 1))
	require.NoError(t, err)
	require.Len(t, whole, 250*perFrame)
	both, err := g.listen(t.Context(), tone(1.6, 48000, 2))
	require.NoError(t, err)
	one, err := g.listen(t.Context(), tone(1.6, 48000, 1))
	require.NoError(t, err)
	require.Equal(t, one, both)
	_, err = g.listen(t.Context(), tone(1.6, 48000, 3))
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
}

// TestFilesOfSamples: what is not the codes of a voice is computed again.
func TestFilesOfSamples(t *testing.T) {
	c := openKit(t).graphs.config
	codes := openKit(t).voices["Ava"]
	raw, err := encode(codes)
	require.NoError(t, err)
	got, err := c.decode(raw)
	require.NoError(t, err)
	require.Equal(t, codes, got)
	for name, wrong := range map[string][]byte{
		"empty": nil, "cut off": raw[:len(raw)-1], "half a frame": raw[:len(raw)-4], "other codes": bytes.Repeat([]byte{255}, len(raw)),
	} {
		_, err := c.decode(wrong)
		require.Error(t, err, name)
	}
}

// TestFirstSoundComesEarly: the first frame is heard at once, and then as many as were heard before.
func TestFirstSoundComesEarly(t *testing.T) {
	e := with(t, RoleFrame, chosen(1, 5))
	var frames []int
	enough := errors.New("enough")
	err := e.Speak(t.Context(), engines.Utterance{Text: "Hello world."}, func(b audio.Buffer) error {
		if frames = append(frames, b.Frames()/3840); len(frames) == 7 {
			return enough
		}
		return nil
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, []int{1, 1, 2, 4, 8, 8, 8}, frames)
}

// TestMemory: the keys and values are two sets of the computed size, and no step makes others.
func TestMemory(t *testing.T) {
	g := openKit(t).graphs
	const positions = 100_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := newSpeech(g, positions)
	runtime.ReadMemStats(&after)
	require.Equal(t, int64(2*4*4*positions*2*8), g.config.memory(positions))
	require.InEpsilon(t, g.config.memory(positions), after.TotalAlloc-before.TotalAlloc, 0.05)

	const prompt, steps, valuesOfOneRun = 1000, 5, 32 << 10
	require.NoError(t, s.prompt(t.Context(), make([]int32, prompt*g.config.width())))
	runtime.ReadMemStats(&before)
	for range steps {
		require.NoError(t, s.follow(t.Context()))
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(steps*valuesOfOneRun), "one set takes %d bytes", g.config.memory(prompt)/2)

	var published config
	published.meta.Config.Layers, published.meta.Config.Heads, published.meta.Config.HeadDim = 12, 12, 64
	require.Equal(t, int64(900*2*73_728), published.memory(900))
}

func TestNoise(t *testing.T) {
	draw := func(seed int64, piece, n int) []float32 {
		u := make([]float32, n)
		noise(seed, piece)(u)
		return u
	}
	const n = 100_000
	u := draw(7, 0, n)
	require.Equal(t, u, draw(7, 0, n))
	require.NotEqual(t, u[:100], draw(8, 0, 100))
	require.NotEqual(t, u[:100], draw(7, 1, 100))
	mean := 0.0
	for _, v := range u {
		require.True(t, v >= 0 && v < 1)
		mean += float64(v) / n
	}
	require.InDelta(t, 0.5, mean, 0.01)
	// The stream is part of what a receipt promises: it may not change from one version to the next.
	require.InDeltaSlice(t, []float32{0, 0.941411, 0.083465576, 0.57803404}, draw(42, 3, 4), 1e-7)
	random := noise(42, 3)
	random(u[:2])
	random(u[:1])
	require.NotZero(t, u[0], "only the first frame is sure to come")
}

func TestVoicesOfTheManifest(t *testing.T) {
	e := openKit(t)
	info := e.Info()
	require.Equal(t, []engines.Voice{
		{ID: "Junhao", Name: "Junhao", Language: "zh"}, {ID: "Ava", Name: "Ava", Language: "en"}, {ID: "Adam", Name: "Adam", Language: "en"},
	}, info.Voices)
	said := map[string][]float32{}
	for _, v := range info.Voices {
		said[v.ID] = enginetest.Say(t, e, engines.Utterance{Text: "Hello world.", Voice: v.ID, Seed: 1})
		require.Greater(t, onnx.Peak(said[v.ID]), float32(0.001))
	}
	require.NotEqual(t, said["Ava"], said["Adam"])
	require.Equal(t, said["Junhao"], enginetest.Say(t, e, engines.Utterance{Text: "Hello world.", Seed: 1}))
	for group, want := range map[string][2]string{
		"Chinese Male": {"zh", "male"}, "English Female": {"en", "female"}, "ja": {"ja", ""}, "": {"en", ""}, "Klingon": {"en", ""},
	} {
		language, gender := builtin{Group: group}.kind()
		require.Equal(t, want, [2]string{language, gender}, group)
	}
}

func TestSpeakRefuses(t *testing.T) {
	e := openKit(t)
	for name, tt := range map[string]struct {
		u    engines.Utterance
		code backend.Code
		says string
	}{
		"unknown voice":    {engines.Utterance{Text: "Hello", Voice: "Eve"}, backend.CodeNotFound, "Junhao, Ava, Adam."},
		"unknown language": {engines.Utterance{Text: "Hei", Language: "fi"}, backend.CodeLanguageNotSupported, "does not speak fi."},
		"another speed":    {engines.Utterance{Text: "Hello", Speed: 1.5}, backend.CodeEngineMismatch, "from 1 to 1"},
		"emoji only":       {engines.Utterance{Text: "😀 ❤️"}, backend.CodeNothingToSpeak, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			err := e.Speak(t.Context(), tt.u, func(audio.Buffer) error { return nil })
			require.Equal(t, tt.code, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail+" "+backend.AsError(err).Remedy, tt.says)
		})
	}
	for _, language := range slices.Concat(e.Info().Languages, []string{"", "zh-TW", "pt-BR", "en-GB"}) {
		require.NoError(t, e.checkLanguage(language))
	}
}
