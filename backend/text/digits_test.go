package text_test

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/text"
)

func TestASCIIDigit(t *testing.T) {
	for script, digits := range map[string]string{
		"Devanagari": "०१२३४५६७८९", "Arabic": "٠١٢٣٤٥٦٧٨٩", "Persian": "۰۱۲۳۴۵۶۷۸۹", "Bengali": "০১২৩৪৫৬৭৮৯",
		"Thai": "๐๑๒๓๔๕๖๗๘๙", "wide": "０１２３４５６７８９", "bold": "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗", "double-struck": "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡", "ASCII": "0123456789",
	} {
		at := 0
		for _, r := range digits {
			require.Equal(t, '0'+rune(at), text.ASCIIDigit(r), script)
			at++
		}
	}
	for _, r := range "aé字½²Ⅳ①" {
		require.Equal(t, r, text.ASCIIDigit(r))
	}
	for r := range unicode.MaxRune {
		if unicode.Is(unicode.Nd, r) {
			require.LessOrEqual(t, text.ASCIIDigit(r), '9', "%U", r)
		}
	}
}
