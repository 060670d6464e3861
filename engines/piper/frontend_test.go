package piper

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/engines"
)

// recordingPhonemizer records the pieces that reach the phonemizer.
type recordingPhonemizer struct {
	letters
	pieces *[]string
}

func (h recordingPhonemizer) Phonemize(ctx context.Context, text, voice string) ([]engines.Sentence, error) {
	*h.pieces = append(*h.pieces, text)
	return h.letters.Phonemize(ctx, text, voice)
}

func TestRawPhonemes(t *testing.T) {
	for text, want := range map[string]struct {
		sentences []string
		pieces    []string
	}{
		"say [[ h@ləʊ ]] now.":             {[]string{"say h@ləʊ now."}, []string{"say ", " now."}},
		"[[ˈæ]]":                           {[]string{"ˈæ"}, nil},
		"[[ a ]][[ b ]]":                   {[]string{"ab"}, nil},
		"one. two [[x]] three. four [[y]]": {[]string{"one.", "two x three.", "four y"}, []string{"one. two ", " three. four "}},
		"[[]]":                             {[]string{""}, nil},
		"an [[open block":                  {[]string{"an [[open block"}, []string{"an [[open block"}},
		"[[ç]]":                            {[]string{"ç"}, nil}, // as written, not decomposed
	} {
		var pieces []string
		f := newFrontend(config{PhonemeType: phonemesEspeak}, recordingPhonemizer{pieces: &pieces})
		got, err := f.phonemes(t.Context(), text)
		require.NoError(t, err)
		var joined []string
		for _, s := range got {
			joined = append(joined, strings.Join(s, ""))
		}
		require.Equal(t, want.sentences, joined, text)
		require.Equal(t, want.pieces, pieces, text)
	}
}

func TestTextVoices(t *testing.T) {
	small := config{PhonemeType: phonemesText, PhonemeIDMap: map[string][]int64{"а": {5}}}
	both := config{PhonemeType: phonemesText, PhonemeIDMap: map[string][]int64{"а": {5}, "А": {6}}}
	for text, want := range map[string]struct{ small, both string }{
		"Її Ґава! Як?": {"і\u0308і\u0308 ґава! як?", "І\u0308і\u0308 Ґава! Як?"},
		"й [[x]] é":    {"и\u0306 [[x]] e\u0301", "и\u0306 [[x]] e\u0301"},
	} {
		for _, c := range []struct {
			config config
			want   string
		}{{small, want.small}, {both, want.both}} {
			got, err := newFrontend(c.config, nil).phonemes(t.Context(), text)
			require.NoError(t, err)
			require.Len(t, got, 1)
			require.Equal(t, c.want, strings.Join(got[0], ""))
		}
	}
}

func TestIDs(t *testing.T) {
	f := newFrontend(config{PhonemeIDMap: map[string][]int64{
		bos: {1}, pad: {0}, eos: {2}, "a": {14}, "ʧ": {32, 96}, ".": {10},
	}}, nil)
	for name, tt := range map[string]struct {
		phonemes  engines.Sentence
		ids       []int64
		speakable bool
	}{
		"normal":           {engines.Sentence{"a", "."}, []int64{1, 0, 14, 0, 10, 0, 2}, true},
		"several ids":      {engines.Sentence{"ʧ"}, []int64{1, 0, 32, 96, 0, 2}, true},
		"unknown":          {engines.Sentence{"Ж", "a"}, []int64{1, 0, 14, 0, 2}, true},
		"only unknown":     {engines.Sentence{"Ж"}, []int64{1, 0, 2}, false},
		"only punctuation": {engines.Sentence{".", "."}, []int64{1, 0, 10, 0, 10, 0, 2}, false},
		"empty":            {nil, []int64{1, 0, 2}, false},
	} {
		ids, speakable := f.ids(tt.phonemes)
		require.Equal(t, tt.ids, ids, name)
		require.Equal(t, tt.speakable, speakable, name)
	}
}

// Merging never loses or moves a code point, and leaves no two neighbours that are a cluster.
func TestMergeKeepsEveryPhoneme(t *testing.T) {
	f := newFrontend(config{VowelClusters: [][]string{{"a", "ɪ"}, {"a", "ʊ"}, {"a", "ɪ", "ə"}}}, nil)
	rapid.Check(t, func(t *rapid.T) {
		s := engines.Sentence(rapid.SliceOf(rapid.SampledFrom([]string{"a", "ɪ", "ʊ", "ə", "t"})).Draw(t, "phonemes"))
		merged := f.merge(s)
		require.Equal(t, strings.Join(s, ""), strings.Join(merged, ""))
		for i := 1; i < len(merged); i++ {
			require.False(t, f.clusters[merged[i-1]+"\x00"+merged[i]])
		}
	})
	require.Equal(t, engines.Sentence{"aɪə", "aɪ", "t", "aʊ"}, f.merge(points("aɪəaɪtaʊ")))
}
