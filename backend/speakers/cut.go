package speakers

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subtitles"
)

const (
	shortSwitch   = 0.5 // seconds: within a sentence a shorter change of the speaker is none
	wholeSentence = 0.8 // of its time: a sentence with so much of one speaker is all theirs
	longSentence  = 15  // seconds: words without punctuation that last longer are no sentence
	sentenceBreak = 1.0 // seconds of silence that end a sentence
)

// cut returns a segment cut where the speaker changes. One whose words have no times, or are not its text, stays whole.
func cut(s backend.Segment, sound timeline) []line {
	places, ok := wordPlaces(s)
	if !ok {
		return []line{{s, sound.heard(s.Start, s.End, nobody)}}
	}
	who := speakersOf(s, places, sound)
	var out []line
	from := 0
	for i := 1; i <= len(who); i++ {
		if i < len(who) && who[i] == who[from] {
			continue
		}
		part := piece(s, places, from, i)
		out = append(out, line{part, who[from]})
		from = i
	}
	return out
}

// speakersOf returns the speaker of each word.
func speakersOf(s backend.Segment, places []int, sound timeline) []int {
	who := make([]int, len(s.Words))
	before := nobody
	for i, w := range s.Words {
		who[i] = sound.heard(w.Start, w.End, before)
		before = who[i]
	}
	for i := 1; i < len(who); i++ {
		if !begins(s.Text, places[i]) { // the rest of a word
			who[i] = who[i-1]
		}
	}
	from := 0
	for i, w := range s.Words {
		last := i == len(s.Words)-1
		ends := subtitles.EndsSentence(w.Word)
		if last || ends || s.Words[i+1].Start-w.End >= sentenceBreak {
			smooth(s.Words[from:i+1], who[from:i+1], ends)
			from = i + 1
		}
	}
	return who
}

// smooth makes a sentence the words of one speaker where most of it is theirs, and takes switches back that are too short.
func smooth(words []backend.HeardWord, who []int, punctuated bool) {
	length := words[len(words)-1].End - words[0].Start
	if punctuated || length <= longSentence {
		if speaker, share := loudest(words, who); share >= wholeSentence {
			fill(who, speaker)
			return
		}
	}
	for {
		from, to := shortest(words, who)
		switch {
		case from == 0 && to == len(who), words[to-1].End-words[from].Start >= shortSwitch:
			return
		case from == 0:
			fill(who[from:to], who[to])
		default:
			fill(who[from:to], who[from-1])
		}
	}
}

func fill(who []int, speaker int) {
	for i := range who {
		who[i] = speaker
	}
}

// loudest returns who speaks most of some words, and which share of their time.
func loudest(words []backend.HeardWord, who []int) (speaker int, share float64) {
	seconds, all := map[int]float64{}, 0.0
	for i, w := range words {
		length := max(w.End-w.Start, 0.01) // one without a length counts too
		seconds[who[i]] += length
		all += length
	}
	speaker = who[0]
	for _, s := range who {
		if seconds[s] > seconds[speaker] {
			speaker = s
		}
	}
	return speaker, seconds[speaker] / all
}

// shortest returns the shortest stretch of words of one speaker.
func shortest(words []backend.HeardWord, who []int) (from, to int) {
	least, at := -1.0, 0
	for i := 1; i <= len(who); i++ {
		if i < len(who) && who[i] == who[at] {
			continue
		}
		if length := words[i-1].End - words[at].Start; least < 0 || length < least-tiny {
			least, from, to = length, at, i
		}
		at = i
	}
	return from, to
}

// wordPlaces returns where each word begins in the text of a segment, in bytes; ok is false where the words are not the text.
func wordPlaces(s backend.Segment) (places []int, ok bool) {
	at := 0
	for _, w := range s.Words {
		word := strings.TrimSpace(w.Word)
		i := strings.Index(s.Text[at:], word)
		if i < 0 || strings.TrimSpace(s.Text[at:at+i]) != "" {
			return nil, false
		}
		places = append(places, at+i)
		at += i + len(word)
	}
	return places, len(places) > 0 && strings.TrimSpace(s.Text[at:]) == ""
}

