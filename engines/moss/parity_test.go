package moss

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The kit's tolerances (its README), absolute; ids are exact.
const (
	hiddenTolerance = 1e-4
	soundTolerance  = 1e-4
)

func TestCodesOfRecordingsAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	e, k := openKit(t), readKit(t)
	frames := 0
	for _, c := range k.References {
		codes, err := e.graphs.listen(t.Context(), recording(t, c.File))
		require.NoError(t, err)
		require.Equal(t, slices.Concat(c.Codes...), codes, c.File)
		frames += len(c.Codes)
	}
	t.Logf("%d recordings with %d frames, all codes equal", len(k.References), frames)
}

// worst holds the graphs that only the tests use, and the largest differences of all cases.
type worst struct {
	full, local *onnx.Session

	hidden, memory, logits, sound, streamed float64
}

// TestFramesAsTheReference compares every step of every mode: ids and codes are equal, hidden states and sounds nearly.
func TestFramesAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	e, k := openKit(t), readKit(t)
	w := worst{full: openFull(t), local: openLocal(t)}
	cases, steps := map[string]int{}, map[string]int{}
	for i, c := range k.Frames {
		t.Run(fmt.Sprintf("%d %s", i, c.Mode), func(t *testing.T) {
			sameFrames(t, e, c, &w)
			sameSound(t, e, c, &w)
		})
		cases[c.Mode]++
		steps[c.Mode] += len(c.Frames)
	}
	t.Logf("cases by mode %v, frames %v; largest differences: hidden states %.2g, keys and values %.2g, logits %.2g, sound %.2g, streamed sound %.2g",
		cases, steps, w.hidden, w.memory, w.logits, w.sound, w.streamed)
}

// voiceOf returns the codes of the voice of a case.
func voiceOf(t *testing.T, e *Engine, name string) []int32 {
	t.Helper()
	file, ok := strings.CutPrefix(name, "@")
	if !ok {
		require.Contains(t, e.voices, name)
		return e.voices[name]
	}
	codes, err := e.graphs.listen(t.Context(), recording(t, file))
	require.NoError(t, err)
	return codes
}

// given returns the random numbers of a case, in their order, clipped as the reference does.
func given(t *testing.T, numbers []float64) (random func(u []float32), left func() int) {
	t.Helper()
	return func(u []float32) {
		require.GreaterOrEqual(t, len(numbers), len(u))
		for i := range u {
			u[i] = float32(min(0.99999994, max(0, numbers[i])))
		}
		numbers = numbers[len(u):]
	}, func() int { return len(numbers) }
}

func sameFrames(t *testing.T, e *Engine, c framesCase, w *worst) {
	t.Helper()
	config := e.graphs.config
	require.Equal(t, c.IDs, e.frontend.ids(c.Text))
	rows := config.rows(voiceOf(t, e, c.Voice), c.IDs)
	require.Equal(t, slices.Concat(c.Rows...), rows)

	s := newSpeech(e.graphs, len(c.Rows)+c.MaxFrames)
	require.NoError(t, s.prompt(t.Context(), rows))
	differ(t, &w.hidden, hiddenTolerance, c.Prefill, s.hidden)
	sameMemory(t, s, c.Files, "prefill_", w)
	next, left := chooser(t, e, s, c, w)
	for i := range c.MaxFrames {
		more := next()
		if i < len(c.Continue) {
			require.Equal(t, c.Continue[i] != 0, more, "frame %d", i)
		}
		if !more {
			require.Equal(t, "end_token", c.Stop)
			require.Equal(t, len(c.Frames), i)
			break
		}
		require.Equal(t, c.Frames[i], s.row[1:], "frame %d", i)
		if i < len(c.Lengths) {
			require.Equal(t, c.Lengths[i], s.length[0])
		}
		require.NoError(t, s.follow(t.Context()))
		if i < len(c.Hidden) {
			differ(t, &w.hidden, hiddenTolerance, c.Hidden[i], s.hidden)
		}
		sameMemory(t, s, c.Files, fmt.Sprintf("decode%d_", i), w)
	}
	require.Zero(t, left(), "random numbers that nobody drew")
	if c.Mode == "fixed" {
		sameSpeech(t, e, c, rows)
	}
}

// sameMemory compares keys and values after a run with the files whose names begin with the run's.
func sameMemory(t *testing.T, s *speech, files map[string]string, run string, w *worst) {
	t.Helper()
	for name, file := range files {
		tensor, ok := strings.CutPrefix(name, run)
		at := slices.Index(s.graphs.config.meta.Names.Outputs[1:], tensor)
		if !ok || at < 0 {
			continue
		}
		values, err := s.past[at].Floats()
		require.NoError(t, err)
		differ(t, &w.memory, hiddenTolerance, enginetest.ReadNpy[float32](t, kit(t, file)), values)
	}
}

