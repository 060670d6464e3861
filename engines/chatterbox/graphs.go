package chatterbox

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The work of each graph, as errors call it.
const (
	stageVoice  = "reading the voice"
	stageText   = "reading the text"
	stageSpeech = "shaping the speech"
	stageSound  = "making the sound"
)

// The sizes that all editions share.
const (
	sampleRate    = 24000
	perToken      = 960 // samples of one speech token
	embeddingSize = 192 // of a speaker
	melSize       = 80  // rows of a spectrogram
)

// graphs are the four networks of a model.
type graphs struct {
	sizes
	encoder  *onnx.Session
	embed    *onnx.Session
	language *onnx.Session
	decoder  *onnx.Session
}

// openGraphs loads the four graphs. Errors: those of onnx.Runtime.Open, which name the file.
func openGraphs(ctx context.Context, r *onnx.Runtime, files engines.Files, s sizes, o onnx.SessionOptions) (*graphs, error) {
	g := &graphs{sizes: s}
	for _, one := range []struct {
		role string
		to   **onnx.Session
		want onnx.Signature
	}{
		{RoleEncoder, &g.encoder, encoderSignature()},
		{RoleEmbed, &g.embed, s.embedSignature()},
		{RoleLanguage, &g.language, s.languageSignature()},
		{RoleDecoder, &g.decoder, decoderSignature()},
	} {
		session, err := r.Open(ctx, files[one.role], s.renamed(one.role, one.want), o)
		if err != nil {
			return nil, errors.Join(err, g.sessions().Close())
		}
		*one.to = session
	}
	return g, nil
}

// renamed returns a signature with the names that the graph of a role has for outputs that it does not call as wanted: graphs of
// other exports have other names, and the makers' programs take the outputs in their order.
func (s sizes) renamed(role string, want onnx.Signature) onnx.Signature {
	have := s.outputs[role]
	for i, v := range want.Outputs {
		if !slices.ContainsFunc(have, func(h onnx.Value) bool { return h.Name == v.Name }) && i < len(have) {
			want.Outputs[i].Name = have[i].Name
		}
	}
	return want
}

func float(name string, rank int) onnx.Value {
	return onnx.Value{Name: name, Type: onnx.Float32, Rank: rank}
}

func whole(name string) onnx.Value {
	return onnx.Value{Name: name, Type: onnx.Int64, Rank: 2}
}

func encoderSignature() onnx.Signature {
	return onnx.Signature{
		Inputs: []onnx.Value{float("audio_values", 2)},
		Outputs: []onnx.Value{
			float("audio_features", 3), whole("audio_tokens"), float("speaker_embeddings", 2), float("speaker_features", 3),
		},
	}
}

func (s sizes) embedSignature() onnx.Signature {
	want := onnx.Signature{Inputs: []onnx.Value{whole("input_ids")}, Outputs: []onnx.Value{float("inputs_embeds", 3)}}
	if s.multilingual {
		want.Inputs = append(want.Inputs, whole("position_ids"), float("exaggeration", 1))
	}
	return want
}

func (s sizes) languageSignature() onnx.Signature {
	want := onnx.Signature{
		Inputs:  []onnx.Value{float("inputs_embeds", 3), whole("attention_mask")},
		Outputs: []onnx.Value{float("logits", 3)},
	}
	if !s.multilingual {
		want.Inputs = append(want.Inputs, whole("position_ids"))
	}
	for layer := range s.layers {
		want.Inputs = append(want.Inputs, float(key(layer), 4), float(value(layer), 4))
		want.Outputs = append(want.Outputs, float(presentKey(layer), 4), float(presentValue(layer), 4))
	}
	return want
}

func decoderSignature() onnx.Signature {
	return onnx.Signature{
		Inputs:  []onnx.Value{whole("speech_tokens"), float("speaker_embeddings", 2), float("speaker_features", 3)},
		Outputs: []onnx.Value{float("waveform", 2)},
	}
}

func (g *graphs) sessions() onnx.Sessions {
	return onnx.Sessions{g.encoder, g.embed, g.language, g.decoder}
}

// encode returns the voice of a reference, samples at sampleRate.
func (g *graphs) encode(ctx context.Context, samples []float32) (*voice, error) {
	out, err := g.encoder.Run(ctx, stageVoice, onnx.NewTensor(samples, 1, int64(len(samples))))
	if err != nil {
		return nil, fmt.Errorf("run model: %w", err)
	}
	v := &voice{}
	for i, to := range []*array{&v.Features, nil, &v.Embedding, &v.Mel} {
		if to == nil {
			continue
		}
		if to.Data, err = out[i].Floats(); err != nil {
			return nil, fmt.Errorf("read %s: %w", stageVoice, err)
		}
		if err := onnx.CheckFinite(stageVoice, to.Data); err != nil {
			return nil, err
		}
		to.Shape = out[i].Shape()
	}
	if v.Tokens, err = out[1].Ints(); err != nil {
		return nil, fmt.Errorf("read %s: %w", stageVoice, err)
	}
	if err := v.check(g.sizes); err != nil {
		return nil, engines.Failed(stageVoice, err)
	}
	return v, nil
}

// decode returns the sound of speech tokens, which begin with those of the voice.
func (g *graphs) decode(ctx context.Context, v *voice, speech []int64, seed int64) ([]float32, error) {
	tokens := slices.Concat(v.Tokens, speech)
	out, err := g.decoder.RunSeeded(ctx, stageSound, seed,
		onnx.NewTensor(tokens, 1, int64(len(tokens))), v.Embedding.tensor(), v.Mel.tensor())
	if err != nil {
		return nil, fmt.Errorf("run model: %w", err)
	}
	samples, err := out[0].Floats()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", stageSound, err)
	}
	if want := []int64{1, int64(len(samples))}; !slices.Equal(out[0].Shape(), want) {
		return nil, engines.Failed(stageSound, fmt.Errorf("the output has the shape %v, not %v", out[0].Shape(), want))
	}
	return samples, onnx.CheckFinite(stageSound, samples)
}
