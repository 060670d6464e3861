package espeak_test

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/espeak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// speak returns all samples that Speak emits.
func speak(t testing.TB, u engines.Utterance) []float32 {
	t.Helper()
	all, err := collect(t.Context(), espeak.New(), u)
	require.NoError(t, err)
	return all
}

func collect(ctx context.Context, e *espeak.Engine, u engines.Utterance) ([]float32, error) {
	var all []float32
	err := e.Speak(ctx, u, func(b audio.Buffer) error {
		all = append(all, b.Samples...)
		return nil
	})
	return all, err
}

func TestLetterAIsNoArticle(t *testing.T) {
	spoken := speak(t, engines.Utterance{Text: "A I is new.", Voice: "en-us"})
	require.Equal(t, speak(t, engines.Utterance{Text: "Eigh I is new.", Voice: "en-us"}), spoken)
}

func TestSpeakEmitsShortBuffers(t *testing.T) {
	var sizes []int
	peak := float32(0)
	err := espeak.New().Speak(t.Context(), engines.Utterance{Text: "Hello there, this is a voice.", Voice: "en-us"},
		func(b audio.Buffer) error {
			require.Equal(t, 22050, b.Rate)
			require.Equal(t, 1, b.Channels)
			sizes = append(sizes, len(b.Samples))
			for _, s := range b.Samples {
				peak = max(peak, s, -s)
			}
			return nil
		})
	require.NoError(t, err)
	require.Greater(t, len(sizes), 10)
	for _, n := range sizes[:len(sizes)-1] {
		require.Equal(t, 2205, n)
	}
	require.Greater(t, peak, float32(0.1))
	require.LessOrEqual(t, peak, float32(1))
}

func TestSpeakEmitsTheAudioOfTheCommand(t *testing.T) {
	const words = "The quick brown fox. It jumps over 23 lazy dogs!"
	cmd := exec.CommandContext(t.Context(), "espeak-ng", "-b", "1", "-v", "de", "--stdin", "--stdout")
	cmd.Stdin = strings.NewReader(words)
	wav, err := cmd.Output()
	require.NoError(t, err)
	got := speak(t, engines.Utterance{Text: words, Voice: "de"})
	require.Equal(t, espeak.AppendSamples(nil, wav[44:]), got)
}

func TestSpeakIsReproducible(t *testing.T) {
	u := engines.Utterance{Text: "Every time the same. Really?", Voice: "en-gb", Speed: 1.3, Pitch: 2, Seed: 7}
	first := speak(t, u)
	u.Seed = 8
	for range 5 {
		require.Equal(t, first, speak(t, u))
	}
}

func TestSpeakManyAtOnce(t *testing.T) {
	e := espeak.New()
	want := speak(t, engines.Utterance{Text: "One of many voices.", Voice: "en-us"})
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			got, err := collect(t.Context(), e, engines.Utterance{Text: "One of many voices."})
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
	wg.Wait()
}

func TestSpeedAndPitch(t *testing.T) {
	const words = "A few words to measure the pace of this voice."
	length := func(speed float64) int {
		return len(speak(t, engines.Utterance{Text: words, Voice: "en-us", Speed: speed}))
	}
	normal := length(1)
	require.Equal(t, normal, length(0))
	require.InEpsilon(t, normal, 2*length(2), 0.15)
	require.InEpsilon(t, normal, 0.5*float64(length(0.5)), 0.15)
	info := espeak.New().Info()
	require.Equal(t, length(info.MinSpeed), length(0.1))
	require.Equal(t, length(info.MaxSpeed), length(9))
	require.Less(t, length(info.MaxSpeed), length(info.MaxSpeed-0.1))
	require.Greater(t, length(info.MinSpeed), length(info.MinSpeed+0.05))

	for semitones, want := range map[float64]string{-20: "0", -6.8: "0", -4: "25", 0: "50", 4.8: "75", 9.7: "99", 12: "99"} {
		require.Equal(t, want, espeak.Pitch(semitones), "%v semitones", semitones)
	}
	high := crossings(speak(t, engines.Utterance{Text: "oooh oooh", Voice: "en-us", Pitch: 9}))
	low := crossings(speak(t, engines.Utterance{Text: "oooh oooh", Voice: "en-us", Pitch: -6}))
	require.Greater(t, high, low)
}

// crossings returns how often samples change their sign, for each sample that is not silent.
func crossings(s []float32) float64 {
	n, sounding := 0, 0
	for i := 1; i < len(s); i++ {
		if s[i] != 0 {
			sounding++
		}
		if (s[i] < 0) != (s[i-1] < 0) {
			n++
		}
	}
	return float64(n) / float64(sounding)
}

func TestSpeakRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		u    engines.Utterance
		code backend.Code
	}{
		"empty":               {engines.Utterance{}, backend.CodeNothingToSpeak},
		"only marks":          {engines.Utterance{Text: " ?! … — \n"}, backend.CodeNothingToSpeak},
		"unknown voice":       {engines.Utterance{Text: "Hi", Voice: "xx"}, backend.CodeNotFound},
		"almost a voice":      {engines.Utterance{Text: "Hi", Voice: "en-us-nope"}, backend.CodeNotFound},
		"an option as voice":  {engines.Utterance{Text: "Hi", Voice: "--help"}, backend.CodeNotFound},
		"a path as voice":     {engines.Utterance{Text: "Hi", Voice: "../../etc/passwd"}, backend.CodeNotFound},
		"a language it lacks": {engines.Utterance{Text: "Hi", Language: "tlh-Latn"}, backend.CodeLanguageNotSupported},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := collect(t.Context(), espeak.New(), c.u)
			require.Equal(t, c.code, backend.CodeOf(err), "%v", err)
			require.Empty(t, got)
		})
	}
}

func TestSpeakByLanguage(t *testing.T) {
	german := speak(t, engines.Utterance{Text: "Guten Morgen", Voice: "de"})
	require.Equal(t, german, speak(t, engines.Utterance{Text: "Guten Morgen", Language: "de-DE"}))
	english := speak(t, engines.Utterance{Text: "Guten Morgen", Voice: "en-us"})
	require.NotEqual(t, german, english)
	require.Equal(t, english, speak(t, engines.Utterance{Text: "Guten Morgen"}))
}

func TestHardTexts(t *testing.T) {
	for name, words := range map[string]string{
		"like an option":        "--help",
		"a dash":                "-w x.wav",
		"crashes 1.51":          "U.S.A" + strings.Repeat("b", 200),
		"crashes it as well":    "U.S.A" + strings.Repeat("字", 100) + strings.Repeat("a.", 500),
		"dotted chains":         strings.Repeat("e.g. ", 100) + strings.Repeat("a.b.c.d.  ", 60),
		"apostrophes":           strings.Repeat("o'", 400) + "clock",
		"a very long word":      strings.Repeat("x", 5000),
		"NUL":                   "one\x00two",
		"controls":              "a\x01b\x1bc\x7fd\u0085e\u2028f",
		"bad UTF-8":             "caf\xe9 \xff\xfe bar",
		"tags":                  "<speak>one <break time='3s'/> two</speak> <audio src='file:///etc/passwd'/>",
		"Arabic":                "مرحبا ٣",
		"bidi and joiners":      "a\u202eb\u200dc\ufeffd",
		"emoji":                 "😀 a",
		"many opening brackets": strings.Repeat("[", 3000) + "a",
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, speak(t, engines.Utterance{Text: words, Voice: "en-us"}))
		})
	}
}

// TestPhonemes speaks IPA in double brackets like the word that it belongs to.
func TestPhonemes(t *testing.T) {
	for voice, words := range map[string]map[string]string{
		"en-us": {
			"hello": "həlˈoʊ", "judge": "dʒˈʌdʒ", "thing": "θˈɪŋ", "nurse": "nˈɜːs", "choice": "tʃˈɔɪs",
			"brown fox": "bɹaʊn fˈɑːks", "Hello there": "həˈloʊ ðˈɛɹ",
		},
		"en-gb": {"goat": "ɡˈəʊt", "palm": "'pa:m"},
		"de":    {"schön": "ʃˈøːn", "Haus": "hˈaʊs", "sagen": "zˈɑːɡən"},
		"fr-fr": {"bon": "bˈɔ̃", "rue": "ʁˈy"},
		"es":    {"perro": "pˈero"},
	} {
		for word, ipa := range words {
			plain := speak(t, engines.Utterance{Text: word, Voice: voice})
			spoken := speak(t, engines.Utterance{Text: "[[" + ipa + "]]", Voice: voice})
			require.InEpsilon(t, len(plain), len(spoken), 0.25, "%s: %s is as long as /%s/", voice, word, ipa)
			spelled := speak(t, engines.Utterance{Text: "[ [" + ipa + "]]", Voice: voice})
			require.NotEqual(t, spelled, spoken, "%s: /%s/ is not spelled out", voice, ipa)
		}
	}
	require.Equal(t, speak(t, engines.Utterance{Text: "hello", Voice: "en-us"}),
		speak(t, engines.Utterance{Text: "[[həlˈoʊ]]", Voice: "en-us"}), "the same phonemes, the same sound")
	require.NotEmpty(t, speak(t, engines.Utterance{Text: "[[" + strings.Repeat("'a.", 300) + "]]", Voice: "en-us"}))
	require.NotEmpty(t, speak(t, engines.Utterance{Text: "Say [[ʘ]] and [[kæt]].", Voice: "en-us"}))
}

