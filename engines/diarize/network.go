package diarize

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// shape is what the file of a segmentation network says about its windows and answers.
type shape struct {
	window   int // samples of one run
	field    int // samples that one frame of the answer listens to
	step     int // samples from one frame to the next
	locals   int // speakers that a window can tell apart
	together int // of which so many can speak at once
	classes  []locals
}

// locals is a set of the speakers of one window: bit i is local speaker i.
type locals uint32

func (l locals) has(i int) bool { return l>>i&1 == 1 }

func (l locals) count() int { return bits.OnesCount32(uint32(l)) }

// The limits of what a file may say. Published networks have windows of 10 s and 3 speakers.
const (
	maxWindow   = 60 * Rate
	maxLocals   = 16
	maxTogether = 2
)

// readShape reads the metadata of a segmentation network. Error: backend.CodeModelCorrupt.
func readShape(path string, meta map[string]string) (shape, error) {
	var s shape
	var rate, classes int
	for _, f := range []struct {
		key string
		to  *int
	}{
		{"window_size", &s.window},
		{"receptive_field_size", &s.field},
		{"receptive_field_shift", &s.step},
		{"num_speakers", &s.locals},
		{"powerset_max_classes", &s.together},
		{"num_classes", &classes},
		{"sample_rate", &rate},
	} {
		v, err := strconv.Atoi(meta[f.key])
		if err != nil {
			return shape{}, onnx.WrongValue(path, f.key, err)
		}
		*f.to = v
	}
	err := onnx.CheckLimits(path,
		onnx.Limit{Field: "sample_rate", Value: rate, Min: Rate, Max: Rate},
		onnx.Limit{Field: "window_size", Value: s.window, Min: Rate / 10, Max: maxWindow},
		onnx.Limit{Field: "receptive_field_size", Value: s.field, Min: 1, Max: s.window},
		onnx.Limit{Field: "receptive_field_shift", Value: s.step, Min: 16, Max: s.window},
		onnx.Limit{Field: "num_speakers", Value: s.locals, Min: 1, Max: maxLocals},
		onnx.Limit{Field: "powerset_max_classes", Value: s.together, Min: 1, Max: min(maxTogether, s.locals)},
	)
	if err != nil {
		return shape{}, err
	}
	s.classes = powerset(s.locals, s.together)
	return s, onnx.CheckLimits(path, onnx.Limit{Field: "num_classes", Value: classes, Min: len(s.classes), Max: len(s.classes)})
}

// powerset returns the sets that the classes of a network mean: nobody, one speaker, then two.
func powerset(speakers, together int) []locals {
	sets := []locals{0}
	for i := range speakers {
		sets = append(sets, 1<<i)
	}
	if together < 2 {
		return sets
	}
	for i := range speakers {
		for j := i + 1; j < speakers; j++ {
			sets = append(sets, 1<<i|1<<j)
		}
	}
	return sets
}

// segmenter hears who speaks in a window.
type segmenter struct {
	shape
	session *onnx.Session
}

func openSegmenter(ctx context.Context, r *onnx.Runtime, path string, run onnx.SessionOptions) (*segmenter, error) {
	model, err := onnx.Inspect(path)
	if err != nil {
		return nil, err
	}
	s, err := readShape(path, model.Metadata)
	if err != nil {
		return nil, err
	}
	session, err := openOne(ctx, r, path, model, 3, 3, run)
	if err != nil {
		return nil, err
	}
	return &segmenter{shape: s, session: session}, nil
}

// openOne opens a graph with one input and one output, by whatever names.
func openOne(
	ctx context.Context, r *onnx.Runtime, path string, model onnx.Model, rankIn, rankOut int, run onnx.SessionOptions,
) (*onnx.Session, error) {
	if len(model.Inputs) != 1 || len(model.Outputs) < 1 {
		return nil, onnx.Corrupt(path, fmt.Sprintf("has %d inputs and %d outputs, not one of each", len(model.Inputs), len(model.Outputs)))
	}
	return r.Open(ctx, path, onnx.Signature{
		Inputs:  []onnx.Value{{Name: model.Inputs[0].Name, Type: onnx.Float32, Rank: rankIn}},
		Outputs: []onnx.Value{{Name: model.Outputs[0].Name, Type: onnx.Float32, Rank: rankOut}},
	}, run)
}

const stageSegment = "finding who speaks when"

