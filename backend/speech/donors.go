package speech

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// Donors are finished generations whose passages a run copies instead of speaking them. One that cannot be read is not used.
type Donors struct {
	IDs  []string // the preferred ones first
	Read func(ctx context.Context, id string) (backend.Generation, error)
	// Open returns the samples of a donor as it was read, until drop is called.
	Open func(ctx context.Context, g backend.Generation) (source *audio.PCMFile, drop func(), err error)
}

// donation is a passage of another generation, or a sentence of one.
type donation struct {
	key        string // identifies its sound
	source     *audio.PCMFile
	start, end int64          // its frames in source
	faded      time.Duration  // the part of the silence before it that is in the sounds beside it
	level      Level          // that undoes the gain of the donor
	words      []backend.Word // times from its start
	trim       engines.Trimmer
}

// wanted is how a passage must have been spoken to be used. The model is not loaded when a text is planned; then its files are
// assumed to be those of the donors.
type wanted struct {
	plan   *Plan
	info   engines.Info
	loaded *engines.Loaded // nil when a text is planned
}

// hasPassages reports whether passages can be cut out of a generation: they neither overlap nor lack the pauses of the structure. What the
// hosted service sent was levelled and compressed there, and is kept for changes of its own generation alone.
func hasPassages(g backend.Generation) bool {
	return g.Status == backend.StatusComplete && g.Source == backend.SourceLocal && g.Receipt != nil &&
		len(g.Receipt.Chunks) == len(g.Chunks) && g.Request.Pauses != nil && *cmp.Or(g.Request.CrossfadeMS, new(0)) == 0
}

// madeLike reports whether a generation with passages was spoken with the voice, model, speed and steps of a plan.
func (w wanted) madeLike(g backend.Generation) bool {
	v, r := w.plan.Voice, g.Receipt
	if l := w.loaded; l != nil && (r.Engine != w.info.Engine || r.ModelRevision != l.Revision || !slices.Equal(r.ModelFiles, l.Files) ||
		g.SampleRate != w.info.SampleRate || g.Channels != w.info.Channels) {
		return false
	}
	return g.Engine == v.Engine && r.ModelName == v.Model && r.Voice == v.ID && r.Language == v.Language && g.Speed == w.plan.Speed &&
		cmp.Or(g.Request.Steps, w.info.Steps) == cmp.Or(w.plan.steps, w.info.Steps)
}

// chunks returns the indexes of the passages of a donor that can be used, and their spoken texts.
func (w wanted) chunks(g backend.Generation, sample string) (at []int, spoken []string) {
	for i, c := range g.Receipt.Chunks {
		if c.Sample == sample && g.Chunks[i].End > g.Chunks[i].Start {
			at, spoken = append(at, i), append(spoken, c.Spoken)
		}
	}
	return at, spoken
}

// KeepPassages plans a text again so that passages of donors stay passages. A nil Donors has none. Error: cancelled.
func (d *Donors) KeepPassages(ctx context.Context, p *Plan, spoken string) error {
	if d == nil || !p.takesDonations() {
		return nil
	}
	var former []string
	err := d.each(ctx, wanted{plan: p}, func(g backend.Generation) {
		for _, c := range g.Receipt.Chunks {
			former = append(former, c.Text)
		}
	})
	if len(former) > 0 {
		p.Pieces = text.Replan(spoken, p.MaxChars, former)
	}
	return err
}

// takesDonations reports whether passages can be cut in and out: they neither overlap nor lack the pauses of the structure.
func (p *Plan) takesDonations() bool { return p.Pauses != nil && p.Crossfade == 0 }

