package sqlite_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// disks keeps, beside each file of SQLite, what of it was synced: what a power cut leaves at worst. SQLite opens its
// files by a function that is replaced here once for the process; the files of other tests are passed through.
var disks = struct {
	once sync.Once
	open openFunc

	mu      sync.Mutex
	paths   map[uintptr]string                       // of open files
	sync    map[uintptr]uintptr                      // the sync function of SQLite's own methods
	methods map[uintptr]*sqlite3.Tsqlite3_io_methods // ours, by SQLite's own
	synced  map[string]string                        // where the synced content of a folder's files is kept
}{
	paths: map[uintptr]string{}, sync: map[uintptr]uintptr{},
	methods: map[uintptr]*sqlite3.Tsqlite3_io_methods{}, synced: map[string]string{},
}

// The functions of SQLite are addresses of Go functions.
type (
	openFunc = func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32
	syncFunc = func(*libc.TLS, uintptr, int32) int32
)

func pointerTo[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

func functionAt[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

func addressOf[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// watchSyncs keeps the synced content of the files in dir in another folder, which it returns.
func watchSyncs(t *testing.T, dir string) string {
	t.Helper()
	disks.once.Do(func() {
		tls := libc.NewTLS()
		defer tls.Close()
		vfs := pointerTo[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
		disks.open = functionAt[openFunc](vfs.FxOpen)
		vfs.FxOpen = addressOf[openFunc](openWatched)
	})
	kept := t.TempDir()
	disks.mu.Lock()
	defer disks.mu.Unlock()
	disks.synced[dir] = kept
	return kept
}

func openWatched(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	rc := disks.open(tls, vfs, name, file, flags, out)
	if rc != sqlite3.SQLITE_OK || name == 0 {
		return rc
	}
	path := libc.GoString(name)
	disks.mu.Lock()
	defer disks.mu.Unlock()
	if disks.synced[filepath.Dir(path)] == "" {
		return rc
	}
	f := pointerTo[sqlite3.Tsqlite3_file](file)
	ours := disks.methods[f.FpMethods]
	if ours == nil {
		// Memory of the library, as the race detector lets no arithmetic of pointers reach into Go's.
		ours = pointerTo[sqlite3.Tsqlite3_io_methods](libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*ours))))
		*ours = *pointerTo[sqlite3.Tsqlite3_io_methods](f.FpMethods)
		ours.FxSync = addressOf[syncFunc](syncWatched)
		disks.methods[f.FpMethods] = ours
	}
	disks.paths[file] = path
	disks.sync[file] = pointerTo[sqlite3.Tsqlite3_io_methods](f.FpMethods).FxSync
	f.FpMethods = uintptr(unsafe.Pointer(ours))
	return rc
}

func syncWatched(tls *libc.TLS, file uintptr, flags int32) int32 {
	disks.mu.Lock()
	path, original := disks.paths[file], functionAt[syncFunc](disks.sync[file])
	kept := disks.synced[filepath.Dir(path)]
	disks.mu.Unlock()
	if rc := original(tls, file, flags); rc != sqlite3.SQLITE_OK {
		return rc
	}
	if keepSynced(path, kept) != nil {
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	return sqlite3.SQLITE_OK
}

// keepSynced keeps the content of a file. The deletions before a sync reach the disk with it, as on file systems with a
// journal.
func keepSynced(path, kept string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	old, err := os.ReadDir(kept)
	if err != nil {
		return err
	}
	for _, f := range old {
		if _, err := os.Lstat(filepath.Join(filepath.Dir(path), f.Name())); errors.Is(err, fs.ErrNotExist) {
			if err := os.Remove(filepath.Join(kept, f.Name())); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(kept, filepath.Base(path)), raw, 0o600)
}

// TestPowerCut cuts the power behind each answer: every write that was not synced is lost, and the answer must not be.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	disk := watchSyncs(t, dir)
	db := openAt(t, filepath.Join(dir, "voicewright.db"))
	after := func(check func(*sqlite.DB)) {
		t.Helper()
		again := filepath.Join(t.TempDir(), "disk")
		require.NoError(t, os.CopyFS(again, os.DirFS(disk)))
		left := openAt(t, filepath.Join(again, "voicewright.db"))
		require.NoError(t, left.IntegrityCheck(ctx))
		check(left)
	}

	profile, err := db.Create(ctx, backend.Profile{Name: "Anna", Language: "en", VoiceType: backend.VoiceDefault})
	require.NoError(t, err)
	after(func(left *sqlite.DB) {
		kept, err := left.Profile(ctx, profile.ID)
		require.NoError(t, err)
		require.Equal(t, profile, kept)
	})
	g, err := db.CreateGeneration(ctx, backend.Generation{Text: "Keep me.", Status: backend.StatusQueued})
	require.NoError(t, err)
	after(func(left *sqlite.DB) {
		kept, err := left.Generation(ctx, g.ID)
		require.NoError(t, err)
		require.Equal(t, "Keep me.", kept.Text)
	})
	_, err = db.UpdateGeneration(ctx, g.ID, func(g *backend.Generation) error {
		g.Status, g.AudioPath = backend.StatusGenerating, "a.wav"
		return nil
	})
	require.NoError(t, err)
	after(func(left *sqlite.DB) {
		kept, err := left.Generation(ctx, g.ID)
		require.NoError(t, err)
		require.Equal(t, "a.wav", kept.AudioPath)
	})
	_, err = db.DeleteGenerations(ctx, []string{g.ID})
	require.NoError(t, err)
	after(func(left *sqlite.DB) {
		_, err := left.Generation(ctx, g.ID)
		require.Equal(t, backend.CodeGenerationNotFound, backend.CodeOf(err))
	})
}
