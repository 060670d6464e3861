package text

import (
	"strings"
	"unicode/utf8"
)

// longestHost is how long a host or the name before an @ may be, in bytes (RFC 1035 section 2.3.4).
const longestHost = 255

// address gives the length in bytes of the address of the web or of mail that s begins with behind the character
// before, 0 where there is none. The punctuation of the sentence behind it does not belong to it.
func address(before rune, s string) int {
	if before < utf8.RuneSelf && (wordRune(before) || strings.ContainsRune("@.-+%/:", before)) || !opensAddress(s) {
		return 0
	}
	end := 0
	for end < min(len(s), longestMarkup) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if r <= ' ' || strings.ContainsRune(`<>"[]|`, r) || r >= utf8.RuneSelf && (!wordRune(r) || spaceless(r)) {
			break
		}
		end += size
	}
	return len(strings.TrimRight(s[:end], `.,;:!?'")}*`))
}

// opensAddress reports https://, www., somebody@host.tld and host.tld before a path or a query.
func opensAddress(s string) bool {
	if !wordRune(firstOrSpace(s)) {
		return false
	}
	for _, scheme := range [...]string{"https://", "http://", "ftp://", "mailto:", "www."} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) && wordRune(firstOrSpace(s[len(scheme):])) {
			return true
		}
	}
	n := hostLength(s)
	switch {
	case n == 0 || n == len(s):
		return false
	case s[n] == '@':
		host := strings.TrimRight(s[n+1:n+1+hostLength(s[n+1:])], ".")
		return host != "" && hostLike(host)
	}
	return strings.IndexByte("/:?", s[n]) >= 0 && domain(s[:n])
}

// hostLength is the length of what can stand in a host or before an @.
func hostLength(s string) int {
	longest := min(len(s), longestHost)
	for i := range longest {
		if c := s[i]; !digit(c) && !lower(c) && !upper(c) && strings.IndexByte("._%+-", c) < 0 {
			return i
		}
	}
	return longest
}
