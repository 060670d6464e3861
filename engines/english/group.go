package english

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
)

// speaker makes the sounds of one text.
type speaker struct {
	lexicon *lexicon
	// guess gives phonemes for what the dictionary does not have. whole is true when it wants a group of tokens in one piece.
	guess func(ctx context.Context, word string) (string, error)
	whole bool
}

// speak gives the sound of each group, last first, because a word may depend on what follows it.
func (s *speaker) speak(ctx context.Context, groups [][]token) ([]token, error) {
	out := make([]token, len(groups))
	after := following{}
	for i := len(groups) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g := groups[i]
		var err error
		if len(g) == 1 {
			err = s.single(ctx, &g[0], after)
			after = after.before(g[0].sound, g[0])
		} else {
			after, err = s.compound(ctx, g, after)
		}
		if err != nil {
			return nil, err
		}
		out[i] = merge(g)
	}
	return out, nil
}

// single finds the sound of a token that stands alone.
func (s *speaker) single(ctx context.Context, t *token, after following) error {
	if t.spoken {
		return nil
	}
	t.spoken = true
	sound, ok := s.lexicon.token(*t, after)
	if !ok && worth(t.text) {
		var err error
		if sound, err = s.guess(ctx, t.text); err != nil {
			return err
		}
	}
	t.sound = sound
	return nil
}

// compound finds the sounds of a group: the longest run at its end that the dictionary has, then the same with what is left.
func (s *speaker) compound(ctx context.Context, g []token, after following) (following, error) {
	for left, right := 0, len(g); left < right; {
		t := merge(g[left:right])
		sound, ok := "", false
		if right-left == 1 || len(t.text) <= longestEntry {
			sound, ok = s.lexicon.token(t, after)
		}
		if ok {
			g[left].sound, g[left].spoken = sound, true
			for i := left + 1; i < right; i++ {
				g[i].spoken = true
			}
			after = after.before(sound, t)
			left, right = 0, left
			continue
		}
		if left++; left < right {
			continue
		}
		left, right = 0, right-1
		last := &g[right]
		switch {
		case only(last.text, junk):
			last.spoken = true
		case s.whole && worth(last.text):
			return after, s.one(ctx, g)
		case worth(last.text):
			sound, err := s.guess(ctx, last.text)
			if err != nil {
				return after, err
			}
			last.sound, last.spoken = sound, true
			after = after.before(sound, *last)
		}
	}
	balance(g)
	return after, nil
}

// longestEntry is longer than any compound of the dictionary, in bytes.
const longestEntry = 64

// one has a whole group guessed.
func (s *speaker) one(ctx context.Context, g []token) error {
	for i := range g {
		g[i].sound, g[i].spoken = "", true
	}
	sound, err := s.guess(ctx, merge(g).text)
	g[0].sound = sound
	return err
}

// before gives what the word before t sees.
func (f following) before(sound string, t token) following {
	f.to = t.text == "to" || t.text == "To" || t.text == "TO" && (t.tag == "TO" || t.tag == "IN")
	for _, r := range sound {
		switch {
		case strings.ContainsRune(vowels, r):
			f.onset = vowel
			return f
		case strings.ContainsRune(consonants, r):
			f.onset = consonant
			return f
		case strings.ContainsRune(pauses, r):
			f.onset = pause
			return f
		}
	}
	return f
}

// balance sets the spaces and the stress within a group: parts of different kinds are words of their own, parts of one word
// have half of their stresses reduced.
func balance(g []token) {
	apart := mixed(g)
	last := len(g) - 1
	for i := range g {
		switch {
		case !g[i].spoken && i == last && only(g[i].text, pauses):
			g[i].sound = g[i].text
		case g[i].spoken && i > 0:
			g[i].apart = apart
		}
	}
	if apart {
		return
	}
	var sounding []int
	weak := 0
	for i := range g {
		if g[i].sound != "" {
			sounding = append(sounding, i)
			if strings.Contains(g[i].sound, primary) {
				weak++
			}
		}
	}
	n := len(sounding)
	if n == 2 && len([]rune(g[sounding[0]].text)) == 1 {
		t := &g[sounding[1]]
		t.sound = stressed(t.sound, reduce)
		return
	}
	if n < 2 || weak <= (n+1)/2 {
		return
	}
	lightest(g, sounding)
	for _, i := range sounding[:n/2] {
		g[i].sound = stressed(g[i].sound, reduce)
	}
}

// mixed reports whether a group has letters beside digits or signs, or a slash.
func mixed(g []token) bool {
	var letter, figure, sign bool
	for i, t := range g {
		if i < len(g)-1 && t.space {
			return true
		}
		for _, r := range t.text {
			switch {
			case r == '/':
				return true
			case strings.ContainsRune(junk, r):
			case unicode.IsLetter(r):
				letter = true
			case r >= '0' && r <= '9':
				figure = true
			default:
				sign = true
			}
		}
	}
	return letter && figure || letter && sign || figure && sign
}

// token gives the phonemes of a token, if the dictionary and the rules for numbers know it.
func (l *lexicon) token(t token, after following) (string, bool) {
	word := straight(t.text)
	e := asIs
	if lower := strings.ToLower(word); word != lower {
		e = mild
		if word == strings.ToUpper(word) {
			e = strong
		}
	}
	if sound, ok := l.word(word, t.tag, e, after); ok {
		if unit, _ := coins(t.currency); unit != "" {
			if amount, found := l.say([]string{unit + "s"}); found {
				sound += " " + amount
			}
		}
		return sound, true
	}
	return l.number(word, t.currency, t.head)
}

// worth reports whether a text has a letter or digit that somebody could read.
func worth(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// only reports whether a text has no other runes than these.
func only(text, runes string) bool {
	return strings.Trim(text, runes) == ""
}

// lightest sorts indexes by what can lose its stress first: parts without a primary one, then the shorter ones.
func lightest(g []token, indexes []int) {
	slices.SortStableFunc(indexes, func(a, b int) int {
		first, second := g[a].sound, g[b].sound
		if p, q := strings.Contains(first, primary), strings.Contains(second, primary); p != q {
			if q {
				return -1
			}
			return 1
		}
		return cmp.Compare(weight(first), weight(second))
	})
}
