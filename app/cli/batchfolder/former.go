package batchfolder

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/backend/files"
)

// formerFiles are the finished files of rows that the list no longer has.
type formerFiles struct {
	entries []Entry
	used    []bool
	by      map[formerKey][]int // indexes of entries
}

// formerKey is how a row finds the file that it replaces; a zero part is any.
type formerKey struct {
	name string
	row  int
}

func newFormerFiles(entries []Entry) *formerFiles {
	f := &formerFiles{entries: entries, used: make([]bool, len(entries)), by: map[formerKey][]int{}}
	for i, e := range entries {
		for _, key := range []formerKey{{e.Name, e.Row}, {name: e.Name}, {row: e.Row}} {
			f.by[key] = append(f.by[key], i)
		}
	}
	return f
}

// take returns the first file with a key, once.
func (f *formerFiles) take(key formerKey) (Entry, bool) {
	found := f.by[key]
	for len(found) > 0 && f.used[found[0]] {
		found = found[1:]
	}
	f.by[key] = found
	if len(found) == 0 {
		return Entry{}, false
	}
	f.used[found[0]] = true
	return f.entries[found[0]], true
}

// FindFormer finds the file that each row which is not done replaces. It is that of a row which the list no longer has, with the
// same name, else with the same number in the list of the last run. Other files of such rows stay.
func (s *Folder) FindFormer(rows []Row) {
	former := newFormerFiles(s.unlisted(rows))
	for _, keyOf := range []func(r *Row) formerKey{
		func(r *Row) formerKey {
			if r.Name == "" {
				return formerKey{} // by its number, when all names are found
			}
			return formerKey{r.Name, r.Number}
		},
		func(r *Row) formerKey { return formerKey{name: r.Name} },
		func(r *Row) formerKey { return formerKey{row: r.Number} },
	} {
		for i := range rows {
			r := &rows[i]
			key := keyOf(r)
			if r.Done || r.former != nil || key == (formerKey{}) {
				continue
			}
			if e, ok := former.take(key); ok {
				e.Row = r.Number // so that it is found again if this run does not come to the row
				s.entries[e.Hash], r.former = e, &e
			}
		}
	}
	for i, e := range former.entries {
		if !former.used[i] { // its row was deleted: a row that takes its number later is another one
			e.Row = 0
			s.entries[e.Hash] = e
		}
	}
}

// unlisted returns the finished files of rows that the list no longer has, in their former order. Those of the list get their
// present names and numbers.
func (s *Folder) unlisted(rows []Row) []Entry {
	listed := make(map[string]bool, len(rows))
	for _, r := range rows {
		listed[r.Hash] = true
		if e, ok := s.entries[r.Hash]; ok {
			e.Row, e.Name = r.Number, r.Name
			s.entries[r.Hash] = e
		}
	}
	var unlisted []Entry
	for hash, e := range s.entries {
		if _, done := s.Made(hash); done && !listed[hash] {
			unlisted = append(unlisted, e)
		}
	}
	slices.SortFunc(unlisted, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), strings.Compare(a.File, b.File))
	})
	return unlisted
}

// RemoveFormer removes the file that a finished row replaces, if it has another name and is as this command made it. A file that
// cannot be removed stays, and is named at the end. Errors: cancelled, those of the journal.
func (s *Folder) RemoveFormer(ctx context.Context, r Row) error {
	e := r.former
	if e == nil || usage.SameFile(s.Path(e.File), s.Path(r.File)) {
		return nil
	}
	if owner := s.owner[strings.ToLower(e.File)]; owner != e.Hash && owner != r.Hash { // a row before has taken its name
		return nil
	}
	sum, err := files.SHA256(ctx, s.Path(e.File))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && sum == e.SHA256 {
		err = os.Remove(s.Path(e.File))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return s.Record(Entry{Hash: e.Hash, File: e.File, Removed: true})
}
