package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite/internal/words"
)

// wordRow is an entry of the dictionary with its position in the list.
type wordRow struct {
	backend.Pronunciation
	seq     int64
	sortKey string
}

// The columns of an entry: its id, the others, those that are only read, and those that are only written.
var (
	wordID      = columns[wordRow]{{"id", func(w *wordRow) any { return &w.ID }}}
	wordColumns = columns[wordRow]{
		{"word", func(w *wordRow) any { return &w.Word }},
		{"respelling", func(w *wordRow) any { return &w.Respelling }},
		{"language", func(w *wordRow) any { return &w.Language }},
	}
	wordRead = columns[wordRow]{
		{"seq", func(w *wordRow) any { return &w.seq }},
		{"sort_key", func(w *wordRow) any { return &w.sortKey }},
	}
	wordDerived = columns[wordRow]{
		{"word_key", func(w *wordRow) any { return words.NameKey(w.Word) }},
		{"language_key", func(w *wordRow) any { return backend.LanguageKey(w.Language) }},
		{"sort_key", func(w *wordRow) any { return words.Fold(w.Word) }},
		{"search_key", func(w *wordRow) any { return words.Fold(w.Word + " " + w.Respelling) }},
	}
)

// The columns of each statement, and the statements.
var (
	wordWhole   = join(wordRead, wordID, wordColumns)
	wordWritten = join(wordID, wordColumns, wordDerived)
	wordChanged = join(wordColumns, wordDerived)

	wordInsert = wordWritten.insert("pronunciations")
	wordUpdate = wordChanged.update("pronunciations", "id")
	// wordUpsert replaces an equal word, keeps its id and returns it.
	wordUpsert = wordInsert + ` ON CONFLICT (word_key, language_key) DO UPDATE SET ` + wordChanged.excluded() + ` RETURNING id`
)

// selectWords selects entries of the dictionary, A to Z.
func selectWords(f backend.PronunciationFilter) selection {
	s := selection{
		table: "pronunciations", columns: wordWhole.names(), order: order{column: "sort_key", text: true}, page: f.Page,
	}
	s.where.search(f.Search)
	if f.Language != "" {
		s.where.language("language_key", f.Language)
	}
	return s
}

func scanPronunciation(rows *sql.Rows) (backend.Pronunciation, cursor, error) {
	w, err := wordWhole.scan(rows)
	return w.Pronunciation, cursor{Text: w.sortKey, Seq: w.seq}, err
}

// wordValues returns the arguments of wordInsert and wordUpsert.
func wordValues(p backend.Pronunciation) []any { return wordWritten.fields(&wordRow{Pronunciation: p}) }

// CreatePronunciation stores a new entry and sets its id. Errors: ValidationError, backend.CodeNameTaken if the word exists in
// this language.
func (db *pronunciations) CreatePronunciation(ctx context.Context, p backend.Pronunciation) (backend.Pronunciation, error) {
	if err := p.Check(); err != nil {
		return backend.Pronunciation{}, err
	}
	p.ID = db.newID()
	defer db.dictionary.forget()
	err := db.update(ctx, "create pronunciation", func(tx *sql.Tx) error {
		if err := checkWordFree(ctx, tx, p); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, wordInsert, wordValues(p)...)
		if err != nil {
			return err
		}
		return checkDictionarySize(ctx, tx)
	})
	if err != nil {
		return backend.Pronunciation{}, err
	}
	return p, nil
}

// checkWordFree returns backend.CodeNameTaken when another entry has the word in its language.
func checkWordFree(ctx context.Context, tx *sql.Tx, p backend.Pronunciation) error {
	var taken bool
	err := tx.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM pronunciations WHERE word_key = ? AND language_key = ? AND id <> ?)`,
		words.NameKey(p.Word), backend.LanguageKey(p.Language), p.ID).Scan(&taken)
	if err == nil && taken {
		err = backend.E(backend.CodeNameTaken,
			fmt.Sprintf("The word %q already has a pronunciation in this language.", p.Word),
			"Change that one, or choose another language.").With("word", p.Word).With("language", p.Language)
	}
	return err
}

// checkDictionarySize returns an error if the dictionary is too large.
func checkDictionarySize(ctx context.Context, tx *sql.Tx) error {
	var words, bytes int
	err := tx.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(octet_length(word) + octet_length(respelling)), 0) FROM pronunciations`).
		Scan(&words, &bytes)
	if err == nil && (words > backend.MaxDictionaryWords || bytes > backend.MaxDictionaryBytes) {
		err = errDictionaryFull()
	}
	return err
}

func errDictionaryFull() error {
	return backend.Invalid("too_long", "Value error, "+backend.DictionaryLimits, "body", "word")
}

// Pronunciation returns the entry with this id, else backend.CodeWordNotFound.
func (db *pronunciations) Pronunciation(ctx context.Context, id string) (backend.Pronunciation, error) {
	var p backend.Pronunciation
	err := db.view(ctx, "read pronunciation", func(tx *sql.Tx) (err error) {
		p, err = findPronunciation(ctx, tx, id)
		return err
	})
	return p, err
}

