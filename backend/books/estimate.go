package books

import (
	"cmp"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// How fast people read aloud, in characters per second, also in languages whose characters are syllables or words.
const (
	lettersPerSecond   = 14.5
	syllablesPerSecond = 4.5
)

// minMeasured is the sound in seconds from which the pace of a voice is measured.
const minMeasured = 30

// lengthOf returns the length of a book in seconds. What has no sound yet is estimated by the pace of the rest, else by that of people.
func lengthOf(b *backend.Book, chapters []Chapter) float64 {
	seconds, characters, missing := 0.0, 0.0, 0.0
	pauses := 0.0
	for i, c := range chapters {
		if c.Skipped || c.Characters == 0 {
			continue
		}
		o := b.Chapters[i].Options.Over(b.Options)
		pauses += *cmp.Or(o.ChapterPause, new(defaultChapterPause))
		if c.State == StateDone {
			seconds, characters = seconds+c.Seconds, characters+float64(c.Characters)
		} else {
			missing += float64(c.Characters)
		}
	}
	pace := lettersPerSecond
	if countsCharacters(b.Language) {
		pace = syllablesPerSecond
	}
	pace *= *cmp.Or(b.Options.Speed, new(1.0))
	if seconds >= minMeasured {
		pace = characters / seconds
	}
	return seconds + missing/pace + pauses
}

// runs are when books began to be generated.
type runs struct {
	mu    sync.Mutex
	begun map[string]progress
}

// progress is how many characters of a book were generated at a time.
type progress struct {
	at   time.Time
	done float64
}

func newRuns() *runs { return &runs{begun: map[string]progress{}} }

// forget begins to measure a book anew.
func (r *runs) forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.begun, id)
}

// left returns how many seconds generating the characters that are left takes at the pace so far, nil where that is unknown.
func (r *runs) left(id string, now time.Time, generating bool, done, left float64) *float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	begun, ok := r.begun[id]
	switch {
	case !generating:
		delete(r.begun, id)
		return nil
	case !ok || done < begun.done:
		r.begun[id] = progress{now, done}
		return nil
	case done == begun.done:
		return nil
	}
	seconds := now.Sub(begun.at).Seconds() / (done - begun.done) * left
	return &seconds
}
