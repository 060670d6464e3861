package tokens

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// kit returns a file of a parity kit.
func kit(t testing.TB, name string, parts ...string) string {
	t.Helper()
	return filepath.Join(append([]string{enginetest.Kit(t, name, filepath.Join("testdata", "kit", name))}, parts...)...)
}

// readJSON returns the content of a JSON file.
func readJSON[T any](t testing.TB, path string) T {
	t.Helper()
	var v T
	require.NoError(t, json.Unmarshal(readFile(t, path), &v))
	return v
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	return raw
}

func openSentencePiece(t testing.TB, path string) *SentencePiece {
	t.Helper()
	s, err := ReadSentencePiece(readFile(t, path))
	require.NoError(t, err)
	return s
}

// kitText is a text of a kit, which may be no UTF-8.
type kitText struct {
	Text string `json:"text"`
	Hex  string `json:"hex"`
}

func (k kitText) bytes(t testing.TB) string {
	t.Helper()
	if k.Hex == "" {
		return k.Text
	}
	raw, err := hex.DecodeString(k.Hex)
	require.NoError(t, err)
	return string(raw)
}
