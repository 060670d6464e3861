//go:build whisper

package whisper

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/whisper/internal/cpp"
)

// segment returns a segment with its words, and times within the audio.
func (r *run) segment(s cpp.Segment) backend.Segment {
	length := time.Duration(len(r.samples)) * time.Second / engines.TranscriberRate
	start, end := min(s.Start, length), min(s.End, length)
	out := backend.Segment{
		ID: r.emitted, Start: start.Seconds(), End: end.Seconds(), Text: strings.ToValidUTF8(s.Text, "\uFFFD"),
		NoSpeechProb: s.NoSpeechProb, Words: []backend.HeardWord{},
	}
	if r.options.TokenTimes {
		out.Words = words(joinCharacters(s.Tokens), start, end)
	}
	return out
}

// joinCharacters joins tokens that hold parts of one character, as whisper-cli does: the first one's probability stays.
func joinCharacters(tokens []cpp.Token) []cpp.Token {
	var out []cpp.Token
	for _, t := range tokens {
		if t.Special {
			continue
		}
		if n := len(out); n > 0 && endsWithinCharacter(out[n-1].Text) {
			out[n-1].Text += t.Text
			if t.End >= 0 {
				out[n-1].End = t.End
			}
			continue
		}
		out = append(out, t)
	}
	return out
}

// endsWithinCharacter reports whether the last character of s has fewer bytes than its first byte says.
func endsWithinCharacter(s string) bool {
	for i := len(s) - 1; i >= max(0, len(s)-utf8.UTFMax); i-- {
		if utf8.RuneStart(s[i]) {
			return !utf8.FullRuneInString(s[i:])
		}
	}
	return false
}

// words joins tokens to words, with times between start and end, in order. Punctuation belongs to the word before it, which ends
// before the punctuation; in scripts without spaces, each token is a word.
func words(tokens []cpp.Token, start, end time.Duration) []backend.HeardWord {
	out := []backend.HeardWord{}
	var parts []cpp.Token
	flush := func() {
		if w, ok := word(parts, start, end); ok {
			out = append(out, w)
			start = time.Duration(w.End * float64(time.Second))
		}
		parts = nil
	}
	for _, t := range tokens {
		if len(parts) > 0 && beginsWord(parts[len(parts)-1].Text, t.Text) {
			flush()
		}
		parts = append(parts, t)
	}
	flush()
	return out
}

// beginsWord reports whether a word begins with the token text, which follows the token before.
func beginsWord(before, text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(before)
	switch {
	case unicode.IsSpace(first):
		return true
	case strings.TrimSpace(before) == "":
		return false // a space is part of the word after it
	default:
		return (unspaced(first) || unspaced(last)) && !unicode.In(first, unicode.Punct, unicode.Mn)
	}
}

// unspaced reports whether words in the script of r are written without spaces between them.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
		unicode.Tibetan) || r == 'ー'
}

// word returns the word of some tokens. Its probability is the mean of theirs, punctuation not counted. ok is false for white
// space.
func word(tokens []cpp.Token, from, to time.Duration) (w backend.HeardWord, ok bool) {
	text, spoken := "", 0
	first, last := from, from
	for _, t := range tokens {
		text += t.Text
		if isPunctuation(t.Text) && spoken > 0 {
			continue
		}
		if spoken == 0 || isPunctuation(tokens[0].Text) && spoken == 1 {
			first = max(first, t.Start)
		}
		last = max(last, t.End)
		w.Probability += t.Probability
		spoken++
	}
	w.Word = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if w.Word == "" {
		return w, false
	}
	w.Probability /= float64(spoken)
	w.Start = min(first, to).Seconds()
	w.End = min(max(last, first), to).Seconds()
	return w, true
}

// isPunctuation reports whether a token is nothing but punctuation and white space.
func isPunctuation(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) }) == ""
}
