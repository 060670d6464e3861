package channels

// The turns of a channel: as those that the engine finds by voices, shorter gaps are closed and then shorter turns are left out.
const (
	minGap   = stepsPerSecond / 2
	minTurn  = stepsPerSecond * 3 / 10
	minShare = 3 // a turn has speech in at least one of so many steps: knocks have less

	echoSteps = stepsPerSecond / 5 // so long a channel hears what was said on the other one
)

// tracker follows who speaks.
type tracker struct {
	margin float64 // dB below the other channel from which on a channel only hears it too
	sides  [2]side
	alone  [2]int // steps in which only this channel speaks
	both   int
}

// side are the turns of a channel, and its last one, which may go on.
type side struct {
	turns       []int
	end         int // of the turns
	from, until int
	active      int // steps with speech in [from, until)
}

func newTracker(margin float64) tracker { return tracker{margin: margin} }

// add decides about a step. levels are those of both channels, in which it is the one at i, and speech where theirs begins.
func (t *tracker) add(step int, levels [2][]float64, speech [2]float64, i int) {
	var speaks [2]bool
	for c := range speaks {
		level, other := levels[c][i], levels[1-c]
		speaks[c] = level >= speech[c]
		for k := i; k >= max(0, i-echoSteps) && speaks[c]; k-- {
			speaks[c] = level > other[k]-t.margin
		}
	}
	for c := range speaks {
		if !speaks[c] {
			continue
		}
		t.sides[c].add(step)
		if !speaks[1-c] {
			t.alone[c]++
		} else if c == 0 {
			t.both++
		}
	}
}

func (t *tracker) close() {
	for c := range t.sides {
		t.sides[c].close()
	}
}

func (t *tracker) turns() [2][]int { return [2][]int{t.sides[0].turns, t.sides[1].turns} }

// apart reports whether each channel speaks alone for a while, and in at most a part of the time both do.
func (t *tracker) apart(part float64) bool {
	less, all := min(t.alone[0], t.alone[1]), float64(t.alone[0]+t.alone[1]+t.both)
	return less >= minAlone && float64(less) >= aloneShare*all && float64(t.both) <= part*all
}

// add adds a step in which the channel speaks.
func (s *side) add(step int) {
	if s.active > 0 && step-s.until >= minGap {
		s.close()
	}
	if s.active == 0 {
		s.from = step
	}
	s.until = step + 1
	s.active++
}

// close ends the last turn.
func (s *side) close() {
	if length := s.until - s.from; length >= minTurn && s.active*minShare >= length {
		s.turns = append(s.turns, s.from-s.end, length)
		s.end = s.until
	}
	s.active = 0
}
