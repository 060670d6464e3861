package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// addSettings adds some of the settings to the flags of a command.
func addSettings(to, settings *pflag.FlagSet, names ...string) {
	for _, name := range names {
		to.AddFlag(settings.Lookup(name))
	}
}

// backupCommand returns the command that copies the database.
func (p *program) backupCommand(settings *pflag.FlagSet) *cobra.Command {
	var keep int
	var replace bool
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "Copy the database to a file or a folder, also while the service runs",
		Args: argsOf("backup FILE"),
		Long: "Copy the database to FILE, with mode 0600, also while the service runs. In a folder the file is named after the time, and\n" +
			"with --keep the oldest of those files are removed. The copy is checked before it is there.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if keep < 0 || cmd.Flags().Changed("keep") && keep == 0 {
				return usagef("--keep must be at least 1, not %d", keep)
			}
			path, err := p.database(settings)
			if err != nil {
				return err
			}
			if err := checkDatabase(path); err != nil {
				return err
			}
			return p.backUp(cmd.Context(), path, args[0], keep, replace)
		},
	}
	cmd.Flags().IntVar(&keep, "keep", 0, "FILE is a folder, in which the newest `N` backups stay (default: all)")
	cmd.Flags().BoolVar(&replace, "replace", false, "replace FILE if it exists")
	addSettings(cmd.Flags(), settings, "config", "database")
	return cmd
}

// database returns the path of the database in the settings.
func (p *program) database(settings *pflag.FlagSet) (string, error) {
	if err := p.options.load(settings, p.lookupEnv); err != nil {
		return "", err
	}
	return p.options.databasePath()
}

// The names of backups in a folder, which sort by time.
const (
	backupPrefix = "service-"
	backupLayout = "20060102T150405Z"
	backupSuffix = ".db"
)

// backUp copies the database at path to a file, or to a new file in a folder, of which keep files stay.
func (p *program) backUp(ctx context.Context, path, to string, keep int, replace bool) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	folder := ""
	if info, err := os.Stat(to); keep > 0 || err == nil && info.IsDir() {
		folder, to = to, filepath.Join(to, backupPrefix+time.Now().UTC().Format(backupLayout)+backupSuffix)
		if err := makeFolder(folder); err != nil {
			return err
		}
	} else if err == nil && (!replace || !info.Mode().IsRegular()) {
		return exitError{exit.Failed, fmt.Errorf("%s exists; choose another file, or replace it with --replace", to)}
	}
	if sameFile(path, to) {
		return usagef("%s is the database itself; choose another file", to)
	}
	err = untilUnlocked(ctx, path, p.sayWaiting, func() error { return sqlite.Backup(ctx, path, to) })
	if err != nil {
		return fileError("write the backup", to, err)
	}
	if folder != "" && keep > 0 {
		if err := removeBackups(folder, keep); err != nil {
			return fmt.Errorf("wrote %s, but cannot remove old backups: %w", to, reason(err))
		}
	}
	_, err = fmt.Fprintf(p.out, "Wrote %s.\n", to)
	return err
}

// fileError returns the error of writing a file for people; other errors stay as they are.
func fileError(op, path string, err error) error {
	var described *backend.Error
	var known exitError
	if errors.As(err, &described) || errors.As(err, &known) {
		return err
	}
	return backend.FileError(op, filepath.Dir(path), err)
}

// sameFile reports whether two paths lead to one file that exists.
func sameFile(a, b string) bool {
	one, errA := os.Stat(a)
	other, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(one, other)
}

// removeBackups removes all but the newest backups of a folder. Other files stay.
func removeBackups(folder string, keep int) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		_, err := time.Parse(backupPrefix+backupLayout+backupSuffix, name)
		if err == nil && e.Type().IsRegular() && strings.HasPrefix(name, backupPrefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, old := range names[:max(0, len(names)-keep)] {
		if err := os.Remove(filepath.Join(folder, old)); err != nil {
			return err
		}
	}
	return nil
}

// restoreCommand returns the command that replaces the database by a backup.
func (p *program) restoreCommand(settings *pflag.FlagSet) *cobra.Command {
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Replace the database by a backup, while the service does not run",
		Args: argsOf("restore FILE"),
		Long: "Replace the database by the backup FILE, or by the one on standard input for -, while the service does not run. The backup\n" +
			"is read first; the former database stays beside the new one, with .before-restore at its end.",
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := p.database(settings)
			if err != nil {
				return err
			}
			return p.restore(cmd.Context(), path, args[0])
		},
	}
	addSettings(cmd.Flags(), settings, "config", "database")
	return cmd
}

// restore replaces the database at path by a backup.
func (p *program) restore(ctx context.Context, path, from string) error {
	in, err := p.openBackup(path, from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	err = sqlite.Replace(ctx, path, func(temp string) error {
		_, _, err := files.Create(ctx, temp, 0o600, in)
		return err
	})
	switch {
	case sqlite.IsLocked(err):
		return exitError{exit.Failed, fmt.Errorf("the database %s is in use; stop the service and other programs that use it "+
			"(`fuser %s` names them), then restore again", path, path)}
	case backend.CodeOf(err) == backend.CodeDatabaseCorrupt:
		return exitError{exit.Failed, fmt.Errorf("%s is no complete backup of the service; nothing was changed, choose another one",
			shownFile(from))}
	case backend.CodeOf(err) == backend.CodeDatabaseNewer:
		return exitError{exit.Failed, fmt.Errorf("%s was written by a newer program; nothing was changed, "+
			"install the newest voicewright-service", shownFile(from))}
	case err != nil:
		return fileError("restore the database", path, err)
	}
	text := fmt.Sprintf("Restored %s from %s.", path, shownFile(from))
	if former := sqlite.FormerName(path); sqlite.Verify(ctx, former) == nil {
		text += " The former database is " + former + "."
	}
	_, err = fmt.Fprintln(p.out, text)
	return err
}

func shownFile(from string) string {
	if from == "-" {
		return "standard input"
	}
	return from
}

// openBackup opens a backup: a file other than the database at path, or standard input for -.
func (p *program) openBackup(path, from string) (io.ReadCloser, error) {
	if from == "-" {
		return io.NopCloser(p.in), nil
	}
	info, err := os.Stat(from)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, notFoundf("there is no file %s", from)
	case err != nil:
		return nil, backend.FileError("open the backup", from, err)
	case !info.Mode().IsRegular():
		return nil, usagef("%s is not a file", from)
	case sameFile(path, from):
		return nil, usagef("%s is the database itself; choose a backup", from)
	}
	in, err := os.Open(from)
	if err != nil {
		return nil, backend.FileError("open the backup", from, err)
	}
	return in, nil
}
