// Package page serves the page of the program, with the policies of what it may use.
package page

import (
	"bytes"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"
)

const index = "index.html"

// policy is the policy that lets the page use nothing but this server.
const policy = "default-src 'self'; connect-src 'self'; media-src 'self' blob:; img-src 'self' data: blob:; " +
	"style-src 'self'; script-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'"

// WindowPolicy sets the policy of the page in the desktop window, which may use only itself and the local API at server, from
// which it plays audio.
func WindowPolicy(server string) func(http.Handler) http.Handler {
	window := strings.NewReplacer("connect-src 'self'", "connect-src 'self' "+server,
		"media-src 'self'", "media-src 'self' "+server).Replace(policy)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", window)
			next.ServeHTTP(w, r)
		})
	}
}

// types are content types that the system's table may lack.
var types = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
	".svg": "image/svg+xml", ".ico": "image/x-icon", ".woff2": "font/woff2", ".json": "application/json",
	".webmanifest": "application/manifest+json", ".map": "application/json",
}

// Files serves the page.
type Files struct{ FS fs.FS }

// Find returns the file of the UI for a request: the path itself, or the page for addresses inside the UI that a browser
// opens.
func (u Files) Find(r *http.Request) (string, bool) {
	if u.FS == nil || (r.Method != http.MethodGet && r.Method != http.MethodHead) {
		return "", false
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" || name == "." {
		name = index
	}
	for _, candidate := range []string{name, index} {
		info, err := fs.Stat(u.FS, candidate)
		if err == nil && info.Mode().IsRegular() {
			return candidate, true
		}
		if !strings.Contains(r.Header.Get("Accept"), "text/html") {
			break
		}
	}
	return "", false
}

// Serve responds with a file of the UI, unless it returns an error. Files under assets/ have a hash in their names and are cached.
func (u Files) Serve(w http.ResponseWriter, r *http.Request, name string) error {
	f, err := u.FS.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	content, ok := f.(io.ReadSeeker)
	if !ok {
		data, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		content = bytes.NewReader(data)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-DNS-Prefetch-Control", "off") // else a browser asks for the hosts of links that nobody clicked
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Content-Type", contentType(name))
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, content)
	return nil
}

func contentType(name string) string {
	ext := strings.ToLower(path.Ext(name))
	if ct, ok := types[ext]; ok {
		return ct
	}
	if ct := mime.TypeByExtension(ext); ct != "" {
		return ct
	}
	return "application/octet-stream"
}
