package text

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hyphen"
	"github.com/voicewright/voicewright/backend/ipa"
	"github.com/voicewright/voicewright/backend/text/english"
	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// SpeakOptions are the voice and the engine for which a text is prepared.
type SpeakOptions struct {
	Language string // BCP 47 of the voice; numbers and signs are spelled out for English only
	// OwnPronunciations are those of one request. They win over equal words of Pronunciations, whatever their language.
	OwnPronunciations []backend.Pronunciation
	// Pronunciations are the user's for the language; nil for none. An entry matches whole words, white space in it matches
	// any white space, and the longest entry wins. Case does not matter, but an entry in capitals (US, IT) matches capitals
	// only.
	Pronunciations *Pronunciations
	Phonemes       bool     // the engine reads IPA in double brackets
	Digits         bool     // the engine reads whole numbers itself: they stay digits unless a rule reads them better
	Tags           []string // the expressions that the engine plays, in its own form: [laugh], <laugh>
}

// Spoken is what an engine is given.
type Spoken struct {
	Text string // may have nothing to speak: see Speakable
	// Dropped are the expressions and phonemes that the engine does not support, each once, as they were written.
	Dropped []string
	// Used are the pronunciations that were applied: what is spoken, by word; nil if there are none.
	Used map[string]string
}

// Speaker prepares texts for one engine and one voice. It is safe for concurrent use.
type Speaker struct {
	language  string
	normalize func(string) string // spells out numbers and signs; nil where the language is not English
	anyDigits bool                // digits of all scripts stay as they are
	phonemes  bool
	own       *Pronunciations
	shared    *Pronunciations
	tags      map[string]string // the engine's form of an expression, by its name
	verbatim  bool              // double brackets without a bar are left out
	anyTag    bool              // expressions stay, in square brackets
}

// NewSpeaker returns a Speaker. It compiles the pronunciations once for many texts.
func NewSpeaker(o SpeakOptions) *Speaker {
	s := &Speaker{
		language: o.Language, phonemes: o.Phonemes, own: allPronunciations(o.OwnPronunciations), shared: o.Pronunciations,
		tags: map[string]string{},
	}
	if s.shared == nil {
		s.shared = allPronunciations(nil)
	}
	switch language := backend.BaseLanguage(o.Language); {
	case language == "ne": // its voices read 0 to 9 in English
		s.anyDigits = true
	case language == "en" && o.Digits:
		s.normalize = english.NormalizeKeepingDigits
	case language == "en":
		s.normalize = english.Normalize
	}
	for _, tag := range o.Tags {
		if name := markup.ExpressionName(strings.Trim(tag, "[]<>")); name != "" && s.tags[name] == "" {
			s.tags[name] = tag
		}
	}
	return s
}

// Speak prepares one text. Use NewSpeaker for many.
func Speak(chunk string, o SpeakOptions) Spoken { return NewSpeaker(o).Speak(chunk) }

// Speak turns a chunk of Plan into what the engine is given: words divided at line ends are joined, markup and the signs of texts
// from web pages and chats are read, letters are the usual ones (NFC, ligatures and full-width letters apart), pronunciations are
// applied, digits of all scripts become 0 to 9, since most voices are silent on others, numbers and signs are spelled out
// (English), expressions get the engine's own form, and for engines that read phonemes no full stop of an abbreviation is left
// at which espeak-ng would end the sentence. What the engine does not support is left out and listed in Dropped; of phonemes
// that it does not read, the word stays. Double brackets without a bar are passed on. The text is valid UTF-8.
func (s *Speaker) Speak(chunk string) Spoken {
	p := passage{speaker: s}
	p.read(hyphen.Join(strings.ToValidUTF8(chunk, string(utf8.RuneError)), s.language))
	text := string(p.out)
	if len(s.own.entries)+len(s.shared.entries) > 0 {
		text = p.pronounce(text)
	}
	if !s.anyDigits {
		text = strings.Map(ASCIIDigit, text)
	}
	if s.normalize != nil {
		text = s.normalize(withoutUnknownStops(text, s.normalize))
		if !s.phonemes {
			text = strings.ReplaceAll(text, "A"+english.NoBreak, "A ")
		}
	}
	if text = p.resolve(text); s.phonemes {
		text = withoutInnerStops(text)
	}
	p.spoken.Text = strings.TrimSpace(text)
	return p.spoken
}

// passage is a text while it is prepared. Between the steps, a word with a respelling is [[word|n]], n being the index of
// the respelling, so that the normaliser sees the word beside its neighbours and leaves it alone.
type passage struct {
	speaker     *Speaker
	respellings []string
	out         []byte
	gap         bool // something between two words was left out
	tail        rune // the last character of a respelling that was written last, else 0
	spoken      Spoken
}

// read copies s with its usual letters, without its signs (see markup.Signs) and its markup, but for respellings, expressions that
// the engine supports and double brackets without a bar.
func (p *passage) read(s string) {
	markup.Spans(s, func(_, read string) { p.write(letters(read)) }, p.mark)
}

