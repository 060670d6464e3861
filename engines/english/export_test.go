package english

import "context"

// Next says what comes after a word of the kit.
type Next struct {
	Pause, Vowel, To bool
}

// Oracle gives tests the parts of English below the text: words and tokens with given parts of speech.
type Oracle struct{ l *lexicon }

// OpenOracle unpacks the dictionary of an accent.
func OpenOracle(british bool) (Oracle, error) {
	l, err := openLexicon(british)
	return Oracle{l}, err
}

// Word gives the phonemes of one word before the last step (ɾ and ʔ stay).
func (o Oracle) Word(word, tag string, next Next) (string, bool) {
	after := following{onset: consonant, to: next.To}
	if next.Pause {
		after.onset = pause
	}
	if next.Vowel {
		after.onset = vowel
	}
	return o.l.token(token{text: word, tag: tag, head: true}, after)
}

// Speak gives the sound of each word of tokens (text, tag, white space); what the dictionary does not know sounds as ❓.
func (o Oracle) Speak(tokens [][3]string) (string, error) {
	in := make([]token, len(tokens))
	for i, t := range tokens {
		in[i] = token{text: t[0], tag: t[1], space: t[2] != "", head: true}
	}
	s := speaker{lexicon: o.l, guess: func(context.Context, string) (string, error) { return "❓", nil }}
	words, err := s.speak(context.Background(), group(in))
	out := ""
	for _, w := range words {
		out += w.sound
		if w.space {
			out += " "
		}
	}
	return out, err
}

// Spell reads a word by the letter-to-sound rules alone.
func (o Oracle) Spell(word string) string { return o.l.byRules(word) }

// Lines is the dictionary as text.
func (o Oracle) Lines() string { return o.l.lines }

// Vocabulary is what may come out.
const Vocabulary = vocabulary
