package speech

import (
	"sync"
	"time"
	"unicode/utf8"
)

// tally counts what is finished of the segments of a run, in whatever order they are finished: the chunks that a stop would
// leave for Retry.
type tally struct {
	report   func(p Progress, changed bool)
	now      func() time.Time
	started  time.Time
	segments []Segment
	chunk    []int // by segment: the index of its chunk

	mu      sync.Mutex
	open    []int // by chunk: its segments that are not finished
	total   int   // characters of all segments
	done    int   // of those that are finished
	missing int   // of those that are spoken in this run
	made    int   // of these, of those that are finished
}

// Progress is how much of a text is spoken.
type Progress struct {
	Done   float64  // of the text, 0 to 1
	Chunks int      // that are finished
	Behind int      // of these, behind the first one that is not
	Total  int      // chunks
	Left   *float64 // seconds that are left, at the pace of this run; nil while it is unknown
}

// NewTally returns a tally in which the segments of earlier runs are finished, and reports these. changed of a report is false where
// it only sets the total.
func NewTally(now func() time.Time, report func(p Progress, changed bool), segments []Segment, earlier *reuse) *tally {
	t := &tally{report: report, now: now, started: now(), segments: segments, chunk: make([]int, len(segments))}
	some := false
	for i, seg := range segments {
		if i == 0 || segments[i-1].Line != seg.Line {
			t.open = append(t.open, 0)
		}
		t.chunk[i] = len(t.open) - 1
		n := utf8.RuneCountInString(seg.text)
		t.total += n
		if earlier.has(i) {
			t.done, some = t.done+n, true
			continue
		}
		t.missing += spokenOf(seg)
		t.open[t.chunk[i]]++
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.report(t.count(), some)
	return t
}

// finish counts a segment that no earlier run finished. Calls may run in parallel.
func (t *tally) Finish(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done += utf8.RuneCountInString(t.segments[i].text)
	t.made += spokenOf(t.segments[i])
	t.open[t.chunk[i]]--
	t.report(t.count(), true) // in the order of the counts
}

// spokenOf returns the characters of a segment; 0 for one that is copied, which takes no time.
func spokenOf(seg Segment) int {
	if seg.donation != nil {
		return 0
	}
	return utf8.RuneCountInString(seg.text)
}

func (t *tally) count() Progress {
	p := Progress{Total: len(t.open)}
	first := len(t.open)
	for c, open := range t.open {
		if open == 0 {
			p.Chunks++
		} else {
			first = min(first, c)
		}
	}
	p.Behind = p.Chunks - first
	if t.made > 0 {
		p.Left = new(t.now().Sub(t.started).Seconds() * float64(t.missing-t.made) / float64(t.made))
	}
	if t.total > 0 {
		p.Done = float64(t.done) / float64(t.total)
	}
	return p
}
