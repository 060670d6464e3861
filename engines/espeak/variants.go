package espeak

import (
	"fmt"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/engines"
)

// variants are the files of espeak-ng by which each of its voices can sound like another speaker: -v en-us+f3. They are part of
// every installation. espeak-ng has more, such as robots, which nobody would choose to read a text.
var variants = []string{"f1", "f2", "f3", "f4", "f5", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"}

// Variants returns the other speakers of each of the voices, as voices with IDs such as en-us+f3.
func (e *Engine) Variants(voices []engines.Voice) []engines.Voice {
	all := make([]engines.Voice, 0, len(voices)*len(variants))
	for _, v := range voices {
		for _, name := range variants {
			all = append(all, variantOf(v, name))
		}
	}
	return all
}

func variantOf(v engines.Voice, name string) engines.Voice {
	v.Gender = "male"
	if name[0] == 'f' {
		v.Gender = "female"
	}
	v.ID += "+" + name
	v.Name = fmt.Sprintf("%s, %s %s", v.Name, v.Gender, name[1:])
	return v
}

// cutVariant returns the voice of an ID such as en-us+f3, and its variant, empty for a voice as it is; ok is false for an unknown
// variant, in the place of which espeak-ng would use the voice itself.
func cutVariant(id string) (voice, variant string, ok bool) {
	voice, variant, found := strings.Cut(id, "+")
	variant = strings.ToLower(variant)
	return voice, variant, !found || slices.Contains(variants, variant)
}
