package espeak_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/espeak"
)

// measured is one line of cases.jsonl: what the espeak-ng command 1.51 printed for a text.
type measured struct {
	ID     int
	Kind   string
	Voice  string
	Text   string
	Recipe []string `json:"recipe_1_51"`
}

func cases(t testing.TB) []measured {
	t.Helper()
	return enginetest.Lines[measured](t, filepath.Join(enginetest.Kit(t, "phonemes", "../phonemes/testdata"), "cases.jsonl"))
}

func newPhonemizer(t testing.TB) *espeak.Phonemizer {
	t.Helper()
	p := espeak.NewPhonemizer()
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

func flat(sentences []engines.Sentence) []string {
	all := []string{}
	for _, s := range sentences {
		all = append(all, strings.Join(s, ""))
	}
	return all
}

func TestPhonemesOfTheMeasuredCases(t *testing.T) {
	enginetest.Parity(t)
	p := newPhonemizer(t)
	version, err := p.Version(t.Context())
	require.NoError(t, err)
	same := strings.HasPrefix(version, "1.51")
	if !same {
		t.Logf("espeak-ng %s: the phonemes were measured with 1.51, so only their structure is compared", version)
	}
	equal, restressed := map[string]int{}, 0
	for _, m := range cases(t) {
		got, err := p.Phonemize(t.Context(), m.Text, m.Voice)
		require.NoError(t, err, "case %d", m.ID)
		if same {
			if slices.Equal(m.Recipe, flat(got)) {
				equal[m.Kind]++
				continue
			}
			// The cases are those of the command: its main stress on function words is not the library's.
			require.Equal(t, withoutStress(m.Recipe), withoutStress(flat(got)), "case %d (%s), %s: %q", m.ID, m.Kind, m.Voice, m.Text)
			restressed++
			continue
		}
		require.Len(t, got, len(m.Recipe), "case %d", m.ID)
		for i, s := range got {
			require.Equal(t, strings.TrimSpace(m.Recipe[i]) == "", len(s) == 0, "case %d, sentence %d", m.ID, i)
		}
	}
	t.Logf("equal to 1.51: %v, in all but stress: %d", equal, restressed)
	require.LessOrEqual(t, restressed, len(cases(t))/20)
}

func withoutStress(sentences []string) []string {
	bare := strings.NewReplacer("ˈ", "", "ˌ", "")
	out := make([]string, len(sentences))
	for i, s := range sentences {
		out[i] = bare.Replace(s)
	}
	return out
}

func TestPhonemizeEveryVoice(t *testing.T) {
	p := newPhonemizer(t)
	voices, err := p.Voices(t.Context())
	require.NoError(t, err)
	var unsupported []string
	for _, v := range voices {
		got, err := p.Phonemize(t.Context(), "Radio 1, okay.", v.ID)
		if backend.CodeOf(err) == backend.CodeLanguageNotSupported {
			unsupported = append(unsupported, v.ID)
			continue
		}
		require.NoError(t, err, v.ID)
		require.Len(t, got, 1, v.ID)
		require.Contains(t, got[0], ",", v.ID)
	}
	t.Logf("%d voices, without phonemes: %v", len(voices), unsupported)
	require.LessOrEqual(t, len(unsupported), len(voices)/20)
}

func TestPhonemizeHardTexts(t *testing.T) {
	p := newPhonemizer(t)
	want, err := p.Phonemize(t.Context(), "After.", "en-us")
	require.NoError(t, err)
	for name, words := range map[string]string{
		"nothing":                 "",
		"white space":             " \n\t\n ",
		"crashes 1.51":            "U.S.A" + strings.Repeat("b", 200),
		"dotted chain":            strings.Repeat("e.g. ", 100),
		"phoneme input":           "[[t@t@t@]] [[[[t@t@t@]]]]",
		"many brackets":           strings.Repeat("[", 2000) + "a",
		"many marks":              "a " + strings.Repeat("!", 5000) + "b",
		"NUL and controls":        "a\x00b\x01c\x1bd\x85e\u2028f",
		"bad UTF-8":               "a\xff\xfeb",
		"carriage returns":        "one\r\ntwo\r\n\r\nthree",
		"long without any spaces": strings.Repeat("ก", 3000),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.Phonemize(t.Context(), words, "en-us")
			require.NoError(t, err)
			got, err := p.Phonemize(t.Context(), "After.", "en-us")
			require.NoError(t, err)
			require.Equal(t, want, got, "a text must not change the next one")
		})
	}
}

func TestPhonemizeUnknownVoice(t *testing.T) {
	p := newPhonemizer(t)
	for _, voice := range []string{"", "xx", "en-us-nope", "--help"} {
		_, err := p.Phonemize(t.Context(), "Hello", voice)
		require.Equal(t, backend.CodeNotFound, backend.CodeOf(err), voice)
	}
}

func TestPhonemizeManyAtOnce(t *testing.T) {
	p := newPhonemizer(t)
	voices := []string{"en-us", "de", "fr", "es", "it", "nl", "pl"}
	want := map[string][]string{}
	for _, v := range voices {
		got, err := p.Phonemize(t.Context(), "Radio, Taxi. Hotel!", v)
		require.NoError(t, err)
		want[v] = flat(got)
	}
	var wg sync.WaitGroup
	for i := range 42 {
		voice := voices[i%len(voices)]
		wg.Go(func() {
			got, err := p.Phonemize(t.Context(), "Radio, Taxi. Hotel!", voice)
			require.NoError(t, err)
			require.Equal(t, want[voice], flat(got))
		})
	}
	wg.Wait()
}

func TestPhonemizeCancel(t *testing.T) {
	p := newPhonemizer(t)
	want, err := p.Phonemize(t.Context(), "Hello.", "en-us")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan time.Time, 1)
	time.AfterFunc(50*time.Millisecond, func() {
		stopped <- time.Now()
		cancel()
	})
	_, err = p.Phonemize(ctx, strings.Repeat("This goes on and on, you know. ", 3000), "en-us")
	t.Logf("returned %v after the cancel", time.Since(<-stopped))
	require.ErrorIs(t, err, backend.ErrCancelled)
	got, err := p.Phonemize(t.Context(), "Hello.", "en-us")
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestPhonemizerCloseCancelsCalls(t *testing.T) {
	p := espeak.NewPhonemizer()
	done := make(chan error, 1)
	go func() {
		_, err := p.Phonemize(context.Background(), strings.Repeat("This goes on and on. ", 3000), "en-us")
		done <- err
	}()
	time.Sleep(100 * time.Millisecond)
	require.NoError(t, p.Close())
	require.ErrorIs(t, <-done, backend.ErrCancelled)
	_, err := p.Phonemize(t.Context(), "Hello.", "en-us")
	require.ErrorIs(t, err, backend.ErrCancelled)
	require.NoError(t, p.Close())
}
