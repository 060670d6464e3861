// Package hubtest is an HTTP server that behaves like a Hugging Face hub, for tests: files are resolved with a redirect
// to a second server on another port (another host), with the hub's headers, listings, gates and limits. Faults can be
// switched on for each file, and every request and byte is counted.
package hubtest

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Repo is a repository with one commit.
type Repo struct {
	ID     string // owner/name
	Commit string // 40 hexadecimal digits; "" is Commit("...") of the ID
	Branch string // "" is main
	Files  map[string]Content
	Gated  bool // only with the server's token
	Plain  bool // no large file storage: served by the hub itself, named by the SHA-1 of the git blob
}

// CommitOf makes a commit of any text.
func CommitOf(text string) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Request is one that the server has had.
type Request struct {
	Method        string
	Path          string // of the file in its repository; the URL's path for listings
	Storage       bool   // of the storage host, else of the hub
	Range         string
	IfRange       string
	Authorization string
	Status        int
	Bytes         int64 // of the body that were written
}

// Server is a hub and its storage on two ports.
type Server struct {
	Token string // what a gated repository wants; "" is "hf_test"

	hub     *httptest.Server
	storage *httptest.Server

	mu       sync.Mutex
	repos    map[string]*repo
	requests []Request
	faults   []*fault
	listing  []string // extra names in listings
}

type repo struct {
	Repo
	files map[string]*file
}

type file struct {
	Content
	path   string
	sha256 string
	git    string
	large  bool
}

func (f *file) etag() string {
	if f.large {
		return f.sha256
	}
	return f.git
}

// Start starts a server with these repositories. Close ends it.
func Start(repos ...Repo) *Server {
	s := &Server{Token: "hf_test", repos: map[string]*repo{}}
	for _, r := range repos {
		s.Add(r)
	}
	s.hub = httptest.NewServer(http.HandlerFunc(s.serveHub))
	s.storage = httptest.NewServer(http.HandlerFunc(s.serveStorage))
	return s
}

// Add adds a repository, or replaces the one with that name.
func (s *Server) Add(r Repo) {
	if r.Commit == "" {
		r.Commit = CommitOf(r.ID)
	}
	if r.Branch == "" {
		r.Branch = "main"
	}
	added := &repo{Repo: r, files: map[string]*file{}}
	for path, content := range r.Files {
		added.files[path] = newFile(path, content, !r.Plain && !small(path))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repos[r.ID] = added
}

// small reports whether a file is stored in git itself, as in the hub's usual .gitattributes.
func small(path string) bool {
	return slices.Contains([]string{".json", ".txt", ".md", ".yaml"}, filepath.Ext(path))
}

func newFile(path string, content Content, large bool) *file {
	sum, git := sha256.New(), sha1.New()
	_, _ = fmt.Fprintf(git, "blob %d\x00", content.Size())
	w := io.Writer(sum)
	if !large {
		w = io.MultiWriter(sum, git)
	}
	_, _ = io.CopyBuffer(w, io.NewSectionReader(content, 0, content.Size()), make([]byte, 1<<20))
	return &file{Content: content, path: path, sha256: hex.EncodeToString(sum.Sum(nil)), git: hex.EncodeToString(git.Sum(nil)), large: large}
}

// URL returns the endpoint (HF_ENDPOINT).
func (s *Server) URL() string { return s.hub.URL }

// Close closes both servers.
func (s *Server) Close() {
	s.hub.CloseClientConnections()
	s.storage.CloseClientConnections()
	s.hub.Close()
	s.storage.Close()
}

// List adds names to every listing, as a malicious hub would.
func (s *Server) List(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listing = names
}

// Requests returns the requests for a file in order, all requests for "".
func (s *Server) Requests(path string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Request
	for _, r := range s.requests {
		if path == "" || r.Path == path {
			out = append(out, r)
		}
	}
	return out
}

// Bytes returns how many bytes of a file were sent to clients, including those of an unfinished write.
func (s *Server) Bytes(path string) int64 {
	var n int64
	for _, r := range s.Requests(path) {
		n += r.Bytes
	}
	return n
}

// SHA256 returns the hash of a file, "" when there is none.
func (s *Server) SHA256(id, path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.repos[id]; r != nil && r.files[path] != nil {
		return r.files[path].sha256
	}
	return ""
}

func (s *Server) find(id, revision, path string) (*repo, *file, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.repos[id]
	switch {
	case r == nil:
		return nil, nil, "RepoNotFound"
	case revision != r.Commit && revision != r.Branch:
		return r, nil, "RevisionNotFound"
	case path == "":
		return r, nil, ""
	case r.files[path] == nil:
		return r, nil, "EntryNotFound"
	default:
		return r, r.files[path], ""
	}
}

// split parses /owner/name/resolve/revision/path.
func split(urlPath string) (id, revision, path string, ok bool) {
	id, after, ok := strings.Cut(strings.TrimPrefix(urlPath, "/"), "/resolve/")
	if !ok {
		return "", "", "", false
	}
	revision, path, ok = strings.Cut(after, "/")
	return id, revision, path, ok && path != ""
}

func (s *Server) serveHub(w http.ResponseWriter, r *http.Request) {
	if model, ok := strings.CutPrefix(r.URL.Path, "/api/models/"); ok {
		s.counted(w, r, r.URL.Path, false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serveAPI(w, model) }))
		return
	}
	id, revision, path, ok := split(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	s.counted(w, r, path, false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.resolve(w, r, id, revision, path)
	}))
}

