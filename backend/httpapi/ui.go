package httpapi

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

const uiIndex = "index.html"

// uiPolicy is the policy that lets the page use nothing but this server.
const uiPolicy = "default-src 'self'; connect-src 'self'; media-src 'self' blob:; img-src 'self' data: blob:; " +
	"style-src 'self'; script-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'"

// WindowPolicy sets the policy of the page in the desktop window, which may use only itself and the local API at server, from
// which it plays audio.
func WindowPolicy(server string) func(http.Handler) http.Handler {
	policy := strings.NewReplacer("connect-src 'self'", "connect-src 'self' "+server,
		"media-src 'self'", "media-src 'self' "+server).Replace(uiPolicy)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			next.ServeHTTP(w, r)
		})
	}
}

// uiTypes are content types that the system's table may lack.
var uiTypes = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
	".svg": "image/svg+xml", ".ico": "image/x-icon", ".woff2": "font/woff2", ".json": "application/json",
	".webmanifest": "application/manifest+json", ".map": "application/json",
}

// uiFiles serves the page.
type uiFiles struct {
	*responder
	files fs.FS
}

// uiFile returns the file of the UI for a request: the path itself, or the page for addresses inside the UI that a browser
// opens.
func (u *uiFiles) uiFile(r *http.Request) (string, bool) {
	if u.files == nil || (r.Method != http.MethodGet && r.Method != http.MethodHead) {
		return "", false
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" || name == "." {
		name = uiIndex
	}
	for _, candidate := range []string{name, uiIndex} {
		info, err := fs.Stat(u.files, candidate)
		if err == nil && info.Mode().IsRegular() {
			return candidate, true
		}
		if !strings.Contains(r.Header.Get("Accept"), "text/html") {
			break
		}
	}
	return "", false
}

// serveUI responds with a file of the UI. Files under assets/ have a hash in their names and are cached.
func (u *uiFiles) serveUI(w http.ResponseWriter, r *http.Request, name string) {
	f, err := u.files.Open(name)
	if err != nil {
		u.fail(w, r, err)
		return
	}
	defer func() { _ = f.Close() }()
	content, ok := f.(io.ReadSeeker)
	if !ok {
		data, err := io.ReadAll(f)
		if err != nil {
			u.fail(w, r, err)
			return
		}
		content = bytes.NewReader(data)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", uiPolicy)
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-DNS-Prefetch-Control", "off") // else a browser asks for the hosts of links that nobody clicked
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Content-Type", uiType(name))
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, content)
}

func uiType(name string) string {
	ext := strings.ToLower(path.Ext(name))
	if ct, ok := uiTypes[ext]; ok {
		return ct
	}
	if ct := mime.TypeByExtension(ext); ct != "" {
		return ct
	}
	return "application/octet-stream"
}
