package phonemes_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// measured is one line of cases.jsonl: what espeak-ng 1.51 and the library of Piper gave for a text.
type measured struct {
	ID      int
	Kind    string
	Voice   string
	Text    string
	Clauses []struct {
		Text        string
		Terminator  string
		SentenceEnd bool `json:"sentence_end"`
		Phonemes    string
	}
	Recipe []string `json:"recipe_1_51"`
}

func cases(t testing.TB) []measured {
	t.Helper()
	return enginetest.Lines[measured](t, filepath.Join(enginetest.Kit(t, "phonemes", "testdata"), "cases.jsonl"))
}

func TestScanGivesTheMeasuredClauses(t *testing.T) {
	enginetest.Parity(t)
	for _, m := range cases(t) {
		var want []phonemes.Clause
		for _, c := range m.Clauses {
			want = append(want, phonemes.Clause{Text: c.Text, Terminator: c.Terminator, SentenceEnd: c.SentenceEnd})
		}
		require.Equal(t, want, phonemes.Scan(m.Text, m.Voice), "case %d, %s", m.ID, m.Voice)
	}
}

func TestAssembleGivesTheMeasuredSentences(t *testing.T) {
	enginetest.Parity(t)
	for _, m := range cases(t) {
		var clauses []phonemes.Clause
		var spoken []string
		for _, c := range m.Clauses {
			clauses = append(clauses, phonemes.Clause{Text: c.Text, Terminator: c.Terminator, SentenceEnd: c.SentenceEnd})
			spoken = append(spoken, c.Phonemes)
		}
		got := []string{}
		for _, s := range phonemes.Assemble(clauses, spoken) {
			got = append(got, strings.Join(s, ""))
		}
		require.Equal(t, m.Recipe, got, "case %d, %s", m.ID, m.Voice)
	}
}

func TestScan(t *testing.T) {
	type clause = phonemes.Clause
	for name, c := range map[string]struct {
		text, voice string
		want        []clause
	}{
		"nothing":           {"", "en-us", nil},
		"a question":        {"What? Now!", "en-us", []clause{{"What?", "?", true}, {"Now!", "!", true}}},
		"only the first":    {"What?! No.", "en-us", []clause{{"What?!", "?", true}, {"No.", ".", true}}},
		"a decimal":         {"It is 3.5 m.", "en-us", []clause{{"It is 3.5 m.", ".", true}}},
		"a lower-case word": {"e.g. this", "en-us", []clause{{"e.g. this", "", true}}},
		"Georgian":          {"ა. ბ", "ka", []clause{{"ა.", ".", true}, {"ბ", "", true}}},
		"an ordinal":        {"am 3. oder", "de", []clause{{"am 3. oder", "", true}}},
		"a Roman number":    {"Karl V. Koch", "de", []clause{{"Karl V. Koch", "", true}}},
		"the same, English": {"Karl V. Koch", "en-us", []clause{{"Karl V.", ".", true}, {"Koch", "", true}}},
		"a blank line":      {"One\n \nTwo", "en-us", []clause{{"One", "", true}, {"Two", "", true}}},
		"a newline":         {"One\ntwo", "en-us", []clause{{"One\ntwo", "", true}}},
		"dots":              {"Well... no", "en-us", []clause{{"Well...", "", false}, {"no", "", true}}},
		"full-width":        {"你好。再见", "cmn", []clause{{"你好。", "", true}, {"再见", "", true}}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, phonemes.Scan(c.text, c.voice))
		})
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{
		"Hello, world. How are you?", "a\n\nb", "...", "1. 2, 3", "«Bonjour», dit-il…", strings.Repeat("x", 900),
		"\xff\xfe.", "。！？，", "I. V. X. l.", strings.Repeat("! ", 500), "-- '' [[a]]",
	} {
		f.Add(s, "de")
		f.Add(s, "hu")
	}
	f.Fuzz(func(t *testing.T, s, voice string) {
		var all strings.Builder
		for _, c := range phonemes.Scan(s, voice) {
			all.WriteString(c.Text)
		}
		want := strings.ToValidUTF8(strings.Join(strings.FieldsFunc(string([]rune(s)), unicode.IsSpace), ""), "\ufffd")
		require.Equal(t, want, strings.Join(strings.FieldsFunc(all.String(), unicode.IsSpace), ""))
	})
}

func BenchmarkScan(b *testing.B) {
	s := strings.Repeat("The quick brown fox, as they say, jumps over the lazy dog. Doesn't it? ", 1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		phonemes.Scan(s, "en-us")
	}
}
