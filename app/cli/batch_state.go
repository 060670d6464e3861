package cli

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/batch"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/spreadsheet"
)

// The files of a run beside the audio files.
const (
	batchReport  = "report.csv"
	batchJournal = ".voicewright-batch.jsonl" // what is made of which row, for the next run
)

// batchResult is a line of report.csv, and of the output with --json.
type batchResult struct {
	Row    int            `json:"row"`
	Status backend.Status `json:"status"`
	File   string         `json:"file"`
	Error  string         `json:"error"`
}

// batchRow is what a run remembers of a row of its list.
type batchRow struct {
	number  int         // from 1
	name    string      // the start of what the row says, for the journal
	hash    string      // of what the row and the flags say: the same hash is the same audio
	file    string      // name of its audio file in the folder
	former  *batchEntry // whose file it replaces
	chars   int
	done    bool
	problem string // why it could not be spoken
	price   *int64 // credits of a hosted voice, nil where unknown
	hosted  bool
}

// result returns the line of a row that was spoken or cannot be.
func (r batchRow) result(number int) batchResult {
	if r.problem != "" {
		return batchResult{number, backend.StatusFailed, "", r.problem}
	}
	return batchResult{number, backend.StatusComplete, r.file, ""}
}

func (r batchResult) cells() []string {
	cell := spreadsheet.Cell
	return []string{strconv.Itoa(r.Row), string(r.Status), cell(r.File), cell(r.Error)}
}

// batchEntry is a line of the journal: a row whose audio is generated, or done and in its file. Journals of former versions have
// neither row, name nor sha256.
type batchEntry struct {
	Hash       string `json:"hash"`
	File       string `json:"file"`
	Row        int    `json:"row,omitempty"` // 0 where the row was deleted from the list
	Name       string `json:"name,omitempty"`
	Generation string `json:"generation,omitempty"`
	Done       bool   `json:"done,omitempty"`
	SHA256     string `json:"sha256,omitempty"`  // of the file
	Removed    bool   `json:"removed,omitempty"` // the file is gone, or somebody changed it
}

// entry returns the line of a row with its generation.
func (r batchRow) entry(generation string) batchEntry {
	return batchEntry{Hash: r.hash, File: r.file, Row: r.number, Name: r.name, Generation: generation}
}

// batchState is what is known of a folder: which row each file was made of. Each change is on disk before the next step, so that
// a run which was killed continues with the row that it had begun.
type batchState struct {
	dir, temp       string
	lock            *flock.Flock
	entries         map[string]batchEntry // by hash
	owner           map[string]string     // the hash of which a file was made, by its name in lower case
	journal, report *os.File
}

// openBatchState locks a folder, which is made where it is missing, and reads its journal. It is an error if the folder has a
// report.csv that is none of these.
func openBatchState(dir string) (*batchState, error) {
	s := &batchState{dir: dir, entries: map[string]batchEntry{}, owner: map[string]string{}}
	if err := s.lockFolder(); err != nil {
		return nil, err
	}
	files.Sweep(dir, time.Now()) // of versions that wrote their temporary files here
	err := s.checkFiles()
	if err == nil {
		err = s.readJournal()
	}
	if err != nil {
		s.unlock()
		return nil, err
	}
	return s, nil
}

// checkFiles returns an error if the journal or the report is no file: opening a pipe would wait for its other end.
func (s *batchState) checkFiles() error {
	for _, name := range []string{batchJournal, batchReport} {
		if info, err := os.Stat(s.path(name)); err == nil && !info.Mode().IsRegular() {
			return usage.Errorf("%s is not a file; remove it, or choose another folder", s.path(name))
		}
	}
	return nil
}

func (s *batchState) readJournal() error {
	raw, err := os.Open(s.path(batchJournal))
	if errors.Is(err, fs.ErrNotExist) {
		return s.checkReport()
	}
	if err != nil {
		return backend.FileError("read the file", s.path(batchJournal), err)
	}
	defer func() { _ = raw.Close() }()
	lines := bufio.NewScanner(raw)
	for lines.Scan() {
		var e batchEntry
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.File == filepath.Base(e.File) { // a killed run may leave half a line
			s.set(e)
		}
	}
	return backend.FileError("read the file", s.path(batchJournal), lines.Err())
}

// checkReport returns an error if the folder has a report.csv of something else, which would be replaced.
func (s *batchState) checkReport() error {
	f, err := os.Open(s.path(batchReport))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return backend.FileError("read the file", s.path(batchReport), err)
	}
	defer func() { _ = f.Close() }()
	start := make([]byte, len(batchHeader))
	if _, err := io.ReadFull(f, start); err != nil || string(start) != batchHeader {
		return usage.Errorf("%s is not a report of this command; choose another folder", f.Name())
	}
	return nil
}

