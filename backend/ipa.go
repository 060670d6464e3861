package backend

import (
	"strings"
	"unicode"
)

// The signs of the International Phonetic Alphabet beyond its blocks in Unicode, with letters that carry a tilde.
const (
	ipaLetters = "abcdefghijklmnopqrstuvwxyzæçðøħŋœβθχⱱǀǁǂǃⁿãẽĩõũỹ"
	ipaMarks   = " .|‖‿':-,^;↑↓↗↘ꜛꜜ"
)

// ipaBlocks are IPA Extensions, Spacing Modifier Letters, Combining Diacritical Marks and the Phonetic Extensions.
var ipaBlocks = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0250, Hi: 0x036f, Stride: 1}, {Lo: 0x1d00, Hi: 0x1dff, Stride: 1},
}}

// NotIPA returns the first sign of s that is none of the International Phonetic Alphabet, as written on keyboards also
// with ' and : for its stress and length, or all of s where it has no sound.
func NotIPA(s string) (wrong string, found bool) {
	sound := false
	for _, r := range s {
		letter := strings.ContainsRune(ipaLetters, r)
		if !letter && !strings.ContainsRune(ipaMarks, r) && !unicode.Is(ipaBlocks, r) {
			return string(r), true
		}
		sound = sound || letter || r >= 0x0250 && r < 0x02b0
	}
	return strings.TrimSpace(s), !sound
}
