// Package pace estimates how long a voice speaks a text, by the pace that it had so far.
package pace

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"unicode"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// How fast people read aloud, in characters per second: about 150 words a minute in
// alphabetic scripts, and four to five characters a second in syllabic and logographic ones.
const (
	lettersPerSecond   = 14.5
	syllablesPerSecond = 4.5
)

const (
	measured  = 8   // generations of a voice whose pace is measured, the newest ones
	enough    = 5.0 // seconds of audio below which a pace says little
	plausible = 3.0 // how many times slower or faster than people a voice can be
	sameSpeed = 0.05
)

// speechSeconds returns how long a text is read at a speed by people, without the pauses between paragraphs.
func speechSeconds(spoken string, speed float64) float64 {
	var letters, syllables float64
	for _, r := range spoken {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			syllables++
		} else {
			letters++
		}
	}
	return (letters/lettersPerSecond + syllables/syllablesPerSecond) / speed
}

// Store reads the history.
type Store interface {
	Generations(ctx context.Context, f backend.GenerationFilter) (backend.List[backend.GenerationHit], error)
}

// Pace is how fast voices speak. It remembers the readings of voices: a text is previewed after each pause of typing, and reading whole
// generations takes longer than that. It is safe for concurrent use.
type Pace struct {
	store Store
	log   *slog.Logger

	mu     sync.Mutex
	known  map[string][]readings // by profile
	forgot int                   // how often readings were forgotten
}

// New returns the pace of the voices in a history.
func New(store Store, log *slog.Logger) *Pace {
	return &Pace{store: store, log: log, known: map[string][]readings{}}
}

// Estimate returns the estimated length of a text in the voice of a profile in seconds, without the pauses between paragraphs.
func (p *Pace) Estimate(ctx context.Context, profile string, speed float64, spoken string) float64 {
	return speechSeconds(spoken, speed) * p.pace(ctx, profile, speed)
}

// pace returns how long a voice takes for what people read in a second: measured in its newest generations, first those of
// the speed that is asked for; 1 where there are none.
func (p *Pace) pace(ctx context.Context, profile string, speed float64) float64 {
	known, err := p.of(profile, func() ([]readings, error) { return p.readPace(ctx, profile) })
	if err != nil {
		p.log.Debug("read the pace of a voice", "error", err)
		return 1
	}
	var all, same readings
	for _, r := range known {
		all.actual, all.expected = all.actual+r.actual, all.expected+r.expected
		if math.Abs(r.speed-speed) < sameSpeed {
			same.actual, same.expected = same.actual+r.actual, same.expected+r.expected
		}
	}
	switch {
	case same.actual >= enough:
		return same.actual / same.expected
	case all.actual >= enough:
		return all.actual / all.expected
	default:
		return 1
	}
}

// readings is how long the speech of a generation is, and how long people would take for it, in seconds.
type readings struct{ speed, actual, expected float64 }

// readPace returns the readings of the newest generations of a voice.
func (p *Pace) readPace(ctx context.Context, profile string) ([]readings, error) {
	page, err := p.store.Generations(ctx, backend.GenerationFilter{
		ProfileID: profile, Status: backend.StatusComplete, Page: backend.Page{Limit: measured},
	})
	out := make([]readings, 0, len(page.Items))
	for _, hit := range page.Items {
		actual, expected := paceOf(hit.Generation)
		out = append(out, readings{speed: hit.Speed, actual: actual, expected: expected})
	}
	return out, err
}

// of returns the readings of a voice, which read reads where they are not known.
func (p *Pace) of(profile string, read func() ([]readings, error)) ([]readings, error) {
	p.mu.Lock()
	known, ok := p.known[profile]
	before := p.forgot
	p.mu.Unlock()
	if ok {
		return known, nil
	}
	now, err := read()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.forgot == before { // else a generation may have ended since
		p.known[profile] = now
	}
	return now, nil
}

// Forget drops the readings of a voice, one of whose generations has ended, changed or was deleted.
func (p *Pace) Forget(profile string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.known, profile)
	p.forgot++
}

// paceOf returns how long the speech of a generation is, and how long people would take for it; 0 where its receipt does not
// say what was spoken.
func paceOf(g backend.Generation) (actual, expected float64) {
	if g.Receipt == nil || g.Speed <= 0 {
		return 0, 0
	}
	actual = g.Duration
	for _, c := range g.Receipt.Chunks {
		expected += speechSeconds(c.Spoken, g.Speed)
		if c.Break != text.SentenceBreak.String() {
			actual -= float64(c.PauseMS) / 1000
		}
	}
	if expected <= 0 || actual < expected/plausible || actual > expected*plausible {
		return 0, 0 // not what these words sound like, such as signs that are read out at length
	}
	return actual, expected
}
