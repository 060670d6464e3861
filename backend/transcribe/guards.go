package transcribe

import (
	"bytes"
	"compress/zlib"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/transcribe/paragraphs"
)

// A model that has lost its way repeats itself. Text counts as repeated by mistake if it comes this often in a row and is as
// easy to compress as Whisper's own check says (its compression_ratio_threshold); what people repeat is shorter.
const (
	loopTimes    = 5   // segments, or groups of segments
	loopTimesIn  = 6   // words within a segment
	loopRatio    = 2.4 // length over compressed length
	loopSegments = 4   // in a group
	loopWords    = 12  // in a group
	emptyTime    = 0.1 // seconds: a segment shorter than that has no time of its own
)

// removeLoops returns the segments without text that the model repeated in a loop: its first occurrence stays.
func removeLoops(segments []backend.Segment) ([]backend.Segment, []backend.TranscriptWarning) {
	warnings := []backend.TranscriptWarning{}
	out := make([]backend.Segment, 0, len(segments))
	for i := 0; i < len(segments); {
		period, times := loopAt(segments, i)
		if times == 0 {
			s, removed := removeWordLoop(segments[i])
			if removed {
				warnings = append(warnings, repeated(s.Start, s.End))
			}
			out = append(out, s)
			i++
			continue
		}
		out = append(out, segments[i:i+period]...)
		last := i + period*times - 1
		warnings = append(warnings, repeated(segments[i+period].Start, segments[last].End))
		i = last + 1
	}
	return out, warnings
}

func repeated(start, end float64) backend.TranscriptWarning {
	return backend.TranscriptWarning{
		Code: backend.WarningRepeatedText, Start: start, End: max(start, end),
		Detail: "The model repeated itself, and the repeated text was removed. Transcribe this part again, or with a larger model.",
	}
}

// loopAt returns how many segments are repeated from i on, and how often they come; 0 times if there is no loop.
func loopAt(segments []backend.Segment, i int) (period, times int) {
	for period = 1; period <= loopSegments; period++ {
		times, untimed := 1, true
		for repeats(segments, i, period, times) {
			for _, s := range segments[i+period*times : i+period*(times+1)] {
				untimed = untimed && s.End-s.Start < emptyTime
			}
			times++
		}
		switch {
		case times > 1 && untimed: // the same text again, and no time to say it in
			return period, times
		case times >= loopTimes && ratio(segments[i:i+period*times]) > loopRatio:
			return period, times
		}
	}
	return 0, 0
}

// repeats reports whether the group of segments at i comes again as the n-th one.
func repeats(segments []backend.Segment, i, period, n int) bool {
	if i+period*(n+1) > len(segments) {
		return false
	}
	for k := range period {
		if bare(segments[i+k].Text) != bare(segments[i+period*n+k].Text) {
			return false
		}
	}
	return true
}

// bare returns a text in lower case without spaces and punctuation, the text itself if it has nothing else.
func bare(s string) string {
	out := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
	if out == "" {
		return strings.TrimSpace(s)
	}
	return out
}

func ratio(segments []backend.Segment) float64 {
	var all strings.Builder
	for _, s := range segments {
		all.WriteString(s.Text)
	}
	return compression(all.String())
}

// compression returns the length of a text over its length as zlib compresses it.
func compression(s string) float64 {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	_, _ = w.Write([]byte(s)) // a buffer does not fail
	_ = w.Close()
	return float64(len(s)) / float64(out.Len())
}

// removeWordLoop removes words, or characters of a script without spaces, that come again and again within a segment.
func removeWordLoop(s backend.Segment) (backend.Segment, bool) {
	if compression(s.Text) <= loopRatio {
		return s, false
	}
	parts, glue := strings.Fields(s.Text), " "
	if len(parts) < loopTimesIn {
		parts, glue = strings.Split(s.Text, ""), ""
	}
	timed := len(s.Words) == len(parts)
	kept, words := parts[:0:0], []backend.HeardWord{}
	for i := 0; i < len(parts); {
		period, times := wordLoopAt(parts, i)
		n := max(period, 1)
		kept = append(kept, parts[i:i+n]...)
		if timed {
			words = append(words, s.Words[i:i+n]...)
		}
		i += n * max(times, 1)
	}
	if len(kept) == len(parts) {
		return s, false
	}
	s.Text, s.Words = paragraphs.Indent(s.Text)+strings.Join(kept, glue), words
	return s, true
}

// wordLoopAt is loopAt for the words of a segment.
func wordLoopAt(parts []string, i int) (period, times int) {
	for period = 1; period <= loopWords; period++ {
		times = 1
		for i+period*(times+1) <= len(parts) && sameWords(parts[i:i+period], parts[i+period*times:]) {
			times++
		}
		if times >= loopTimesIn {
			return period, times
		}
	}
	return 0, 0
}

// sameWords reports whether other begins with words; punctuation and case do not count.
func sameWords(words, other []string) bool {
	for i, w := range words {
		if bare(w) != bare(other[i]) {
			return false
		}
	}
	return true
}
