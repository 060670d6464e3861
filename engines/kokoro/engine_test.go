package kokoro

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
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

func refused(t *testing.T, e engines.Speaker, u engines.Utterance) *backend.Error {
	t.Helper()
	err := e.Speak(t.Context(), u, func(audio.Buffer) error {
		t.Errorf("%q is spoken", u.Text)
		return nil
	})
	require.Error(t, err)
	return backend.AsError(err)
}

func TestSuite(t *testing.T) {
	whole := enginetest.Suite{Text: "Hello.", LongText: strings.Repeat("One, two, three and four little words. ", 60)}
	few := whole
	few.Opens = 10
	for name, tt := range map[string]struct {
		repo  []string
		suite enginetest.Suite
	}{
		"plain":       {[]string{"repo"}, whole},
		"tones":       {[]string{"repo_tone"}, few},
		"timestamped": {[]string{"repo_timestamped"}, few},
		"timed":       {[]string{"repo", "variants", "kokoro-timed.onnx"}, few},
	} {
		t.Run(name, func(t *testing.T) {
			enginetest.RunModel(t, driver(t), folder(t, tt.repo[0], tt.repo[1:]...), tt.suite)
		})
	}
}

func TestInfo(t *testing.T) {
	info := openAt(t, driver(t), folder(t, "repo")).Info()
	require.True(t, info.Phonemes)
	require.True(t, info.Reproducible)
	require.Equal(t, []string{"en-US", "en-GB", "es", "fr-FR"}, info.Languages)
	require.Equal(t, engines.Voice{ID: "af_heart", Name: "Heart", Language: "en-US", Gender: "female"}, info.Voices[0])
	require.Equal(t, engines.Voice{ID: "bm_george", Name: "George", Language: "en-GB", Gender: "male"}, info.Voices[4])
	require.Len(t, info.Voices, 7)
}

func TestSpeakRefuses(t *testing.T) {
	dir := folder(t, "repo")
	voice := read(t, filepath.Join(dir, voiceDir, "af_heart.bin"))
	write(t, filepath.Join(dir, voiceDir, "jf_alpha.bin"), voice)
	write(t, filepath.Join(dir, voiceDir, "zm_yunxi.bin"), voice)
	e := openAt(t, driver(t), dir)
	require.Len(t, e.Info().Voices, 7, "voices that cannot be spoken are listed")
	for name, tt := range map[string]struct {
		u    engines.Utterance
		code backend.Code
		says string
	}{
		"voice of another model": {engines.Utterance{Text: "Hello", Voice: "expr-voice-2-f"}, backend.CodeNotFound, `no voice "expr-voice-2-f"`},
		"remedy":                 {engines.Utterance{Text: "Hello", Voice: "x"}, backend.CodeNotFound, "af_heart, af_bella, am_michael"},
		"unknown in a mixture":   {engines.Utterance{Text: "Hello", Voice: "af_heart+af_sky"}, backend.CodeNotFound, `"af_sky"`},
		"wrong mixture":          {engines.Utterance{Text: "Hello", Voice: "af_heart:0+af_bella:1"}, backend.CodeNotFound, "not a number above 0"},
		"other language":         {engines.Utterance{Text: "Hallo", Language: "de"}, backend.CodeLanguageNotSupported, "speaks en-US, en-GB, es, fr-FR, not de"},
		"Japanese voice":         {engines.Utterance{Text: "Hello", Voice: "jf_alpha"}, backend.CodeLanguageNotSupported, "no Japanese phonemizer"},
		"Chinese voice":          {engines.Utterance{Text: "Hello", Voice: "zm_yunxi"}, backend.CodeLanguageNotSupported, "no Chinese phonemizer"},
		"Japanese":               {engines.Utterance{Text: "Hello", Language: "ja"}, backend.CodeLanguageNotSupported, "no Japanese phonemizer"},
		"Chinese of a country":   {engines.Utterance{Text: "Hello", Language: "zh-CN"}, backend.CodeLanguageNotSupported, "no Chinese phonemizer"},
		"nothing known":          {engines.Utterance{Text: "東京"}, backend.CodeNothingToSpeak, "nothing"},
		"only a stress":          {engines.Utterance{Text: "[[ˈ]]"}, backend.CodeNothingToSpeak, "nothing"},
		"only a sign":            {engines.Utterance{Text: "😀"}, backend.CodeNothingToSpeak, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			err := refused(t, e, tt.u)
			require.Equal(t, tt.code, err.Code)
			require.Contains(t, err.Detail+err.Remedy, tt.says)
		})
	}
	for _, speed := range []float64{-1, 0.49, 2.01, math.NaN(), math.Inf(1)} {
		err := refused(t, e, engines.Utterance{Text: "Hello", Speed: speed})
		require.Equal(t, backend.CodeEngineMismatch, err.Code)
		require.Equal(t, "Choose a speed from 0.5 to 2.", err.Remedy)
	}
	require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: "Hello", Voice: "jf_alpha", Language: "en"}), "its style speaks English")
}

