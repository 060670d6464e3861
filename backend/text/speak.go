package text

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text/english"
	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// SpeakOptions say for whom a text is prepared.
type SpeakOptions struct {
	Language string // BCP 47 of the voice; numbers and signs are spelled out for English only
	// Own are the words of one request. They win over equal ones of Words, whatever their language.
	Own []backend.Pronunciation
	// Words are the personal dictionary for the language; nil for none. An entry counts for whole words between Unicode
	// word borders, white space in it for any white space, and the longest entry wins. Case does not matter, but an entry
	// in capitals (US, IT) is found in capitals only.
	Words    *Dictionary
	Phonemes bool     // the engine reads IPA in double brackets
	Digits   bool     // the engine reads whole numbers itself: they stay digits where no rule reads them better
	Tags     []string // the marks of expression that the engine plays, as it writes them: [laugh], <laugh>
}

// Spoken is what an engine is given.
type Spoken struct {
	Text string // may have nothing to speak: see Speakable
	// Dropped are the marks of expression and the phonemes that the engine has not, each once, as they were written.
	Dropped []string
	// Used are the words of the dictionary that came in, with what is spoken for them; nil where none did.
	Used map[string]string
}

// Speaker prepares texts for one engine and one voice. It is safe for concurrent use.
type Speaker struct {
	english  bool
	nepali   bool
	phonemes bool
	digits   bool
	own      *Dictionary
	words    *Dictionary
	tags     map[string]string // what a mark of expression means to how the engine writes it
}

// NewSpeaker prepares the dictionary once for many texts.
func NewSpeaker(o SpeakOptions) *Speaker {
	s := &Speaker{
		english: backend.BaseLanguage(o.Language) == "en", nepali: backend.BaseLanguage(o.Language) == "ne", phonemes: o.Phonemes, digits: o.Digits,
		own: compile(o.Own), words: o.Words, tags: map[string]string{},
	}
	if s.words == nil {
		s.words = compile(nil)
	}
	for _, form := range o.Tags {
		if name := markup.ExpressionName(strings.Trim(form, "[]<>")); name != "" && s.tags[name] == "" {
			s.tags[name] = form
		}
	}
	return s
}

// Speak prepares one text; NewSpeaker serves many.
func Speak(chunk string, o SpeakOptions) Spoken { return NewSpeaker(o).Speak(chunk) }

// Speak turns a chunk of Plan into what the engine is given: markup is read, words of the dictionary are replaced,
// digits of all scripts become 0 to 9, since most voices are silent on foreign ones, numbers and signs are spelled out (English), and marks of expression get the engine's own form. What the engine has
// not is left out and noted; for phonemes in double brackets it gets the word. Double brackets without a bar are passed
// on. The text is valid UTF-8.
func (s *Speaker) Speak(chunk string) Spoken {
	p := passage{speaker: s}
	p.read(strings.ToValidUTF8(chunk, string(utf8.RuneError)))
	text := string(p.out)
	if len(s.own.entries)+len(s.words.entries) > 0 {
		text = p.lookUp(text)
	}
	if !s.nepali { // whose voices read 0 to 9 in English
		text = strings.Map(ASCIIDigit, text)
	}
	if s.english {
		normalize := english.Normalize
		if s.digits {
			normalize = english.NormalizeKeepingDigits
		}
		text = normalize(text)
	}
	p.spoken.Text = strings.TrimSpace(p.resolve(text))
	return p.spoken
}

// passage is a text on its way. Between the steps a word with its reading is [[word|n]], n being its place in readings,
// so that the normaliser sees the word beside its neighbours and leaves it alone.
type passage struct {
	speaker  *Speaker
	readings []string
	out      []byte
	gap      bool // something that was between two words has gone
	tail     rune // how a reading ends that was written last, else 0
	spoken   Spoken
}

// read takes the markup of s in: only known readings, marks of expression that the engine has and double brackets
// without a bar are left.
func (p *passage) read(s string) {
	for {
		at, m, ok := markup.Next(s)
		if !ok {
			p.write(s)
			return
		}
		p.write(s[:at])
		whole := s[at : at+m.Size]
		switch m.Kind {
		case markup.Expression:
			if p.speaker.tags[m.Name] == "" {
				p.note(whole)
				p.gap = true
				break
			}
			p.write(whole)
		case markup.Respelling:
			p.respell(m, whole)
		case markup.Raw:
			p.write(whole)
		case markup.Pause, markup.Block:
			p.gap = true
		case markup.Inline:
		}
		s = s[at+m.Size:]
	}
}

