package text

import "unicode"

// ASCIIDigit returns 0 to 9 for a decimal digit of any script, and any other character as it is.
func ASCIIDigit(r rune) rune {
	if r <= unicode.MaxASCII || !unicode.Is(unicode.Nd, r) {
		return r
	}
	// The digits of a script are ten characters in a row that begins with zero.
	for _, row := range unicode.Nd.R16 {
		if rune(row.Lo) <= r && r <= rune(row.Hi) {
			return '0' + (r-rune(row.Lo))%10
		}
	}
	for _, row := range unicode.Nd.R32 {
		if rune(row.Lo) <= r && r <= rune(row.Hi) {
			return '0' + (r-rune(row.Lo))%10
		}
	}
	return r
}