// begins reports whether a word of a text begins at a place: after a space, or where the script has none.
func begins(text string, at int) bool {
	last, _ := utf8.DecodeLastRuneInString(text[:at])
	return at == 0 || unicode.IsSpace(last) || !subtitles.SpaceBetween(text[:at], text[at:])
}

// piece returns the words [from, to) of a segment as a segment. All but the first piece are marked as cut off.
func piece(s backend.Segment, places []int, from, to int) backend.Segment {
	out := s
	out.Words = slices.Clone(s.Words[from:to])
	start, end := 0, len(s.Text)
	if from > 0 {
		start = spaceBefore(s.Text, places[from])
		out.Start, out.CutFrom, out.Paragraph = min(max(s.Words[from].Start, s.Start), s.End), cmp.Or(s.CutFrom, s.ID), false
	}
	if to < len(places) {
		end = spaceBefore(s.Text, places[to])
		out.End = max(out.Start, min(s.Words[to-1].End, s.End))
	}
	out.Text = s.Text[start:end]
	return out
}

// spaceBefore returns where the space before a place begins.
func spaceBefore(text string, at int) int {
	return len(strings.TrimRightFunc(text[:at], unicode.IsSpace))
}

// Split cuts a segment before its n-th word, counted from 1. Both parts keep the speaker; the second one has no ID yet. ok is false where
// there is no such word, or it is the first one. A segment without times of words is cut in proportion to the length of its text.
func Split(s backend.Segment, n int) (parts [2]backend.Segment, ok bool) {
	if places, timed := wordPlaces(s); timed && n > 1 && n <= len(places) && begins(s.Text, places[n-1]) {
		parts[0], parts[1] = piece(s, places, 0, n-1), piece(s, places, n-1, len(places))
		parts[1].CutFrom = 0
		return parts, true
	} else if timed {
		return parts, false
	}
	at, ok := fieldPlace(s.Text, n)
	if !ok {
		return parts, false
	}
	parts[0], parts[1] = s, s
	middle := s.Start + (s.End-s.Start)*float64(at)/float64(len(s.Text))
	parts[0].Text, parts[0].End, parts[0].Words = s.Text[:at], middle, []backend.HeardWord{}
	parts[1].Text, parts[1].Start, parts[1].Words = s.Text[at:], middle, []backend.HeardWord{}
	parts[1].CutFrom, parts[1].Paragraph = 0, false
	return parts, true
}

// fieldPlace returns where the space before the n-th word of a text begins; ok is false for the first word and beyond the last.
func fieldPlace(text string, n int) (at int, ok bool) {
	words := 0
	space := true
	for i, r := range text {
		if !unicode.IsSpace(r) && space {
			if words++; words == n {
				return spaceBefore(text, i), n > 1
			}
		}
		space = unicode.IsSpace(r)
	}
	return 0, false
}

// Join returns segments with those joined again that were cut where the speaker changes, but for those that a person set or edited.
func Join(segments []backend.Segment) []backend.Segment {
	out := make([]backend.Segment, 0, len(segments))
	for _, s := range segments {
		last := len(out) - 1
		if last < 0 || !sameOrigin(out[last], s) || IsSet(s) || IsSet(out[last]) {
			out = append(out, s)
			continue
		}
		whole := &out[last]
		whole.Text += s.Text
		whole.Words = slices.Concat(whole.Words, s.Words)
		whole.End = max(whole.End, s.End)
	}
	return out
}

// sameOrigin reports whether a segment was cut off the one before it, and neither was edited.
func sameOrigin(before, s backend.Segment) bool {
	return s.CutFrom != 0 && (s.CutFrom == before.ID || s.CutFrom == before.CutFrom) && len(s.Words) > 0 && len(before.Words) > 0
}
