package desktop

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHandedFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	text, deleted, large := write("a text.txt", "Grüße."), write("gone.txt", "x"), write("large.wav", "")
	require.NoError(t, os.Remove(deleted))
	require.NoError(t, os.Truncate(large, maxHanded+1)) // without blocks on the disk
	var h handedFiles
	handler := h.serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	get := func(path string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return answer
	}

	h.add([]string{text, "relative.txt", deleted, dir, large})
	all := h.take()
	require.Len(t, all, 4, "a relative path is of no known folder")
	require.Empty(t, h.take(), "a page got them")
	require.Equal(t, "a text.txt", all[0].Name)

	answer := get(handedPrefix + all[0].ID)
	require.Equal(t, http.StatusOK, answer.Code)
	require.Equal(t, "Grüße.", answer.Body.String())
	require.Contains(t, answer.Header().Get("Content-Type"), "text/plain")
	require.Equal(t, http.StatusNotFound, get(handedPrefix+all[0].ID).Code, "it can be read once")
	require.Equal(t, http.StatusNotFound, get(handedPrefix+all[1].ID).Code, "it was deleted")
	require.Equal(t, http.StatusNotFound, get(handedPrefix+all[2].ID).Code, "it is a folder")
	require.Equal(t, http.StatusRequestEntityTooLarge, get(handedPrefix+all[3].ID).Code)
	for _, path := range []string{handedPrefix, handedPrefix + url.PathEscape(text), handedPrefix + "x"} {
		require.Equal(t, http.StatusNotFound, get(path).Code, "a page gives no path: %s", path)
	}
	require.Equal(t, http.StatusTeapot, get("/index.html").Code)
}