func TestLanguages(t *testing.T) {
	for _, tt := range []struct{ voice, language, want string }{
		{"af_heart", "", "en-us"},
		{"af_heart", "en", "en-us"},
		{"af_heart", "EN-gb", "en-gb"},
		{"af_heart", "en-AU", "en-us"},
		{"bf_emma", "", "en-gb"},
		{"bf_emma", "en", "en-gb"},
		{"bf_emma", "en-NZ", "en-gb"},
		{"bf_emma", "en-US", "en-us"},
		{"af_heart", "fr", "fr-fr"},
		{"af_heart", "fr-CA", "fr-fr"},
		{"af_heart", "pt-PT", "pt-br"},
		{"hm_omega", "", "hi"},
		{"ef_dora", "es-419", "es"},
		{"mine", "", "en-us"},
		{"ef_dora:0.9+af_heart:0.1", "", "es"},
	} {
		first, _, _ := strings.Cut(tt.voice, ":")
		got, ok := accentFor(accentOf(first), tt.language)
		require.True(t, ok)
		require.Equal(t, tt.want, got.espeak, tt)
	}
	_, ok := accentFor(accentOf("af_heart"), "de-DE")
	require.False(t, ok)
}

// TestFirstVoice: an utterance without a voice gets the first one that can be spoken.
func TestFirstVoice(t *testing.T) {
	dir := folder(t, "repo")
	styles := filepath.Join(dir, voiceDir)
	for _, id := range []string{"af_heart", "af_bella", "am_michael", "bf_emma", "bm_george", "ef_dora"} {
		require.NoError(t, os.Remove(filepath.Join(styles, id+voiceExt)))
	}
	require.NoError(t, os.Rename(filepath.Join(styles, "ff_siwis.bin"), filepath.Join(styles, "pm_alex.bin")))
	write(t, filepath.Join(styles, "jf_alpha.bin"), read(t, filepath.Join(styles, "pm_alex.bin")))
	e := openAt(t, driver(t), dir)
	require.Equal(t, []string{"pt-BR"}, e.Info().Languages)
	require.Equal(t, enginetest.Say(t, e, engines.Utterance{Text: "Sim", Voice: "pm_alex"}), enginetest.Say(t, e, engines.Utterance{Text: "Sim"}))
	require.NoError(t, os.Remove(filepath.Join(styles, "pm_alex.bin")))
	require.Contains(t, refused(t, openAt(t, driver(t), dir), engines.Utterance{Text: "Sim"}).Detail, "no Japanese phonemizer")
}

// accented is a front end that says which accent it was asked for.
type accented struct{}

func (accented) Phonemes(_ context.Context, _ string, british bool) (string, error) {
	if british {
		return "bɹ", nil
	}
	return "ɐ", nil
}

