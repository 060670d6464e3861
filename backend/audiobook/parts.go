package audiobook

import (
	"slices"
	"time"
)

// MaxPart is the longest file that a book is written to. Some players count samples in 31 bits, which are 24.8 h at 24 kHz; at the
// highest bit rate a day is 3.5 GB, less than the 4 GiB that some file systems hold.
const MaxPart = 24 * time.Hour

// MaxBitRate is the highest bit rate of a book in kbit/s.
const MaxBitRate = 320

// Parts returns the layouts of the files that a book of any length is written to: itself, or parts of at most longest, of about one
// length, which end with chapters. A chapter that is longer by itself is cut between its clips, and goes on under its title.
func (l Layout) Parts(longest time.Duration) []Layout {
	limit := l.silence(longest)
	if l.frameCount() <= limit {
		return []Layout{l}
	}
	units := l.units(limit)
	parts := fill(units, limit)
	for low, high := int64(0), limit; low < high; { // the smallest limit that needs no more parts makes them alike
		middle := (low + high) / 2
		if tried := fill(units, middle); len(tried) == len(parts) {
			parts, high = tried, middle
		} else {
			low = middle + 1
		}
	}
	if len(parts) == 1 {
		return []Layout{l}
	}
	out := make([]Layout, len(parts))
	for i, chapters := range parts {
		out[i] = l
		out[i].chapters, out[i].part, out[i].parts = chapters, i+1, len(parts)
	}
	return out
}

// units returns what stays together: chapters, and the clips of those that are longer than limit.
func (l Layout) units(limit int64) (out []chapter) {
	for _, c := range l.chapters {
		if c.frames <= limit {
			out = append(out, c)
			continue
		}
		for _, one := range c.clips {
			out = append(out, chapter{number: c.number, title: c.title, clips: []clip{one}, frames: one.length()})
		}
	}
	return out
}

// fill returns the chapters of parts of at most limit frames, longer only where one unit is.
func fill(units []chapter, limit int64) (parts [][]chapter) {
	var length int64
	for _, unit := range units {
		if len(parts) == 0 || length+unit.frames > limit {
			parts, length = append(parts, nil), 0
		}
		length += unit.frames
		part := &parts[len(parts)-1]
		if n := len(*part); n > 0 && (*part)[n-1].number == unit.number {
			last := &(*part)[n-1]
			last.clips, last.frames = slices.Concat(last.clips, unit.clips), last.frames+unit.frames
			continue
		}
		*part = append(*part, unit)
	}
	return parts
}
