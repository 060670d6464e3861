package cast

import (
	"slices"
	"unicode/utf16"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/transcribe/paragraphs"
)

// turn is what a speaker says until another one speaks.
type turn struct {
	speaker string
	text    string
	length  int // in characters of UTF-16
}

// turnsOf returns the turns of a transcript.
func turnsOf(t backend.Transcript) ([]turn, error) {
	switch {
	case !t.Status.Ended():
		return nil, backend.E(backend.CodeNotInProgress, "This recording is still being transcribed.",
			"Wait until it is done, then make the script.").With("transcript_id", t.ID)
	case named(t.Segments) < 0:
		remedy := "Find its speakers, or say who speaks in its lines."
		if t.FindingSpeakers != nil {
			remedy = "They are being found; make the script when that is done."
		}
		return nil, backend.E(backend.CodeNothingToSpeak, "No line of this transcript has a speaker.", remedy).
			With("reason", "no_speakers").With("transcript_id", t.ID)
	}
	var turns []turn
	var lines []backend.Segment
	length := 0
	end := func() {
		if text := paragraphs.Text(lines); text != "" {
			turns = append(turns, turn{lines[0].Speaker, text, lengthOf(text)})
		}
		lines, length = nil, 0
	}
	for _, s := range attributed(t.Segments) {
		n := lengthOf(s.Text) + len("\n\n")
		if len(lines) > 0 && (s.Speaker != lines[0].Speaker || length+n > MaxCharacters) {
			end()
		}
		lines, length = append(lines, s), length+n
	}
	end()
	return turns, nil
}

// attributed returns segments that all have a speaker: those without one, or without a text, that of the segment before.
func attributed(segments []backend.Segment) []backend.Segment {
	segments = slices.Clone(segments)
	last := backend.OneLine(segments[named(segments)].Speaker)
	for i := range segments {
		s := &segments[i]
		if speaker := backend.OneLine(s.Speaker); speaker != "" && backend.OneLine(s.Text) != "" {
			last = speaker
		}
		s.Speaker = last
	}
	paragraphs.Mark(segments)
	return segments
}

// named returns the first segment that a speaker says, -1 where there is none.
func named(segments []backend.Segment) int {
	for i, s := range segments {
		if backend.OneLine(s.Speaker) != "" && backend.OneLine(s.Text) != "" {
			return i
		}
	}
	return -1
}

// lengthOf returns the length of a text in characters of UTF-16, which JavaScript counts.
func lengthOf(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// split returns the turns in parts of about equally many, each with at most maxTurns and maxCharacters.
func split(turns []turn, maxTurns, maxCharacters int) [][]turn {
	count := (len(turns) + maxTurns - 1) / maxTurns
	size := (len(turns) + count - 1) / count
	var parts [][]turn
	from, length := 0, 0
	for i, t := range turns {
		if i-from == size || i > from && length+t.length > maxCharacters {
			parts = append(parts, turns[from:i])
			from, length = i, 0
		}
		length += t.length
	}
	return append(parts, turns[from:])
}
