// Package diarize finds who speaks when: a segmentation network tells the speakers of short windows apart, an embedding network
// describes their voices, and clusters of these are the speakers of the whole sound. The steps are those of sherpa-onnx's offline
// diarization; where that is wrong, ours differs as the comments say.
package diarize

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// Name is the engine's name in the registry.
const Name = "diarize"

// Rate is the sample rate of the sound, in Hz.
const Rate = engines.TranscriberRate

// Engine is a pair of loaded networks. It is safe for concurrent use.
type Engine struct {
	segmenter *segmenter
	embedder  *embedder
	info      engines.Info
}

var _ engines.Diarizer = (*Engine)(nil)

// maxCallers is how many windows are heard at once at most: each takes 13 MB, and with four of them the search stays below 300 MB.
const maxCallers = 4

// open loads the networks. run.Threads are those of one run, 0 for the usual number.
func open(
	ctx context.Context, r *onnx.Runtime, segmentation, embedding string, o Features, run onnx.SessionOptions,
) (*Engine, error) {
	perRun, callers := onnx.Threads(run.Threads, 1)
	run.Threads = perRun
	s, err := openSegmenter(ctx, r, segmentation, run)
	if err != nil {
		return nil, err
	}
	e, err := openEmbedder(ctx, r, embedding, o, run)
	if err != nil {
		return nil, errors.Join(err, s.session.Close())
	}
	return &Engine{segmenter: s, embedder: e, info: engines.Info{
		Engine: Name, SampleRate: Rate, Channels: 1, Reproducible: true, Concurrency: min(callers, maxCallers), Device: engines.CPU,
		Threads: perRun,
	}}, nil
}

// Info describes the engine; Concurrency is the number of windows that it hears at once.
func (e *Engine) Info() engines.Info {
	info := e.info.Clone()
	info.Runtimes = maps.Clone(info.Runtimes)
	return info
}

// Close frees the networks. Calls in progress return backend.ErrCancelled.
func (e *Engine) Close() error { return onnx.Sessions{e.segmenter.session, e.embedder.session}.Close() }

// shares are the parts of a window by which the next one begins later, by pace.
var shares = map[engines.Pace]float32{engines.Thorough: 0.1, engines.Balanced: 0.25, engines.Fast: 0.5}

// Diarize finds the speakers of a sound, see engines.Diarizer. Memory does not depend on its length but for about 300 bytes a second;
// time does, as most of it is the embedding network's.
func (e *Engine) Diarize(ctx context.Context, sound engines.SoundSource, o engines.DiarizeOptions) (engines.Speakers, error) {
	s, err := e.scan(ctx, sound, shares[o.Pace], o.Count, o.Progress)
	if err != nil || len(s.windows) == 0 {
		return engines.Speakers{}, err
	}
	return s.speakers(ctx, o)
}

// maxPrint is the number of samples that one run of the embedding network gets.
const maxPrint = 30 * Rate

// Print returns the vector of a voice: the normalised sum of those of pieces of up to 30 s.
func (e *Engine) Print(ctx context.Context, samples []float32) (print []float32, ok bool, err error) {
	var rows [][]float32
	for piece := range slices.Chunk(samples, maxPrint) {
		vector, err := e.embedder.embed(ctx, piece)
		switch {
		case errors.Is(err, errNoVoice):
		case err != nil:
			return nil, false, err
		default:
			rows = append(rows, unit(vector))
		}
	}
	if len(rows) == 0 {
		return nil, false, nil
	}
	return unit(sums(rows, make([]int, len(rows)), 1)[0]), true, nil
}
