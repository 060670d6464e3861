package chatterbox

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sample returns a reference to the kit's recording.
func sample(t testing.TB) *engines.Reference {
	t.Helper()
	return reference("kit", recording(t))
}

func reference(key string, b audio.Buffer) *engines.Reference {
	return &engines.Reference{Key: key, Audio: func(context.Context) (audio.Buffer, error) { return b, nil }}
}

// buffers returns what an utterance emits.
func buffers(t *testing.T, e engines.Speaker, u engines.Utterance) (out [][]float32) {
	t.Helper()
	require.NoError(t, e.Speak(t.Context(), u, func(b audio.Buffer) error {
		require.Equal(t, 24000, b.Rate)
		require.Equal(t, 1, b.Channels)
		out = append(out, b.Samples)
		return nil
	}))
	return out
}

func refused(t *testing.T, e engines.Speaker, u engines.Utterance) *backend.Error {
	t.Helper()
	err := e.Speak(t.Context(), u, func(audio.Buffer) error {
		t.Error("a refused text is emitted")
		return nil
	})
	require.Error(t, err)
	return backend.AsError(err)
}

func TestInfo(t *testing.T) {
	for repo, want := range map[string]struct {
		languages, tags int
		rules           engines.CloneRules
	}{
		turboRepo:        {1, 19, engines.CloneRules{Over: 5, Longest: 15}},
		multilingualRepo: {23, 0, engines.CloneRules{Longest: 10}},
	} {
		info := openAt(t, kit(t, repo), 3).Info()
		require.Equal(t, 3, info.Threads)
		require.Len(t, info.Languages, want.languages)
		require.Len(t, info.Tags, want.tags)
		require.Equal(t, &want.rules, info.Clones)
		require.Empty(t, info.Voices)
		require.True(t, info.Reproducible)
		require.Equal(t, 24000, info.SampleRate)
	}
}

func TestSeeds(t *testing.T) {
	for _, repo := range []string{turboRepo, multilingualRepo} {
		e := openKit(t, repo)
		u := engines.Utterance{Text: "Hello there.", Reference: sample(t), Seed: 1}
		first := buffers(t, e, u)
		require.Len(t, first, 1)
		require.Equal(t, first, buffers(t, e, u))
		u.Seed = 2
		require.NotEqual(t, first, buffers(t, e, u))
	}
}

// TestVoices: the sound depends on the reference, whatever its rate, and a reference is prepared once.
func TestVoices(t *testing.T) {
	e := openKit(t, multilingualRepo)
	in := recording(t)
	var asked atomic.Int32
	ref := &engines.Reference{Key: "a", Cache: t.TempDir(), Audio: func(context.Context) (audio.Buffer, error) {
		asked.Add(1)
		return in, nil
	}}
	say := func(e *Engine, ref *engines.Reference) []float32 {
		return enginetest.Say(t, e, engines.Utterance{Text: "Hello there.", Reference: ref, Seed: 1})
	}
	first := say(e, ref)
	require.Equal(t, first, say(e, ref))
	require.EqualValues(t, 1, asked.Load())
	e.Forget("a")
	require.Equal(t, first, say(e, ref))
	require.Equal(t, first, say(openAt(t, kit(t, multilingualRepo), 1), ref), "a stored voice sounds different")
	require.EqualValues(t, 1, asked.Load(), "the voice is not stored")

	half := audio.Buffer{Samples: in.Samples[:len(in.Samples)/2], Rate: in.Rate, Channels: 1}
	require.NotEqual(t, first, say(e, reference("b", half)))
	stereo := audio.Buffer{Rate: 48000, Channels: 2}
	for _, v := range audio.Resample(in.Samples, 24000, 48000) {
		stereo.Samples = append(stereo.Samples, v, v)
	}
	v, err := e.prepare(t.Context(), stereo)
	require.NoError(t, err)
	want, err := e.prepare(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, want.Mel.Shape, v.Mel.Shape)
	require.InDeltaSlice(t, want.Mel.Data, v.Mel.Data, 0.1)
}

