package files

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// Deletions are notes of what is deleted: a row first, then its files. So the files of a program that was killed in between are found.
type Deletions struct {
	Notes string // the folder of the notes
	Root  string // the files are in its folders, named by the ids of their rows
	Log   *slog.Logger
}

const noteSuffix = ".deleting"

// Note notes the ids of rows that are about to be deleted. The caller calls done when their files are removed. Without room on the disk
// nothing is noted, as deleting makes some.
func (d Deletions) Note(ids ...string) (done func()) {
	path := filepath.Join(d.Notes, rand.Text()+noteSuffix)
	raw, err := json.Marshal(ids)
	if err == nil {
		err = Write(path, raw, 0o600)
	}
	if err != nil {
		d.Log.Warn("note what is deleted", "error", err)
		return func() {}
	}
	return func() { _ = os.Remove(path) } // one that stays names rows that are not there
}

// Finish removes the files of the noted rows that are not there any longer, and the notes. Files that cannot be removed, such
// as those that another program has open on Windows, are logged: they keep no program from starting. Error: that of there.
func (d Deletions) Finish(there func(id string) (bool, error)) error {
	notes, _ := filepath.Glob(filepath.Join(d.Notes, "*"+noteSuffix)) // the pattern is well formed
	deleted := map[string]bool{}
	for _, note := range notes {
		var ids []string
		if raw, err := os.ReadFile(note); err != nil || json.Unmarshal(raw, &ids) != nil {
			continue
		}
		for _, id := range ids {
			stays, err := there(id)
			if err != nil {
				return err
			}
			if !stays {
				deleted[id] = true
			}
		}
	}
	if err := d.remove(deleted); err != nil {
		d.Log.Warn("remove the files of what was deleted", "error", err)
	}
	for _, note := range notes {
		_ = os.Remove(note) // one that stays names rows that are not there
	}
	return nil
}

// remove removes what is named by one of these ids, alone or with a point or hyphen behind it.
func (d Deletions) remove(ids map[string]bool) error {
	if len(ids) == 0 {
		return nil
	}
	folders, err := os.ReadDir(d.Root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		dir := filepath.Join(d.Root, folder.Name())
		entries, failed := os.ReadDir(dir)
		err = errors.Join(err, failed)
		for _, e := range entries {
			if namedBy(e.Name(), ids) {
				err = errors.Join(err, RemoveAll(filepath.Join(dir, e.Name())))
			}
		}
	}
	return err
}

func namedBy(name string, ids map[string]bool) bool {
	if ids[name] {
		return true
	}
	for i, c := range name {
		if i > 0 && (c == '.' || c == '-') && ids[name[:i]] {
			return true
		}
	}
	return false
}
