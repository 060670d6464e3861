package service

import (
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend/service/mailbox"
)

// Access says who may have an account. Whoever one of the lists names has access, and so has everybody for whom an operator made
// an account in advance. The zero value gives it to everybody whom the issuer signs in.
type Access struct {
	Domains     []string // of e-mail addresses, as mailbox.FoldDomain returns them
	Emails      []string // as mailbox.Fold returns them
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
	email, ok := mailbox.Fold(account.Email)
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