// sameSpeech runs the engine's own loop, which ends as the reference does.
func sameSpeech(t *testing.T, e *Engine, c framesCase, rows []int32) {
	t.Helper()
	random, left := given(t, c.Random)
	var got [][]int32
	s := newSpeech(e.graphs, len(c.Rows)+c.MaxFrames)
	err := s.frames(t.Context(), request{rows: rows, frames: c.MaxFrames, random: random}, func(codes []int32) error {
		got = append(got, slices.Clone(codes))
		return nil
	})
	require.Equal(t, c.Stop == "max", engines.IsRunaway(err), "%v", err)
	require.Equal(t, c.Stop == "end_token", err == nil, "%v", err)
	require.Equal(t, c.Frames, got)
	require.Zero(t, left())
}

// sameSound compares the sound of the frames of a case: decoded at once, in the kit's groups and in the engine's own.
func sameSound(t *testing.T, e *Engine, c framesCase, w *worst) {
	t.Helper()
	if len(c.Frames) == 0 { // the speech ended before it began
		return
	}
	full := decodeFull(t, e, w.full, c.Frames)
	sameSamples(t, c.Waveform, full, w)
	if file := c.Files["waveform"]; file != "" {
		differ(t, &w.sound, soundTolerance, enginetest.ReadNpy[float32](t, kit(t, file)), full)
	}
	var grouped []float32
	d := newDecoder(e.graphs)
	require.NoError(t, d.reset())
	at := 0
	require.Len(t, c.Streaming.States, len(c.Streaming.Groups))
	for i, n := range c.Streaming.Groups {
		d.in[0] = onnx.NewResizable(slices.Concat(c.Frames[at:at+n]...), 1, 0, int64(len(c.Frames[0]))) // of any size
		d.length[0] = int32(n)
		samples, err := d.flush(t.Context())
		require.NoError(t, err)
		grouped, at = append(grouped, samples...), at+n
		sameStates(t, d, c.Streaming.States[i])
	}
	require.Equal(t, len(c.Frames), at)
	differ(t, &w.streamed, soundTolerance, full, grouped)

	d = newDecoder(e.graphs)
	require.NoError(t, d.reset())
	var own []float32
	for _, codes := range c.Frames {
		samples, err := d.add(t.Context(), codes)
		require.NoError(t, err)
		own = append(own, samples...)
	}
	samples, err := d.flush(t.Context())
	require.NoError(t, err)
	differ(t, &w.streamed, soundTolerance, full, append(own, samples...))
}

// sameStates compares the states that the kit lists: the offset of the fourth transformer, the positions of the first cache.
func sameStates(t *testing.T, d *decoder, want json.RawMessage) {
	t.Helper()
	var offset int32
	var positions []int32
	require.NoError(t, json.Unmarshal(want, &[]any{&offset, &positions}))
	codec := d.graphs.config.codec.Streaming
	for i, s := range d.graphs.config.codec.states() {
		switch s.in {
		case codec.Offsets[3].Input:
			got, err := d.in[2+i].Int32s()
			require.NoError(t, err)
			require.Equal(t, []int32{offset}, got)
		case codec.Caches[0].PositionsIn:
			got, err := d.in[2+i].Int32s()
			require.NoError(t, err)
			require.Equal(t, positions, got)
		}
	}
}

// openFull opens the graph that decodes all frames at once, which the engine does not use.
func openFull(t *testing.T) *onnx.Session {
	t.Helper()
	session, err := library(t).Open(t.Context(), kit(t, repos, codecRepo, "moss_audio_tokenizer_decode_full.onnx"), onnx.Signature{
		Inputs:  []onnx.Value{whole("audio_codes", 3), whole("audio_code_lengths", 1)},
		Outputs: []onnx.Value{float("audio", 3), whole("audio_lengths", 1)},
	}, onnx.SessionOptions{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, session.Close()) })
	return session
}

// decodeFull returns the sound of frames, decoded at once.
func decodeFull(t *testing.T, e *Engine, full *onnx.Session, frames [][]int32) []float32 {
	t.Helper()
	n := int64(len(frames))
	out, err := full.Run(t.Context(), "decoding", onnx.NewTensor(slices.Concat(frames...), 1, n, int64(len(frames[0]))), onnx.NewTensor([]int32{int32(n)}, 1))
	require.NoError(t, err)
	samples, err := e.graphs.config.interleave(out[0], out[1])
	require.NoError(t, err)
	return samples
}

