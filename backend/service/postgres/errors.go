package postgres

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
)

// The codes of errors that only operators of the service see.
const (
	CodeAddress     backend.Code = "database_address"
	CodeUnreachable backend.Code = "database_unreachable"
	CodeNotMigrated backend.Code = "database_not_migrated"
	CodeInUse       backend.Code = "database_in_use"
)

// unknownError is the error of a COMMIT that was sent, and whose answer did not come.
type unknownError struct{ cause error }

func (e *unknownError) Error() string { return "it is unknown whether it was done: " + e.cause.Error() }
func (e *unknownError) Unwrap() error { return e.cause }

// IsUnknown reports whether a change may have been made although it failed: the answer to its COMMIT did not come.
func IsUnknown(err error) bool {
	var unknown *unknownError
	return errors.As(err, &unknown)
}

// passwordError is the error of a password file.
type passwordError struct{ cause error }

func (e *passwordError) Error() string { return e.cause.Error() }
func (e *passwordError) Unwrap() error { return e.cause }

// errEmptyPassword is the cause where the first line of the file is empty.
var errEmptyPassword = errors.New("the first line of the password file is empty")

// sqlState returns the code of an error of the server, empty for one of another kind.
func sqlState(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Codes of PostgreSQL.
const (
	uniqueViolation    = "23505"
	serializationError = "40001"
	deadlock           = "40P01"
	lockTimeout        = "55P03"
	queryCanceled      = "57014"
	readOnly           = "25006" // what writes, on a standby
	notSupported       = "0A000" // BEGIN READ WRITE, on a standby
	undefinedTable     = "42P01"
	duplicateTable     = "42P07"
	notPrivileged      = "42501"
	noDatabase         = "3D000"
	noConnections      = "53300"
)

// passes reports whether what the server refused may be possible when it is tried again.
func passes(state string) bool {
	switch state {
	case serializationError, deadlock, lockTimeout, queryCanceled, readOnly:
		return true
	}
	switch state[:min(2, len(state))] {
	case "08", "53", "57", "58": // connection, resources such as a full disk, the operator's intervention, errors of the system
		return true
	}
	return state == "25P03" || state == "25P04" // time limits of transactions
}

// temporary reports whether err, of work that was not committed, may be over when the call is repeated: the server cannot be reached, all
// its connections or all of the pool are in use, a lock was not free in time, or the disk is full.
func temporary(err error) bool {
	if isStandby(err) {
		return true
	}
	if state := sqlState(err); state != "" {
		return passes(state) || isConnect(err)
	}
	return isConnect(err) || isLost(err)
}

// standbyError is the error of a transaction on a server that does not write. It has done nothing.
type standbyError struct{ cause error }

func (e *standbyError) Error() string { return e.cause.Error() }
func (e *standbyError) Unwrap() error { return e.cause }

// isStandby reports whether a server was reached that does not write.
func isStandby(err error) bool {
	var standby *standbyError
	return errors.As(err, &standby) || errors.Is(err, pgconn.ErrReadOnlyConnection)
}

// isConnect reports whether no connection could be made.
func isConnect(err error) bool {
	var connect *pgconn.ConnectError
	var password *passwordError
	return errors.As(err, &connect) || errors.As(err, &password)
}

// lostError is the error of a connection that ended before COMMIT was sent.
type lostError struct{ cause error }

func (e *lostError) Error() string { return e.cause.Error() }
func (e *lostError) Unwrap() error { return e.cause }

// isLost reports whether a connection ended, or did not answer in time.
func isLost(err error) bool {
	var lost *lostError
	return errors.As(err, &lost) || errors.Is(err, context.DeadlineExceeded)
}

// fail wraps err with its operation; what may be over when the call is repeated matches service.ErrStoreBusy, unless its outcome is
// unknown. The error of a context that has ended comes first.
func fail(ctx context.Context, op string, err error) error {
	var rate *service.RateError
	var answer *service.Error
	switch {
	case err == nil, errors.As(err, &rate), errors.As(err, &answer):
		return err
	case IsUnknown(err):
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", op, ctx.Err())
	case temporary(err):
		return fmt.Errorf("%s: %w: %w", op, service.ErrStoreBusy, &lineError{err})
	}
	return fmt.Errorf("%s: %w", op, &lineError{err})
}

// lineError is an error with its text in one line, and each try to connect once in it.
type lineError struct{ cause error }

func (e *lineError) Error() string {
	var lines []string
	for line := range strings.Lines(e.cause.Error()) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), ":; ", ": ")
}

func (e *lineError) Unwrap() error { return e.cause }

// schemaError is the error for a schema that this program does not bear.
type schemaError struct{ have, want int64 }

func (e *schemaError) Error() string {
	return fmt.Sprintf("schema version %d, this program has %d", e.have, e.want)
}

// errForeign is the reason for which a database is refused.
var errForeign = errors.New("the database is not one of the service")

// migrateHint is what to do about a schema that is missing or older. What is printed of an address has no parameters, so it is not one to
// type.
const migrateHint = "Run voicewright-service migrate, with the same address in --database or --config."

