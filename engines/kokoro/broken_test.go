package kokoro

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// values are the inputs and the output that every graph of this file has, unless it is about them.
type values struct{ ids, style, speed, sound []byte }

func usual() values {
	return values{
		ids:   onnxtest.Value(onnxtest.Input, "input_ids", 7, 2),
		style: onnxtest.Value(onnxtest.Input, "style", 1, 2),
		speed: onnxtest.Value(onnxtest.Input, "speed", 1, 1),
		sound: onnxtest.Value(onnxtest.Output, "waveform", 1, 2),
	}
}

// floats returns the node that makes numbers of the ids, and one that makes zeros of these.
func floats() [][]byte {
	return [][]byte{
		onnxtest.Node("Cast", "f", []string{"input_ids"}, onnxtest.Int("to", onnxtest.Float32)),
		onnxtest.Node("Sub", "zero", []string{"f", "f"}),
	}
}

// openGraph opens a model whose graph has these values and nodes.
func openGraph(t *testing.T, v values, nodes ...[]byte) (*Engine, error) {
	t.Helper()
	dir := folder(t, "repo")
	write(t, filepath.Join(dir, graphDir, mainGraph), model(v, nodes...))
	d := driver(t)
	files := enginetest.Find(t, d, dir)
	speaker, err := d.Open(t.Context(), files, engines.Options{})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { require.NoError(t, speaker.Close()) })
	return speaker.(*Engine), nil
}

// TestGraphsThatFail speaks with small graphs that have a model's inputs and return invalid output.
func TestGraphsThatFail(t *testing.T) {
	timed := func(name string, elem uint64) values {
		v := usual()
		v.sound = append(v.sound, onnxtest.Value(onnxtest.Output, name, elem, 2)...)
		return v
	}
	negative := append(floats(),
		onnxtest.Node("Identity", "waveform", []string{"f"}),
		onnxtest.Node("Neg", "duration", []string{"input_ids"}))
	nothing := append(floats(),
		onnxtest.Node("Identity", "waveform", []string{"f"}),
		onnxtest.Node("Sub", "duration", []string{"input_ids", "input_ids"}))
	for name, tt := range map[string]struct {
		values values
		nodes  [][]byte
		says   string
	}{
		"silence":          {usual(), append(floats(), onnxtest.Node("Identity", "waveform", []string{"zero"})), "only silence"},
		"not numbers":      {usual(), append(floats(), onnxtest.Node("Div", "waveform", []string{"zero", "zero"})), "failed"},
		"infinite numbers": {usual(), append(floats(), onnxtest.Node("Div", "waveform", []string{"f", "zero"})), "failed"},
		"negative length":  {timed("duration", 7), negative, "negative length"},
		"no length":        {timed("duration", 7), nothing, "no length"},
		"too few lengths": {timed("durations", 1), append(floats(),
			onnxtest.Node("Identity", "waveform", []string{"f"}), onnxtest.Node("Identity", "durations", []string{"speed"})), "1 lengths for 7 phonemes"},
		"lengths that are no numbers": {timed("durations", 1), append(floats(),
			onnxtest.Node("Identity", "waveform", []string{"f"}), onnxtest.Node("Div", "durations", []string{"zero", "zero"})), "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := openGraph(t, tt.values, tt.nodes...)
			require.NoError(t, err)
			failure := refused(t, e, engines.Utterance{Text: "Hello"})
			require.Equal(t, backend.CodeEngineFailed, failure.Code)
			require.ErrorContains(t, failure, tt.says)
			require.Contains(t, failure.Detail, stage)
			require.Equal(t, stage, failure.Params["stage"])
		})
	}
}