func sameSamples(t *testing.T, want soundCase, got []float32, w *worst) {
	t.Helper()
	require.Len(t, want.Shape, 2)
	require.Equal(t, want.Shape[0]*want.Shape[1], len(got))
	flat := func(pairs [][2]float32) (out []float32) {
		for _, p := range pairs {
			out = append(out, p[0], p[1])
		}
		return out
	}
	first, last, starts := flat(want.First), flat(want.Last), flat(want.FrameStarts)
	differ(t, &w.sound, soundTolerance, first, got[:len(first)])
	differ(t, &w.sound, soundTolerance, last, got[len(got)-len(last):])
	const marked = 100
	frame := len(got) / len(want.FrameStarts)
	var at []float32
	for i := range want.FrameStarts {
		at = append(at, got[i*frame+2*marked:i*frame+2*marked+2]...)
	}
	differ(t, &w.sound, soundTolerance, starts, at)
	sum, rms := measured(got)
	for c := range 2 {
		require.InDelta(t, want.Sum[c], sum[c], soundTolerance*float64(len(got)/2))
		require.InDelta(t, want.RMS[c], rms[c], soundTolerance)
	}
}

// measured returns the sum and the root of the mean square of both channels.
func measured(samples []float32) (sum, rms [2]float64) {
	for i, v := range samples {
		sum[i%2] += float64(v)
		rms[i%2] += float64(v) * float64(v)
	}
	for c := range rms {
		rms[c] = math.Sqrt(rms[c] / float64(len(samples)/2))
	}
	return sum, rms
}

// TestTextsAsTheReference speaks whole texts: normalized, in parts, with pauses between them.
func TestTextsAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	e, k := openKit(t), readKit(t)
	parts, frames, worst := 0, 0, 0.0
	for _, c := range k.Synthesize {
		require.Equal(t, c.Normalized, normalize(c.Text))
		chunks := e.frontend.splitter(c.MaxTokens).split(c.Normalized)
		require.Equal(t, c.Chunks, chunks)
		require.Len(t, c.FramesPerChunk, len(chunks))
		random, left := given(t, c.Random)
		d := newDecoder(e.graphs)
		var codes [][]int32
		var samples []float32
		for i, chunk := range chunks {
			rows := e.graphs.config.rows(voiceOf(t, e, c.Voice), e.frontend.ids(chunk))
			if i > 0 {
				silent := math.RoundToEven(pauseAfter(chunks[i-1]) * float64(e.info.SampleRate))
				samples = append(samples, make([]float32, 2*int(silent))...)
			}
			before := len(codes)
			require.NoError(t, d.reset())
			s := newSpeech(e.graphs, len(rows)/e.graphs.config.width()+c.MaxFrames)
			err := s.frames(t.Context(), request{rows: rows, frames: c.MaxFrames, random: random}, func(frame []int32) error {
				codes = append(codes, slices.Clone(frame))
				sound, err := d.add(t.Context(), frame)
				samples = append(samples, sound...)
				return err
			})
			require.Equal(t, c.FramesPerChunk[i] == c.MaxFrames, engines.IsRunaway(err), "%v", err)
			last, err := d.flush(t.Context())
			require.NoError(t, err)
			samples = append(samples, last...)
			require.Equal(t, c.FramesPerChunk[i], len(codes)-before)
		}
		require.Zero(t, left())
		require.Equal(t, c.Codes, codes)
		sameFile(t, c, samples, &worst)
		parts, frames = parts+len(chunks), frames+len(codes)
	}
	t.Logf("%d texts in %d parts with %d frames, all codes equal; largest difference of the levels %.2g", len(k.Synthesize), parts, frames, worst)
}

// sameFile compares samples with what the kit says of the file that the reference wrote.
func sameFile(t *testing.T, c synthesisCase, samples []float32, worst *float64) {
	t.Helper()
	require.Equal(t, c.Shape[0]*c.Shape[1], len(samples))
	_, rms := measured(samples)
	for channel := range 2 {
		require.InDelta(t, c.RMS[channel], rms[channel], soundTolerance)
		*worst = max(*worst, math.Abs(c.RMS[channel]-rms[channel]))
	}
	const step = 32767 * soundTolerance
	for i, pair := range c.First {
		require.InDelta(t, pair[0], pcm16(float64(samples[2*i])), step)
		require.InDelta(t, pair[1], pcm16(float64(samples[2*i+1])), step)
	}
	sum := 0.0
	for _, v := range samples {
		sum += math.Abs(float64(pcm16(float64(v))))
	}
	require.InDelta(t, c.SumAbs, sum, step*float64(len(samples)))
}

// pcm16 returns a sample as the files of the reference hold it; those of this program have their own rule.
func pcm16(x float64) int { return int(math.RoundToEven(min(max(x, -1), 1) * 32767)) }

func TestSamplesOfFilesAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	k := readKit(t)
	for _, c := range k.PCM16 {
		require.Equal(t, c.PCM16, pcm16(float64(float32(c.X))), "sample %g", c.X)
	}
	t.Logf("%d samples", len(k.PCM16))
}