func (s *Server) resolve(w http.ResponseWriter, r *http.Request, id, revision, path string) {
	held, f, problem := s.find(id, revision, path)
	if problem == "" && held.Gated && r.Header.Get("Authorization") != "Bearer "+s.Token {
		problem = "GatedRepo"
	}
	if problem != "" {
		refuse(w, problem)
		return
	}
	h := w.Header()
	h.Set("X-Repo-Commit", held.Commit)
	if !f.large {
		h.Set("Etag", strconv.Quote(f.etag()))
		http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(f, 0, f.Size()))
		return
	}
	h.Set("X-Linked-Etag", strconv.Quote(f.etag()))
	h.Set("X-Linked-Size", strconv.FormatInt(f.Size(), 10))
	h.Set("Location", fmt.Sprintf("%s/%s/resolve/%s/%s?signature=abc", s.storage.URL, id, revision, path))
	w.WriteHeader(http.StatusFound)
}

func refuse(w http.ResponseWriter, problem string) {
	status := http.StatusNotFound
	switch problem {
	case "RepoNotFound":
		status = http.StatusUnauthorized // the hub does not reveal which repositories exist
	case "GatedRepo":
		status = http.StatusForbidden
	}
	w.Header().Set("X-Error-Code", problem)
	w.Header().Set("X-Error-Message", problem)
	w.WriteHeader(status)
}

func (s *Server) serveStorage(w http.ResponseWriter, r *http.Request) {
	id, revision, path, ok := split(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	s.counted(w, r, path, true, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, f, problem := s.find(id, revision, path)
		if problem != "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Etag", strconv.Quote("s3-"+f.sha256[:16]))
		http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(f, 0, f.Size()))
	}))
}

type lfs struct {
	Pointer int    `json:"pointerSize"`
	OID     string `json:"oid"`
	SHA256  string `json:"sha256"`
	Size    int64  `json:"size"`
}

type sibling struct {
	Type   string `json:"type"`
	Path   string `json:"path"`
	Name   string `json:"rfilename"`
	OID    string `json:"oid"`
	BlobID string `json:"blobId"`
	Size   int64  `json:"size"`
	LFS    *lfs   `json:"lfs,omitempty"`
}

// serveAPI serves {id}/revision/{rev}?blobs=true and {id}/tree/{rev}?recursive=true.
func (s *Server) serveAPI(w http.ResponseWriter, model string) {
	kind := "/revision/"
	id, revision, ok := strings.Cut(model, kind)
	if !ok {
		kind = "/tree/"
		id, revision, _ = strings.Cut(model, kind)
	}
	held, _, problem := s.find(id, revision, "")
	if problem != "" {
		refuse(w, problem)
		return
	}
	list := []sibling{}
	for _, f := range held.files {
		entry := sibling{Type: "file", Path: f.path, Name: f.path, OID: f.git, BlobID: f.git, Size: f.Size()}
		if f.large {
			entry.LFS = &lfs{OID: f.sha256, SHA256: f.sha256, Size: f.Size(), Pointer: 134}
			entry.OID, entry.BlobID = CommitOf(f.sha256), CommitOf(f.sha256)
		}
		list = append(list, entry)
	}
	slices.SortFunc(list, func(a, b sibling) int { return strings.Compare(a.Path, b.Path) })
	s.mu.Lock()
	for _, name := range s.listing {
		list = append(list, sibling{Type: "file", Path: name, Name: name, OID: CommitOf(name), BlobID: CommitOf(name), Size: 1})
	}
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Repo-Commit", held.Commit)
	if kind == "/tree/" {
		_ = json.NewEncoder(w).Encode(list)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"id": id, "sha": held.Commit, "siblings": list})
}

// counted records the request and applies the faults.
func (s *Server) counted(w http.ResponseWriter, r *http.Request, path string, storage bool, next http.Handler) {
	s.mu.Lock()
	index := len(s.requests)
	s.requests = append(s.requests, Request{
		Method: r.Method, Path: path, Storage: storage, Range: r.Header.Get("Range"), IfRange: r.Header.Get("If-Range"),
		Authorization: r.Header.Get("Authorization"),
	})
	for _, f := range s.faults {
		if f.storage == storage && (f.path == "" || f.path == path) && f.left != 0 {
			f.left--
			next = f.do(next)
		}
	}
	s.mu.Unlock()
	next.ServeHTTP(&counter{ResponseWriter: w, server: s, index: index}, r)
}

type counter struct {
	http.ResponseWriter
	server *Server
	index  int
}

func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *counter) WriteHeader(status int) {
	c.server.mu.Lock()
	c.server.requests[c.index].Status = status
	c.server.mu.Unlock()
	c.ResponseWriter.WriteHeader(status)
}

// Write counts first, as a client may read the count as soon as it has the last byte.
func (c *counter) Write(b []byte) (int, error) {
	c.count(len(b))
	n, err := c.ResponseWriter.Write(b)
	c.count(n - len(b))
	return n, err
}

func (c *counter) count(n int) {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.server.requests[c.index].Bytes += int64(n)
}
