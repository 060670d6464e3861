// Package batchfolder is the folder of a list of texts that is spoken: its lock, the journal of what was made of which row, and
// the report.
package batchfolder

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
	Report  = "report.csv"
	Journal = ".voicewright-batch.jsonl" // what is made of which row, for the next run
)

// Result is a line of report.csv, and of the output with --json.
type Result struct {
	Row    int            `json:"row"`
	Status backend.Status `json:"status"`
	File   string         `json:"file"`
	Error  string         `json:"error"`
}

// Row is what a run remembers of a row of its list.
type Row struct {
	Number  int    // from 1
	Name    string // the start of what the row says, for the journal
	Hash    string // of what the row and the flags say: the same hash is the same audio
	File    string // name of its audio file in the folder
	Chars   int    // characters of its text
	Done    bool
	Problem string // why it could not be spoken
	Price   *int64 // credits of a hosted voice, nil where unknown
	Hosted  bool   // its voice is of the hosted service

	former *Entry // whose file it replaces
}

// Result returns the line of a row that was spoken or cannot be.
func (r Row) Result(number int) Result {
	if r.Problem != "" {
		return Result{number, backend.StatusFailed, "", r.Problem}
	}
	return Result{number, backend.StatusComplete, r.File, ""}
}

func (r Result) cells() []string {
	cell := spreadsheet.Cell
	return []string{strconv.Itoa(r.Row), string(r.Status), cell(r.File), cell(r.Error)}
}

// Entry is a line of the journal: a row whose audio is generated, or done and in its file. Journals of former versions have
// neither row, name nor sha256.
type Entry struct {
	Hash       string `json:"hash"`
	File       string `json:"file"`
	Row        int    `json:"row,omitempty"` // 0 where the row was deleted from the list
	Name       string `json:"name,omitempty"`
	Generation string `json:"generation,omitempty"`
	Done       bool   `json:"done,omitempty"`
	SHA256     string `json:"sha256,omitempty"`  // of the file
	Removed    bool   `json:"removed,omitempty"` // the file is gone, or somebody changed it
}

// Entry returns the line of a row with its generation.
func (r Row) Entry(generation string) Entry {
	return Entry{Hash: r.Hash, File: r.File, Row: r.Number, Name: r.Name, Generation: generation}
}

// Folder is what is known of a folder: which row each file was made of. Each change is on disk before the next step, so that
// a run which was killed continues with the row that it had begun.
type Folder struct {
	dir             string
	TempDir         string // where files are written before they move to their places
	lock            *flock.Flock
	entries         map[string]Entry  // by hash
	owner           map[string]string // the hash of which a file was made, by its name in lower case
	journal, report *os.File
}

// Open locks a folder, which is made where it is missing, and reads its journal. It is an error if the folder has a
// report.csv that is none of these.
func Open(dir string) (*Folder, error) {
	s := &Folder{dir: dir, entries: map[string]Entry{}, owner: map[string]string{}}
	if err := s.lockFolder(); err != nil {
		return nil, err
	}
	files.Sweep(dir, time.Now()) // of versions that wrote their temporary files here
	err := s.checkFiles()
	if err == nil {
		err = s.readJournal()
	}
	if err != nil {
		s.Unlock()
		return nil, err
	}
	return s, nil
}

// checkFiles returns an error if the journal or the report is no file: opening a pipe would wait for its other end.
func (s *Folder) checkFiles() error {
	for _, name := range []string{Journal, Report} {
		if info, err := os.Stat(s.Path(name)); err == nil && !info.Mode().IsRegular() {
			return usage.Errorf("%s is not a file; remove it, or choose another folder", s.Path(name))
		}
	}
	return nil
}

func (s *Folder) readJournal() error {
	raw, err := os.Open(s.Path(Journal))
	if errors.Is(err, fs.ErrNotExist) {
		return s.checkReport()
	}
	if err != nil {
		return backend.FileError("read the file", s.Path(Journal), err)
	}
	defer func() { _ = raw.Close() }()
	lines := bufio.NewScanner(raw)
	for lines.Scan() {
		var e Entry
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.File == filepath.Base(e.File) { // a killed run may leave half a line
			s.set(e)
		}
	}
	return backend.FileError("read the file", s.Path(Journal), lines.Err())
}

