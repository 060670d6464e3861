package service

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// Access says who may have an account. Whoever one of the lists names has access, and so has everybody for whom an operator made
// an account in advance. The zero value gives it to everybody whom the issuer signs in.
type Access struct {
	Domains     []string // of e-mail addresses, as FoldDomain returns them
	Emails      []string // as FoldEmail returns them
	Groups      []string // names in the token's claim of groups
	InvitedOnly bool     // nobody else, also without a list
}

// open reports whether everybody has access.
func (a Access) open() bool {
	return !a.InvitedOnly && len(a.Domains) == 0 && len(a.Emails) == 0 && len(a.Groups) == 0
}

// allows reports whether an account has access. An e-mail address that nobody checked does not count.
func (a Access) allows(account Account) bool {
	if a.open() || account.Invited || len(a.known(account.Groups)) > 0 {
		return true
	}
	email, ok := FoldEmail(account.Email)
	if !ok || account.EmailUnverified {
		return false
	}
	domain := email[strings.LastIndexByte(email, '@')+1:]
	return slices.Contains(a.Emails, email) || slices.Contains(a.Domains, domain)
}

// known returns those of groups that give access, sorted; nil where none does.
func (a Access) known(groups []string) []string {
	var known []string
	for _, g := range groups {
		if slices.Contains(a.Groups, g) {
			known = append(known, g)
		}
	}
	slices.Sort(known)
	return slices.Compact(known)
}

// maxEmail is the length of the longest e-mail address in bytes (RFC 5321).
const maxEmail = 320

// FoldEmail returns an e-mail address as it is compared: without spaces around it, in lower case, its domain in ASCII. It reports
// false for what is not one address.
func FoldEmail(email string) (string, bool) {
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
