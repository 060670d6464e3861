package transcribe

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
	limits := c.script()
	needed := min(maxCue, max(minCue, float64(limits.columns(lineOf(c.tokens)))/limits.speed))
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

// tolerance is half a millisecond, the precision of the formats.
const tolerance = 0.0005

func long(c cue) bool { return c.end-c.start >= minCue-tolerance }

// with returns one cue with the tokens of both, if it is allowed.
func (c cue) with(next cue) (cue, bool) {
	tokens := append(append([]token{}, c.tokens...), next.tokens...)
	first := &tokens[len(c.tokens)]
	first.spaced = next.indent != "" || spaceBetween(lineOf(c.tokens), first.text)
	out := cue{c.start, next.end, tokens, c.indent, c.speaker}
	return out, c.speaker == next.speaker && out.end-out.start <= maxCue && out.script().fits(tokens)
}

// share moves time from the longer to the shorter of two cues, at most its part by their text, if there is no gap between them.
func share(c, next *cue) {
	if next.start-c.end > frameGap+tolerance || next.end <= c.start {
		return
	}
	a, b := len(lineOf(c.tokens)), len(lineOf(next.tokens))
	border := c.start + (next.end-c.start)*float64(a)/float64(a+b)
	switch {
	case !long(*c) && border > c.end:
		c.end = min(border, c.start+minCue)
		next.start = max(next.start, c.end)
	case !long(*next) && border < next.start:
		next.start = max(border, next.end-minCue)
		c.end = min(c.end, next.start)
	}
}
