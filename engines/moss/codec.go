package moss

import (
	"context"
	"fmt"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// longestGroup is the most frames that the codec decodes at once: more of them at once are not much faster, and are heard
// later.
const longestGroup = 8

// decoder turns the frames of one piece into sound while they arrive. The states of the codec are there twice: each run
// reads one set and writes the other.
type decoder struct {
	graphs *graphs

	codes   []int32 // of the frames that wait
	length  []int32 // their number
	decoded int     // frames before them
	samples []int32 // of the last run, for each channel

	in, out []onnx.Tensor // codes, length, states; sound, its length, states
}

func newDecoder(g *graphs) *decoder {
	channels := int64(g.config.meta.Config.Channels)
	d := &decoder{graphs: g, codes: make([]int32, longestGroup*channels), length: make([]int32, 1), samples: make([]int32, 1)}
	d.in = []onnx.Tensor{onnx.NewResizable(d.codes, 1, 0, channels), onnx.NewTensor(d.length, 1)}
	d.out = []onnx.Tensor{{}, onnx.NewTensor(d.samples, 1)}
	for _, s := range g.config.codec.states() {
		d.in, d.out = append(d.in, s.tensor()), append(d.out, s.tensor())
	}
	return d
}

// tensor returns memory for a state.
func (s state) tensor() onnx.Tensor {
	if s.ints {
		return onnx.NewTensor(make([]int32, s.size()), s.shape...)
	}
	return onnx.NewTensor(make([]float32, s.size()), s.shape...)
}

// reset forgets the sound so far.
func (d *decoder) reset() error {
	d.decoded, d.length[0] = 0, 0
	for i, s := range d.graphs.config.codec.states() {
		if !s.ints {
			values, err := d.in[2+i].Floats()
			if err != nil {
				return fmt.Errorf("reset %s: %w", s.in, err)
			}
			clear(values)
			continue
		}
		values, err := d.in[2+i].Int32s()
		if err != nil {
			return fmt.Errorf("reset %s: %w", s.in, err)
		}
		for j := range values {
			values[j] = s.start
		}
	}
	return nil
}

// add takes the codes of a frame and returns the sound of all that waited, or nothing if more are to wait: the first frame is
// decoded at once, and then as many as were decoded before, which lets a listener start early.
func (d *decoder) add(ctx context.Context, codes []int32) ([]float32, error) {
	d.length[0] += int32(copy(d.codes[int(d.length[0])*len(codes):], codes) / len(codes))
	if int(d.length[0]) < min(max(d.decoded, 1), longestGroup) {
		return nil, nil
	}
	return d.flush(ctx)
}

// flush returns the sound of the frames that wait, the channels in turns.
func (d *decoder) flush(ctx context.Context) ([]float32, error) {
	n := int(d.length[0])
	if n == 0 {
		return nil, nil
	}
	d.in[0].Resize(1, int64(n))
	d.out[0] = onnx.Tensor{} // the codec says how long it is
	if err := d.graphs.decode.Step(ctx, stageDecode, d.in, d.out); err != nil {
		return nil, fmt.Errorf("run model: %w", err)
	}
	for i := range d.in[2:] {
		d.in[2+i], d.out[2+i] = d.out[2+i], d.in[2+i]
	}
	d.decoded, d.length[0] = d.decoded+n, 0
	return d.graphs.config.interleave(d.out[0], d.out[1])
}

// interleave returns a sound [1, channels, samples] with the channels in turns and clipped to full scale.
func (c config) interleave(sound, length onnx.Tensor) ([]float32, error) {
	channels := c.codec.Config.Channels
	values, err := sound.Floats()
	if err != nil || len(sound.Shape()) != 3 || len(values)%channels != 0 || sound.Shape()[1] != int64(channels) {
		return nil, engines.Failed(stageDecode, fmt.Errorf("the sound has the shape %v: %w", sound.Shape(), err))
	}
	whole := len(values) / channels
	n, err := count(stageDecode, length, int64(whole))
	if err != nil {
		return nil, err
	}
	out := make([]float32, n*channels)
	for channel := range channels {
		one := values[channel*whole : channel*whole+n]
		if err := onnx.CheckFinite(stageDecode, one); err != nil {
			return nil, err
		}
		for i, v := range one {
			out[i*channels+channel] = min(max(v, -1), 1)
		}
	}
	return out, nil
}

// listen returns the codes of a recording, frame after frame. One channel is copied to all that the codec has.
// Errors: backend.ErrCancelled, CodeEngineFailed, CodeOutOfMemory.
func (g *graphs) listen(ctx context.Context, in audio.Buffer) ([]int32, error) {
	c := g.config.codec.Config
	if in.Channels != 1 && in.Channels != c.Channels {
		return nil, engines.Failed(stageEncode, fmt.Errorf("%d channels cannot become %d", in.Channels, c.Channels))
	}
	in.Samples = in.Samples[:min(len(in.Samples), longestReference*in.Rate*in.Channels)]
	in = in.Resampled(c.SampleRate)
	n := in.Frames()
	wave := make([]float32, c.Channels*n)
	for channel := range c.Channels {
		for i := range n {
			wave[channel*n+i] = in.Samples[i*in.Channels+min(channel, in.Channels-1)]
		}
	}
	out, err := g.encode.Run(ctx, stageEncode,
		onnx.NewTensor(wave, 1, int64(c.Channels), int64(n)), onnx.NewTensor([]int32{int32(n)}, 1))
	if err != nil {
		return nil, fmt.Errorf("run model: %w", err)
	}
	codes, err := out[0].Int32s()
	if err != nil || len(codes)%c.Quantizers != 0 || out[0].Shape()[2] != int64(c.Quantizers) {
		return nil, engines.Failed(stageEncode, fmt.Errorf("the codes have the shape %v: %w", out[0].Shape(), err))
	}
	// A last frame that is not full may count or not.
	frames, err := count(stageEncode, out[1], int64(min(len(codes)/c.Quantizers, n/c.Frame+1)))
	if err != nil {
		return nil, err
	}
	codes = codes[:frames*c.Quantizers]
	if frames == 0 || !g.config.meta.valid(codes) {
		return nil, engines.Failed(stageEncode, fmt.Errorf("%d frames, or a code that is not from 0 to %d", frames, g.config.meta.codes()-1))
	}
	return codes, nil
}