func TestReferencesThatCannotBeUsed(t *testing.T) {
	turbo, multilingual := openKit(t, turboRepo), openKit(t, multilingualRepo)
	in := recording(t)
	u := engines.Utterance{Text: "Hello there.", Reference: reference("short", audio.Buffer{Samples: in.Samples[:120000], Rate: 24000, Channels: 1})}
	err := refused(t, turbo, u)
	require.Equal(t, backend.CodeSampleRejected, err.Code)
	require.Contains(t, err.Detail, "needs more than 5 seconds")
	require.NotEmpty(t, enginetest.Say(t, multilingual, u))
	u.Reference = reference("empty", audio.Buffer{Rate: 24000, Channels: 1})
	require.Equal(t, backend.CodeSampleRejected, refused(t, multilingual, u).Code)
	u.Reference = nil
	require.Equal(t, backend.CodeEngineMismatch, refused(t, turbo, u).Code)
	u.Voice = "anna"
	require.Equal(t, backend.CodeNotFound, refused(t, turbo, u).Code)
	missing := backend.E(backend.CodeSampleNotFound, "The sample is gone.", "Add it again.")
	u.Reference = &engines.Reference{Key: "missing", Audio: func(context.Context) (audio.Buffer, error) { return audio.Buffer{}, missing }}
	require.Equal(t, backend.CodeSampleNotFound, refused(t, turbo, u).Code)
}

// TestLongRecording: what is beyond the longest reference changes nothing.
func TestLongRecording(t *testing.T) {
	e := openKit(t, turboRepo)
	in := recording(t)
	in.Samples = slices.Repeat(in.Samples, 4)
	long, err := e.edition.cut(in.Samples)
	require.NoError(t, err)
	require.Len(t, long, 15*24000)
}

// TestLevelOfReferences: Turbo hears quiet and loud recordings alike, as in the makers' program.
func TestLevelOfReferences(t *testing.T) {
	e := openKit(t, turboRepo)
	in := recording(t)
	normal, err := e.prepare(t.Context(), in)
	require.NoError(t, err)
	soft := audio.Buffer{Rate: in.Rate, Channels: 1, Samples: slices.Clone(in.Samples)}
	for i := range soft.Samples {
		soft.Samples[i] /= 10
	}
	quiet, err := e.prepare(t.Context(), soft)
	require.NoError(t, err)
	require.InDeltaSlice(t, normal.Mel.Data, quiet.Mel.Data, 1e-3)
	level(soft.Samples)
	meter := audio.NewMeter(24000, 1)
	meter.Write(soft.Samples)
	lufs, _ := meter.Integrated()
	require.InDelta(t, -27, lufs, 0.01)
	level(make([]float32, 48000)) // silence stays
}

func TestCancelled(t *testing.T) {
	e := openKit(t, turboRepo)
	u := engines.Utterance{Text: "Hello there.", Reference: sample(t)}
	ctx, cancel := context.WithCancel(t.Context())
	r := e.request([]int64{39, 288, 423, 321, 50256, 50256}, mustPrepare(t, e), nil)
	steps := 0
	r.u = func() float64 {
		if steps++; steps == 2 {
			cancel()
		}
		return 0
	}
	_, err := e.graphs.speak(ctx, newMemory(e.graphs.sizes, 1, r.positions()), r, 0)
	require.ErrorIs(t, err, backend.ErrCancelled)
	require.Equal(t, 2, steps, "a step follows the cancellation")
	require.ErrorIs(t, e.Speak(ctx, u, func(audio.Buffer) error { return nil }), backend.ErrCancelled)
}

func mustPrepare(t testing.TB, e *Engine) *voice {
	t.Helper()
	v, err := e.prepare(t.Context(), recording(t))
	require.NoError(t, err)
	return v
}

// TestRunaway: a model that does not end stops at the limit.
func TestRunaway(t *testing.T) {
	e := openKit(t, turboRepo)
	r := e.request(readCase(t, "turbo", "no_penalty").IDs, mustPrepare(t, e), nil)
	r.sampling, r.limit = sampling{greedy: true, penalty: 1}, 24 // without a penalty the kit's model goes on
	m := newMemory(e.graphs.sizes, 1, r.positions())
	_, err := e.graphs.speak(t.Context(), m, r, 0)
	require.True(t, engines.IsRunaway(err), "%v", err)
	require.Equal(t, stageSpeech, backend.AsError(err).Params["stage"])
}