func TestMarkupIsText(t *testing.T) {
	plain := speak(t, engines.Utterance{Text: "[ [h@l'oU]]", Voice: "en-us"})
	require.Equal(t, plain, speak(t, engines.Utterance{Text: "[[h@l'oU]]", Voice: "en-us"}))
	require.Equal(t, plain, speak(t, engines.Utterance{Text: "[\x00[h@l'oU]]", Voice: "en-us"}))
}

func TestCancel(t *testing.T) {
	e := espeak.New()
	_, err := e.Voices(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var after int
	start := time.Time{}
	err = e.Speak(ctx, engines.Utterance{Text: strings.Repeat("This goes on and on. ", 2000)}, func(audio.Buffer) error {
		if ctx.Err() != nil {
			after++
		}
		start = time.Now()
		cancel()
		return nil
	})
	t.Logf("returned %v after the cancel", time.Since(start))
	require.ErrorIs(t, err, backend.ErrCancelled)
	require.Zero(t, after, "no audio after the cancel")
}

func TestEmitError(t *testing.T) {
	full := errors.New("disk full")
	calls := 0
	err := espeak.New().Speak(t.Context(), engines.Utterance{Text: strings.Repeat("Long text. ", 500)}, func(audio.Buffer) error {
		calls++
		return full
	})
	require.ErrorIs(t, err, full)
	require.Equal(t, 1, calls)
}

// TestSlowReceiver waits between the bytes, on a fake clock: only the wait for a byte counts as a stall.
func TestSlowReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out, in := io.Pipe()
		var stalled atomic.Bool
		from := espeak.StallReader(out, time.Minute, time.Hour, func() { stalled.Store(true) })
		part := make([]byte, 1)
		for range 3 {
			go func() { _, _ = in.Write([]byte("a")) }()
			_, err := from.Read(part)
			require.NoError(t, err)
			time.Sleep(time.Hour)
			synctest.Wait()
			require.False(t, stalled.Load(), "the receiver's time must not count as a stall")
		}
		go func() {
			time.Sleep(2 * time.Minute)
			_, _ = in.Write([]byte("a"))
		}()
		_, err := from.Read(part)
		require.NoError(t, err)
		require.True(t, stalled.Load(), "no byte came for a minute")
	})
}

// TestTricklingProcess prints a byte now and then, on a fake clock: it may not go on for ever.
func TestTricklingProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out, in := io.Pipe()
		var ended atomic.Bool // both timers can end it in the same instant
		from := espeak.StallReader(out, time.Minute, 10*time.Minute, func() {
			ended.Store(true)
			_ = out.Close()
		})
		go func() {
			for err := error(nil); err == nil; _, err = in.Write([]byte("a")) {
				time.Sleep(50 * time.Second)
			}
		}()
		began, part := time.Now(), make([]byte, 1)
		for err := error(nil); err == nil; _, err = from.Read(part) {
		}
		require.True(t, ended.Load())
		require.Equal(t, 10*time.Minute, time.Since(began))
		time.Sleep(time.Minute) // the writer finds the pipe closed
	})
}

// TestSlowEmit has a receiver that pauses, so that the pipe runs full.
func TestSlowEmit(t *testing.T) {
	calls := 0
	err := espeak.New().Speak(t.Context(), engines.Utterance{Text: strings.Repeat("Long text. ", 60)}, func(audio.Buffer) error {
		if calls++; calls < 3 {
			time.Sleep(100 * time.Millisecond)
		}
		return nil
	})
	require.NoError(t, err)
}

func TestLongTextWithFlatMemory(t *testing.T) {
	words := strings.Repeat("All work and no play. ", 80_000/22)
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	frames, peak := 0, uint64(0)
	err := espeak.New().Speak(t.Context(), engines.Utterance{Text: words, Voice: "en-us", Speed: 2.5}, func(b audio.Buffer) error {
		if frames += b.Frames(); frames%(2205*500) == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
		}
		return nil
	})
	require.NoError(t, err)
	grown := int64(peak) - int64(before.HeapAlloc)
	t.Logf("%.0f s of audio, heap grew by %d kB", float64(frames)/22050, grown/1024)
	require.Less(t, grown, int64(8<<20))
}
