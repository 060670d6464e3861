package kokoro

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/english"
	"github.com/voicewright/voicewright/engines/espeak"
)

// shouting is a phonemizer that returns capitals, with a flag and ties, so that a test sees what went through it.
type shouting struct{}

func (shouting) Pronounce(_ context.Context, text, voice string, _ bool) (string, error) {
	return strings.ToUpper(text) + "(^" + voice + "^)", nil
}

func TestForeignTextKeepsItsMarks(t *testing.T) {
	f := &frontend{english: letters{}, foreign: shouting{}}
	french := accentOf("ff_siwis")
	for text, want := range map[string]string{
		"oui":                        "OUI",
		"Oui, non ! Si ?":            "OUI, NON ! SI ?",
		"« Bonjour »":                "“ BONJOUR ”",
		"(la) [mer]":                 "(LA) [MER]",
		"il y a 3,14 et 2.5, ou 7.":  "IL Y A 3,14 ET 2.5, OU 7.",
		"un\ndeux\n\ntrois":          "UN\nDEUX\n\nTROIS",
		"les [[ʃa]] noirs":           "LES ʃa NOIRS",
		"[[ʃa]]":                     "ʃa",
		"un[[ʃa]]!":                  "UNʃa!",
		"  un  deux  ":               " UN  DEUX ",
		"... —":                      "... —",
		"porte-clés d'or":            "PORTECLÉS D'OR",
		"¿qué? ¡ya!":                 "¿QUÉ? ¡YA!",
		"[[]] vide":                  " VIDE",
		"deux [[blancs]] [[ici]] là": "DEUX blancs ici LÀ",
	} {
		got, err := f.phonemes(t.Context(), text, french)
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
}

// TestDigitsAreLatin: dots and commas are part of a number between the digits 0 to 9 alone.
func TestDigitsAreLatin(t *testing.T) {
	require.Len(t, clauses([]rune("3,4")), 1)
	require.Equal(t, []piece{{words, "٣"}, {marks, ","}, {words, "٤"}}, slices.DeleteFunc(clauses([]rune("٣,٤")), func(p piece) bool {
		return p.text == ""
	}))
}

// TestForeignPhonemes speaks the kit's sentences in five languages with the espeak-ng on this machine. The kit holds
// misaki's results with espeak-ng 1.51.
func TestForeignPhonemes(t *testing.T) {
	ph := espeak.NewPhonemizer()
	t.Cleanup(func() { require.NoError(t, ph.Close()) })
	f := &frontend{english: letters{}, foreign: ph}
	lines := bufio.NewScanner(bytes.NewReader(read(t, kit(t, "misaki", "e2m.jsonl"))))
	lines.Buffer(nil, 1<<20)
	spoken := map[string]int{}
	for lines.Scan() {
		var c struct {
			Language string `json:"lang"`
			Text     string `json:"text"`
			Want     string `json:"misaki_cli_1_51"`
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		a, ok := accentFor(accentOf("af_heart"), strings.TrimSuffix(c.Language, "-fr"))
		require.True(t, ok, c.Language)
		if a.english() {
			continue
		}
		got, err := f.phonemes(t.Context(), c.Text, a)
		require.NoError(t, err)
		require.Equal(t, c.Want, strings.TrimSpace(got), fmt.Sprintf("%s: %s", c.Language, c.Text))
		spoken[a.language]++
	}
	require.NoError(t, lines.Err())
	require.Equal(t, map[string]int{"es": 20, "fr-FR": 20, "it": 20, "pt-BR": 20, "hi": 20}, spoken)
}

// TestEnglishToSound speaks English from text to sound, and decodes the phonemes that reached the network from the sound.
func TestEnglishToSound(t *testing.T) {
	ph := espeak.NewPhonemizer()
	t.Cleanup(func() { require.NoError(t, ph.Close()) })
	e := openAt(t, NewDriver(library(t), english.New(ph), ph), folder(t, "repo_tone"))
	for _, tt := range []struct{ text, voice, want string }{
		{"Hello, world!", "af_heart", "həlˈO, wˈɜɹld!"},
		{"Hello, world!", "bf_emma", "həlˈQ, wˈɜːld!"},
		{"Bonjour, monde !", "ff_siwis", "bɔ̃ʒˈuʁ, mˈɔ̃d !"},
	} {
		samples := enginetest.Say(t, e, engines.Utterance{Text: tt.text, Voice: tt.voice})
		runs, err := enginetest.DecodeTones(samples, 600)
		require.NoError(t, err)
		require.Len(t, runs, 1)
		want, _ := e.symbols.ids(tt.want)
		for i, id := range runs[0].IDs {
			require.Equal(t, want[i], int64(id), "symbol %d of %s", i, tt.want)
		}
		require.Len(t, runs[0].IDs, len(want))
	}
	require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: "Say [[həlˈoʊ]] again."}))
}