func findPronunciation(ctx context.Context, tx *sql.Tx, id string) (backend.Pronunciation, error) {
	return find(ctx, tx, selectWords(backend.PronunciationFilter{}), id, scanPronunciation, errUnknownWord(id))
}

// Pronunciations returns a page of the dictionary, A to Z. A wrong cursor or limit is a *backend.ValidationError.
func (db *pronunciations) Pronunciations(
	ctx context.Context, f backend.PronunciationFilter,
) (backend.List[backend.Pronunciation], error) {
	return list(ctx, db.library, selectWords(f), scanPronunciation)
}

// pronunciations are the entries of the dictionary.
type pronunciations struct {
	*library
	dictionary dictionary
}

// dictionary caches all words, because every generation reads them.
type dictionary struct {
	mu     sync.Mutex
	words  []backend.Pronunciation // nil = not cached
	writes int                     // detects a write during a read
}

// forget drops the cache after a write.
func (d *dictionary) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.words = nil
	d.writes++
}

// known returns the cached words, nil if there are none, and the number of writes so far.
func (d *dictionary) known() ([]backend.Pronunciation, int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.words), d.writes
}

// keep caches words, unless there was a write since they were read.
func (d *dictionary) keep(words []backend.Pronunciation, writes int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if writes == d.writes {
		d.words = append([]backend.Pronunciation{}, words...)
	}
}

// AllPronunciations returns the complete dictionary, A to Z. It is cached until the next change.
func (db *pronunciations) AllPronunciations(ctx context.Context) ([]backend.Pronunciation, error) {
	all, writes := db.dictionary.known()
	if all != nil {
		return all, nil
	}
	err := db.view(ctx, "read pronunciations", func(tx *sql.Tx) (err error) {
		s := selectWords(backend.PronunciationFilter{})
		all, err = collect(ctx, tx, func(rows *sql.Rows) (backend.Pronunciation, error) {
			p, _, err := scanPronunciation(rows)
			return p, err
		}, `SELECT `+s.columns+` FROM pronunciations`+s.order.by())
		return err
	})
	if err == nil {
		db.dictionary.keep(all, writes)
	}
	return all, err
}

// UpdatePronunciation changes the given fields. Errors: backend.CodeWordNotFound and those of CreatePronunciation.
func (db *pronunciations) UpdatePronunciation(
	ctx context.Context, id string, patch backend.PronunciationPatch,
) (backend.Pronunciation, error) {
	var p backend.Pronunciation
	defer db.dictionary.forget()
	err := db.update(ctx, "change pronunciation", func(tx *sql.Tx) (err error) {
		if p, err = findPronunciation(ctx, tx, id); err != nil {
			return err
		}
		patch.Apply(&p)
		if err := p.Check(); err != nil {
			return err
		}
		if err := checkWordFree(ctx, tx, p); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, wordUpdate, append(wordChanged.fields(&wordRow{Pronunciation: p}), id)...)
		if err != nil {
			return err
		}
		return checkDictionarySize(ctx, tx)
	})
	if err != nil {
		return backend.Pronunciation{}, err
	}
	return p, nil
}

// DeletePronunciation deletes an entry. Error: backend.CodeWordNotFound.
func (db *pronunciations) DeletePronunciation(ctx context.Context, id string) error {
	defer db.dictionary.forget()
	return db.remove(ctx, "delete pronunciation", "pronunciations", id, errUnknownWord(id))
}

// ImportPronunciations adds the entries of a list and replaces existing words, which keep their ids, in one transaction. If the
// list has a word twice, the last one counts. Error: ValidationError, with which nothing is stored.
func (db *pronunciations) ImportPronunciations(
	ctx context.Context, entries []backend.Pronunciation,
) (added, replaced int, err error) {
	if len(entries) > backend.MaxDictionaryWords { // 16 MB of entries would hold the write lock for half a minute
		return 0, 0, errDictionaryFull()
	}
	defer db.dictionary.forget()
	err = db.update(ctx, "import pronunciations", func(tx *sql.Tx) error {
		upsert, err := tx.PrepareContext(ctx, wordUpsert)
		if err != nil {
			return err
		}
		defer func() { _ = upsert.Close() }() // the end of the transaction closes it as well
		for _, p := range entries {
			if err := p.Check(); err != nil {
				return err
			}
			p.ID = db.newID()
			var kept string
			err := upsert.QueryRowContext(ctx, wordValues(p)...).Scan(&kept)
			if err != nil {
				return err
			}
			if kept == p.ID {
				added++
			} else {
				replaced++
			}
		}
		return checkDictionarySize(ctx, tx)
	})
	if err != nil {
		return 0, 0, err
	}
	return added, replaced, nil
}

func errUnknownWord(id string) error {
	return backend.E(backend.CodeWordNotFound, "There is no pronunciation with this id.",
		"It may have been deleted; check the pronunciations.").With("id", id)
}