func readCase(t *testing.T, model, name string) speechCase {
	t.Helper()
	for _, c := range readKit(t, model).Cases {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("the kit has no case %s", name)
	return speechCase{}
}

// TestMemory: the keys and values take what the sizes say, and are free after the text.
func TestMemory(t *testing.T) {
	s := sizes{hidden: 64, layers: 12, heads: 12, width: 64}
	require.Equal(t, 73_728, s.perPosition(), "Nano: 12 layers of keys and values, 12 heads of 64 numbers of 4 bytes")
	m := newMemory(s, 2, 100)
	reserve(m, 100)
	require.Equal(t, 2*2*100*73_728, m.bytes())
	total := 0
	for _, tensors := range [][]int{{m.states, len(m.inputs)}, {1, len(m.outputs)}} {
		total += tensors[1] - tensors[0]
	}
	require.Equal(t, 2*2*12, total)
	heap := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	with := heap()
	bytes := uint64(m.bytes())
	runtime.KeepAlive(m)
	require.Greater(t, with-heap(), bytes*9/10)
}

// reserve makes both sets large enough for so many positions.
func reserve(m *memory, positions int) {
	for range 2 {
		m.reserve(positions)
		m.swap()
	}
}

// TestMemoryGrows: short speech takes no memory for the longest, and longer speech gets more without a change.
func TestMemoryGrows(t *testing.T) {
	e := openKit(t, turboRepo)
	c := readCase(t, "turbo", "no_penalty")
	r := e.request(c.IDs, mustPrepare(t, e), nil)
	r.sampling, r.limit = sampling{greedy: true, penalty: 1}, 2*moreSteps+10
	start := r.positions() - r.limit
	speak := func(m *memory) []int {
		n := e.graphs.begin(m, r)
		for range r.limit { // also beyond the end
			_, err := n.next(t.Context())
			require.NoError(t, err)
		}
		return n.tokens
	}
	whole := newMemory(e.graphs.sizes, 1, r.positions())
	reserve(whole, r.positions())
	require.Equal(t, speak(whole), speak(newMemory(e.graphs.sizes, 1, r.positions())))

	short := newMemory(e.graphs.sizes, 1, r.positions())
	r.limit = 20
	speak(short)
	require.Equal(t, 2*(start+moreSteps)*e.graphs.perPosition(), short.bytes())
}

// TestStepsMakeNothing: what a step does beside the runs of the graphs needs no new memory.
func TestStepsMakeNothing(t *testing.T) {
	s := sizes{hidden: 64, layers: 12, heads: 12, width: 64}
	for name, how := range map[string]sampling{"turbo": turboSampling, "multilingual": multilingualSampling, "greedy": {greedy: true, penalty: 1.2}} {
		s.multilingual = name == "multilingual"
		u := engines.NewNoise(1, 0).Uniform
		n := &generation{request: request{sampling: how, audible: true}, tokens: []int{startToken, 1}}
		m := newMemory(s, n.batch(), 400)
		reserve(m, 400)
		n.memory, n.chooser, n.scores = m, newChooser(how, 8194), make([]float32, 8194)
		m.scores = make([]float32, n.batch()*8194)
		for i := range m.scores {
			m.scores[i] = float32(12 * u())
		}
		require.Zero(t, testing.AllocsPerRun(100, func() {
			_, ok := m.next()
			scores := n.guided()
			n.onlySounds(scores)
			n.chooser.choose(scores, u())
			m.ran(1)
			if !ok || m.past > 300 {
				t.Fatal("the memory is full")
			}
		}), name)
	}
}

// TestMemoryIsUsedAgain: a shorter text in the memory of a longer one is spoken as in one of its own.
func TestMemoryIsUsedAgain(t *testing.T) {
	e := openKit(t, turboRepo)
	v, err := e.graphs.encode(t.Context(), recording(t).Samples)
	require.NoError(t, err)
	long, short := readCase(t, "turbo", "emoji"), readCase(t, "turbo", "plain")
	m := newMemory(e.graphs.sizes, 1, asked(t, e, v, long).positions())
	for _, c := range []speechCase{long, short, long} {
		tokens, ended, err := e.graphs.generate(t.Context(), m, asked(t, e, v, c))
		require.NoError(t, err)
		require.True(t, ended)
		require.Equal(t, c.Generated[1:], tokens)
	}
}
