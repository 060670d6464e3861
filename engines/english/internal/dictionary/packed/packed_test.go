package packed_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary/packed"
)

// TestDecode packs dictionaries of any words and values, and finds the same in both accents.
func TestDecode(t *testing.T) {
	texts := rapid.StringMatching(`[a-cˈ!0~]{0,4}(abc){0,40}[a-cə]{0,3}`)
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.MapOf(texts, texts)
		us, gb := values.Draw(t, "us"), values.Draw(t, "gb")
		for word, value := range us {
			if strings.HasPrefix(word, "a") {
				gb[word] = value + "b"
			}
		}
		files := fstest.MapFS{}
		encoded, err := packed.Encode(us, gb)
		require.NoError(t, err)
		for name, data := range encoded {
			files[name] = &fstest.MapFile{Data: data}
		}
		for british, want := range map[bool]map[string]string{false: us, true: gb} {
			var lines strings.Builder
			for _, word := range slices.Sorted(maps.Keys(want)) {
				lines.WriteString(word + "\t" + want[word] + "\n")
			}
			text, err := packed.Decode(files, british)
			require.NoError(t, err)
			require.Equal(t, lines.String(), text)
		}
	})
}

// TestDecodeDamaged cuts each file short, and has one with a line more and one with a line less.
func TestDecodeDamaged(t *testing.T) {
	encode := func(words ...string) map[string][]byte {
		values := map[string]string{}
		for _, word := range words {
			values[word] = word + word
		}
		files, err := packed.Encode(values, values)
		require.NoError(t, err)
		return files
	}
	good := encode("a", "ab")
	for name := range good {
		for _, damaged := range [][]byte{nil, good[name][:len(good[name])-9], encode("a")[name], encode("a", "ab", "b")[name]} {
			files := fstest.MapFS{}
			for n, data := range good {
				files[n] = &fstest.MapFile{Data: data}
			}
			files[name] = &fstest.MapFile{Data: damaged}
			_, err := packed.Decode(files, true)
			require.Error(t, err, name)
		}
	}
}
