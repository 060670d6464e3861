package secrets

import (
	"errors"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subprocess"
)

// errUnavailable is an error of a place; its params have the reason.
func errUnavailable(reason, detail, remedy string) *backend.Error {
	return backend.E(backend.CodeSecretsUnavailable, detail, remedy).With("reason", reason)
}

// The reasons why the keychain cannot be used.

func errNoKeychain() *backend.Error {
	return errUnavailable("absent", "No keychain was found in this session.",
		"Start the keychain of your desktop, for example gnome-keyring, and try again.")
}

func errTimeout() *backend.Error {
	return errUnavailable("timeout", "The keychain did not respond in time.", "Restart the keychain of your desktop and try again.")
}

func errLocked() *backend.Error {
	return errUnavailable("locked", "The keychain is locked.", "Unlock the keychain and try again.")
}

func errDismissed() *backend.Error {
	return errUnavailable("dismissed", "The keychain was not unlocked.", "Try again and unlock the keychain when you are asked.")
}

// errUnusable is for what a place reports that has no reason of its own.
func errUnusable(place string) *backend.Error {
	if place == File {
		return errUnavailable("failed", "The encrypted file for secrets could not be used.", "Check the log from this time.")
	}
	return errUnavailable("failed", "The keychain could not be used.", "Restart the keychain of your desktop and try again.")
}

// allowFile returns an error of the keychain with the remedy that remains where the file is not allowed.
func allowFile(err error) error {
	e := *backend.AsError(err)
	e.Remedy = "Unlock or start the keychain, or allow an encrypted file with the setting secrets.allow_file = true."
	return &e
}

func errFileNotAllowed() *backend.Error {
	return errUnavailable("not_allowed", "The encrypted file for secrets is not allowed.", "Set secrets.allow_file to true first.")
}

// The reasons why the encrypted file cannot be used.

// errVersion is why a file of a newer program cannot be read.
var errVersion = errors.New("it is of a newer version")

// errUnreadable is errDamaged, or for a file of a newer program an error that does not say to delete it.
func errUnreadable(path string, cause error) *backend.Error {
	if !errors.Is(cause, errVersion) {
		return errDamaged(path).WithCause(cause)
	}
	name := filepath.Base(path)
	return errUnavailable("newer", "The file "+name+" in the data directory was written by a newer Voicewright. It has not been changed.",
		"Install the current version of Voicewright.").With("file", name).WithCause(cause)
}

func errDamaged(path string) *backend.Error {
	name := filepath.Base(path)
	return errUnavailable("damaged", "The file "+name+" in the data directory is damaged. It has not been changed.",
		"Restore "+name+" from a copy, or delete it and sign in again.").With("file", name)
}

func errNeedsPassphrase() *backend.Error {
	return errUnavailable("passphrase", "The encrypted file for secrets needs its passphrase.",
		"Set "+subprocess.PassphraseVariable+" to the passphrase and start Voicewright again.")
}

func errWrongPassphrase() *backend.Error {
	return errUnavailable("passphrase", "The passphrase does not open the encrypted file for secrets. It has not been changed.",
		"Set "+subprocess.PassphraseVariable+" to the passphrase with which the file was written, and start Voicewright again.")
}

func errWrongKey() *backend.Error {
	return errUnavailable("key",
		"The file "+keyFile+" in the data directory is missing or does not open "+secretFile+". Nothing has been changed.",
		"Restore "+keyFile+" from a copy, or delete "+secretFile+" and sign in again.").With("file", keyFile)
}

func errNotFound(name string) *backend.Error {
	return backend.E(backend.CodeSecretNotFound, "This secret is not stored on this machine.",
		"Sign in again, or store the API key again.").With("name", name)
}
