package pocket

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/onnx"
)

// longest is the most seconds of a recording that are used.
const longest = 30

// voice is the main graph after it has heard a recording.
type voice struct {
	positions int   // of the caches that it takes
	states    []any // as memory.kept returns them
}

// learn returns the voice of a recording. Errors: backend.CodeSampleRejected for one of no length, backend.ErrCancelled,
// CodeEngineFailed, CodeOutOfMemory.
func (g *graphs) learn(ctx context.Context, recording audio.Buffer) (*voice, error) {
	samples, err := g.prepare(ctx, recording)
	if err != nil {
		return nil, err
	}
	embeddings, err := g.encode(ctx, samples)
	if err != nil {
		return nil, err
	}
	frames := min(len(embeddings)/g.bundle.Dim, g.bundle.longestVoice())
	return g.hear(ctx, embeddings[:frames*g.bundle.Dim])
}

// prepare returns the beginning of a recording as the encoder takes it: as long as the caches allow, mono, at the model's rate.
func (g *graphs) prepare(ctx context.Context, recording audio.Buffer) ([]float32, error) {
	b := g.bundle
	seconds := min(longest, float64(b.longestVoice()*b.Frame)/float64(b.Rate))
	limit := int(math.Ceil(seconds*float64(recording.Rate))) * max(recording.Channels, 1)
	recording.Samples = recording.Samples[:min(len(recording.Samples), limit)]
	mono, err := recording.MonoAt(ctx, b.Rate)
	if err != nil {
		return nil, fmt.Errorf("prepare recording: %w", err)
	}
	if len(mono.Samples) == 0 {
		return nil, backend.E(backend.CodeSampleRejected, "The sample has no sound.", "Record it again.").
			With("reason", string(backend.SampleTooShort))
	}
	return mono.Samples, onnx.CheckFinite(stageVoice, mono.Samples)
}

// hear returns the voice with these embeddings.
func (g *graphs) hear(ctx context.Context, embeddings []float32) (*voice, error) {
	sequence := append(append(make([]float32, 0, len(g.bos)+len(embeddings)), g.bos...), embeddings...)
	from, to := newMemory(g.bundle.Flow), newMemory(g.bundle.Flow)
	if err := g.condition(ctx, stageVoice, sequence, from, to); err != nil {
		return nil, err
	}
	positions := len(sequence) / g.bundle.Dim
	return &voice{positions: positions, states: to.kept(g.bundle.Flow, positions)}, nil
}

// voiceFormat is the number of the layout that store writes.
const voiceFormat = 1

// store returns a voice as bytes: the number of positions and the states, little endian.
func store(v *voice) ([]byte, error) {
	out := binary.LittleEndian.AppendUint32(nil, uint32(v.positions))
	for _, s := range v.states {
		var err error
		if out, err = binary.Append(out, binary.LittleEndian, s); err != nil {
			return nil, fmt.Errorf("store voice: %w", err)
		}
	}
	return out, nil
}

// restore is the reverse of store. It returns an error for bytes that are no voice of this model.
func (b *bundle) restore(raw []byte) (*voice, error) {
	if len(raw) < 4 {
		return nil, errors.New("the file is cut off")
	}
	v := &voice{positions: int(binary.LittleEndian.Uint32(raw)), states: make([]any, len(b.Flow))}
	if limit := b.longestVoice() + 1; v.positions < 1 || v.positions > limit {
		return nil, fmt.Errorf("a voice of %d positions, not 1 to %d", v.positions, limit)
	}
	raw = raw[4:]
	for i, s := range b.Flow {
		n := int(s.elements())
		if all := s.positions(); all > 0 {
			n = n / all * v.positions
		}
		switch types[s.Type] {
		case onnx.Int64:
			v.states[i] = make([]int64, n)
		case onnx.Bool:
			v.states[i] = make([]bool, n)
		default:
			v.states[i] = make([]float32, n)
		}
		read, err := binary.Decode(raw, binary.LittleEndian, v.states[i])
		if err != nil {
			return nil, fmt.Errorf("read state %d: %w", i, err)
		}
		raw = raw[read:]
	}
	if len(raw) > 0 {
		return nil, fmt.Errorf("%d bytes follow the voice", len(raw))
	}
	return v, nil
}
