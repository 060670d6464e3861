package models

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// wrongName is the file in the folder of an imported model that names those of its files whose content was found to be wrong. Their
// size is right, so nothing but reading them shows it.
const wrongName = ".wrong-files.json"

// wrongFile is a file with wrong content, for as long as it is not written again.
type wrongFile struct {
	Path    string    `json:"path"`
	Bytes   int64     `json:"bytes"`
	Changed time.Time `json:"changed"`
}

// holdsFile reports whether a file of an imported model is at path: with its size, and not among those found to be wrong.
func holdsFile(path string, f registry.File, wrong []wrongFile) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() == f.Bytes && info.Mode().IsRegular() && !isMarked(wrong, f, info)
}

// wrongFiles returns the files of a folder that were found to be wrong.
func wrongFiles(folder string) (all []wrongFile) {
	raw, err := os.ReadFile(filepath.Join(folder, wrongName))
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		return nil
	}
	return all
}

// isMarked reports whether a file of an imported model was found to be wrong and was not written since.
func isMarked(all []wrongFile, f registry.File, info fs.FileInfo) bool {
	return slices.ContainsFunc(all, func(w wrongFile) bool {
		return w.Path == f.Path && w.Bytes == info.Size() && w.Changed.Equal(info.ModTime())
	})
}

// checkImported reads every byte of an imported model in a folder and compares the hashes. Wrong content is stored in the folder,
// so that the model is not taken for a good one after a restart; a file that cannot be read stays what it was. read is called with
// the bytes of each file. Errors: model_corrupt naming the first wrong file, cancelled.
func (m *states) checkImported(ctx context.Context, folder string, v registry.Variant, read func(n int)) error {
	var wrong error
	var found []wrongFile
	known := wrongFiles(folder)
	for _, f := range v.Files {
		path := filepath.Join(folder, filepath.FromSlash(f.Path))
		err := verify(ctx, path, f)
		if unknown(err) {
			return err
		}
		read(int(f.Bytes))
		if err == nil {
			continue
		}
		if wrong == nil {
			wrong = err
		}
		info, statErr := os.Stat(path)
		if statErr == nil && info.Size() == f.Bytes && (errors.Is(err, errOtherContent) || isMarked(known, f, info)) {
			found = append(found, wrongFile{f.Path, info.Size(), info.ModTime()})
		}
	}
	m.storeWrong(folder, found)
	return wrong
}

// storeWrong stores the files of a folder that are wrong. A folder that cannot be written to is checked again before each load.
func (m *states) storeWrong(folder string, wrong []wrongFile) {
	if m.o.ReadOnly {
		return
	}
	path := filepath.Join(folder, wrongName)
	var err error
	if len(wrong) == 0 {
		if err = os.Remove(path); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	} else {
		var raw []byte
		if raw, err = json.Marshal(wrong); err == nil {
			err = files.Write(path, raw, 0o644)
		}
	}
	if err != nil {
		m.o.Log.Warn("store which files of an imported model are wrong", "error", err)
	}
}
