package piper

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/espeak"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// alignedVoice opens the kit's voice whose graph lists the frames of its phonemes.
func alignedVoice(t *testing.T, ph engines.Phonemizer) *Engine {
	t.Helper()
	dir := t.TempDir()
	for _, ext := range []string{".onnx", ".onnx.json"} {
		copyFile(t, kit(t, "variants", "en_US-lessac-medium.aligned"+ext), filepath.Join(dir, "a"+ext))
	}
	return openAt(t, dir, ph, 0)
}

// sayWords returns what SpeakWords emits, with the times counted from the start of the utterance.
func sayWords(t *testing.T, e *Engine, u engines.Utterance) (samples []float32, words []backend.Word) {
	t.Helper()
	require.NoError(t, e.SpeakWords(t.Context(), u, func(b audio.Buffer, own []backend.Word) error {
		from := float64(len(samples)) / float64(b.Rate)
		for _, w := range own {
			require.LessOrEqual(t, w.End, float64(len(b.Samples))/float64(b.Rate))
			words = append(words, backend.Word{Text: w.Text, Start: from + w.Start, End: from + w.End})
		}
		samples = append(samples, b.Samples...)
		return nil
	}))
	for i, w := range words {
		require.Less(t, w.Start, w.End, "%v", w)
		if i > 0 {
			require.LessOrEqual(t, words[i-1].End, w.Start, "%v", words)
		}
	}
	return samples, words
}

func TestPhonemeTimes(t *testing.T) {
	enginetest.Parity(t)
	want := readKit(t).Extra.Alignment
	e := alignedVoice(t, letters{})
	c := e.frontend.config
	samples, frames, err := e.graph.run(t.Context(), want.IDs, scales{c.noise(), c.length(), c.noiseW(), 0}, 0)
	require.NoError(t, err)
	require.Len(t, frames, len(want.IDs))
	for i, f := range frames {
		require.Equal(t, want.PhonemeIDSamples[i], int(f)*e.graph.hop)
	}
	s := spoken{ids: want.IDs}
	at, starts := 0.0, []float64(nil)
	for _, p := range want.Phonemes {
		at += p[2].(float64)
		starts = append(starts, at/22050)
		if p[0] != bos && p[0] != eos {
			s.phonemes = append(s.phonemes, p[0].(string))
		}
	}
	require.InDeltaSlice(t, starts[:len(starts)-1], e.ends(s, frames, len(samples)), 1e-9)
	require.Nil(t, e.ends(s, frames, len(samples)+1), "the frames are not those of the samples")
	require.Nil(t, e.ends(s, frames[1:], len(samples)))
}

// TestWordTimes: words as written, for each way in which graphs return frames.
func TestWordTimes(t *testing.T) {
	const text = "Hello there, (tone) world.  A second one - x42!\nEnd [[ə]]."
	for name, e := range map[string]*Engine{
		"second output":    alignedVoice(t, letters{}),
		"inside the graph": openAt(t, trueVoice(t, 0.667), letters{}, 0),
		"without noise":    openAt(t, trueVoice(t, 0), letters{}, 0),
	} {
		u := engines.Utterance{Text: text, Speed: 1, Seed: 3}
		samples, words := sayWords(t, e, u)
		require.Equal(t, enginetest.Say(t, e, u), samples, name)
		var texts []string
		for _, w := range words {
			texts = append(texts, w.Text)
		}
		require.Equal(t, []string{"Hello", "there,", "(tone)", "world.", "A", "second", "one", "x42!", "End", "[[ə]]."}, texts, name)
		last := words[len(words)-1]
		require.InDelta(t, float64(len(samples))/22050, last.End, 0.2*float64(len(samples))/22050, name)
	}
}

func TestVoiceWithoutFramesHasNoWordTimes(t *testing.T) {
	nodes := [][]byte{onnxtest.Node("Cast", "output", []string{"input"}, onnxtest.Int("to", onnxtest.Float32))}
	dir := folder(t, map[string]string{"a.onnx.json": "<config>", "a.onnx": string(model(nodes...))})
	samples, words := sayWords(t, openAt(t, dir, letters{}, 0), engines.Utterance{Text: "Hello there."})
	require.NotEmpty(t, samples)
	require.Empty(t, words)
}

