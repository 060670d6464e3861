package speech

import (
	"sync"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// tally counts what is finished of the segments of a run, in whatever order they are finished: the chunks that a stop would
// leave for Retry.
type tally struct {
	s        *Service
	j        *job
	started  time.Time
	segments []segment
	chunk    []int // by segment: the index of its chunk

	mu      sync.Mutex
	open    []int // by chunk: its segments that are not finished
	total   int   // characters of all segments
	done    int   // of those that are finished
	missing int   // of those that no earlier run finished
	made    int   // of these, of those that are finished
}

// newTally returns a tally in which the segments of earlier runs are finished, and reports these.
func (s *Service) newTally(j *job, segments []segment, earlier *reuse) *tally {
	t := &tally{s: s, j: j, started: s.o.Now(), segments: segments, chunk: make([]int, len(segments))}
	some := false
	for i, seg := range segments {
		if i == 0 || segments[i-1].line != seg.line {
			t.open = append(t.open, 0)
		}
		t.chunk[i] = len(t.open) - 1
		n := utf8.RuneCountInString(seg.text)
		t.total += n
		if earlier.has(i) {
			t.done, some = t.done+n, true
			continue
		}
		t.missing += n
		t.open[t.chunk[i]]++
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if g := t.count(); some {
		s.notify(g)
	}
	return t
}

// finish counts a segment that no earlier run finished. Calls may run in parallel.
func (t *tally) finish(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := utf8.RuneCountInString(t.segments[i].text)
	t.done, t.made = t.done+n, t.made+n
	t.open[t.chunk[i]]--
	t.s.notify(t.count()) // in the order of the counts
}

// count writes the counts, and the remaining time at the pace of this run, into the job.
func (t *tally) count() backend.Generation {
	finished, first := 0, len(t.open)
	for c, open := range t.open {
		if open == 0 {
			finished++
		} else {
			first = min(first, c)
		}
	}
	var left *float64
	if t.made > 0 {
		left = new(t.s.o.Now().Sub(t.started).Seconds() * float64(t.missing-t.made) / float64(t.made))
	}
	return t.j.set(func(g *backend.Generation) {
		if t.total > 0 {
			g.Progress = max(g.Progress, min(0.95, 0.95*float64(t.done)/float64(t.total)))
		}
		g.ChunksDone, g.ChunksBehind, g.ChunksTotal, g.ETASeconds = finished, finished-first, len(t.open), left
	})
}
