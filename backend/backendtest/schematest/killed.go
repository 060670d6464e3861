//go:build linux

package schematest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// The functions of SQLite are addresses of Go functions.
type (
	openFunc  = func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32
	writeFunc = func(*libc.TLS, uintptr, uintptr, int32, int64) int32
)

// writes has a function for each folder that is watched. SQLite opens its files by a function that is replaced here once for the process;
// the files of other folders are passed through.
var writes = struct {
	once sync.Once
	open openFunc

	mu      sync.Mutex
	before  map[string]func()                        // by folder
	folders map[uintptr]string                       // of open files
	write   map[uintptr]uintptr                      // the write function of SQLite's own methods
	methods map[uintptr]*sqlite3.Tsqlite3_io_methods // ours, by SQLite's own
}{
	before: map[string]func(){}, folders: map[uintptr]string{}, write: map[uintptr]uintptr{},
	methods: map[uintptr]*sqlite3.Tsqlite3_io_methods{},
}

func pointerTo[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

func functionAt[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

func addressOf[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// Killed calls work, which writes databases of SQLite in a folder, and returns another folder with the files that a process leaves which is
// killed at a random one of these writes. It returns how many there were.
func Killed(t *testing.T, dir string, work func()) (left string, count int) {
	t.Helper()
	writes.once.Do(watch)
	left = filepath.Join(t.TempDir(), "left")
	var failed error
	var mu sync.Mutex
	at := 0
	setBefore(dir, func() {
		mu.Lock()
		defer mu.Unlock()
		if count++; rand.IntN(count) > 0 || failed != nil {
			return
		}
		at = count
		if failed = os.RemoveAll(left); failed == nil {
			failed = os.CopyFS(left, os.DirFS(dir))
		}
	})
	work()
	setBefore(dir, nil)
	require.NoError(t, failed)
	t.Logf("killed at write %d of %d", at, count)
	return left, count
}

func setBefore(dir string, f func()) {
	writes.mu.Lock()
	defer writes.mu.Unlock()
	writes.before[dir] = f
}

// watch replaces the function that opens files.
func watch() {
	tls := libc.NewTLS()
	defer tls.Close()
	vfs := pointerTo[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
	writes.open = functionAt[openFunc](vfs.FxOpen)
	vfs.FxOpen = addressOf[openFunc](openWatched)
}

func openWatched(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	rc := writes.open(tls, vfs, name, file, flags, out)
	if rc != sqlite3.SQLITE_OK || name == 0 {
		return rc
	}
	folder := filepath.Dir(libc.GoString(name))
	writes.mu.Lock()
	defer writes.mu.Unlock()
	if writes.before[folder] == nil {
		return rc
	}
	f := pointerTo[sqlite3.Tsqlite3_file](file)
	original := pointerTo[sqlite3.Tsqlite3_io_methods](f.FpMethods)
	ours := writes.methods[f.FpMethods]
	if ours == nil {
		// Memory of the library, as the race detector lets no arithmetic of pointers reach into Go's.
		ours = pointerTo[sqlite3.Tsqlite3_io_methods](libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*ours))))
		*ours = *original
		ours.FxWrite = addressOf[writeFunc](writeWatched)
		writes.methods[f.FpMethods] = ours
	}
	writes.folders[file], writes.write[file] = folder, original.FxWrite
	f.FpMethods = uintptr(unsafe.Pointer(ours))
	return rc
}

func writeWatched(tls *libc.TLS, file, content uintptr, size int32, at int64) int32 {
	writes.mu.Lock()
	before, write := writes.before[writes.folders[file]], functionAt[writeFunc](writes.write[file])
	writes.mu.Unlock()
	if before != nil {
		before()
	}
	return write(tls, file, content, size, at)
}
