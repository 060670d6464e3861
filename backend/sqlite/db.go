package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/google/uuid"
)

// Options are the file and the sources of times and ids.
type Options struct {
	Path  string           // of voicewright.db; its folder must exist
	Now   func() time.Time // nil means time.Now
	NewID func() string    // nil means UUID version 7

	// Place returns the path that is used for the stored path of an audio file; nil means the stored one. A library may have been
	// moved, or written by somebody else.
	Place func(path string) string
}

// DB is an open library: its resources on one file. All methods are safe for concurrent use.
type DB struct {
	*library
	generations
	hostedCalls
	transcripts
	profiles
	scripts
	books
	drafts
	*pronunciations
	levels
	settings
}

// The resources of a library. Each reads and writes the tables of its own, and what belongs to their rows.
type (
	generations struct{ *library }    // with their former versions
	hostedCalls struct{ generations } // of hosted generations
	transcripts struct{ *library }    // with what undoes their edits
	profiles    struct{ *library }    // with their samples, and the presets that were made profiles
	scripts     struct{ *library }
	books       struct{ *library } // with their chapters, texts, former states, and what was generated for them
	drafts      struct{ *library }
	levels      struct{ *library } // of voices
	settings    struct{ *library }
)

// newDB returns the resources of a library.
func newDB(l *library) *DB {
	return &DB{
		library: l, generations: generations{l}, hostedCalls: hostedCalls{generations{l}}, transcripts: transcripts{l},
		profiles: profiles{l}, scripts: scripts{l}, books: books{l}, drafts: drafts{l}, pronunciations: &pronunciations{library: l},
		levels: levels{l}, settings: settings{l},
	}
}

// Open opens the file, creates it (mode 0600) if it is missing, and migrates its schema; before that an existing file is
// copied (see migrate). Errors: backend.CodeDatabaseCorrupt for a
// damaged or foreign file, CodeDatabaseNewer for one of a newer program, CodeNotPermitted, CodeInsufficientDisk,
// CodeDataDirLocked when another program holds the write lock. A file that cannot be used is not changed.
func Open(ctx context.Context, o Options) (*DB, error) {
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db := newDB(&library{path: path, now: o.Now, newID: o.NewID, place: o.Place})
	if db.now == nil {
		db.now = time.Now
	}
	if db.newID == nil {
		db.newID = func() string { return uuid.Must(uuid.NewV7()).String() }
	}
	if err := db.touch(); err != nil {
		return nil, db.fail("open database", err)
	}
	if err := db.checkOwn(ctx); err != nil {
		return nil, db.fail("open database", err)
	}
	if err := db.connect(); err != nil {
		return nil, err
	}
	if err := db.prepare(ctx); err != nil {
		_ = db.disconnect() // the first error is more useful
		return nil, err
	}
	return db, nil
}

// prepare removes what is not ours, migrates the schema and updates the search index.
func (db *DB) prepare(ctx context.Context) error {
	if err := db.disarm(ctx); err != nil {
		return db.fail("open database", err)
	}
	if err := db.migrate(ctx); err != nil {
		return db.fail("open database", err)
	}
	return db.refold(ctx)
}