func (accented) Pronounce(_ context.Context, _, voice string, tie bool) (string, error) {
	if !tie {
		return "", errors.New("the letters of one sound are not tied")
	}
	return voice[:1], nil
}

// TestMixtures: a mixture of voices has the mean of their styles and speaks the first one's language.
func TestMixtures(t *testing.T) {
	d := NewDriver(library(t), accented{}, accented{})
	e := openAt(t, d, folder(t, "repo_tone"))
	header := func(voice, language string) (header []float64, ids []int) {
		samples := enginetest.Say(t, e, engines.Utterance{Text: "Hello", Voice: voice, Language: language})
		got, err := enginetest.DecodeTones(samples, 600)
		require.NoError(t, err)
		return got[0].Header[:4], got[0].IDs
	}
	emma, british := header("bf_emma", "")
	dora, spanish := header("ef_dora", "en-GB")
	require.Equal(t, british, spanish, "the rows of equal lengths are compared")
	for mixture, share := range map[string]float64{
		"bf_emma+ef_dora": 0.5, "bf_emma:0.6+ef_dora:0.4": 0.6, "bf_emma:3+ef_dora:1": 0.75, "bf_emma:1": 1,
	} {
		mixed, ids := header(mixture, "")
		require.Equal(t, british, ids)
		for i := range mixed {
			require.InDelta(t, share*emma[i]+(1-share)*dora[i], mixed[i], 1e-4)
		}
	}
	_, first := header("ef_dora", "")
	_, mixed := header("ef_dora:0.1+bf_emma:0.9", "")
	require.Equal(t, first, mixed)
	_, asked := header("ef_dora:0.1+bf_emma:0.9", "en-GB")
	require.Equal(t, british, asked)
	require.Equal(t, enginetest.Say(t, e, engines.Utterance{Text: "Hello"}), enginetest.Say(t, e, engines.Utterance{Text: "Hello", Voice: "af_heart:7"}))
}

// TestVoicesAreReadOnce: a voice that has spoken speaks on when its file is gone, and another one names its file.
func TestVoicesAreReadOnce(t *testing.T) {
	dir := folder(t, "repo")
	e := openAt(t, driver(t), dir)
	before := enginetest.Say(t, e, engines.Utterance{Text: "Hello"})
	for _, name := range []string{"af_heart.bin", "af_bella.bin"} {
		require.NoError(t, os.Remove(filepath.Join(dir, voiceDir, name)))
	}
	require.Equal(t, before, enginetest.Say(t, e, engines.Utterance{Text: "Hello"}))
	err := refused(t, e, engines.Utterance{Text: "Hello", Voice: "af_bella"})
	require.Equal(t, backend.CodeModelCorrupt, err.Code)
	require.Contains(t, err.Detail, "af_bella.bin is missing")
}

func TestVoiceThatHoldsNoNumbers(t *testing.T) {
	dir := folder(t, "repo")
	path := filepath.Join(dir, voiceDir, "af_heart.bin")
	raw := read(t, path)
	copy(raw[1024*3:], []byte{0, 0, 0xc0, 0x7f})
	write(t, path, raw)
	err := refused(t, openAt(t, driver(t), dir), engines.Utterance{Text: "Hello"})
	require.Equal(t, backend.CodeModelCorrupt, err.Code)
	require.Contains(t, err.Detail, "af_heart.bin holds NaN in row 3")
}

// TestHardTexts: whatever is written, what is spoken fits into the graph and nothing breaks.
func TestHardTexts(t *testing.T) {
	e := openAt(t, driver(t), folder(t, "repo"))
	for name, text := range map[string]string{
		"10,000 repeats":        strings.Repeat("la ", 10_000),
		"10,000 words, no mark": strings.Repeat("word", 2_500),
		"5,000-letter word":     strings.Repeat("a", 5_000),
		"mixed scripts":         "Hello Привет 東京 مرحبا नमस्ते end.",
		"zero bytes":            "a\x00b\xffc",
		"line ends":             "one\r\n\r\ntwo\u2028three",
		"marks":                 strings.Repeat("?!…—", 400) + "a",
		"brackets":              "[[a]] [[ ]] [[ b [[c]]",
	} {
		t.Run(name, func(t *testing.T) {
			for _, language := range []string{"en", "fr"} {
				require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: text, Language: language, Speed: 2}))
			}
		})
	}
}

