package enhance

import (
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend/service"
)

// tag is one of the tags that are inserted.
type tag uint8

const (
	none tag = iota
	angry
	chuckles
	crying
	curious
	excited
	gasps
	happy
	hesitates
	laughs
	nervous
	pause
	sad
	sarcastic
	shouts
	sighs
	surprised
	whispers
)

// names are the tags as they are written, in the order of the constants.
var names = []string{
	"", "angry", "chuckles", "crying", "curious", "excited", "gasps", "happy", "hesitates", "laughs", "nervous", "pause", "sad",
	"sarcastic", "shouts", "sighs", "surprised", "whispers",
}

func (t tag) String() string { return names[t] }

// parseTag returns the tag of a text in brackets, none for one that is never inserted.
func parseTag(s string) tag {
	return tag(max(0, slices.Index(names, strings.ToLower(s))))
}

// tagSet is a set of tags, one bit each.
type tagSet uint32

const allTags = ^tagSet(0)

func (t tag) set() tagSet       { return 1 << t }
func (s tagSet) has(t tag) bool { return s&t.set() != 0 }

// style is how lively a voice is directed, and whether its language has the word lists.
type style struct {
	gap       int // half words, see script.distance: two tags are at least this far apart
	threshold int // the weight that a suggestion needs
	narrates  bool
	english   bool
}

// sameTagGaps is the distance of two equal tags, in gaps.
const sameTagGaps = 3

// styleOf returns the style of a voice; without one it is between narrator and conversation, in English. A narrator has a tag in
// 24 words at most, a conversation one in 10.
func styleOf(v *service.Voice) style {
	if v == nil {
		return style{gap: 2 * 14, threshold: 2, english: true}
	}
	language, _, _ := strings.Cut(strings.ToLower(v.Language), "-")
	english := language == "" || language == "en"
	if v.Category == "conversational" {
		return style{gap: 2 * 10, threshold: 2, english: english}
	}
	return style{gap: 2 * 24, threshold: 5, narrates: true, english: english}
}

// fit returns the tag as this style has it. Who narrates chuckles and is sad where others laugh and cry, and does not shout.
func (s style) fit(t tag) tag {
	if !s.narrates {
		return t
	}
	switch t {
	case laughs:
		return chuckles
	case crying:
		return sad
	case shouts, gasps, hesitates:
		return none
	default:
		return t
	}
}
