package supertonic

import (
	"context"
	"fmt"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// longestSpeech is the most seconds of one piece at the model's own pace: a damaged model can ask for more
// than any memory holds, and a thousand letters take about a minute.
const longestSpeech = 600

// length is how long a piece of speech is.
type length struct {
	samples int // of the sound
	frames  int // of the latent, so that the samples fit in
	ones    int // frames that hold sound
}

// length returns the length of speech of so many seconds at a pace; 1 is the model's own. All arithmetic
// is in float32 and in the order of the reference (supertonic 1.3.1, sample_noisy_latent), so that it rounds the same.
func (c config) length(seconds, pace float32) length {
	samples := float32(seconds / pace * float32(c.AE.SampleRate))
	hop := float32(c.hop())
	n := length{samples: int(samples), frames: int(float32(float32(samples+hop)-1) / hop)}
	n.ones = min((n.samples+c.hop()-1)/c.hop(), n.frames)
	return n
}

// request is one piece of text to speak.
type request struct {
	ids   []int64
	style style
	pace  float32
	steps int
	noise func(n int) []float32
}

// speak returns the samples of one piece. The vocoder makes whole latent frames; what it makes beyond the length of the
// speech is cut off (as sherpa-onnx does; the reference keeps up to 70 ms of it).
// Errors: backend.ErrCancelled, CodeEngineFailed naming the stage, CodeOutOfMemory.
func (g *graphs) speak(ctx context.Context, r request) ([]float32, error) {
	s := state{text: newText(r.ids), style: r.style, steps: r.steps}
	seconds, err := g.seconds(ctx, s.text, s.style)
	if err != nil {
		return nil, err
	}
	n, err := g.measure(seconds, r.pace)
	if err != nil {
		return nil, err
	}
	if s.emb, err = g.encode(ctx, s.text, s.style); err != nil {
		return nil, err
	}
	s.frames = mask(n.ones, n.frames)
	x := g.start(n, r.noise)
	for step := range r.steps {
		if x, err = g.denoise(ctx, x, s, step); err != nil {
			return nil, err
		}
	}
	samples, err := g.vocode(ctx, x)
	if err != nil {
		return nil, err
	}
	if len(samples) < n.samples {
		return nil, engines.Failed(stageVocode, fmt.Errorf("the sound has %d samples, not %d", len(samples), n.samples))
	}
	return level(samples[:n.samples])
}

// measure returns the length, and an error for one that no text has.
func (g *graphs) measure(seconds, pace float32) (length, error) {
	if seconds <= 0 || seconds > longestSpeech {
		return length{}, engines.Failed(stageDuration, fmt.Errorf("the duration is %g seconds", seconds))
	}
	n := g.config.length(seconds, pace)
	if n.samples < 1 || n.frames < 1 {
		return length{}, engines.Failed(stageDuration, fmt.Errorf("the duration is %g seconds at pace %g", seconds, pace))
	}
	if n.frames > onnx.MaxLatent/g.config.channels() {
		return length{}, engines.Failed(stageDuration, fmt.Errorf("the latent has %d frames of %d numbers", n.frames, g.config.channels()))
	}
	return n, nil
}

// start returns the latent of the first step: noise where there is sound, [1, channels, T].
func (g *graphs) start(n length, noise func(n int) []float32) onnx.Tensor {
	channels := g.config.channels()
	x := noise(channels * n.frames)
	for row := range channels {
		clear(x[row*n.frames+n.ones : (row+1)*n.frames])
	}
	return onnx.NewTensor(x, 1, int64(channels), int64(n.frames))
}

// level returns the samples clipped to full scale, and an error for silence.
func level(samples []float32) ([]float32, error) {
	if err := onnx.CheckAudible(stageVocode, samples); err != nil {
		return nil, err
	}
	for i, v := range samples {
		if v > 1 {
			samples[i] = 1
		} else if v < -1 {
			samples[i] = -1
		}
	}
	return samples, nil
}
