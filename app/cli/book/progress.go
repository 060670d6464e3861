package book

import (
	"time"

	"github.com/voicewright/voicewright/app/client"
)

// Progress is how far a book is, by the characters of the chapters that are generated since the first Update.
type Progress struct {
	wanted map[string]bool // ids of the chapters
	begun  time.Time
	before float64 // the fraction that was done at the start
}

// Step is where a book is.
type Step struct {
	Chapter  int           // number of the chapter that is spoken, from 1
	Fraction float64       // 0 to 1
	Left     time.Duration // by what was spoken since the start; 0 where nothing was
}

// Update returns where a book is now; generating is false when no chapter of it is generated any longer.
func (p *Progress) Update(b client.Book, now time.Time) (s Step, generating bool) {
	first := p.wanted == nil
	if first {
		p.wanted = map[string]bool{}
	}
	done, all := 0.0, 0.0
	for i, ch := range b.Chapters {
		if ch.Wanted {
			p.wanted[ch.ID] = true
			if s.Chapter == 0 {
				s.Chapter = i + 1
			}
		}
		if !p.wanted[ch.ID] {
			continue
		}
		all += float64(ch.Characters)
		if ch.Wanted {
			done += ch.Progress * float64(ch.Characters)
		} else {
			done += float64(ch.Characters)
		}
	}
	s.Fraction = done / max(all, 1)
	if first {
		p.begun, p.before = now, s.Fraction
	}
	if s.Fraction > p.before {
		s.Left = time.Duration(float64(now.Sub(p.begun)) * (1 - s.Fraction) / (s.Fraction - p.before))
	}
	return s, s.Chapter > 0
}
