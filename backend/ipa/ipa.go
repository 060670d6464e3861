// Package ipa knows the International Phonetic Alphabet.
package ipa

import (
	"strings"
	"unicode"
)

// The characters of the International Phonetic Alphabet outside its Unicode blocks, with letters that carry a tilde.
const (
	letters = "abcdefghijklmnopqrstuvwxyzæçðøħŋœβθχⱱǀǁǂǃⁿãẽĩõũỹ"
	marks   = " .|‖‿':-,^;↑↓↗↘ꜛꜜ"
)

// blocks are IPA Extensions, Spacing Modifier Letters, Combining Diacritical Marks and the Phonetic Extensions.
var blocks = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0250, Hi: 0x036f, Stride: 1}, {Lo: 0x1d00, Hi: 0x1dff, Stride: 1},
}}

// Foreign returns the first character of s that is not in the International Phonetic Alphabet, or all of s if none of it is a
// sound. The keyboard signs ' and : for stress and length count as IPA.
func Foreign(s string) (wrong string, found bool) {
	sound := false
	for _, r := range s {
		letter := strings.ContainsRune(letters, r)
		if !letter && !strings.ContainsRune(marks, r) && !unicode.Is(blocks, r) {
			return string(r), true
		}
		sound = sound || letter || r >= 0x0250 && r < 0x02b0
	}
	return strings.TrimSpace(s), !sound
}
