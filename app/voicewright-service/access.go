package main

import (
	"strings"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/mailbox"
)

// access returns who gets an account.
func (s options) access() (service.Access, error) {
	a := service.Access{InvitedOnly: s.invitedOnly}
	for _, domain := range s.allowDomains {
		folded, ok := mailbox.FoldDomain(strings.TrimSpace(domain))
		if !ok {
			return a, usagef("--allow-domain must be the part of e-mail addresses after the @, such as example.org, not %q; "+
				"name each subdomain too", domain)
		}
		a.Domains = append(a.Domains, folded)
	}
	for _, email := range s.allowEmails {
		folded, ok := mailbox.Fold(email)
		if !ok {
			return a, usagef("--allow-email must be an e-mail address such as ann@example.org, not %q", email)
		}
		a.Emails = append(a.Emails, folded)
	}
	for _, group := range s.allowGroups {
		if group = strings.TrimSpace(group); group == "" {
			return a, usagef("--allow-group must be the name of a group")
		}
		a.Groups = append(a.Groups, group)
	}
	if s.groupClaim == "" {
		return a, usagef("--group-claim must be the name of a claim, such as groups or realm_access.roles")
	}
	return a, nil
}
