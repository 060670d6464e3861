package books

import (
	"cmp"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/prose"
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
	if prose.CountsCharacters(b.Language) {
		pace = syllablesPerSecond
	}
	pace *= *cmp.Or(b.Options.Speed, new(1.0))
	if seconds >= minMeasured {
		pace = characters / seconds
	}
	return seconds + missing/pace + pauses
}
