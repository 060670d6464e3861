package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/system"
)

// backups makes backups of the running studio.
func (s *Studio) backups(data string) *backup.Service {
	return &backup.Service{
		Data: data, Temp: s.speech.TempDir(), Copy: s.db.BackupTo, Version: Version(), Now: time.Now,
		Open: func(ctx context.Context, path string) (backup.Library, error) {
			return sqlite.Open(ctx, sqlite.Options{Path: path})
		},
	}
}

func (p *program) backup() *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Write the whole library to a zip file that only you can read: database, settings and audio, no models",
		Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFolder(args[0]); err != nil {
				return err
			}
			data, _, err := p.dirs()
			if err != nil {
				return err
			}
			if !backup.HasLibrary(data) {
				return backend.E(backend.CodeNotFound, "There is no library in "+data+".", "Check the folder given with --data.")
			}
			return p.backUp(cmd.Context(), args[0])
		},
	}
}

// backUp writes the library to a file. The file is made first: a folder that cannot be written is found before anything is copied.
func (p *program) backUp(ctx context.Context, out string) error {
	temp, err := os.CreateTemp(filepath.Dir(out), ".voicewright-*") // made with mode 0600, as it holds every text
	if err != nil {
		return backend.FileError("write the backup", filepath.Dir(out), err)
	}
	defer func() { _, _ = temp.Close(), os.Remove(temp.Name()) }()
	return p.with(ctx, func(c *client) error {
		resp, err := c.do(ctx, http.MethodGet, "/backup", nil, nil)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		total, _ := strconv.ParseInt(resp.Header.Get(httpapi.BackupBytes), 10, 64) // only the bar needs it
		bar := p.progress("Copying")
		missing, err := writeBackup(temp, out, &counted{resp.Body, bar, total, 0})
		bar.end()
		if err != nil {
			return err
		}
		if len(missing) > 0 && !p.json {
			p.complain(fmt.Sprintf("%d audio files of the history were missing before and are not in it.", len(missing)))
		}
		return p.done("Wrote "+out, map[string]any{"output": out, "missing": missing})
	})
}

// writeBackup keeps a backup that came to its end in one step; else what was there before stays.
func writeBackup(temp *os.File, out string, content io.Reader) (missing []string, err error) {
	_, err = io.Copy(temp, content)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, backend.E(backend.CodeInterrupted, "The backup broke off before its end.", "Try again.").Because(err)
	}
	if err != nil {
		return nil, backend.FileError("write the backup", filepath.Dir(out), err)
	}
	whole, err := backup.OpenArchive(temp.Name())
	if err != nil {
		return nil, err
	}
	if err := errors.Join(whole.Close(), os.Rename(temp.Name(), out)); err != nil {
		return nil, backend.FileError("write the backup", out, err)
	}
	return whole.Manifest.Missing, nil
}

// counted moves a bar with what is read.
type counted struct {
	io.Reader
	bar         *progressBar
	total, done int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.done += int64(n)
	c.bar.bytes(c.done, c.total)
	return n, err
}

func (p *program) restore() *cobra.Command {
	return &cobra.Command{
		Use: "restore FILE", Short: "Put the library of a backup in the place of the present one, which is kept aside",
		Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			data, _, err := p.dirs()
			if err != nil {
				return err
			}
			archive, err := backup.OpenArchive(args[0])
			if err != nil {
				return err
			}
			defer func() { _ = archive.Close() }()
			if err := p.restoreInto(cmd.Context(), archive, data); err != nil {
				return err
			}
			said, facts := "Restored "+args[0]+".", map[string]any{"restored": args[0]}
			former := backup.Former(data)
			if _, err := os.Stat(former); err == nil {
				said += " The library that was there before is kept in " + former + " until the next restore."
				facts["former"] = former
			}
			return p.done(said, facts)
		},
	}
}

// restoreInto restores a backup while no other program uses the data directory.
func (p *program) restoreInto(ctx context.Context, archive *backup.Archive, data string) (err error) {
	lock, err := lockDir(data)
	if backend.CodeOf(err) == backend.CodeDataDirLocked {
		return backend.E(backend.CodeDataDirLocked, "Another Voicewright works on "+data+".",
			"Close it, then restore again.").With("data", data).Because(err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	if err := backup.Finish(data); err != nil {
		return err
	}
	if disk := system.Disk(ctx, data); disk != nil && disk.Free < archive.Size() {
		const mb = 1_000_000
		return backend.E(backend.CodeInsufficientDisk,
			fmt.Sprintf("The backup needs %d MB, and the disk of the data directory has %d MB free.", archive.Size()/mb+1, disk.Free/mb),
			"Free some space and try again.").With("needed", archive.Size()).With("free", disk.Free)
	}
	bar := p.progress("Restoring")
	defer bar.end()
	return backup.Restore(ctx, archive, data,
		func(dir string) error { return mendLibrary(ctx, dir, data) },
		func(done int64) { bar.bytes(done, archive.Size()) })
}

// mendLibrary checks the database of a library that was unpacked in dir, and lets it name the audio where it will be. A models
// directory that this machine does not have gives way to the usual one.
func mendLibrary(ctx context.Context, dir, data string) (err error) {
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(dir, databaseFile)})
	if backend.CodeOf(err) == backend.CodeDatabaseCorrupt {
		return backup.Damaged("its database is damaged", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := errors.Join(db.IntegrityCheck(ctx), db.CheckIDs(ctx)); err != nil {
		return backup.Damaged("its database is damaged", err)
	}
	if err := db.MoveAudio(ctx, func(path string) string { return backup.AudioPath(data, path) }); err != nil {
		return err
	}
	stored, err := db.Settings(ctx)
	if err != nil {
		return err
	}
	var models string
	if json.Unmarshal(stored[settings.ModelsDir], &models) != nil || models == "" {
		return nil // the usual one
	}
	if _, err := os.Stat(models); err == nil {
		return nil
	}
	return db.SetSettings(ctx, map[string]json.RawMessage{settings.ModelsDir: nil})
}