// write adds a text. Where something has gone before it, words stay apart and white space is not doubled.
func (p *passage) write(s string) {
	if p.tail != 0 && s != "" {
		if grows(p.tail, prose.FirstOrSpace(s)) && (p.gap || !ending(s)) {
			p.out = append(p.out, ' ')
		}
		p.tail = 0
	}
	if p.gap && s != "" {
		p.out, s = prose.CloseGap(p.out, s)
		p.gap = s == ""
	}
	p.out = append(p.out, s...)
}

// respell writes a word with its reading, or the word alone where the engine does not read phonemes. It does not grow
// together with the words beside it.
func (p *passage) respell(m markup.Markup, whole string) {
	said, kept := m.Reading, m.Reading
	sounds, phonemes := markup.IPA(m.Reading)
	_, wrong := backend.NotIPA(sounds)
	lost := phonemes && (wrong || !p.speaker.phonemes)
	switch {
	case lost:
		p.note(whole)
		said = m.Word
	case phonemes:
		said, kept = sounds, "[["+sounds+"]]"
	}
	before, _ := utf8.DecodeLastRune(p.out)
	if p.tail != 0 {
		before, p.tail = p.tail, 0
	}
	if grows(before, prose.FirstOrSpace(said)) {
		p.out = append(p.out, ' ')
	}
	if lost {
		p.write(m.Word)
	} else {
		p.write(p.keep(m.Word, kept))
	}
	if said != "" {
		p.tail, _ = utf8.DecodeLastRuneInString(said)
	}
}

// grows reports whether two characters side by side make one word.
func grows(a, b rune) bool {
	return prose.IsWordRune(a) && prose.IsWordRune(b) && !prose.IsSpaceless(a) && !prose.IsSpaceless(b)
}

// ending reports whether s begins with an ending that English puts at a word, such as the s of [[GIF|jif]]s.
func ending(s string) bool {
	for _, e := range [...]string{"s", "es", "ed", "ing"} {
		if rest, ok := strings.CutPrefix(s, e); ok && !prose.IsWordRune(prose.FirstOrSpace(rest)) {
			return true
		}
	}
	return false
}

// keep gives the markup that stands for a reading until resolve.
func (p *passage) keep(word, reading string) string {
	p.readings = append(p.readings, reading)
	if len(word) > prose.LongestWord {
		word = strings.ToValidUTF8(word[:prose.LongestWord], "")
	}
	return "[[" + word + "|" + strconv.Itoa(len(p.readings)-1) + "]]"
}

// lookUp replaces the words of the dictionary.
func (p *passage) lookUp(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	replaceWords(p.speaker.own, p.speaker.words, s, &out, func(word string, e backend.Pronunciation) {
		reading := e.Respelling
		if sounds, ok := markup.IPA(reading); ok {
			if !p.speaker.phonemes {
				p.note("[[" + e.Word + "|" + reading + "]]")
				out.WriteString(word)
				return
			}
			reading = "[[" + sounds + "]]"
		}
		if p.spoken.Used == nil {
			p.spoken.Used = map[string]string{}
		}
		p.spoken.Used[e.Word] = e.Respelling
		out.WriteString(p.keep(word, reading))
	})
	return out.String()
}

// resolve puts the readings in and writes marks of expression as the engine does.
func (p *passage) resolve(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	for {
		at, m, ok := markup.Next(s)
		if !ok {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:at])
		switch n, err := strconv.Atoi(m.Reading); {
		case m.Kind == markup.Respelling && err == nil && n < len(p.readings):
			out.WriteString(p.readings[n])
		case m.Kind == markup.Expression && p.speaker.tags[m.Name] != "":
			out.WriteString(p.speaker.tags[m.Name])
		default:
			out.WriteString(s[at : at+m.Size])
		}
		s = s[at+m.Size:]
	}
}

// note remembers what was left out.
func (p *passage) note(what string) {
	if !slices.Contains(p.spoken.Dropped, what) {
		p.spoken.Dropped = append(p.spoken.Dropped, what)
	}
}