// openError returns the error of Open and Migrate for people.
func (o Options) openError(config *pgx.ConnConfig, err error) error {
	place := Place(o.URL)
	report := func(code backend.Code, remedy, sentence string, args ...any) error {
		return backend.E(code, fmt.Sprintf(sentence, args...), remedy).With("database", place).
			WithCause(fmt.Errorf("open store: %w", &lineError{err}))
	}
	var schema *schemaError
	var password *passwordError
	state := sqlState(err)
	switch {
	case errors.Is(err, context.Canceled):
		return backend.ErrCancelled.WithCause(err)
	case errors.As(err, &schema) && schema.have == 0:
		return report(CodeNotMigrated, migrateHint, "The database %s is empty.", place)
	case errors.As(err, &schema) && schema.have < schema.want:
		return report(CodeNotMigrated, migrateHint, "The database %s was made by an older program (%s).", place, schema)
	case errors.As(err, &schema):
		return report(backend.CodeDatabaseNewer, "Install the newest voicewright-service, or name another database with --database.",
			"The database %s was changed by a newer program (%s).", place, schema)
	case errors.Is(err, errForeign), state == duplicateTable:
		return report(backend.CodeDatabaseCorrupt, "Name another database with --database.",
			"The database %s is not one of voicewright-service. It has not been changed.", place)
	case errors.Is(err, errEmptyPassword):
		return report(backend.CodeNotPermitted, "Write the password into its first line, or leave out --database-password-file.",
			"The file with the password of the database is empty.")
	case errors.As(err, &password):
		return report(backend.CodeNotPermitted, "Check the path in --database-password-file, and that this user may read the file.",
			"The file with the password of the database cannot be read.")
	}
	return serverError(config, err, place, report)
}

// report returns an error for people and the log.
type report func(code backend.Code, remedy, sentence string, args ...any) error

// serverError returns the error for people of what the server, or the way to it, refuses.
func serverError(config *pgx.ConnConfig, err error, place string, report report) error {
	var answer *pgconn.PgError
	switch {
	case isStandby(err), sqlState(err) == readOnly:
		return report(CodeUnreachable, "Name the server that writes in --database, or all of them: HOST1,HOST2.",
			"The database %s was reached on a standby only, which does not write.", place)
	case errors.As(err, &answer): // of several tries the one that reached the server says the most
		return answerError(config, answer, err, place, report)
	case isTLS(err):
		return report(CodeUnreachable, "Check sslmode and sslrootcert in --database, and the certificate of the server.",
			"No connection with TLS could be made to the database %s.", place)
	case temporary(err):
		return report(CodeUnreachable, "Check the address in --database, and that the server runs.",
			"The database %s cannot be reached.", place)
	}
	return fmt.Errorf("open store: %w", &lineError{err})
}

// answerError returns the error for people of what the server answers.
func answerError(config *pgx.ConnConfig, answer *pgconn.PgError, err error, place string, report report) error {
	switch state := answer.Code; {
	case state == noDatabase:
		return report(backend.CodeNotFound, "Create it with createdb, or name another database with --database.",
			"The server has no database %s.", place)
	case strings.HasPrefix(state, "28") && strings.Contains(err.Error(), "no encryption") && !strings.Contains(err.Error(), "SSL encryption"):
		return report(backend.CodeNotPermitted, "Let it be reached with TLS: add sslmode=verify-full or sslmode=require to --database.",
			"The server refuses connections without TLS to the database %s.", place)
	case strings.HasPrefix(state, "28"):
		return report(backend.CodeNotPermitted,
			"Check the name in --database, the password in --database-password-file or PGPASSWORD, and pg_hba.conf of the server.",
			"The server refuses the user %q of the database %s.", config.User, place)
	case state == notPrivileged:
		return report(backend.CodeNotPermitted, "Let this user own the database, or name another one with --database.",
			"The user %q may not write in the database %s.", config.User, place)
	case state == lockTimeout:
		return report(CodeInUse, "Wait until that program is done, then try again.",
			"The database %s is in use: another program, such as pg_dump or account check, keeps a lock on its tables.", place)
	case state == noConnections:
		return report(CodeUnreachable, "End other programs that use the server, or raise its max_connections or the limit of this user.",
			"The server of the database %s has no connections left.", place)
	}
	remedy := "Check the parameters in --database, and the log of the server."
	if passes(answer.Code) {
		remedy = "Try again later, and look at the log of the server."
	}
	message := strings.TrimSuffix(strings.Join(strings.Fields(answer.Message), " "), ".")
	return report(CodeUnreachable, remedy, "The server of the database %s answers: %s.", place, message)
}

// isTLS reports whether a server that answered nothing else has no TLS, or a certificate that is not accepted.
func isTLS(err error) bool {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var alert tls.AlertError
	var record tls.RecordHeaderError
	return errors.As(err, &certificate) || errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &alert) ||
		errors.As(err, &record) || err != nil && strings.Contains(err.Error(), "server refused TLS connection")
}
