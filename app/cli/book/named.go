package book

import (
	"strings"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend/folding"
)

// Named returns the books with this title, without regard to case and accents; else those whose title or id begins so; else those with a
// word in the title that begins so.
func Named(all []client.BookRow, key string) []client.BookRow {
	key = strings.TrimSpace(folding.Key(key))
	if key == "" {
		return nil
	}
	var best []client.BookRow
	rank := 0
	for _, b := range all {
		r := 0
		switch title := folding.Key(b.Title); {
		case title == key:
			r = 3
		case strings.HasPrefix(title, key), strings.HasPrefix(b.ID, key):
			r = 2
		case strings.Contains(" "+title, " "+key):
			r = 1
		}
		if r > rank {
			best, rank = nil, r
		}
		if r > 0 && r == rank {
			best = append(best, b)
		}
	}
	return best
}