// TestWordTimesOfEspeak: espeak-ng speaks 1999 as three words, reads "of the" as one and NASA as a word.
func TestWordTimesOfEspeak(t *testing.T) {
	ph := espeak.NewPhonemizer()
	t.Cleanup(func() { require.NoError(t, ph.Close()) })
	e := alignedVoice(t, ph)
	for text, want := range map[string]string{
		"In 1999, most of the people of NASA knew. Not I!": "In|1999,|most|of|the|people|of|NASA|knew.|Not|I!",
		"Plain words alone.":                     "Plain|words|alone.",
		"It cost $23.50 & more, e.g. 10% of it.": "It|cost|$23.50|more,|e.g.|10%|of|it.",
	} {
		_, words := sayWords(t, e, engines.Utterance{Text: text, Speed: 1})
		var texts []string
		for _, w := range words {
			texts = append(texts, w.Text)
		}
		require.Equal(t, want, strings.Join(texts, "|"))
	}
}

// asWritten is a phonemizer that returns the phonemes of a table, in one sentence.
type asWritten map[string]string

func (a asWritten) Phonemize(_ context.Context, text, _ string) ([]engines.Sentence, error) {
	return []engines.Sentence{points(a[text])}, nil
}

func TestWordsFindTheirPhonemes(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(voiceDir(t, "en_US-lessac-medium"), "en_US-lessac-medium.onnx.json"))
	require.NoError(t, err)
	c, err := parseConfig("any", raw)
	require.NoError(t, err)
	spoken := asWritten{
		"most of the 23 cats": "mˈoʊst ʌvðə twˈɛnti θɹˈiː kˈæts", "most": "mˈoʊst", "of": "ˈʌv", "the": "ðˈə",
		"23": "twˈɛnti θɹˈiː", "cats": "kˈæts", "a b": "aʒb", "a": "a", "b": "b",
		"one two": "one two", "go x on": "ɡˈoʊ ˈɔn", "go": "ɡˈoʊ", "x": "ˈɛks", "on": "ˈɔn",
	}
	f := newFrontend(c, spoken)
	for text, want := range map[string][]string{
		"most of the 23 cats": {"most:moʊst", "of:ʌv", "the:ðə", "23:twɛntiθɹi", "cats:kæts"},
		"a b":                 {"a:aʒ", "b:b"},
		"one two":             {"one:one", "two:two"},
	} {
		sentences, err := f.sentences(t.Context(), text)
		require.NoError(t, err)
		words, err := f.align(t.Context(), text, sentences)
		require.NoError(t, err)
		require.Len(t, words, len(sentences))
		var got []string
		for _, w := range words[0] {
			own := ""
			for _, phoneme := range sentences[0].phonemes[w.first : w.last+1] {
				if strings.IndexFunc(phoneme, articulated) >= 0 {
					own += phoneme
				}
			}
			got = append(got, w.text+":"+own)
		}
		require.Equal(t, want, got)
	}
}

// Every phoneme that sounds gets a word, and no word comes before an earlier one.
func TestEveryPhonemeGetsAWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sound := rapid.SampledFrom([]string{"a", "ɪ", "t", "s"})
		alone := rapid.SliceOfN(sound, 1, 12).Draw(t, "alone")
		heard := rapid.SliceOfN(sound, 1, 12).Draw(t, "heard")
		of, letters, word := make([]int, len(alone)), make([]letter, len(heard)), 0
		for i := range of {
			of[i] = word
			word += rapid.IntRange(0, 1).Draw(t, "next word")
		}
		group := 0
		for i, phoneme := range heard {
			letters[i] = letter{phoneme: phoneme, index: i, group: group}
			group += rapid.IntRange(0, 1).Draw(t, "next group")
		}
		owners := matched(alone, of, letters)
		complete(owners, letters)
		for i, owner := range owners {
			require.GreaterOrEqual(t, owner, 0)
			require.LessOrEqual(t, owner, word)
			if i > 0 {
				require.GreaterOrEqual(t, owner, owners[i-1])
			}
		}
	})
}
