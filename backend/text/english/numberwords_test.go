package english_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/text/english"
)

func TestNumberWords(t *testing.T) {
	for _, c := range []struct {
		name                           string
		read                           func(digits string) string
		digits, want, other, wantOther string
	}{
		{"cardinal", english.Cardinal, "342", "three hundred forty-two", "0", "zero"},
		{"large cardinal", english.Cardinal, "1000000", "one million", "12000019", "twelve million nineteen"},
		{"cardinal of digits", english.Cardinal, "007", "zero zero seven", strings.Repeat("1", 37), strings.Repeat("one ", 36) + "one"},
		{"ordinal", english.Ordinal, "21", "twenty-first", "300", "three hundredth"},
		{"irregular ordinal", english.Ordinal, "12", "twelfth", "20", "twentieth"},
		{"year", english.Year, "1999", "nineteen ninety-nine", "1905", "nineteen oh five"},
		{"round year", english.Year, "1900", "nineteen hundred", "2005", "two thousand five"},
		{"no year", english.Year, "15000", "fifteen thousand", "0850", "zero eight five zero"},
		{"digits", english.Digits, "911", "nine one one", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, c.read(c.digits))
			require.Equal(t, c.wantOther, c.read(c.other))
		})
	}
}
