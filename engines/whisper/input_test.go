package whisper

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
)

func TestLanguageCodes(t *testing.T) {
	known := []string{"en", "de", "jv", "no", "tl", "zh", "he"}
	for language, want := range map[string]string{
		"": "", "en": "en", "de-AT": "de", "pt_BR": "?", "jv": "jw", "nb-NO": "no", "fil": "tl", "cmn-Hans": "zh", "iw": "he", "xx": "?",
		"english": "?",
	} {
		got, err := code(language, known)
		if want == "?" {
			require.Contains(t, backendtest.Failure(t, backend.CodeLanguageNotSupported, err).Detail, language)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, want, got, language)
	}
	require.Equal(t, "jv", tag("jw"))
	require.Equal(t, "de", tag("de"))
	_, err := code("fr", []string{"en"})
	require.Contains(t, backendtest.Failure(t, backend.CodeLanguageNotSupported, err).Detail, "English only")
}

func TestPromptsAreCutAtCharacters(t *testing.T) {
	require.Equal(t, "Hello.", shortened("Hello."))
	long := shortened(strings.Repeat("ä", maxPrompt) + "end")
	require.LessOrEqual(t, len(long), maxPrompt)
	require.Greater(t, len(long), maxPrompt-utf8.UTFMax)
	require.True(t, utf8.ValidString(long))
	require.True(t, strings.HasSuffix(long, "end"))
}

func TestCPU(t *testing.T) {
	avx := map[string]bool{"sse42": true, "avx": true}
	for _, c := range []struct {
		needed  []string
		missing string
	}{
		{nil, ""},
		{[]string{"sse42"}, ""},
		{[]string{"sse42", "avx"}, ""},
		{[]string{"sse42", "avx", "avx2", "fma"}, "AVX2, FMA"},
		{[]string{"unheard-of"}, "UNHEARD-OF"},
	} {
		err := checkCPU(c.needed, avx)
		if c.missing == "" {
			require.NoError(t, err)
			continue
		}
		failure := backendtest.Failure(t, backend.CodeUnsupportedCPU, err)
		require.Contains(t, failure.Detail, c.missing)
		require.Contains(t, failure.Remedy, "baseline")
	}
}

func TestThreads(t *testing.T) {
	for _, c := range []struct{ asked, cores, want int }{
		{0, 2, 2}, {0, 64, 8}, {1, 64, 1}, {16, 64, 8}, {4, 2, 2}, {-1, 4, 4}, {0, 0, 1},
	} {
		require.Equal(t, c.want, threads(c.asked, c.cores), c)
	}
	require.Positive(t, physicalCores(t.Context()))
}