// each calls use with the donors that were made as it is wanted. Error: cancelled.
func (d *Donors) each(ctx context.Context, w wanted, use func(backend.Generation)) error {
	for _, id := range d.IDs {
		g, err := d.Read(ctx, id)
		if ctx.Err() != nil {
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		if err == nil && hasPassages(g) && w.madeLike(g) {
			use(g)
		}
	}
	return nil
}

// give returns the donations for lines, nil for a line without one, and gives these lines the seeds of their donors. The caller calls
// drop once, also after an error.
func (d *Donors) give(ctx context.Context, w wanted, lines []backend.ReceiptChunk) (given [][]donation, drop func(), err error) {
	var drops []func()
	drop = func() {
		for _, f := range drops {
			f()
		}
	}
	if d == nil || !w.plan.takesDonations() || len(lines) == 0 {
		return nil, drop, nil
	}
	given = make([][]donation, len(lines))
	err = d.each(ctx, w, func(g backend.Generation) {
		found := w.find(g, lines, given)
		if len(found) == 0 {
			return
		}
		source, release, err := d.Open(ctx, g)
		if err != nil { // it was deleted or changed meanwhile
			return
		}
		drops = append(drops, release)
		for line, n := range found {
			if given[line] = w.divided(ctx, g, donationOf(g, n, source), lines[line].Spoken); given[line] != nil {
				lines[line].Seed, lines[line].From = g.Receipt.Chunks[n].Seed, g.ID
			}
		}
	})
	return given, drop, err
}

// find returns the passage of a donor for each line that it can give and that has none yet. Passages in the order of the lines come
// first; one may be used more than once.
func (w wanted) find(g backend.Generation, lines []backend.ReceiptChunk, given [][]donation) map[int]int {
	at, has := w.chunks(g, lines[0].Sample)
	first := map[string]int{}
	for i, spoken := range has {
		if _, ok := first[spoken]; !ok {
			first[spoken] = i
		}
	}
	var open []int
	var texts []string
	for i, l := range lines {
		if _, ok := first[l.Spoken]; ok && given[i] == nil {
			open, texts = append(open, i), append(texts, l.Spoken)
		}
	}
	if len(open) == 0 {
		return nil
	}
	found := map[int]int{}
	for k, from := range text.Kept(has, texts) {
		if from < 0 {
			from = first[texts[k]]
		}
		found[open[k]] = at[from]
	}
	return found
}

// donationOf returns a passage of a donor.
func donationOf(g backend.Generation, n int, source *audio.PCMFile) donation {
	c, r := g.Chunks[n], g.Receipt
	gain := audio.FromDB(*cmp.Or(r.Chunks[n].GainDB, &r.GainDB))
	d := donation{
		key: hashOf(g.ID, r.AudioSHA256, n), source: source, level: Level{Gain: 1 / gain}, words: engines.Shifted(c.Words, -c.Start),
		start: audio.Frames(c.Start, g.SampleRate), end: audio.Frames(c.End, g.SampleRate),
	}
	d.trim = engines.Trimmer{Start: true, End: true, Rate: g.SampleRate, Channels: g.Channels}
	if g.Version == 0 { // else a passage may have been moved with the silence at its ends
		d.trim.Start = r.Chunks[n].Break == ""
		d.trim.End = n+1 == len(r.Chunks) || r.Chunks[n+1].Break == ""
	}
	return d
}

// divided returns a passage of a donor as it is used: whole where the silence between its sentences is to stay, else its sentences. It
// is nil where these are not found.
func (w wanted) divided(ctx context.Context, g backend.Generation, d donation, spoken string) []donation {
	sentences := len(text.Utterances(spoken))
	pause := (&Plan{Speed: g.Speed}).paced(g.Request.Pauses.Sentence)
	if sentences == 1 || pause == w.plan.paced(w.plan.Pauses.Sentence) {
		return []donation{d}
	}
	gaps, err := d.silences(ctx, audio.Frames(pause.Seconds(), g.SampleRate))
	if err != nil || len(gaps) != sentences-1 {
		return nil
	}
	return d.split(gaps, pause)
}

// joinerFades is how much of a pause between sentences the fades of both may take.
const joinerFades = 5 * time.Millisecond

// silences returns the ranges of source without a sound that are as long as a pause of so many frames between sentences, which the
// joiner has made.
func (d donation) silences(ctx context.Context, pause int64) (all [][2]int64, err error) {
	shortest := max(1, pause-audio.Frames(joinerFades.Seconds(), d.source.Rate)-2)
	at, run := d.start, int64(0)
	err = d.source.Read(ctx, d.start, d.end, func(samples []float32) error {
		for frame := range slices.Chunk(samples, d.source.Channels) {
			switch {
			case !slices.ContainsFunc(frame, func(x float32) bool { return x != 0 }):
				run++
			case run >= shortest:
				all, run = append(all, [2]int64{at - run, at}), 0
			default:
				run = 0
			}
			at++
		}
		return nil
	})
	return all, err
}

// split returns the sentences between silences, which were pauses of a length.
func (d donation) split(gaps [][2]int64, pause time.Duration) []donation {
	rate := d.source.Rate
	all := make([]donation, len(gaps)+1)
	from := d.start
	for i := range all {
		part := d
		part.key, part.start, part.words = hashOf(d.key, i), from, nil
		part.trim.Start, part.trim.End = d.trim.Start && i == 0, d.trim.End && i == len(gaps)
		if i > 0 {
			part.faded = max(0, pause-audio.Length(gaps[i-1][1]-gaps[i-1][0], rate))
		}
		if i < len(gaps) {
			part.end, from = gaps[i][0], gaps[i][1]
		}
		start, end := audio.Seconds(part.start-d.start, rate), audio.Seconds(part.end-d.start, rate)
		for _, word := range d.words {
			if middle := (word.Start + word.End) / 2; middle >= start && middle < end {
				part.words = append(part.words, word)
			}
		}
		part.words = engines.Shifted(part.words, -start)
		all[i] = part
	}
	return all
}

// copied returns segments with those that are copied: one for a line, or one for each of its sentences.
func copied(all []Segment, lines []backend.ReceiptChunk, given [][]donation) []Segment {
	if given == nil {
		return all
	}
	out := all[:0]
	sentence := 0
	for i, seg := range all {
		if sentence++; i == 0 || all[i-1].Line != seg.Line {
			sentence = 0
		}
		switch parts := given[seg.Line]; {
		case len(parts) == 1 && sentence > 0:
			last := &out[len(out)-1]
			last.Last, last.trimEnd = seg.Last, seg.trimEnd
			continue
		case len(parts) == 1:
			seg.text, seg.donation = lines[seg.Line].Spoken, &parts[0]
		case len(parts) > 1:
			seg.donation = &parts[sentence]
			seg.Own = max(0, seg.Own-parts[sentence].faded)
		}
		out = append(out, seg)
	}
	return out
}

// copy emits the passage as an engine would have spoken it in the place of a segment, and gives its samples away.
func (d *donation) copy(ctx context.Context, seg Segment, emit func(engines.Sound) error) error {
	t := d.trim
	t.Start, t.End, t.Emit = t.Start && seg.trimStart, t.End && seg.trimEnd, Given(emit)
	words := d.words
	err := d.source.Share().Read(ctx, d.start, d.end, func(samples []float32) error {
		d.level.scale(samples)
		s := engines.Sound{Buffer: audio.Buffer{Samples: samples, Rate: t.Rate, Channels: t.Channels}, Words: words}
		words = nil
		return t.Write(s)
	})
	if err != nil {
		return fmt.Errorf("copy a passage of another generation: %w", err)
	}
	return t.Close()
}
