package chatterbox

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// voice is what the speech encoder makes of a reference. It does not change.
type voice struct {
	Features  array   // [1, S, hidden], the start of the language model's input
	Tokens    []int64 // the reference in speech tokens, the start of the decoder's input
	Embedding array   // [1, 192]
	Mel       array   // [1, F, 80]
}

// array is a tensor of float32 that can be stored.
type array struct {
	Shape []int64
	Data  []float32
}

func (a array) tensor() onnx.Tensor { return onnx.NewTensor(a.Data, a.Shape...) }

// fits reports whether the array has two or three dimensions, 1 row at first and this size at last, and as many numbers.
func (a array) fits(rank int, last int) bool {
	if len(a.Shape) != rank || a.Shape[0] != 1 || a.Shape[rank-1] != int64(last) || len(a.Data) == 0 {
		return false
	}
	rows := int64(1)
	if rank == 3 {
		rows = a.Shape[1]
	}
	return rows > 0 && rows <= int64(len(a.Data)) && rows*int64(last) == int64(len(a.Data))
}

// check returns an error for a voice that does not fit a model of these sizes.
func (v *voice) check(s sizes) error {
	switch {
	case !v.Features.fits(3, s.hidden):
		return fmt.Errorf("the features have the shape %v", v.Features.Shape)
	case !v.Embedding.fits(2, embeddingSize):
		return fmt.Errorf("the embedding has the shape %v", v.Embedding.Shape)
	case !v.Mel.fits(3, melSize):
		return fmt.Errorf("the spectrogram has the shape %v", v.Mel.Shape)
	case len(v.Tokens) == 0:
		return errors.New("there are no speech tokens")
	}
	return nil
}

// encodeVoice returns the content of a file with a voice.
func encodeVoice(v *voice) ([]byte, error) {
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(v); err != nil {
		return nil, fmt.Errorf("write voice: %w", err)
	}
	return out.Bytes(), nil
}

// decodeVoice reads the content of a file that encodeVoice wrote for a model of the same sizes.
func decodeVoice(s sizes, raw []byte) (*voice, error) {
	var v voice
	if err := gob.NewDecoder(bytes.NewReader(raw)).Decode(&v); err != nil {
		return nil, fmt.Errorf("read voice: %w", err)
	}
	return &v, v.check(s)
}

// referenceLUFS is the loudness to which the makers' program brings a reference for Turbo (tts_turbo.py, norm_loudness).
const referenceLUFS = -27

// prepare returns the voice of a recording.
func (e *Engine) prepare(ctx context.Context, in audio.Buffer) (*voice, error) {
	in, err := in.MonoAt(ctx, sampleRate)
	if err != nil {
		return nil, fmt.Errorf("convert sample: %w", err)
	}
	if in.Samples, err = e.edition.cut(in.Samples); err != nil {
		return nil, err
	}
	if !e.graphs.multilingual {
		level(in.Samples)
	}
	return e.graphs.encode(ctx, in.Samples)
}

// cut applies the rules of an edition to a recording. Error: backend.CodeSampleRejected for one that is too short.
func (e edition) cut(samples []float32) ([]float32, error) {
	if len(samples) == 0 || float64(len(samples)) <= e.rules.Over*sampleRate {
		return nil, backend.E(backend.CodeSampleRejected,
			fmt.Sprintf("The sample is too short: %s needs more than %g seconds.", e.name, e.rules.Over),
			"Add another sample of the same voice, or record a longer one.").With("reason", string(backend.SampleEngine))
	}
	return samples[:min(len(samples), int(e.rules.Longest*sampleRate))], nil
}

// level brings samples to referenceLUFS where they have a measurable loudness.
func level(samples []float32) {
	meter := audio.NewMeter(sampleRate, 1)
	meter.Write(samples)
	lufs, ok := meter.Integrated()
	if !ok {
		return
	}
	gain := float32(audio.FromDB(referenceLUFS - lufs))
	for i := range samples {
		samples[i] *= gain
	}
}

// voice returns the prepared voice of an utterance's reference.
func (e *Engine) voice(ctx context.Context, u engines.Utterance) (*voice, error) {
	if u.Reference == nil {
		if u.Voice != "" {
			return nil, engines.NoVoice(e.edition.name, u.Voice, nil)
		}
		return nil, engines.NoReference(e.edition.name)
	}
	v, err := e.voices.Get(ctx, u.Reference, e.prepare)
	if err != nil {
		return nil, fmt.Errorf("prepare voice: %w", err)
	}
	return v, nil
}
