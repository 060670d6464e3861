package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/term"
)

// passphraseTries is how often a new passphrase may differ from its repetition.
const passphraseTries = 3

// askPassphrase requests on the terminal the passphrase of the encrypted file for secrets, twice for a new one. ok is false without
// a terminal and without an answer.
func (p *program) askPassphrase(ctx context.Context, create bool) (passphrase string, ok bool) {
	if !isTerminal(p.io.Err) {
		return "", false
	}
	tty, err := os.OpenFile(terminal, os.O_RDWR, 0) // standard input may be the key
	if err != nil {
		return "", false
	}
	defer func() { _ = tty.Close() }()
	if !create {
		passphrase, err = p.readHidden(ctx, tty, "Passphrase of the encrypted file for secrets: ")
		return passphrase, err == nil && passphrase != ""
	}
	for range passphraseTries {
		passphrase, err = p.readHidden(ctx, tty,
			"New passphrase for the encrypted file (empty: a key file beside it, which only guards against casual access): ")
		if err != nil || passphrase == "" {
			return "", false
		}
		again, err := p.readHidden(ctx, tty, "The same passphrase again: ")
		if err != nil {
			return "", false
		}
		if again == passphrase {
			return passphrase, true
		}
		p.notef("The passphrases differ.")
	}
	return "", false
}

// readHidden reads a line after a question, without showing it on the terminal.
func (p *program) readHidden(ctx context.Context, tty *os.File, question string) (string, error) {
	fd := int(tty.Fd())
	shown, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	_, _ = fmt.Fprint(p.io.Err, question)
	line, err := interruptible(ctx, func() ([]byte, error) { return term.ReadPassword(fd) })
	_, _ = fmt.Fprintln(p.io.Err)
	return string(line), errors.Join(err, term.Restore(fd, shown)) // also when ctx ended the wait
}
