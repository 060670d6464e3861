package takes

import (
	"context"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/speech/journal"
	"github.com/voicewright/voicewright/engines"
)

// passage is a chunk of a revision with its audio.
type passage struct {
	from          int  // the old chunk, -1 for one that is spoken
	missing       bool // it is not spoken yet
	line          backend.ReceiptChunk
	gap           int64 // frames of silence before it
	source        *audio.PCMFile
	start, end    int64          // its frames in source
	before, after int64          // the frames of silence beside it in source that hold the fade
	words         []backend.Word // times from its start
}

// passages returns the chunks of a revision, those to speak without audio, and the segments of these. info may be that of a model
// that is not loaded if there are none.
func (rev *revision) passages(ctx context.Context, info engines.Info) ([]passage, []speech.Segment, error) {
	lines, err := rev.service.synth.Lines(ctx, rev.job.Plan, info)
	if err != nil {
		return nil, nil, err
	}
	for i, from := range rev.from {
		if from >= 0 {
			lines[i].Takes = slices.Clone(rev.base.Receipt.Chunks[from].Takes)
		}
	}
	all := make([]passage, len(lines))
	var spoken []speech.Segment
	for _, seg := range rev.job.Plan.Segments(lines, info.Pauses) {
		p := &all[seg.Line]
		if first := p.line.Text == ""; first {
			from := rev.from[seg.Line]
			*p = passage{from: from, missing: from < 0, line: lines[seg.Line], gap: audio.Frames(seg.Asked.Seconds(), rev.base.SampleRate)}
			if p.gap == 0 && seg.Line > 0 {
				p.gap = audio.Frames(seg.Own.Seconds(), rev.base.SampleRate)
			}
			seg.Asked = 0
		}
		if p.from < 0 {
			spoken = append(spoken, seg)
		}
	}
	return all, spoken, nil
}

// seeds returns a seed for each new chunk that no other take of the generation has, and 0 for those that keep theirs.
func (rev *revision) seeds() []int64 {
	used := map[int64]bool{}
	for _, from := range rev.from {
		if from >= 0 {
			for _, t := range rev.base.Receipt.Chunks[from].AllTakes() {
				used[t.Seed] = true
			}
		}
	}
	next := max(len(rev.from), len(rev.base.Chunks))
	seeds := make([]int64, len(rev.from))
	for i, from := range rev.from {
		if from >= 0 {
			continue
		}
		seeds[i] = speech.ChunkSeed(rev.base.Seed, i)
		for used[seeds[i]] {
			seeds[i] = speech.ChunkSeed(rev.base.Seed, next)
			next++
		}
		used[seeds[i]] = true
	}
	return seeds
}

// passageMaker speaks passages into a file of samples, in order and at the level of their generation.
type passageMaker struct {
	job      *generations.Job
	passages []passage
	segments []speech.Segment
	timeline *timeline
	source   *audio.PCMFile // what they are spoken to
	frames   int64
	pcm      []byte

	take          take
	track         *speech.Track
	before, after int64
}

// speakPassages speaks the segments of passages into the file of a timeline, which they fill. What is in the journal is not
// synthesized again.
func (rev *revision) speakPassages(
	ctx context.Context, loaded *engines.Loaded, stored *journal.Journal, passages []passage, segments []speech.Segment, t *timeline,
) error {
	s, j := rev.service, rev.job
	info := loaded.Info()
	run := s.gens.RunOf(j, loaded, stored)
	reuse, err := s.synth.Reuse(ctx, run, segments)
	if err != nil {
		return err
	}
	m := &passageMaker{
		job: j, passages: passages, segments: segments, timeline: t,
		source: audio.RawPCM16(t.spoken, info.SampleRate, info.Channels),
	}
	tally := speech.NewTally(s.o.Now, run.Progress, segments, reuse)
	return speech.SideBySide(ctx, speech.Work{
		Workers: loaded.Workers(s.o.Memory), Sizes: speech.Sizes(segments),
		Speak: func(ctx context.Context, i int, emit func(engines.Sound) error) error {
			return reuse.Speak(i, emit, func(emit func(engines.Sound) error) error {
				return j.Plan.SpeakSegment(ctx, loaded, segments[i], speech.SpeakWhole, speech.Given(emit))
			}, tally.Finish)
		},
		Take: func(i int, f *speech.Feed) error { return m.join(ctx, i, f) },
	})
}

// join adds a segment to its passage, which ends with its last one.
func (m *passageMaker) join(ctx context.Context, i int, f *speech.Feed) error {
	seg := m.segments[i]
	if i == 0 || m.segments[i-1].Line != seg.Line {
		if err := m.begin(seg.Line); err != nil {
			return err
		}
	}
	placed := len(m.track.Parts)
	alone := seg
	alone.Line = 0 // of a track with one passage
	emit := m.track.Next(alone)
	for sound := range f.Out {
		if err := emit(sound); err != nil {
			return err
		}
	}
	audible := len(m.track.Parts) > placed
	if f.Err != nil && (audible || backend.CodeOf(f.Err) != backend.CodeNothingToSpeak) {
		return f.Err
	}
	if seg.Last {
		if err := m.end(ctx, seg.Line); err != nil {
			return err
		}
		m.passages[seg.Line].missing = false
		if err := m.timeline.fill(ctx, m.passages); err != nil {
			return err
		}
	}
	return nil
}

// begin begins a passage.
func (m *passageMaker) begin(n int) error {
	m.take = take{}
	m.take.Rate, m.take.Channels = m.source.Rate, m.source.Channels
	m.track = speech.NewTrack(m.source.Rate, m.source.Channels, 0, func(samples []float32) error {
		m.take.Samples = append(m.take.Samples, samples...)
		return nil
	})
	g := m.job.Snapshot() // the segments that are spoken meanwhile are counted in it
	m.before, m.after = fades(g, m.passages[n].gap), 0
	if n+1 < len(m.passages) {
		m.after = fades(g, m.passages[n+1].gap)
	}
	return m.track.Joiner.Pause(audio.Length(m.before, m.source.Rate))
}

// end levels a passage and writes it. One in which there was nothing to speak stays without audio.
func (m *passageMaker) end(ctx context.Context, n int) error {
	if len(m.track.Parts) == 0 {
		return nil
	}
	if err := m.track.End(audio.Length(m.after, m.source.Rate)); err != nil {
		return err
	}
	p := &m.passages[n]
	_, chunks := m.track.Chunks([]backend.ReceiptChunk{p.line})
	gain, err := levelTake(ctx, m.job.Plan, m.timeline.g.Receipt.GainDB, m.take)
	if err != nil {
		return err
	}
	m.pcm = audio.PCM16(m.pcm[:0], m.take.Samples)
	if _, err := m.timeline.spoken.Write(m.pcm); err != nil {
		return backend.FileError("write a passage", "the data directory", err)
	}
	length := int64(m.take.Frames())
	p.line.GainDB, p.source = gain, m.source
	p.start, p.end = m.frames+m.before, m.frames+length-m.after
	p.before, p.after = m.before, m.after
	p.words = engines.Shifted(chunks[0].Words, -audio.Seconds(m.before, m.source.Rate))
	m.frames += length
	return nil
}

// fades returns how many frames of a silence hold the fade of the chunk at each of its ends.
func fades(g backend.Generation, gap int64) int64 {
	if g.Request.Pauses == nil {
		return 0
	}
	return min(audio.Frames(edge.Seconds(), g.SampleRate), max(gap, 0)/2)
}