// scores returns the log-probabilities [frames, classes] of a window of samples, padded with zeros.
func (s *segmenter) scores(ctx context.Context, window []float32) ([]float32, error) {
	padded := window
	if len(window) < s.window {
		padded = make([]float32, s.window)
		copy(padded, window)
	}
	out, err := s.session.Run(ctx, stageSegment, onnx.NewTensor(padded, 1, 1, int64(s.window)))
	if err != nil {
		return nil, err
	}
	scores, err := out[0].Floats()
	if err != nil {
		return nil, engines.Failed(stageSegment, err)
	}
	if n := out[0].Shape(); n[0] != 1 || n[1] < 1 || n[2] != int64(len(s.classes)) {
		return nil, engines.Failed(stageSegment, fmt.Errorf("the answer has the shape %v", n))
	}
	return scores, onnx.CheckFinite(stageSegment, scores)
}

// activity is who speaks in a window, in runs of frames with the same speakers: a hundredth of the memory of its frames.
type activity []run

// run is the frames from the end of the run before it to its own.
type run struct {
	end int32
	who locals
}

// frames returns how many there are.
func (a activity) frames() int {
	if len(a) == 0 {
		return 0
	}
	return int(a[len(a)-1].end)
}

// at returns who speaks in a frame; run is the run of an earlier one, and becomes that of this one.
func (a activity) at(frame int, run *int32) locals {
	for int(a[*run].end) <= frame {
		*run++
	}
	return a[*run].who
}

// with returns the activity with one frame more.
func (a activity) with(who locals) activity {
	if n := len(a); n > 0 && a[n-1].who == who {
		a[n-1].end++
		return a
	}
	return append(a, run{end: int32(a.frames()) + 1, who: who})
}

// decode returns who speaks in each frame: the class with the highest score, the first of equal ones.
func (s *segmenter) decode(scores []float32) activity {
	var out activity
	for ; len(scores) > 0; scores = scores[len(s.classes):] {
		best := 0
		for i, v := range scores[:len(s.classes)] {
			if v > scores[best] {
				best = i
			}
		}
		out = out.with(s.classes[best])
	}
	return slices.Clip(out)
}

// embedder turns sound into a vector that is alike for sounds of one voice.
type embedder struct {
	session *onnx.Session
	bank    *filterBank
	path    string
}

func openEmbedder(ctx context.Context, r *onnx.Runtime, path string, o Features, run onnx.SessionOptions) (*embedder, error) {
	model, err := onnx.Inspect(path)
	if err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if dims := model.Dims(inputName(model)); len(dims) == 3 && dims[2] != Bands && dims[2] != onnx.AnySize {
		return nil, onnx.Corrupt(path, fmt.Sprintf("wants %d bands, not %d", dims[2], Bands))
	}
	session, err := openOne(ctx, r, path, model, 3, 2, run)
	if err != nil {
		return nil, err
	}
	return &embedder{session: session, bank: newFilterBank(o), path: path}, nil
}

func inputName(m onnx.Model) string {
	if len(m.Inputs) == 0 {
		return ""
	}
	return m.Inputs[0].Name
}

const stageEmbed = "comparing voices"

// errNoVoice says that a sound is too short, or that the network found nothing in it.
var errNoVoice = errors.New("no voice is in this sound")

// embed returns the vector of samples in [-1, 1] at Rate. Error: errNoVoice where there are too few samples for a frame, or the
// vector is not finite.
func (e *embedder) embed(ctx context.Context, samples []float32) ([]float32, error) {
	features := e.bank.compute(samples)
	if len(features) == 0 {
		return nil, errNoVoice
	}
	return e.run(ctx, features)
}

// run returns the vector of the features of a sound. Error: errNoVoice where the vector is not finite.
func (e *embedder) run(ctx context.Context, features []float32) ([]float32, error) {
	out, err := e.session.Run(ctx, stageEmbed, onnx.NewTensor(features, 1, int64(len(features)/Bands), Bands))
	if err != nil {
		return nil, err
	}
	vector, err := out[0].Floats()
	if err != nil || len(vector) == 0 {
		return nil, engines.Failed(stageEmbed, errors.Join(err, errors.New("the answer is empty")))
	}
	if onnx.CheckFinite(stageEmbed, vector) != nil {
		return nil, errNoVoice
	}
	return vector, nil
}