// checkReport returns an error if the folder has a report.csv of something else, which would be replaced.
func (s *Folder) checkReport() error {
	f, err := os.Open(s.Path(Report))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return backend.FileError("read the file", s.Path(Report), err)
	}
	defer func() { _ = f.Close() }()
	start := make([]byte, len(header))
	if _, err := io.ReadFull(f, start); err != nil || string(start) != header {
		return usage.Errorf("%s is not a report of this command; choose another folder", f.Name())
	}
	return nil
}

const header = "row,status,file,error\n"

// Path returns the path of a file in the folder.
func (s *Folder) Path(name string) string { return filepath.Join(s.dir, name) }

func (s *Folder) set(e Entry) {
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

// Made returns the file that was made of a row, or is being made, and reports whether it is done.
func (s *Folder) Made(hash string) (file string, done bool) {
	e, ok := s.entries[hash]
	if !ok || s.owner[strings.ToLower(e.File)] != hash {
		return "", false
	}
	_, err := os.Stat(s.Path(e.File))
	return e.File, e.Done && err == nil
}

// Unused returns the files that were made of rows which the list no longer has.
func (s *Folder) Unused(rows []Row) []string {
	listed := make(map[string]bool, len(rows))
	for _, r := range rows {
		listed[r.Hash] = true
	}
	var unused []string
	for hash := range s.entries {
		if file, done := s.Made(hash); done && !listed[hash] {
			unused = append(unused, file)
		}
	}
	slices.Sort(unused)
	return unused
}

// Generation returns the id of the generation that a row was begun with, empty where it was not.
func (s *Folder) Generation(hash string) string { return s.entries[hash].Generation }

// Reserve keeps the names of finished rows, and of files that were not made by this
// command, from other rows.
func (s *Folder) Reserve(rows []Row, names *batch.Names) error {
	for _, r := range rows {
		if r.Done {
			names.Reserve(r.File)
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

// Begin writes the report of the rows that are done or cannot be spoken, and opens it and the journal for the others.
func (s *Folder) Begin(rows []Row) error {
	err := files.ReplaceFrom(s.TempDir, s.Path(Journal), 0o666, func(f *os.File) error {
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
		s.journal, err = os.OpenFile(s.Path(Journal), os.O_WRONLY|os.O_APPEND, 0)
	}
	if err != nil {
		return backend.FileError("write the file", s.Path(Journal), err)
	}
	if err = s.writeReport(rows); err == nil {
		s.report, err = os.OpenFile(s.Path(Report), os.O_WRONLY|os.O_APPEND, 0)
		err = backend.FileError("write the file", s.Path(Report), err)
	}
	return err
}

// writeReport replaces the report by one of the rows that are done or cannot be spoken, in their order.
func (s *Folder) writeReport(rows []Row) error {
	err := files.ReplaceFrom(s.TempDir, s.Path(Report), 0o666, func(f *os.File) error {
		out := csv.NewWriter(f)
		err := out.Write(strings.Split(strings.TrimSpace(header), ","))
		for i, r := range rows {
			if r.Done || r.Problem != "" {
				err = errors.Join(err, out.Write(r.Result(i+1).cells()))
			}
		}
		out.Flush()
		return errors.Join(err, out.Error())
	})
	return backend.FileError("write the file", s.Path(Report), err)
}

// Record adds a line to the journal.
func (s *Folder) Record(e Entry) error {
	s.set(e)
	line, err := json.Marshal(e)
	if err == nil {
		err = appendSynced(s.journal, append(line, '\n'))
	}
	return backend.FileError("write the file", s.Path(Journal), err)
}

// Add adds a line to the report.
func (s *Folder) Add(r Result) error {
	var line bytes.Buffer
	out := csv.NewWriter(&line)
	err := out.Write(r.cells())
	out.Flush()
	if err == nil {
		err = appendSynced(s.report, line.Bytes())
	}
	return backend.FileError("write the file", s.Path(Report), err)
}

func appendSynced(f *os.File, line []byte) error {
	if _, err := f.Write(line); err != nil {
		return err
	}
	return files.Sync(f)
}

// End closes the files and sorts the report.
func (s *Folder) End(rows []Row) error {
	return errors.Join(s.journal.Close(), s.report.Close(), s.writeReport(rows))
}
