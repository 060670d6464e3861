package pocket

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// heard returns what an utterance emits.
func heard(t *testing.T, e engines.Speaker, u engines.Utterance) (out [][]float32) {
	t.Helper()
	require.NoError(t, e.Speak(t.Context(), u, func(b audio.Buffer) error {
		out = append(out, b.Samples)
		return nil
	}))
	return out
}

// voiceFile returns a recording of the kit as a reference that is stored nowhere.
func voiceFile(t testing.TB, name string) *engines.Reference {
	t.Helper()
	return reference(recording(t, "inputs/"+name), "")
}

func TestSuite(t *testing.T) {
	d := NewDriver(library(t))
	files := enginetest.Find(t, d, bundleDir(t))
	recordings := [2]audio.Buffer{recording(t, "inputs/ref_22050_mono.wav"), recording(t, "inputs/ref_44100_stereo.wav")}
	enginetest.RunCloner(t, func(t *testing.T) engines.Cloner {
		t.Helper()
		return enginetest.OpenFiles(t, d, files, engines.Options{Threads: 1}).(*Engine)
	}, recordings, enginetest.Suite{Text: "Hello.", LongText: strings.Repeat("One, two, three and four. ", 20), Opens: 3})
}

func TestSpeakWithAReference(t *testing.T) {
	e := openKit(t, "int8")
	one, other := reference(recording(t, "inputs/ref_22050_mono.wav"), t.TempDir()), reference(recording(t, "inputs/ref_44100_stereo.wav"), "")
	u := engines.Utterance{Text: "Hello world.", Reference: one, Seed: 1}
	first := enginetest.Say(t, e, u)
	require.Equal(t, first, enginetest.Say(t, e, u), "equal utterances")
	u.Seed = 2
	require.NotEqual(t, first, enginetest.Say(t, e, u), "another seed")
	u.Seed, u.Reference = 1, other
	require.NotEqual(t, first, enginetest.Say(t, e, u), "another voice")
}

func TestSpeakRefuses(t *testing.T) {
	e := openKit(t, "int8")
	ref := reference(recording(t, "inputs/ref_24000_mono.wav"), "")
	for name, tt := range map[string]struct {
		u    engines.Utterance
		code backend.Code
		says string
	}{
		"no sample":        {engines.Utterance{Text: "Hello"}, backend.CodeEngineMismatch, "speaks with the voice of a sample"},
		"unknown language": {engines.Utterance{Text: "Hallo", Language: "de", Reference: ref}, backend.CodeLanguageNotSupported, "does not speak de."},
		"emoji only":       {engines.Utterance{Text: "😀 ❤️ 👩‍👩‍👧", Reference: ref}, backend.CodeNothingToSpeak, "English"},
		"marks only":       {engines.Utterance{Text: "?! -- (…) §", Reference: ref}, backend.CodeNothingToSpeak, "nothing"},
		"speed":            {engines.Utterance{Text: "Hello", Speed: 1.5, Reference: ref}, backend.CodeEngineMismatch, "speed 1.5"},
		"steps":            {engines.Utterance{Text: "Hello", Steps: 101, Reference: ref}, backend.CodeEngineMismatch, "from 1 to 100"},
		"an empty sample":  {engines.Utterance{Text: "Hello", Reference: reference(audio.Buffer{Rate: 24000, Channels: 1}, "")}, backend.CodeSampleRejected, "no sound"},
	} {
		t.Run(name, func(t *testing.T) {
			err := e.Speak(t.Context(), tt.u, func(audio.Buffer) error { return nil })
			require.Equal(t, tt.code, backend.CodeOf(err), "%v", err)
			require.Contains(t, backend.AsError(err).Detail+" "+backend.AsError(err).Remedy, tt.says)
		})
	}
}

