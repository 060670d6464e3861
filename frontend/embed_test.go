package frontend

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestAssetsWithoutABundle(t *testing.T) {
	files := assets(fstest.MapFS{"dist/placeholder.txt": {Data: []byte("x")}})
	_, err := fs.Stat(files, "index.html")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = fs.Stat(files, "placeholder.txt")
	require.NoError(t, err)
}

// The policy of the server allows no inline script, no <style> and no other host, and every file that the page names is carried.
func TestAssetsWithABundle(t *testing.T) {
	page, err := fs.ReadFile(Assets(), "index.html")
	if err != nil {
		t.Skip("the page is not built: run make ui")
	}
	require.NotContains(t, string(page), "<style")
	require.NotRegexp(t, `<script[^>]*>[^<]`, string(page))
	named := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(string(page), -1)
	require.NotEmpty(t, named)
	for _, match := range named {
		require.True(t, strings.HasPrefix(match[1], "/"), match[1])
		_, err := fs.Stat(Assets(), strings.TrimPrefix(match[1], "/"))
		require.NoError(t, err)
	}
}
