package english

import (
	"context"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
	"github.com/voicewright/voicewright/engines/english/internal/sound"
	"github.com/voicewright/voicewright/engines/english/internal/token"
)

// pronouncer finds the phonemes of groups.
type pronouncer struct {
	dictionary *dictionary.Dictionary
	// guess returns the phonemes of a word that the dictionary does not have.
	guess func(ctx context.Context, word string) (string, error)
	whole bool // guess gets a group with such a word in one piece
}

const (
	joiners  = "',-._‘’/" // signs within words, which have no sound
	maxEntry = 64         // more bytes than any compound of the dictionary has
)

// pronounce sets the phonemes of groups, the last group first, because a word may depend on what follows it.
func (p pronouncer) pronounce(ctx context.Context, groups [][]part) error {
	next := dictionary.Next{}
	for i := len(groups) - 1; i >= 0; i-- {
		err := ctx.Err()
		if err != nil {
			return err
		}
		if g := groups[i]; len(g) > 1 {
			next, err = p.compound(ctx, g, next)
		} else {
			err = p.single(ctx, &g[0], next)
			next = before(next, g[0].phonemes, g[0])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// single sets the phonemes of a part that is a group by itself.
func (p pronouncer) single(ctx context.Context, t *part, next dictionary.Next) (err error) {
	if t.known {
		return nil
	}
	phonemes, ok := p.lookup(*t, next)
	if !ok && token.Readable(t.text) {
		phonemes, err = p.guess(ctx, t.text)
	}
	t.phonemes, t.known = phonemes, true
	return err
}

func (p pronouncer) lookup(t part, next dictionary.Next) (string, bool) {
	return p.dictionary.Pronounce(dictionary.Word{Text: t.text, Tag: t.tag, Currency: t.currency, First: t.first}, next)
}

// compound sets the phonemes of a group of several parts: those of the longest run at its end that the dictionary has, then
// the same with the parts before. It returns what the word before the group depends on.
func (p pronouncer) compound(ctx context.Context, g []part, next dictionary.Next) (dictionary.Next, error) {
	for left, right := 0, len(g); left < right; {
		t := merge(g[left:right])
		phonemes, ok := "", false
		if right-left == 1 || len(t.text) <= maxEntry {
			phonemes, ok = p.lookup(t, next)
		}
		if ok {
			g[left].phonemes = phonemes
			for i := left; i < right; i++ {
				g[i].known = true
			}
			next = before(next, phonemes, t)
			left, right = 0, left
			continue
		}
		if left++; left < right {
			continue
		}
		left, right = 0, right-1
		last := &g[right]
		switch {
		case only(last.text, joiners):
			last.known = true
		case p.whole && token.Readable(last.text):
			return next, p.guessWhole(ctx, g)
		case token.Readable(last.text):
			var err error
			if last.phonemes, err = p.guess(ctx, last.text); err != nil {
				return next, err
			}
			last.known = true
			next = before(next, last.phonemes, *last)
		}
	}
	return next, nil
}

// guessWhole sets the phonemes of a group by a guess of all its parts in one piece.
func (p pronouncer) guessWhole(ctx context.Context, g []part) (err error) {
	for i := range g {
		g[i].phonemes, g[i].known = "", true
	}
	g[0].phonemes, err = p.guess(ctx, merge(g).text)
	return err
}

// merge returns the word that parts are together, with the tag of the part that weighs most.
func merge(parts []part) part {
	if len(parts) == 1 {
		return parts[0]
	}
	var text strings.Builder
	out := part{first: parts[0].first}
	heaviest := -1
	for _, t := range parts {
		text.WriteString(t.text)
		if n := tagWeight(t.text); n > heaviest {
			heaviest, out.tag = n, t.tag
		}
		out.currency = max(out.currency, t.currency)
	}
	out.text = text.String()
	return out
}

// tagWeight returns how much a part of a word counts for the tag of the word: its length, capitals twice.
func tagWeight(s string) int {
	n := 0
	for _, r := range s {
		n++
		if unicode.ToLower(r) != r {
			n++
		}
	}
	return n
}

// before returns what the word before t depends on. next is what t depended on; phonemes without a sound do not change it.
func before(next dictionary.Next, phonemes string, t part) dictionary.Next {
	next.To = t.text == "to" || t.text == "To" || t.text == "TO" && (t.tag == "TO" || t.tag == "IN")
	for _, r := range phonemes {
		switch {
		case strings.ContainsRune(sound.Vowels, r):
			next.Onset = dictionary.Vowel
			return next
		case strings.ContainsRune(sound.Consonants, r):
			next.Onset = dictionary.Consonant
			return next
		case strings.ContainsRune(sound.Pauses, r):
			next.Onset = dictionary.Pause
			return next
		}
	}
	return next
}

// only reports whether a text has no other runes than these.
func only(text, runes string) bool { return strings.Trim(text, runes) == "" }
