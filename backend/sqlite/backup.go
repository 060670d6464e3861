package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend/files"
)

// keepBackups is the number of copies from before migrations that are kept next to the file.
const keepBackups = 3

// backupTime is the layout of the time in the name of a copy; it sorts as text.
const backupTime = "20060102T150405.000Z"

// backupName matches the names of our copies: version and time.
var backupName = regexp.MustCompile(`\.backup-\d+-(\d{8}T\d{6}\.\d{3}Z)$`)

// backup copies the file at schema version have and deletes the oldest copies beyond keepBackups.
func (db *library) backup(ctx context.Context, have int64) error {
	name := fmt.Sprintf("%s.backup-%d-%s", db.path, have, db.now().UTC().Format(backupTime))
	if err := db.BackupTo(ctx, name); err != nil {
		return err
	}
	backups := listBackups(db.path)
	for _, old := range backups[:max(0, len(backups)-keepBackups)] {
		if err := os.Remove(old); err != nil {
			return fmt.Errorf("remove old backup: %w", err)
		}
	}
	return nil
}

// BackupTo writes a complete and consistent copy of the library to path (mode 0600) without blocking readers. An existing file
// is replaced once the copy is complete and on disk.
func (db *library) BackupTo(ctx context.Context, path string) error {
	err := files.Place(path, func(temp string) error {
		// VACUUM INTO accepts an empty file, so the copy has its mode before its content.
		if err := os.WriteFile(temp, nil, 0o600); err != nil {
			return err
		}
		_, err := db.write.ExecContext(ctx, "VACUUM INTO ?", temp)
		return err
	})
	return db.fail("copy database", err)
}

// listBackups returns our copies next to the file, oldest first.
func listBackups(path string) []string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil // the caller reports the same problem
	}
	stamp := func(name string) string { return backupName.FindStringSubmatch(name)[1] }
	var names []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), filepath.Base(path)+".") && backupName.MatchString(entry.Name()) {
			names = append(names, filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(stamp(a), stamp(b)) })
	return names
}

// newestBackup returns the path of the newest copy, empty without one.
func newestBackup(path string) string {
	if names := listBackups(path); len(names) > 0 {
		return names[len(names)-1]
	}
	return ""
}