// TestGraphsOfAnotherKind: the error about a graph with other inputs or outputs says what was expected.
func TestGraphsOfAnotherKind(t *testing.T) {
	sound := append(floats(), onnxtest.Node("Identity", "waveform", []string{"f"}))
	for name, tt := range map[string]struct {
		change func(*values)
		says   string
	}{
		"ids of another type":   {func(v *values) { v.ids = onnxtest.Value(onnxtest.Input, "input_ids", 1, 2) }, "expected input_ids int64 rank 2, found input_ids float32 rank 2"},
		"ids of another shape":  {func(v *values) { v.ids = onnxtest.Value(onnxtest.Input, "input_ids", 7, 1) }, "expected input_ids int64 rank 2, found input_ids int64 rank 1"},
		"ids of another name":   {func(v *values) { v.ids = onnxtest.Value(onnxtest.Input, "phonemes", 7, 2) }, "no input input_ids int64 rank 2; it has phonemes, style, speed"},
		"style of another type": {func(v *values) { v.style = onnxtest.Value(onnxtest.Input, "style", 11, 2) }, "expected style float32 rank 2, found style float64 rank 2"},
		"style of another rank": {func(v *values) { v.style = onnxtest.Value(onnxtest.Input, "style", 1, 3) }, "expected style float32 rank 2, found style float32 rank 3"},
		"no style":              {func(v *values) { v.style = nil }, "no input style float32 rank 2"},
		"speed of another type": {func(v *values) { v.speed = onnxtest.Value(onnxtest.Input, "speed", 11, 1) }, "expected speed float32 rank 1, found speed float64 rank 1"},
		"sound of another type": {func(v *values) { v.sound = onnxtest.Value(onnxtest.Output, "waveform", 7, 2) }, "expected waveform float32, found waveform int64"},
		"sound of another name": {func(v *values) { v.sound = onnxtest.Value(onnxtest.Output, "mel", 1, 3) }, "no output waveform float32; it has mel"},
		"one input more":        {func(v *values) { v.speed = append(v.speed, onnxtest.Value(onnxtest.Input, "pitch", 1, 1)...) }, "requires the input pitch float32 rank 1"},
		"lengths of another type": {
			func(v *values) { v.sound = append(v.sound, onnxtest.Value(onnxtest.Output, "duration", 1, 1)...) },
			"expected duration int64, found duration float32",
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := usual()
			tt.change(&v)
			_, err := openGraph(t, v, sound...)
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.Equal(t, mainGraph, backend.AsError(err).Params["file"])
		})
	}
}

// TestFloat16IsNotDamage: a variant that this build does not run is not to be downloaded again.
func TestFloat16IsNotDamage(t *testing.T) {
	sound := append(floats(), onnxtest.Node("Identity", "waveform", []string{"f"}))
	for name, change := range map[string]func(*values){
		"style": func(v *values) { v.style = onnxtest.Value(onnxtest.Input, "style", 10, 2) },
		"sound": func(v *values) { v.sound = onnxtest.Value(onnxtest.Output, "waveform", 10, 2) },
	} {
		v := usual()
		change(&v)
		dir := folder(t, "repo")
		files, ok, err := driver(t).Find(dir)
		require.NoError(t, err)
		require.True(t, ok)
		write(t, files[RoleGraph], model(v, sound...))
		_, _, err = driver(t).Find(dir)
		require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err), name)
		_, err = driver(t).Open(t.Context(), files, engines.Options{})
		require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err), name)
		require.Contains(t, backend.AsError(err).Detail, "float16")
		require.Contains(t, backend.AsError(err).Remedy, "kokoro-q8")
	}
}

// TestNoiseFollowsTheSeed: a graph that draws noise speaks equally for equal seeds, and each batch has its own noise.
func TestNoiseFollowsTheSeed(t *testing.T) {
	e, err := openGraph(t, usual(), append(floats(), onnxtest.Node("RandomNormalLike", "waveform", []string{"f"}))...)
	require.NoError(t, err)
	require.True(t, e.Info().Reproducible)
	u := engines.Utterance{Text: "Hello there", Seed: 7}
	first := enginetest.Say(t, e, u)
	require.Equal(t, first, enginetest.Say(t, e, u))
	u.Seed = 8
	require.NotEqual(t, first, enginetest.Say(t, e, u))
	p := plan{batches: []string{"həlˈO", "həlˈO"}, parts: one(t, e, "af_heart"), speed: 1}
	var batches [][]float32
	require.NoError(t, e.speak(t.Context(), p, func(samples []float32, _ []timing) error {
		batches = append(batches, samples)
		return nil
	}))
	require.NotEqual(t, batches[0], batches[1])
}

// TestSoundOfAnotherName: some exports call the sound audio.
func TestSoundOfAnotherName(t *testing.T) {
	v := usual()
	v.sound = onnxtest.Value(onnxtest.Output, "audio", 1, 2)
	e, err := openGraph(t, v, append(floats(), onnxtest.Node("Identity", "audio", []string{"f"}))...)
	require.NoError(t, err)
	require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: "Hello"}))
}

// model returns an ONNX file with the given values and nodes.
func model(v values, nodes ...[]byte) []byte {
	return onnxtest.Model(15, append(nodes, v.ids, v.style, v.speed, v.sound)...)
}