// TestFirstSoundAfterThreeFrames: a listener hears the beginning while the rest is made.
func TestFirstSoundAfterThreeFrames(t *testing.T) {
	e := with(t, RoleMain, mainEnding(t, endLogit))
	b := e.graphs.bundle
	v, err := e.graphs.learn(t.Context(), recording(t, "inputs/ref_24000_mono.wav"))
	require.NoError(t, err)
	s, err := newSpeech(t.Context(), e.graphs)
	require.NoError(t, err)
	defer s.close()
	made, emitted := 0, []int{}
	r := request{voice: v, ids: []int64{5, 6}, limit: 40, steps: 1, noise: func([]float32) { made++ }}
	_, err = s.speak(t.Context(), r, func(samples []float32) error {
		emitted = append(emitted, made, len(samples)/b.Frame)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, []int{3, 3, 9, 6, 21, 12, 33, 12, 40, 7}, emitted)
}

// TestLongText: every part of a text that is longer than the model's memory is spoken, and none exceeds it.
func TestLongText(t *testing.T) {
	e := openKit(t, "int8")
	b := e.graphs.bundle
	text := strings.Repeat("No end of words follow one another here and there ", 12) + strings.Repeat("ab", 200) + ", and then it ends. Done."
	pieces := e.frontend.pieces(text)
	require.Greater(t, len(pieces), 5)
	for _, p := range pieces {
		require.LessOrEqual(t, len(p.ids), b.Tokens)
		require.LessOrEqual(t, 1+b.longestVoice()+len(p.ids)+b.limit(len(p.ids)), b.cache)
	}
	long := recording(t, "inputs/ref_22050_mono.wav")
	long.Samples = slices.Repeat(long.Samples, 60) // 45 s
	v, err := e.graphs.learn(t.Context(), long)
	require.NoError(t, err)
	require.Equal(t, 1+b.longestVoice(), v.positions, "as much as fits")
	u := engines.Utterance{Text: text, Reference: reference(long, ""), Steps: 1}
	require.NotEmpty(t, heard(t, e, u))
}

// TestLongestRecording: what is beyond 30 seconds is not used.
func TestLongestRecording(t *testing.T) {
	e := changed(t, openKit(t, "int8"), json.RawMessage(`{}`))
	e.graphs.bundle.cache = 1000 // as in the published models
	in := recording(t, "inputs/ref_24000_mono.wav")
	in.Samples = slices.Repeat(in.Samples, 200)
	got, err := e.graphs.prepare(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, 30*24000, len(got))
	stereo := audio.Buffer{Rate: 48000, Channels: 2, Samples: make([]float32, 2*48000*31)}
	got, err = e.graphs.prepare(t.Context(), stereo)
	require.NoError(t, err)
	require.InDelta(t, 30*24000, len(got), 1)
}

// TestVoiceIsStored: a voice is prepared once for all programs, and again where its file is damaged or of another model.
func TestVoiceIsStored(t *testing.T) {
	d, cache := NewDriver(library(t)), t.TempDir()
	files := enginetest.Find(t, d, bundleDir(t))
	in := recording(t, "inputs/ref_24000_mono.wav")
	ref, asked := reference(in, cache), 0
	ref.Audio = func(context.Context) (audio.Buffer, error) {
		asked++
		return in, nil
	}
	say := func(o engines.Options) []float32 {
		e := enginetest.OpenFiles(t, d, files, o).(*Engine)
		defer func() { require.NoError(t, e.Close()) }()
		first := enginetest.Say(t, e, engines.Utterance{Text: "Hello.", Reference: ref})
		require.Equal(t, first, enginetest.Say(t, e, engines.Utterance{Text: "Hello.", Reference: ref}))
		return first
	}
	o := engines.Options{Threads: 1, Model: "pocket-en", Revision: "1"}
	want := say(o)
	require.Equal(t, 1, asked)
	require.Equal(t, want, say(o))
	require.Equal(t, 1, asked, "read from the file")
	stored, err := filepath.Glob(filepath.Join(cache, "*"))
	require.NoError(t, err)
	require.Len(t, stored, 1)
	info, err := os.Stat(stored[0])
	require.NoError(t, err)
	require.NoError(t, os.Truncate(stored[0], info.Size()/2))
	require.Equal(t, want, say(o))
	require.Equal(t, 2, asked, "a file that was cut off")
	o.Revision = "2"
	require.Equal(t, want, say(o))
	require.Equal(t, 3, asked, "another revision")
}

func TestStoredVoices(t *testing.T) {
	e := openKit(t, "int8")
	b := e.graphs.bundle
	v, err := e.graphs.learn(t.Context(), recording(t, "inputs/ref_22050_mono.wav"))
	require.NoError(t, err)
	raw, err := store(v)
	require.NoError(t, err)
	back, err := b.restore(raw)
	require.NoError(t, err)
	again, err := store(back)
	require.NoError(t, err)
	require.Equal(t, raw, again)
	for _, wrong := range [][]byte{nil, raw[:3], raw[:100], raw[:len(raw)-1], append(slices.Clone(raw), 0), {255, 255, 255, 255}, {0, 0, 0, 0}} {
		_, err := b.restore(wrong)
		require.Error(t, err)
	}
}

// TestMemory: an utterance reserves what the bundle says, twice for each graph with states, and leaves nothing behind.
func TestMemory(t *testing.T) {
	e := openKit(t, "int8")
	b := e.graphs.bundle
	var want int64
	for _, s := range slices.Concat(b.Flow, b.Mimi) {
		want += 2 * product(s.Shape) * map[string]int64{"float32": 4, "int64": 8, "bool": 1}[s.Type]
	}
	s, err := newSpeech(t.Context(), e.graphs)
	require.NoError(t, err)
	var got int64
	for _, m := range slices.Concat(s.flow[:], s.mimi[:]) {
		for _, data := range m.data {
			got += int64(binary.Size(data))
		}
	}
	s.close()
	require.Equal(t, want, got)

	u := engines.Utterance{Text: "Hello.", Reference: voiceFile(t, "ref_24000_mono.wav")}
	heard(t, e, u)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for range 10 {
		heard(t, e, u)
	}
	require.Less(t, int64(heap())-int64(before), want, "the memory of ten utterances is kept")
}

func TestSteps(t *testing.T) {
	e := openKit(t, "int8")
	u := engines.Utterance{Text: "Hello there.", Reference: voiceFile(t, "ref_24000_mono.wav"), Seed: 3}
	said := map[int][]float32{}
	for _, steps := range []int{0, 1, 2, 8} {
		u.Steps = steps
		said[steps] = enginetest.Say(t, e, u)
	}
	require.Equal(t, said[2], said[0])
	require.Equal(t, 2, e.Info().Steps)
	require.NotEqual(t, said[1], said[2])
	require.NotEqual(t, said[2], said[8])
}

func TestInfo(t *testing.T) {
	info := openKit(t, "int8").Info()
	require.Equal(t, []string{"en"}, info.Languages)
	require.Equal(t, &engines.CloneRules{Longest: 30}, info.Clones)
	require.True(t, info.Reproducible)
	require.False(t, info.Phonemes)
	require.False(t, info.Digits)
	require.Empty(t, info.Voices)
	require.Equal(t, 24000, info.SampleRate)
}

func TestLanguages(t *testing.T) {
	e := openKit(t, "int8")
	ref := voiceFile(t, "ref_24000_mono.wav")
	want := enginetest.Say(t, e, engines.Utterance{Text: "Hello.", Reference: ref})
	for _, language := range []string{"en", "en-US", "EN-gb"} {
		require.Equal(t, want, enginetest.Say(t, e, engines.Utterance{Text: "Hello.", Language: language, Reference: ref}))
	}
}