// mark reads a piece of markup.
func (p *passage) mark(m markup.Markup, source string) {
	switch m.Kind {
	case markup.Expression:
		if p.speaker.form(m, source) == "" {
			p.drop(source)
			p.gap = true
			break
		}
		p.write(source)
	case markup.Respelling:
		p.respell(m, source)
	case markup.Raw:
		if p.speaker.verbatim {
			p.drop(source)
			p.gap = true
			break
		}
		p.write(source)
	case markup.Pause:
		if p.speaker.anyTag && isTag(source) {
			p.write(source)
			break
		}
		p.gap = true
	case markup.Block:
		p.gap = true
	case markup.Inline:
	}
}

// write appends a text. Where something before it was left out, words stay apart and white space is not doubled.
func (p *passage) write(s string) {
	if p.tail != 0 && s != "" {
		if joins(p.tail, prose.FirstOrSpace(s)) && (p.gap || !startsWithEnding(s)) {
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

// respell writes a word with its respelling, or the word alone if the engine does not read phonemes. Spaces keep it apart
// from the words beside it.
func (p *passage) respell(m markup.Markup, source string) {
	said, kept := m.Respelling, m.Respelling
	phonemes, isIPA := markup.IPA(m.Respelling)
	_, invalid := ipa.Foreign(phonemes)
	dropped := isIPA && (invalid || !p.speaker.phonemes)
	switch {
	case dropped:
		p.drop(source)
		said = m.Word
	case isIPA:
		said, kept = phonemes, "[["+phonemes+"]]"
	}
	before, _ := utf8.DecodeLastRune(p.out)
	if p.tail != 0 {
		before, p.tail = p.tail, 0
	}
	if joins(before, prose.FirstOrSpace(said)) {
		p.out = append(p.out, ' ')
	}
	if dropped {
		p.write(letters(m.Word))
	} else {
		p.write(p.reference(m.Word, kept))
	}
	if said != "" {
		p.tail, _ = utf8.DecodeLastRuneInString(said)
	}
}

// joins reports whether two characters side by side are of one word.
func joins(a, b rune) bool {
	return prose.IsWordRune(a) && prose.IsWordRune(b) && !prose.IsSpaceless(a) && !prose.IsSpaceless(b)
}

// startsWithEnding reports whether s begins with an English ending of the word before it, such as the s of [[GIF|jif]]s.
func startsWithEnding(s string) bool {
	for _, e := range [...]string{"s", "es", "ed", "ing"} {
		if after, ok := strings.CutPrefix(s, e); ok && !prose.IsWordRune(prose.FirstOrSpace(after)) {
			return true
		}
	}
	return false
}

// reference returns the markup that stands for a respelling until resolve.
func (p *passage) reference(word, respelling string) string {
	p.respellings = append(p.respellings, respelling)
	if len(word) > prose.LongestWord {
		word = strings.ToValidUTF8(word[:prose.LongestWord], "")
	}
	return "[[" + word + "|" + strconv.Itoa(len(p.respellings)-1) + "]]"
}

// pronounce applies the pronunciations.
func (p *passage) pronounce(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	replaceWords(p.speaker.own, p.speaker.shared, s, &out, func(word string, e backend.Pronunciation) {
		respelling := e.Respelling
		if phonemes, ok := markup.IPA(respelling); ok {
			if !p.speaker.phonemes {
				p.drop("[[" + e.Word + "|" + respelling + "]]")
				out.WriteString(word)
				return
			}
			respelling = "[[" + phonemes + "]]"
		}
		if p.spoken.Used == nil {
			p.spoken.Used = map[string]string{}
		}
		p.spoken.Used[e.Word] = e.Respelling
		out.WriteString(p.reference(word, respelling))
	})
	return out.String()
}

// resolve replaces references by their respellings and expressions by the engine's form.
func (p *passage) resolve(s string) string {
	return markup.Replace(s, func(m markup.Markup, source string) string {
		switch n, err := strconv.Atoi(m.Respelling); {
		case m.Kind == markup.Respelling && err == nil && n >= 0 && n < len(p.respellings):
			return p.respellings[n]
		case m.Kind == markup.Expression && p.speaker.form(m, source) != "":
			return p.speaker.form(m, source)
		}
		return source
	})
}

// form returns an expression in the engine's form, empty where the engine does not support it.
func (s *Speaker) form(m markup.Markup, source string) string {
	if s.anyTag && m.Name != "" {
		return "[" + strings.ReplaceAll(source[1:len(source)-1], "_", " ") + "]"
	}
	return s.tags[m.Name]
}

// drop lists a piece of markup that is left out.
func (p *passage) drop(source string) {
	if !slices.Contains(p.spoken.Dropped, source) {
		p.spoken.Dropped = append(p.spoken.Dropped, source)
	}
}
