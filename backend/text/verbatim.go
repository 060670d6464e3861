package text

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend/chapter"
	"github.com/voicewright/voicewright/backend/hyphen"
	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// VerbatimOptions are what a service speaks that reads a text as it is written.
type VerbatimOptions struct {
	SpeakOptions          // language and pronunciations; the rest is not used
	AnyTag       bool     // the service plays tags in square brackets, whatever they say
	Limit        int      // of a part, in code points; 0 = none
	Former       []string // parts of the text before it was changed, which stay parts where they are still in it
}

// Part is a text of Verbatim.
type Part struct {
	Text  string
	Pause time.Duration // before it
}

// Script is a text without markup.
type Script struct {
	Parts     []Part            // each has something to speak
	End       time.Duration     // the pause after the last part
	Dropped   []string          // marks that were left out, each once, as they were written
	Used      map[string]string // pronunciations that were applied
	Pauses    []string          // the pauses, as they were written
	Shortened []string          // those that were longer than 60 s
}

// Verbatim takes the markup out of a text for a service that reads it as it is written: pauses separate parts, words with a
// respelling are respelled, those with phonemes stay as they are, and tags such as [laughs] stay where the service plays
// them. Signs of headings and scene breaks are left out, other signs and numbers are left as they are. Parts over the limit are
// cut at the ends of sentences. `[pause]` without a length is such a tag too.
func Verbatim(s string, o VerbatimOptions) Script {
	v := verbatim{o: o, former: byStart(o.Former), speaker: NewSpeaker(o.SpeakOptions)}
	v.speaker.verbatim, v.speaker.anyTag = true, o.AnyTag
	v.speaker.normalize, v.speaker.anyDigits = nil, true
	s = withoutLineMarks(withoutTextElements(hyphen.Join(s, o.Language)))
	if !o.AnyTag {
		s = v.withoutTags(s)
	}
	from := 0
	for at := 0; ; {
		i, m, ok := markup.Next(s[at:])
		if !ok {
			break
		}
		source := s[at+i : at+i+m.Size]
		if v.separates(m, source) {
			v.span(s[from : at+i])
			v.pause(m, source)
			from = at + i + m.Size
		}
		at += i + m.Size
	}
	v.span(s[from:])
	return v.out
}

// withoutTextElements replaces the elements of SSML and HTML by line ends, or by nothing within a sentence.
func withoutTextElements(s string) string {
	return markup.Replace(s, func(m markup.Markup, source string) string {
		switch {
		case m.Kind == markup.Inline:
			return ""
		case m.Kind != markup.Block:
			return source
		case endsOnlySentence(m.Name):
			return "\n"
		}
		return "\n\n"
	})
}

// withoutLineMarks leaves out what only marks the structure of a text: the signs around headings, the lines of scene breaks, those
// around code, and the addresses of names.
func withoutLineMarks(s string) string {
	var out strings.Builder
	from := 0
	for _, l := range lines(s) {
		title, line := "", strings.TrimSpace(s[l.start:l.end])
		if marked := markedLine.FindStringSubmatch(line); marked != nil {
			title = marked[1]
		} else if !chapter.IsScene(line) && !underline.MatchString(line) && !fenceLine.MatchString(line) && !markup.IsDefinition(line) {
			continue
		}
		out.WriteString(s[from:l.start])
		out.WriteString(title)
		from = l.end
	}
	out.WriteString(s[from:])
	return out.String()
}

// verbatim collects the parts of a text.
type verbatim struct {
	o       VerbatimOptions
	former  formerTexts
	speaker *Speaker
	out     Script
}

// tag is a tag of the hosted service: a letter, then letters, spaces, apostrophes and hyphens, 60 characters at most.
var tag = regexp.MustCompile(`\[\pL[\pL '’-]{0,57}\]`)

// withoutTags leaves out the tags of the service that are no markup of ours, which Speak leaves out.
func (v *verbatim) withoutTags(s string) string {
	var out []byte
	for {
		at := tag.FindStringIndex(s)
		if at == nil {
			return string(append(out, s...))
		}
		out = append(out, s[:at[0]]...)
		source := s[at[0]:at[1]]
		s = s[at[1]:]
		if _, ours := markup.Read(source); ours {
			out = append(out, source...)
			continue
		}
		v.drop(source)
		out, s = prose.CloseGap(out, s)
	}
}

func (v *verbatim) drop(source string) {
	if !slices.Contains(v.out.Dropped, source) {
		v.out.Dropped = append(v.out.Dropped, source)
	}
}

// separates reports whether a piece of markup is a pause between parts.
func (v *verbatim) separates(m markup.Markup, source string) bool {
	return m.Kind == markup.Pause && m.Pause > 0 && (!v.o.AnyTag || !isTag(source))
}

// isTag reports whether markup has the form of a tag of the service.
func isTag(source string) bool { return tag.FindString(source) == source }

func (v *verbatim) pause(m markup.Markup, source string) {
	v.out.End += m.Pause
	v.out.Pauses = append(v.out.Pauses, source)
	if m.Shortened && !slices.Contains(v.out.Shortened, source) {
		v.out.Shortened = append(v.out.Shortened, source)
	}
}

// span adds a text between two pauses.
func (v *verbatim) span(s string) {
	said := v.speaker.Speak(s)
	for _, source := range said.Dropped {
		v.drop(source)
	}
	for word, spoken := range said.Used {
		if v.out.Used == nil {
			v.out.Used = map[string]string{}
		}
		v.out.Used[word] = spoken
	}
	for _, part := range fitting(said.Text, v.o.Limit, v.former) {
		if Speakable(part) {
			v.out.Parts = append(v.out.Parts, Part{Text: part, Pause: v.out.End})
			v.out.End = 0
		}
	}
}

// fitting cuts a text into former parts and others of at most limit code points, these at the ends of sentences, and longer sentences
// as Plan does.
func fitting(s string, limit int, former formerTexts) []string {
	if limit <= 0 || len(former) == 0 && chars(s) <= limit {
		return []string{s}
	}
	var parts []string
	part := ""
	end := func() {
		if part != "" {
			parts, part = append(parts, strings.TrimSpace(part)), ""
		}
	}
	for all := Sentences(s); len(all) > 0; {
		text, n := former.at(all, s)
		if n > 0 {
			end()
			parts = append(parts, text)
		} else {
			n = 1
			if chars(strings.TrimSpace(part+all[0])) > limit {
				end()
			}
			pieces := cut(part+all[0], limit)
			for _, piece := range pieces[:len(pieces)-1] {
				parts = append(parts, strings.TrimSpace(piece))
			}
			part = pieces[len(pieces)-1]
		}
		for _, sentence := range all[:n] {
			s = s[len(sentence):]
		}
		all = all[n:]
	}
	end()
	return parts
}
