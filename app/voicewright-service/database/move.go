package database

import (
	"context"
	"errors"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service/move"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// Moved is what Move did.
type Moved struct {
	Refunded int // calls that were held by processes that had ended
	Figures  []move.Figure
}

// Move copies everything in a SQLite file into an empty database of PostgreSQL. After an error nothing of it is kept there. The file stays
// as it is, but for calls that were held, which are refunded first.
func (d Database) Move(ctx context.Context, to Database) (m Moved, err error) {
	if d.path == "" || to.path != "" {
		return m, usagef("a move is --from sqlite:PATH --to postgres://USER@HOST/DATABASE")
	}
	if err := d.check(optionFrom); err != nil {
		return m, err
	}
	source, err := sqlite.OpenSource(ctx, d.path)
	if sqlite.IsLocked(err) {
		return m, failedf("the database %s is in use; stop the service and other programs that use it (`fuser %s` names them), "+
			"then move it again", d.path, d.path)
	}
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := postgres.OpenTarget(ctx, to.server)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, target.Close(ctx)) }()
	if m.Refunded, err = source.Refund(ctx); err != nil {
		return m, err
	}
	if m.Figures, err = move.Move(ctx, source, target); err == nil {
		err = target.Commit(ctx)
	}
	return m, moveError(err)
}

// moveError returns the error of a move for people.
func moveError(err error) error {
	var described *backend.Error
	if err == nil || errors.As(err, &described) {
		return err
	}
	return failedf("%s; nothing was moved", strings.TrimSuffix(err.Error(), "."))
}
