package app

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLastWords(t *testing.T) {
	var said lastWords
	require.Empty(t, said.String())
	_, _ = fmt.Fprintln(&said, "Das Verzeichnis ist belegt.")
	_, _ = fmt.Fprintln(&said, "Schließe das andere Fenster.")
	require.Equal(t, "Das Verzeichnis ist belegt.\nSchließe das andere Fenster.", said.String())
	for range lastWordsLimit {
		_, _ = said.Write([]byte("ß"))
	}
	_, _ = said.Write([]byte("a\x00\xff\n"))
	want := strings.Repeat("ß", (lastWordsLimit-len("a\x00\xff\n"))/len("ß")) + "a"
	require.Equal(t, want, said.String(), "without what a box of the system cannot show")
}
