package app_test

import (
	"bytes"
	"image"
	"image/png"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBookPage runs the commands of docs/books.md, one after the other.
func TestBookPage(t *testing.T) {
	u := newUser(t)
	text := "# Walden\n\n## Economy\n\nWhen I wrote this, I lived alone.[^1]\n\n## The Village\n\nAfter hoeing, I bathed.\n\nThe pond lies there.\n\n" +
		"## Winter\n\nIt was cold.\n\n[^1]: In the woods.\n"
	write(t, filepath.Join(u.dir, "walden.md"), text)
	write(t, filepath.Join(u.dir, "walden-2.md"), strings.Replace(text, "It was cold.", "It was very cold.", 1))
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))))
	write(t, filepath.Join(u.dir, "cover.png"), picture.String())
	commands := pageCommands(t, "books.md", 1)
	for _, args := range commands {
		u.mustRun(args...)
	}
	require.Len(t, commands, 21)
	require.FileExists(t, filepath.Join(u.dir, "walden.m4b"))
	require.FileExists(t, filepath.Join(u.dir, "again.m4b"))
}
