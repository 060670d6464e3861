package english

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines/english/internal/sound"
)

// stress sets the spaces and the stress within groups of several parts: parts of different kinds are words of their own, parts
// of one word lose half of their stresses.
func stress(groups [][]part) {
	for _, g := range groups {
		if len(g) > 1 {
			stressGroup(g)
		}
	}
}

func stressGroup(g []part) {
	if last := &g[len(g)-1]; !last.known && only(last.text, sound.Pauses) {
		last.phonemes = last.text
	}
	if !mixed(g) {
		reduceStress(g)
		return
	}
	for i := 1; i < len(g); i++ {
		g[i].word = g[i].known
	}
}

// mixed reports whether a group has letters beside digits or signs, or a slash.
func mixed(g []part) bool {
	var letter, digit, sign bool
	for i, t := range g {
		if i < len(g)-1 && t.space {
			return true
		}
		for _, r := range t.text {
			switch {
			case r == '/':
				return true
			case strings.ContainsRune(joiners, r):
			case unicode.IsLetter(r):
				letter = true
			case r >= '0' && r <= '9':
				digit = true
			default:
				sign = true
			}
		}
	}
	return letter && digit || letter && sign || digit && sign
}

// reduceStress reduces the stress of half of the parts of a word when more than half of them have a primary one. In a word of
// two parts of which the first is one letter, as in T-shirt, the second part loses it.
func reduceStress(g []part) {
	var sounding []*part
	primaries := 0
	for i := range g {
		if g[i].phonemes == "" {
			continue
		}
		sounding = append(sounding, &g[i])
		if strings.Contains(g[i].phonemes, sound.Primary) {
			primaries++
		}
	}
	n := len(sounding)
	switch {
	case n == 2 && utf8.RuneCountInString(sounding[0].text) == 1:
		sounding = sounding[1:]
	case n < 2 || primaries <= (n+1)/2:
		return
	default:
		slices.SortStableFunc(sounding, compareWeight)
		sounding = sounding[:n/2]
	}
	for _, t := range sounding {
		t.phonemes = sound.Stress(t.phonemes, sound.Reduce)
	}
}

// compareWeight orders parts by what can lose its stress first: parts without a primary one, then the shorter ones.
func compareWeight(a, b *part) int {
	if p, q := strings.Contains(a.phonemes, sound.Primary), strings.Contains(b.phonemes, sound.Primary); p != q {
		if q {
			return -1
		}
		return 1
	}
	return cmp.Compare(sound.Weight(a.phonemes), sound.Weight(b.phonemes))
}
