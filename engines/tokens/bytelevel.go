package tokens

import (
	"strings"
	"unicode/utf8"
)

// byteLetters are the characters by which GPT-2 writes bytes in its tokens: printable ones of Latin-1 stand for themselves,
// the others for characters from U+0100 on.
var byteLetters = func() (letters [256]rune) {
	next := rune(0x100)
	for b := range rune(256) {
		if b >= '!' && b <= '~' || b >= '¡' && b <= '¬' || b >= '®' {
			letters[b] = b
		} else {
			letters[b] = next
			next++
		}
	}
	return letters
}()

// letterBytes is the way back.
var letterBytes = func() map[rune]byte {
	back := make(map[rune]byte, len(byteLetters))
	for b, letter := range byteLetters {
		back[letter] = byte(b)
	}
	return back
}()

// bytesOf returns the bytes that a token of GPT-2 stands for, or its own if it has other characters.
func bytesOf(token string) string {
	out := make([]byte, 0, len(token))
	for _, r := range token {
		b, ok := letterBytes[r]
		if !ok {
			return token
		}
		out = append(out, b)
	}
	return string(out)
}

// lossy returns bytes as text. What is no UTF-8 is U+FFFD, once for each beginning of a character that is cut off.
func lossy(raw string) string {
	if utf8.ValidString(raw) {
		return raw
	}
	var out strings.Builder
	for raw != "" {
		r, size := utf8.DecodeRuneInString(raw)
		if r == utf8.RuneError && size == 1 {
			size = cutOff(raw)
		}
		out.WriteRune(r)
		raw = raw[size:]
	}
	return out.String()
}

// cutOff returns the length of the incomplete character that bytes begin with: as long as some bytes could complete it.
func cutOff(raw string) int {
	for size := min(3, len(raw)); size > 1; size-- {
		for _, end := range []string{"\x80", "\x80\x80", "\xbf", "\xbf\xbf"} {
			if utf8.ValidString(raw[:size] + end) {
				return size
			}
		}
	}
	return 1
}
