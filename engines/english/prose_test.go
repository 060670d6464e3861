package english_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/english"
)

// example is one line of the golden files of prose: the phonemes of misaki 0.9.4 with a part-of-speech tagger.
type example struct {
	Text     string
	Word     string // the word that a frame is about
	Phonemes string
	Words    [][3]string // token, Penn tag, phonemes
}

// examples reads a gzipped file of JSON lines.
func examples(t testing.TB, path string) []example {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	data, err := io.ReadAll(z)
	require.NoError(t, err)
	var all []example
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		var one example
		require.NoError(t, d.Decode(&one))
		all = append(all, one)
	}
	return all
}

// unknown are the phonemes of words that the dictionary does not have, which are not compared.
const unknown = "ʒʒʒʒʒ"

// noPronouncer marks the words that it gets.
type noPronouncer struct{}

func (noPronouncer) Pronounce(context.Context, string, string, bool) (string, error) {
	return unknown, nil
}

// spokenWords returns the words of phonemes without the marks around them.
func spokenWords(sound string) []string {
	return strings.FieldsFunc(sound, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(";:,.!?—…\"“”()", r)
	})
}

// difference is a place where two rows of words differ.
type difference struct{ want, got []string }

// differences aligns two rows of words by their longest common row and returns where they differ.
func differences(want, got []string) (parts []difference) {
	common := make([][]int, len(want)+1)
	for i := range common {
		common[i] = make([]int, len(got)+1)
	}
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(got) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if want[i] == got[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	together := true
	for i, j := 0, 0; i < len(want) || j < len(got); {
		if i < len(want) && j < len(got) && want[i] == got[j] {
			together, i, j = true, i+1, j+1
			continue
		}
		if together {
			parts = append(parts, difference{})
			together = false
		}
		d := &parts[len(parts)-1]
		if j == len(got) || i < len(want) && common[i+1][j] >= common[i][j+1] {
			d.want = append(d.want, want[i])
			i++
		} else {
			d.got = append(d.got, got[j])
			j++
		}
	}
	return parts
}

// measure counts the words that sound as in the reference, among those that the dictionary has.
func measure(t testing.TB, all []example) (words, equal int, misses []string) {
	t.Helper()
	e := english.New(noPronouncer{})
	for _, x := range all {
		sound, err := e.Phonemes(t.Context(), x.Text, false)
		require.NoError(t, err)
		want := spokenWords(x.Phonemes)
		words, equal = words+len(want), equal+len(want)
		for _, d := range differences(want, spokenWords(sound)) {
			equal -= len(d.want)
			if strings.Contains(strings.Join(d.got, " "), unknown) {
				words -= len(d.want)
				continue
			}
			misses = append(misses, fmt.Sprintf("%v, not %v: %s", d.got, d.want, x.Text))
		}
	}
	return words, equal, misses
}

func TestProseSoundsAsTheReferenceSaysIt(t *testing.T) {
	for _, c := range []struct {
		file  string
		lines int
		least float64 // per cent
	}{
		{"prose", 1125, 99.7},
		{"homographs", 2234, 99.2},
	} {
		all := examples(t, "testdata/"+c.file+".jsonl.gz")
		require.Len(t, all, c.lines)
		words, equal, misses := measure(t, all)
		share := 100 * float64(equal) / float64(words)
		t.Logf("%s: %d of %d words equal, %.2f %%\n%s", c.file, equal, words, share, strings.Join(misses, "\n"))
		require.GreaterOrEqual(t, share, c.least, c.file)
	}
}