const batchHeader = "row,status,file,error\n"

func (s *batchState) path(name string) string { return filepath.Join(s.dir, name) }

func (s *batchState) set(e batchEntry) {
	file := strings.ToLower(e.File)
	if !e.Removed {
		s.entries[e.Hash], s.owner[file] = e, e.Hash
		return
	}
	delete(s.entries, e.Hash)
	if s.owner[file] == e.Hash {
		delete(s.owner, file)
	}
}

// made returns the file that was made of a row, or is being made, and reports whether it is done.
func (s *batchState) made(hash string) (file string, done bool) {
	e, ok := s.entries[hash]
	if !ok || s.owner[strings.ToLower(e.File)] != hash {
		return "", false
	}
	_, err := os.Stat(s.path(e.File))
	return e.File, e.Done && err == nil
}

// unused returns the files that were made of rows which the list no longer has.
func (s *batchState) unused(rows []batchRow) []string {
	listed := make(map[string]bool, len(rows))
	for _, r := range rows {
		listed[r.hash] = true
	}
	var unused []string
	for hash := range s.entries {
		if file, done := s.made(hash); done && !listed[hash] {
			unused = append(unused, file)
		}
	}
	slices.Sort(unused)
	return unused
}

// generation returns the id of the generation that a row was begun with, empty where it was not.
func (s *batchState) generation(hash string) string { return s.entries[hash].Generation }

// reserve keeps the names of finished rows, and of files that were not made by this
// command, from other rows.
func (s *batchState) reserve(rows []batchRow, names *batch.Names) error {
	for _, r := range rows {
		if r.done {
			names.Reserve(r.file)
		}
	}
	dir, err := os.Open(s.dir)
	if err != nil {
		return backend.FileError("read the folder", s.dir, err)
	}
	defer func() { _ = dir.Close() }()
	found, err := dir.Readdirnames(-1)
	for _, name := range found {
		if _, ours := s.owner[strings.ToLower(name)]; !ours {
			names.Reserve(name)
		}
	}
	return backend.FileError("read the folder", s.dir, err)
}

// begin writes the report of the rows that are done or cannot be spoken, and opens it and the journal for the others.
func (s *batchState) begin(rows []batchRow) error {
	err := files.ReplaceFrom(s.temp, s.path(batchJournal), 0o666, func(f *os.File) error {
		out := bufio.NewWriter(f)
		lines := json.NewEncoder(out)
		for hash, e := range s.entries {
			if s.owner[strings.ToLower(e.File)] != hash {
				continue
			}
			if err := lines.Encode(e); err != nil {
				return err
			}
		}
		return out.Flush()
	})
	if err == nil {
		s.journal, err = os.OpenFile(s.path(batchJournal), os.O_WRONLY|os.O_APPEND, 0)
	}
	if err != nil {
		return backend.FileError("write the file", s.path(batchJournal), err)
	}
	if err = s.writeReport(rows); err == nil {
		s.report, err = os.OpenFile(s.path(batchReport), os.O_WRONLY|os.O_APPEND, 0)
		err = backend.FileError("write the file", s.path(batchReport), err)
	}
	return err
}

// writeReport replaces the report by one of the rows that are done or cannot be spoken, in their order.
func (s *batchState) writeReport(rows []batchRow) error {
	err := files.ReplaceFrom(s.temp, s.path(batchReport), 0o666, func(f *os.File) error {
		out := csv.NewWriter(f)
		err := out.Write(strings.Split(strings.TrimSpace(batchHeader), ","))
		for i, r := range rows {
			if r.done || r.problem != "" {
				err = errors.Join(err, out.Write(r.result(i+1).cells()))
			}
		}
		out.Flush()
		return errors.Join(err, out.Error())
	})
	return backend.FileError("write the file", s.path(batchReport), err)
}

// record adds a line to the journal.
func (s *batchState) record(e batchEntry) error {
	s.set(e)
	line, err := json.Marshal(e)
	if err == nil {
		err = appendSynced(s.journal, append(line, '\n'))
	}
	return backend.FileError("write the file", s.path(batchJournal), err)
}

// add adds a line to the report.
func (s *batchState) add(r batchResult) error {
	var line bytes.Buffer
	out := csv.NewWriter(&line)
	err := out.Write(r.cells())
	out.Flush()
	if err == nil {
		err = appendSynced(s.report, line.Bytes())
	}
	return backend.FileError("write the file", s.path(batchReport), err)
}

func appendSynced(f *os.File, line []byte) error {
	if _, err := f.Write(line); err != nil {
		return err
	}
	return files.Sync(f)
}

// end closes the files and sorts the report.
func (s *batchState) end(rows []batchRow) error {
	return errors.Join(s.journal.Close(), s.report.Close(), s.writeReport(rows))
}
