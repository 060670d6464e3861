package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBookFiles prints the chapters and the words of the books in the folder VOICEWRIGHT_BOOKS, as the program makes them. Where the
// folder has an expected.json with the words that another reader counted, they are the same.
func TestBookFiles(t *testing.T) {
	dir := os.Getenv("VOICEWRIGHT_BOOKS")
	if dir == "" {
		t.Skip("VOICEWRIGHT_BOOKS names no folder")
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.epub"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	expected := map[string]struct {
		Words    int `json:"body_words"`
		Language string
	}{}
	if raw, err := os.ReadFile(filepath.Join(dir, "expected.json")); err == nil {
		require.NoError(t, json.Unmarshal(raw, &expected))
	}
	u := newUser(t)
	t.Logf("%-52s %8s %8s %8s  %s", "", "chapters", "body", "kept", "left out")
	for _, name := range names {
		base := filepath.Base(name)
		made := u.run("book", "new", name, "--json")
		if made.code != 0 {
			t.Logf("%-52s is refused: %s", base, strings.TrimSpace(made.err))
			require.Zero(t, expected[base].Words, base)
			continue
		}
		var b object
		require.NoError(t, json.Unmarshal([]byte(made.out), &b), base)
		words := b["words"].(object)
		left, sum := "", words["kept"].(float64)
		for _, one := range words["left_out"].([]any) {
			class := one.(object)
			left += fmt.Sprintf(" %s %.0f", class["class"], class["words"])
			sum += class["words"].(float64)
		}
		t.Logf("%-52s %8d %8.0f %8.0f %s", base, len(bookChapters(b)), words["body"], words["kept"], left)
		require.InDelta(t, words["body"], sum, 0, base)
		if want := expected[base]; want.Words > 0 && !strings.HasPrefix(want.Language, "ja") { // its words are characters
			require.InDelta(t, want.Words, words["body"], 0, base)
		}
	}
}
