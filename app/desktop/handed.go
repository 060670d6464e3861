package desktop

import (
	"crypto/rand"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

const (
	handedPrefix = "/handed/"
	maxHanded    = 2 << 30 // bytes of a file, which the page holds in memory
	mostHanded   = 100     // files
)

// HandedFile is a file that the user opened with this program, for the page.
type HandedFile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// handedFiles are the files that the user opened with this program. The page gets ids for them, not paths, and can read each
// file once. It is safe for concurrent use.
type handedFiles struct {
	mu      sync.Mutex
	waiting []HandedFile
	paths   map[string]string // by id
}

// add adds files by their absolute paths.
func (h *handedFiles) add(paths []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.paths == nil {
		h.paths = map[string]string{}
	}
	for _, path := range paths[:min(len(paths), mostHanded-len(h.waiting))] {
		if filepath.IsAbs(path) {
			f := HandedFile{ID: rand.Text(), Name: filepath.Base(path)}
			h.waiting, h.paths[f.ID] = append(h.waiting, f), path
		}
	}
}

// take returns the files that no page has got yet.
func (h *handedFiles) take() []HandedFile {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.waiting
	h.waiting = nil
	return all
}

// claim returns the path of a file, once.
func (h *handedFiles) claim(id string) (path string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	path, ok = h.paths[id]
	delete(h.paths, id)
	return path, ok
}

// serve returns a handler that gives the page the files by their ids, and leaves other requests to next.
func (h *handedFiles) serve(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, ok := strings.CutPrefix(r.URL.Path, handedPrefix)
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		path, ok := h.claim(id)
		if !ok || r.Method != http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		sendHanded(w, path)
	})
}

// sendHanded sends a file; 413 for one that is too large, 404 for one that cannot be read.
func sendHanded(w http.ResponseWriter, path string) {
	info, err := os.Stat(path) // before it is opened: a pipe would wait for its writer
	if err != nil || !info.Mode().IsRegular() {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if info.Size() > maxHanded {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	defer func() { _ = f.Close() }()
	if kind := mime.TypeByExtension(filepath.Ext(path)); kind != "" {
		w.Header().Set("Content-Type", kind)
	} else {
		w.Header().Set("Content-Type", "application/octet-stream")
	}
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	_, _ = io.CopyN(w, f, info.Size()) // a file that became shorter ends early, and the page says that it cannot be read
}
