package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ran is how the commands of each page with blocks are tested: the test that runs them, in the folder of its package, or why none does.
var ran = map[string]struct{ dir, test, reason string }{
	"api.md":           {dir: "app", test: "TestAPIPage"},
	"books.md":         {dir: "app", test: "TestBookPage"},
	"cloning.md":       {dir: "app", test: "TestCloningPage"},
	"commands.md":      {dir: "app", test: "TestCommandsPage"},
	"first-minutes.md": {dir: "app", test: "TestFirstMinutesPage"},
	"hosted.md":        {dir: "app/voicewright-service", test: "TestHostedPage"},
	"library.md":       {dir: "app", test: "TestLibraryPage"},
	"models.md":        {dir: "app", test: "TestModelsPage"},
	"service.md": {
		dir: "app/voicewright-service", test: "TestServicePage",
		reason: "its blocks of the kind sh need docker, systemd, or accounts that exist; TestAccountsOfARunningService has the latter",
	},
	"service-many.md":  {dir: "app/voicewright-service", test: "TestPostgresPage"},
	"speakers.md":      {dir: "app", test: "TestSpeakersPage"},
	"studio.md":        {dir: "app", test: "TestStudioPage"},
	"transcription.md": {dir: "app", test: "TestTranscriptionPage"},
	"voices.md":        {dir: "app", test: "TestVoicesPage"},

	"building.md":  {reason: "the commands of developers are make targets, which CI runs"},
	"dictation.md": {reason: "opens the microphone; make dictation-test does that"},
	"install.md":   {reason: "needs packages and an administrator; make package-test, package-windows-test and fresh machines do that"},
	"window.md":    {reason: "needs a second machine with SSH; TestServeAddresses has the flags"},
}

// TestBlocksAreRun holds that each page with commands says here which test runs them.
func TestBlocksAreRun(t *testing.T) {
	for _, page := range glob(t, "*.md") {
		r, found := ran[page]
		require.Equal(t, commandBlock.MatchString(read(t, page)), found, "run the commands of docs/%s in a test, or say why not", page)
		if r.test != "" {
			require.True(t, hasTest(t, r.dir, r.test, page), "%s has no %s that runs docs/%s", r.dir, r.test, page)
			require.False(t, r.dir != "app" && r.reason == "" && strings.Contains(read(t, page), "```sh\n"), "say why sh blocks of docs/%s are not run", page)
		}
	}
}

// hasTest reports whether a package has a test of this name in a file that names the page.
func hasTest(t *testing.T, dir, name, page string) bool {
	t.Helper()
	return slices.ContainsFunc(glob(t, filepath.Join("..", dir, "*_test.go")), func(file string) bool {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		return strings.Contains(string(raw), "\nfunc "+name+"(") && strings.Contains(string(raw), `"`+page+`"`)
	})
}

// TestIndexHasAllPages follows the links of docs/README.md to each other page of the folder.
func TestIndexHasAllPages(t *testing.T) {
	linked := links(t, "README.md")
	for _, page := range glob(t, "*.md") {
		require.True(t, page == "README.md" || slices.Contains(linked, page), "docs/README.md does not link to %s", page)
	}
}

// TestPagesAreShort holds that pages of users are read in a sitting, but those that are looked up.
func TestPagesAreShort(t *testing.T) {
	users, _, _ := strings.Cut(read(t, "README.md"), "\nKnow:\n")
	for _, m := range regexp.MustCompile(`\]\(([a-z-]+\.md)\)`).FindAllStringSubmatch(users, -1) {
		if m[1] != troubleshooting && m[1] != "hosted.md" { // the latter has a session with its answers
			require.LessOrEqual(t, strings.Count(read(t, m[1]), "\n"), 250, m[1])
		}
	}
}
