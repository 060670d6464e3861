package rows

import (
	"errors"
	"slices"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/mailbox"
)

// Taken is in the place of the address for which an account was made once its user has it: the user may have another one by now.
const Taken = "taken"

// Describe returns an account as a token describes its user, and reports whether that is new. A token without an e-mail address leaves
// the one that is known.
func Describe(a service.Account, who service.Identity) (described service.Account, differs bool) {
	described = a
	if who.Email != "" {
		described.Email, described.EmailUnverified = who.Email, who.EmailUnverified
	}
	described.Groups = who.Groups
	return described, described.Email != a.Email || described.EmailUnverified != a.EmailUnverified || !slices.Equal(who.Groups, a.Groups)
}

// WaitingFor returns the address for which an account may wait: the verified one of a user, folded; else it is empty.
func WaitingFor(who service.Identity) string {
	email, ok := mailbox.Fold(who.Email)
	if !ok || who.EmailUnverified {
		return ""
	}
	return email
}

// NotAdmitted returns the error for a user without access, for whom an account was looked for that waits.
func NotAdmitted(err error) error {
	if errors.Is(err, service.ErrNotFound) {
		return service.ErrNotAdmitted
	}
	return err
}

// Address is the e-mail address of an account.
type Address struct {
	id    int64
	email string
}

// AddressColumns are the columns of ScanAddress, of the table accounts as a.
const AddressColumns = `a.id, a.email`

// ScanAddress reads an address.
func ScanAddress(row Scanner) (a Address, err error) {
	err = row.Scan(&a.id, &a.email)
	return a, err
}

// SameEmail returns the IDs of the accounts that have an address which mailbox.Fold has folded. It compares here because no database
// folds as mailbox does.
func SameEmail(addresses []Address, folded string) (ids []int64) {
	for _, known := range addresses {
		if other, ok := mailbox.Fold(known.email); ok && other == folded {
			ids = append(ids, known.id)
		}
	}
	return ids
}

// EmailTaken returns service.ErrEmailTaken where one of the accounts with an address is its owner's.
func EmailTaken(accounts []service.Account) error {
	if slices.ContainsFunc(accounts, func(a service.Account) bool { return !a.EmailUnverified }) {
		return service.ErrEmailTaken
	}
	return nil
}
