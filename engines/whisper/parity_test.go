//go:build whisper

package whisper

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/whisper/internal/cpp"
)

// TestEqualsWhisperCLI compares language, segments and tokens with whisper-cli's, of a file whose window advances among others.
func TestEqualsWhisperCLI(t *testing.T) {
	enginetest.Parity(t)
	k := readKit(t)
	options := k.applicable(t)
	for _, c := range k.Cases {
		o, ok := options[c.Name]
		if !ok {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			e := openModel(t, c.Model)
			samples := k.samples(t, c.Audio)
			o.Words = c.Audio != "librivox70" || strings.HasPrefix(c.Name, "long.") // else the tokens of each window are those of jfk
			raw := &recorder{model: e.model}
			e.model = raw
			language, segments := transcribe(t, e, samples, o)
			require.Equal(t, c.Language, language)
			length := float64(len(samples)) / engines.TranscriberRate
			var got, want []string
			for i, s := range segments {
				require.Equal(t, i, s.ID)
				got = append(got, line(s.Start, s.End, s.Text))
			}
			for _, s := range c.Segments {
				want = append(want, line(float64(s.From)/1000, min(float64(s.To)/1000, length), s.Text))
			}
			require.Equal(t, want, got)

			if o.Words {
				k.compareTokens(t, c.Name, raw.segments)
			}
		})
	}
}

// recorder is a model that keeps what its runs find.
type recorder struct {
	model
	segments []cpp.Segment
}

func (r *recorder) Run(samples []float32, o cpp.RunOptions, events cpp.Events) (string, error) {
	progress := events.Progress
	events.Progress = func(found []cpp.Segment, done float64) {
		r.segments = append(r.segments, found...)
		progress(found, done)
	}
	return r.model.Run(samples, o, events)
}

// compareTokens compares every token with whisper-cli's: number, text, probability and times.
func (k kit) compareTokens(t *testing.T, name string, segments []cpp.Segment) {
	t.Helper()
	var want golden
	k.golden(t, name, &want)
	require.Len(t, segments, len(want.Transcription))
	for i, w := range want.Transcription {
		require.Equal(t, w.Text, segments[i].Text)
		tokens := joined(segments[i].Tokens)
		require.Len(t, tokens, len(w.Tokens))
		for j, token := range w.Tokens {
			got := tokens[j]
			require.Equal(t, token.ID, got.ID)
			require.Equal(t, token.Text, got.Text)
			require.InDelta(t, token.P, got.Probability, 1e-3)
			if token.Offsets != nil {
				require.Equal(t, token.Offsets.From, int(got.Start.Milliseconds()), "start of %q", got.Text)
				require.Equal(t, token.Offsets.To, int(got.End.Milliseconds()), "end of %q", got.Text)
			}
		}
	}
}

// joined is joinCharacters with the special tokens, as whisper-cli writes them.
func joined(tokens []cpp.Token) []cpp.Token {
	all := make([]cpp.Token, len(tokens))
	for i, t := range tokens {
		t.Special = false
		all[i] = t
	}
	return joinCharacters(all)
}

func runLibrary(t *testing.T, m model, samples []float32, o cpp.RunOptions) []cpp.Segment {
	t.Helper()
	var segments []cpp.Segment
	_, err := m.Run(samples, o, cpp.Events{
		Stopped:  func() bool { return false },
		Progress: func(found []cpp.Segment, _ float64) { segments = append(segments, found...) },
	})
	require.NoError(t, err)
	return segments
}

// TestAlignedTimes compares the times of dynamic time warping, which need another way of opening the model.
func TestAlignedTimes(t *testing.T) {
	k := readKit(t)
	m, err := cpp.Open(k.model(t, "ggml-tones.bin"),
		cpp.Options{GPU: -1, Alignment: cpp.Alignment{Preset: cpp.TopLayers, Layers: 1}})
	require.NoError(t, err)
	defer m.Close()
	var want struct {
		Segments []struct {
			Text   string
			Tokens []struct{ ID, DTW int }
		}
	}
	k.golden(t, "tones.tones70.dtw", &want)
	got := runLibrary(t, m, k.samples(t, "tones70"), cpp.RunOptions{Threads: 1})
	require.Len(t, got, len(want.Segments))
	for i, w := range want.Segments {
		require.Equal(t, w.Text, got[i].Text)
		for j, token := range w.Tokens {
			require.Equal(t, token.ID, got[i].Tokens[j].ID)
			require.InDelta(t, float64(token.DTW)/100, got[i].Tokens[j].Aligned.Seconds(), 0.06)
		}
	}
}

