package prose

import (
	"strings"
	"unicode/utf8"
)

// longestHost is the length of the longest host or name before an @, in bytes (RFC 1035 section 2.3.4).
const longestHost = 255

// LongestAddress is the number of bytes after which an address is cut.
const LongestAddress = 1000

// AddressLength returns the length in bytes of the web or mail address that s begins with after the character before, 0
// if there is none. Punctuation at its end belongs to the sentence around it.
func AddressLength(before rune, s string) int {
	if before < utf8.RuneSelf && (IsWordRune(before) || strings.ContainsRune("@.-+%/:", before)) || !startsAddress(s) {
		return 0
	}
	end := 0
	for end < min(len(s), LongestAddress) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if r <= ' ' || strings.ContainsRune(`<>"[]|`, r) || r >= utf8.RuneSelf && (!IsWordRune(r) || IsSpaceless(r)) {
			break
		}
		end += size
	}
	return len(strings.TrimRight(s[:end], `.,;:!?'")}*`))
}

// startsAddress reports whether s begins with https://, www., somebody@host.tld, or host.tld before a path or a query.
func startsAddress(s string) bool {
	if !IsWordRune(FirstOrSpace(s)) {
		return false
	}
	for _, scheme := range [...]string{"https://", "http://", "ftp://", "mailto:", "www."} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) && IsWordRune(FirstOrSpace(s[len(scheme):])) {
			return true
		}
	}
	n := hostLength(s)
	switch {
	case n == 0 || n == len(s):
		return false
	case s[n] == '@':
		host := strings.TrimRight(s[n+1:n+1+hostLength(s[n+1:])], ".")
		return host != "" && IsHost(host)
	}
	return strings.IndexByte("/:?", s[n]) >= 0 && IsDomain(s[:n])
}

// hostLength returns the length of what can be a host, or a name before an @, at the beginning of s.
func hostLength(s string) int {
	longest := min(len(s), longestHost)
	for i := range longest {
		if c := s[i]; !alphanumeric(c) && strings.IndexByte("._%+-", c) < 0 {
			return i
		}
	}
	return longest
}

// Only reports whether s consists of letters and digits of ASCII and the given marks.
func Only(s, marks string) bool {
	for i := range len(s) {
		c := s[i]
		if !alphanumeric(c) && strings.IndexByte(marks, c) < 0 {
			return false
		}
	}
	return s != ""
}

// IsHost reports whether s can be the name of a host: labels with dots between them.
func IsHost(s string) bool {
	return Only(s, ".-") && strings.Contains(s, ".") && s[0] != '.'
}

// IsDomain reports whether s is an address whose host ends in a well-known top-level domain.
func IsDomain(s string) bool {
	host := s
	if i := strings.IndexAny(s, "/:?#"); i >= 0 {
		host = s[:i]
	}
	dot := strings.LastIndexByte(host, '.')
	if strings.HasPrefix(s, "localhost:") {
		return true
	}
	if dot < 1 || !IsHost(host) {
		return false
	}
	switch host[dot+1:] {
	case "com", "org", "net", "edu", "gov", "mil", "int", "io", "dev", "ai", "app", "co", "uk", "de", "fr", "eu", "info", "biz",
		"tv", "ca", "ch", "nl", "jp", "ru", "br", "au", "nz", "gg", "xyz", "tech", "cloud", "online", "blog", "shop":
		return true
	}
	return false
}

// alphanumeric reports whether c is a letter or a digit of ASCII.
func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
