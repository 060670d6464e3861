// Package mailbox compares e-mail addresses.
package mailbox

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// maxEmail is the length of the longest e-mail address in bytes (RFC 5321).
const maxEmail = 320

// Fold returns an e-mail address as it is compared: without spaces around it, in lower case, its domain in ASCII. It reports
// false for what is not one address.
func Fold(email string) (string, bool) {
	name, domain, found := strings.Cut(strings.TrimSpace(email), "@")
	domain, ok := FoldDomain(domain)
	if !found || !ok || name == "" || len(email) > maxEmail || !utf8.ValidString(name) || strings.ContainsFunc(name, unsafeInMailbox) {
		return "", false
	}
	name = norm.NFC.String(name) // I and U+0307 become U+0130, which is i in lower case
	if strings.ContainsFunc(name, unsafeInMailbox) {
		return "", false
	}
	return norm.NFC.String(strings.ToLower(name)) + "@" + domain, true
}

// unsafeInMailbox reports whether r cannot be in the name of a mailbox: it is not seen, or folding would turn it into ASCII, so that
// the name would be that of another mailbox. U+212A is k in lower case.
func unsafeInMailbox(r rune) bool {
	if unicode.IsSpace(r) || !unicode.IsGraphic(r) {
		return true
	}
	return r >= utf8.RuneSelf && (unicode.ToLower(r) < utf8.RuneSelf || len(norm.NFC.String(string(r))) == 1)
}

// FoldDomain returns a domain as it is compared: in lower case and in ASCII, as the domain name system has it. It reports false for
// what is not one.
func FoldDomain(domain string) (string, bool) {
	ascii, err := idna.Lookup.ToASCII(strings.TrimSuffix(domain, "."))
	return ascii, err == nil && !slices.Contains(strings.Split(ascii, "."), "")
}