// TestWords checks that the words of a segment are its text, in order and within its times.
func TestWords(t *testing.T) {
	k := readKit(t)
	for model, want := range map[string]string{
		"ggml-plain.bin":          "And|so|my|fellow|Americans,|ask|not|what|your|country|can|do|for|you,|ask|what|you|can|do|for|your|country.",
		"ggml-german.bin":         "Guten|Tag,|schöne|Grüße|aus|Köln.|Heute|prüfen|wir|die|Umlaute.",
		"ggml-large-v3-turbo.bin": "木|曜|日、|停|戦|会|談|は|何|の|進|展|も|ない。|あり|がとう|🎉",
	} {
		t.Run(model, func(t *testing.T) {
			_, segments := transcribe(t, openModel(t, model), k.samples(t, "jfk"), engines.TranscribeOptions{Words: true})
			var all []string
			for _, s := range segments {
				at := s.Start
				var text string
				for _, w := range s.Words {
					require.GreaterOrEqual(t, w.Start, at)
					require.GreaterOrEqual(t, w.End, w.Start)
					require.LessOrEqual(t, w.End, s.End)
					require.Positive(t, w.Probability)
					require.LessOrEqual(t, w.Probability, 1.0)
					at = w.Start
					all, text = append(all, w.Word), text+w.Word
				}
				require.Equal(t, strings.ReplaceAll(s.Text, " ", ""), text)
			}
			require.Equal(t, want, strings.Join(all, "|"))
		})
	}
}

func TestWordsOfTokens(t *testing.T) {
	token := func(text string, from, to int) cpp.Token {
		return cpp.Token{Text: text, Start: time.Duration(from) * time.Second, End: time.Duration(to) * time.Second, Probability: 0.5}
	}
	for name, c := range map[string]struct {
		tokens []cpp.Token
		want   []backend.HeardWord
	}{
		"none":                   {nil, []backend.HeardWord{}},
		"only white space":       {[]cpp.Token{token(" ", 0, 1)}, []backend.HeardWord{}},
		"parts of a word":        {[]cpp.Token{token(" un", 1, 2), token("likely", 2, 3)}, []backend.HeardWord{{Word: "unlikely", Start: 1, End: 3, Probability: 0.5}}},
		"punctuation":            {[]cpp.Token{token(" so", 1, 2), token(",", 2, 4)}, []backend.HeardWord{{Word: "so,", Start: 1, End: 2, Probability: 0.5}}},
		"quotation mark":         {[]cpp.Token{token(" \"", 1, 2), token("So", 2, 3)}, []backend.HeardWord{{Word: "\"So", Start: 2, End: 3, Probability: 0.5}}},
		"times beyond the end":   {[]cpp.Token{token(" so", 9, 99)}, []backend.HeardWord{{Word: "so", Start: 9, End: 10, Probability: 0.5}}},
		"times that are unknown": {[]cpp.Token{token(" so", -1, -1)}, []backend.HeardWord{{Word: "so", Start: 0, End: 0, Probability: 0.5}}},
		"times in the wrong order": {
			[]cpp.Token{token(" a", 3, 4), token(" b", 1, 2)},
			[]backend.HeardWord{{Word: "a", Start: 3, End: 4, Probability: 0.5}, {Word: "b", Start: 4, End: 4, Probability: 0.5}},
		},
		"bytes of a character": {
			[]cpp.Token{{Text: "\xe6\x9b", End: time.Second, Probability: 1}, {Text: "\x9c", Start: time.Second, End: 2 * time.Second}},
			[]backend.HeardWord{{Word: "曜", Start: 0, End: 2, Probability: 1}},
		},
		"a character that is cut off": {
			[]cpp.Token{{Text: " \xe6", End: time.Second, Probability: 1}}, []backend.HeardWord{{Word: "\uFFFD", Start: 0, End: 1, Probability: 1}},
		},
	} {
		require.Equal(t, c.want, words(joinCharacters(c.tokens), 0, 10*time.Second), name)
	}
}
