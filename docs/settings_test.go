package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/settings"
)

//go:generate go test -run TestSettingsPage$ . -update

const settingsPage = "settings.md"

// TestSettingsPage compares the table of docs/settings.md with that of the program.
func TestSettingsPage(t *testing.T) {
	page := read(t, settingsPage)
	want := replaceGenerated(t, page, settingsTable(t))
	if *update {
		require.NoError(t, os.WriteFile(settingsPage, []byte(want), 0o600))
		page = want
	}
	require.Equal(t, want, page, "make gen writes docs/settings.md")
}

// settingsTable returns a row for each setting: its key, what it does, its default and its values.
func settingsTable(t *testing.T) string {
	t.Helper()
	var texts struct {
		Rows map[string]map[string]struct{ Title string } `json:"rows"`
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, "../frontend/src/i18n/en/settings.json")), &texts))
	var b strings.Builder
	b.WriteString("| key | what it does | default | values |\n|---|---|---|---|\n")
	for _, s := range settings.Table() {
		group, name, _ := strings.Cut(s.Key, ".")
		does := s.Sentence
		if title := texts.Rows[group][name].Title; title != "" {
			does = "**" + title + ".** " + does
		}
		byDefault := "empty"
		if s.Default != "" {
			byDefault = "`" + s.Default + "`"
		}
		cell := strings.NewReplacer("|", `\|`, "* * *", "`* * *`")
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Key, cell.Replace(does), byDefault, cell.Replace(s.Range))
	}
	return b.String()
}
