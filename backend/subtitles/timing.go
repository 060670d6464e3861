package subtitles

// inTime returns cues in order, within the audio and without overlap, each long enough to be read where the cues around it
// leave the time. length is that of the audio in seconds, 0 if it is unknown. What is too short is joined to a cue beside it.
func inTime(cues []cue, length float64) []cue {
	for i := range cues {
		c := &cues[i]
		if length > 0 {
			c.start, c.end = min(c.start, length), min(c.end, length)
		}
		c.start = max(c.start, 0)
		if i > 0 {
			last := &cues[i-1]
			c.start = max(c.start, last.start)
			last.end = min(last.end, c.start)
		}
		c.end = max(c.end, c.start)
	}
	for i := range cues {
		lengthen(cues, i, length)
	}
	return joinShort(cues)
}

// lengthen extends a cue that is too short to be read into the silence around it.
func lengthen(cues []cue, i int, length float64) {
	c := &cues[i]
	l, n := layoutOf(c.tokens), len(c.tokens)
	limits := l.script(0, n)
	needed := min(maxCue, max(minCue, float64(l.width(0, n, limits))/limits.speed))
	if c.end-c.start >= needed {
		return
	}
	until := c.start + needed
	switch {
	case i+1 < len(cues):
		until = min(until, cues[i+1].start-frameGap)
	case length > 0:
		until = min(until, length)
	}
	c.end = max(c.end, until)
	if c.end-c.start >= minCue {
		return
	}
	from := max(0, c.end-minCue)
	if i > 0 {
		from = max(from, cues[i-1].end+frameGap)
	}
	c.start = min(c.start, from)
}

// joinShort joins cues shorter than minCue to the one before or after them where both fit in one. Two cues that do not fit
// share their time.
func joinShort(cues []cue) []cue {
	var out []cue
	for _, c := range cues {
		if len(out) == 0 || long(out[len(out)-1]) && long(c) {
			out = append(out, c)
			continue
		}
		last := &out[len(out)-1]
		if both, ok := last.with(c); ok {
			*last = both
			continue
		}
		share(last, &c)
		out = append(out, c)
	}
	return out
}

func long(c cue) bool { return c.end-c.start >= minCue-tolerance }

// with returns one cue with the tokens of both, if it is allowed.
func (c cue) with(next cue) (cue, bool) {
	if c.speaker != next.speaker || next.end-c.start > maxCue || isPause(c.to, next.from) {
		return cue{}, false
	}
	all := append(append([]token{}, c.tokens...), next.tokens...)
	if first := &all[len(c.tokens)]; next.begins {
		first.spaced = first.spaced || SpaceBetween(all[len(c.tokens)-1].text, first.text)
	}
	return cue{c.start, next.end, c.from, next.to, all, c.begins, c.speaker}, layoutOf(all).fits(0, len(all))
}

// share moves time from the longer to the shorter of two cues, if there is no gap between them: as much as it needs where the
// other one has it to spare, else at most its part by their text.
func share(c, next *cue) {
	if next.start-c.end > frameGap+tolerance || next.end <= c.start {
		return
	}
	a, b := lengthOf(c.tokens), lengthOf(next.tokens)
	border := c.start + (next.end-c.start)*float64(a)/float64(a+b)
	switch {
	case !long(*c) && max(border, next.end-minCue) > c.end:
		c.end = min(max(border, next.end-minCue), c.start+minCue)
		next.start = max(next.start, c.end)
	case !long(*next) && min(border, c.start+minCue) < next.start:
		next.start = max(min(border, c.start+minCue), next.end-minCue)
		c.end = min(c.end, next.start)
	}
}

// lengthOf returns the bytes of tokens without white space.
func lengthOf(tokens []token) (n int) {
	for _, t := range tokens {
		n += len(t.text)
	}
	return n
}
