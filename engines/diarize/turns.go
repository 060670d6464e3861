package diarize

import (
	"cmp"
	"context"
	"slices"
)

// turn is a stretch in which somebody speaks, in seconds.
type turn struct {
	start, end float32
	speaker    int // from 0
}

// nobody is the label of a local speaker that is too short to be compared.
const nobody = -1

// moment returns the second that stands for a frame of the sound: the middle of what it listens to. Moments are float32 as in the
// reference, whose rounding decides whether a gap or turn of just the least length counts; after twelve hours that is 4 ms.
func (s *scan) moment(frame int) float32 {
	return float32(float32(frame)*(float32(s.step)/Rate)) + float32(0.5)*float32(s.field)/Rate // float32(...): never fused
}

// frameOf returns the first frame of a window among those of the whole sound, rounded.
func (s *scan) frameOf(window int) int { return (2*window*s.shift + s.step) / (2 * s.step) }

// byWindow returns the labels of the local speakers of each window; labels has those of the voices. The local speakers of a
// single window are not compared: they are the speakers.
func (s *scan) byWindow(labels []int) [][]int {
	all := make([][]int, len(s.windows))
	flat := make([]int, len(s.windows)*s.locals)
	for i := range flat {
		flat[i] = nobody
		if len(s.windows) == 1 {
			flat[i] = i
		}
	}
	for i := range all {
		all[i] = flat[i*s.locals:][:s.locals]
	}
	for i, v := range s.voices {
		all[v.window][v.local] = labels[i]
	}
	return all
}

// looked is how many frames pass between two looks at the context: a few milliseconds.
const looked = 4096

// frames calls visit for each frame of the sound with the number of those who speak and, by speaker, in how many windows he does.
// visit must not change or keep votes. Error: cancelled.
func (s *scan) frames(
	ctx context.Context, labels []int, speakers int, visit func(frame, count int, votes []int),
) error {
	total := (s.window+(len(s.windows)-1)*s.shift)/s.step + 1
	switch {
	case len(s.windows) == 1:
		total = s.windows[0].frames()
	case s.tail:
		total = min(total, s.samples/s.step+1)
	}
	of := s.byWindow(labels)
	votes := make([]int, speakers)
	at := make([]int32, len(s.windows)) // the run of each window that the frame is in
	for first, frame := 0, 0; frame < total; frame++ {
		if frame%looked == 0 {
			if err := ended(ctx); err != nil {
				return err
			}
		}
		for first < len(s.windows) && s.frameOf(first)+s.windows[first].frames() <= frame {
			first++
		}
		clear(votes)
		active, windows := 0, 0
		for i := first; i < len(s.windows) && s.frameOf(i) <= frame; i++ {
			who := s.windows[i].at(frame-s.frameOf(i), &at[i])
			windows++
			active += who.count()
			vote(votes, who, of[i])
		}
		count := 0
		if windows > 0 {
			count = (2*active + windows) / (2 * windows) // rounded
		}
		visit(frame, count, votes)
	}
	return nil
}

// vote counts the speakers of a frame in one window, one that is two of its local speakers once.
func vote(votes []int, who locals, labels []int) {
	for i, label := range labels {
		if !who.has(i) || label == nobody {
			continue
		}
		twice := false
		for j, other := range labels[:i] {
			twice = twice || other == label && who.has(j)
		}
		if !twice {
			votes[label]++
		}
	}
}

// topVoted appends the speakers with the most votes to to: one or two, as count says, none without a vote. Which of equal ones they are
// is that of the reference (std::partial_sort of libstdc++): the first, but when a third one has more votes than two equal ones,
// the later of these stays.
func topVoted(to []int, votes []int, count int) []int {
	switch {
	case count == 0 || len(votes) == 0:
		return to
	case count == 1 || len(votes) == 1:
		to = append(to, slices.Index(votes, slices.Max(votes)))
	default:
		to = append(to, strongest(votes)...)
	}
	return slices.DeleteFunc(to, func(i int) bool { return votes[i] == 0 })
}

func strongest(votes []int) []int {
	strong, weak := 0, 1
	if votes[1] > votes[0] {
		strong, weak = 1, 0
	}
	for i := 2; i < len(votes); i++ {
		if votes[i] <= votes[weak] {
			continue
		}
		if weak = i; votes[strong] <= votes[weak] {
			strong, weak = weak, strong
		}
	}
	return []int{strong, weak}
}

// turns returns who speaks when. Shorter gaps than minOff seconds of one speaker are closed, then turns up to minOn left out. Error:
// cancelled.
func (s *scan) turns(ctx context.Context, labels []int, speakers int, minOn, minOff float32) ([]turn, error) {
	if len(s.windows) == 0 {
		return nil, nil
	}
	began := make([]int, speakers) // first frame of the turn in progress, plus 1
	bySpeaker := make([][]turn, speakers)
	end := func(speaker, frame int) {
		bySpeaker[speaker] = append(bySpeaker[speaker], turn{
			start: s.moment(began[speaker] - 1), end: s.moment(frame), speaker: speaker,
		})
		began[speaker] = 0
	}
	var active []int
	last := 0
	err := s.frames(ctx, labels, speakers, func(frame, count int, votes []int) {
		active = topVoted(active[:0], votes, count)
		for i := range began {
			switch speaks := slices.Contains(active, i); {
			case speaks && began[i] == 0:
				began[i] = frame + 1
			case !speaks && began[i] > 0:
				end(i, frame)
			}
		}
		last = frame
	})
	if err != nil {
		return nil, err
	}
	var all []turn
	for i := range bySpeaker {
		if began[i] > 0 {
			end(i, last)
		}
		all = append(all, s.tidy(bySpeaker[i], minOn, minOff)...)
	}
	slices.SortFunc(all, func(x, y turn) int {
		return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(x.speaker, y.speaker))
	})
	return all, nil
}

// tidy closes gaps and leaves out short turns of one speaker, and ends what goes beyond the sound.
func (s *scan) tidy(turns []turn, minOn, minOff float32) []turn {
	var joined []turn
	for _, t := range turns {
		if n := len(joined); n > 0 && joined[n-1].end+minOff >= t.start {
			joined[n-1].end = t.end
		} else {
			joined = append(joined, t)
		}
	}
	length := float32(s.samples) / Rate
	kept := joined[:0]
	for _, t := range joined {
		if t.end-t.start <= minOn {
			continue
		}
		if t.end = min(t.end, length); t.start < t.end {
			kept = append(kept, t)
		}
	}
	return kept
}