type failing struct{ err error }

func (f failing) Phonemes(context.Context, string, bool) (string, error) { return "", f.err }

func (f failing) Pronounce(context.Context, string, string, bool) (string, error) { return "", f.err }

func TestPhonemizerErrors(t *testing.T) {
	missing := backend.E(backend.CodeRuntimeMissing, "espeak-ng was not found.", "Install espeak-ng.")
	e := openAt(t, NewDriver(library(t), failing{missing}, failing{missing}), folder(t, "repo"))
	for _, language := range []string{"en", "es"} {
		err := e.Speak(t.Context(), engines.Utterance{Text: "Hello", Language: language}, func(audio.Buffer) error { return nil })
		require.ErrorIs(t, err, missing)
	}
	for _, language := range []string{"en", "es"} {
		ctx, cancel := context.WithCancel(t.Context())
		stopped := cancelling{cancel}
		e := openAt(t, NewDriver(library(t), stopped, stopped), folder(t, "repo"))
		err := e.Speak(ctx, engines.Utterance{Text: "Hello", Language: language}, func(audio.Buffer) error { return nil })
		require.ErrorIs(t, err, backend.ErrCancelled)
	}
}

type cancelling struct{ cancel func() }

func (c cancelling) Phonemes(context.Context, string, bool) (string, error) {
	c.cancel()
	return "", errors.New("the process was stopped")
}

func (c cancelling) Pronounce(ctx context.Context, text, _ string, _ bool) (string, error) {
	return c.Phonemes(ctx, text, false)
}

// noEspeak is a front end whose program is missing.
type noEspeak struct{ letters }

func (noEspeak) Version(context.Context) (string, error) {
	return "", backend.E(backend.CodeRuntimeMissing, "espeak-ng was not found.", "Install espeak-ng.")
}

// TestMissingEspeakShowsAtOpen: where no voice is English nothing can be spoken without it.
func TestMissingEspeakShowsAtOpen(t *testing.T) {
	d := NewDriver(library(t), letters{}, noEspeak{})
	dir := folder(t, "repo")
	info := openAt(t, d, dir).Info()
	require.NotContains(t, info.Runtimes, "espeak-ng")
	require.Contains(t, info.Runtimes, "onnxruntime")

	for id := range styles(t) {
		if accentOf(id).english() {
			require.NoError(t, os.Remove(filepath.Join(dir, voiceDir, id+voiceExt)))
		}
	}
	files := enginetest.Find(t, d, dir)
	_, err := d.Open(t.Context(), files, engines.Options{})
	require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err))
}

// TestOneSpellingOfAMixture: whatever the model finds by an id, its engine speaks, and the same for all spellings.
func TestOneSpellingOfAMixture(t *testing.T) {
	e := openAt(t, driver(t), folder(t, "repo"))
	m := engines.Model{Name: "kokoro", Voices: e.Info().Voices, Abilities: engines.Abilities{Mixes: true}}
	for _, id := range []string{"", "bf_emma", " bf_emma:1 ", "af_heart:3+bf_emma:2", "af_heart+bf_emma+ff_siwis", "af_heart:0.1+ff_siwis:0.2"} {
		v, err := m.Find(id)
		require.NoError(t, err)
		u := engines.Utterance{Text: "Hello", Voice: id}
		want := enginetest.Say(t, e, u)
		u.Voice = v.ID
		require.Equal(t, want, enginetest.Say(t, e, u), "%q and %q", id, v.ID)
	}
}
