package docs_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli"
	"github.com/voicewright/voicewright/backend/exit"
)

//go:generate go test -run TestCommandsPage$ . -update

const commandsPage = "commands.md"

var (
	commandBlock  = regexp.MustCompile("(?s)```(?:sh|console)\n(.*?)```")
	subcommand    = regexp.MustCompile(`(?m)^  (\S+) +(\S.*)$`)
	usageLine     = regexp.MustCompile(`(?m)^Usage:\n  (.+)$`)
	hostedCommand = regexp.MustCompile(`^hosted \S+`)
)

// TestCommandsPage compares the table of docs/commands.md with the program, and holds that a page has an example of each command.
func TestCommandsPage(t *testing.T) {
	page := read(t, commandsPage)
	var b strings.Builder
	b.WriteString("| command | what it does | example |\n|---|---|---|\n")
	for _, c := range commandsBelow(t, nil) {
		cell := strings.NewReplacer("|", `\|`)
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", cell.Replace(c.usage), cell.Replace(c.short), exampleOf(t, c.path))
	}
	want := replaceGenerated(t, page, b.String())
	if *update {
		require.NoError(t, os.WriteFile(commandsPage, []byte(want), 0o600))
		page = want
	}
	require.Equal(t, want, page, "make gen writes docs/commands.md")
}

// command is one that does something: not a group of others.
type command struct{ path, usage, short string }

// commandsBelow returns the commands of a group in the order of its help.
func commandsBelow(t *testing.T, group []string) []command {
	t.Helper()
	var all []command
	_, list, _ := strings.Cut(help(t, group), "\nAvailable Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	for _, m := range subcommand.FindAllStringSubmatch(list, -1) {
		path := append(append([]string{}, group...), m[1])
		if m[1] == "help" || m[1] == "completion" {
			continue
		}
		text := help(t, path)
		if strings.Contains(text, "\nAvailable Commands:\n") {
			all = append(all, commandsBelow(t, path)...)
			continue
		}
		usage := usageLine.FindStringSubmatch(text)
		require.NotNil(t, usage, path)
		all = append(all, command{strings.Join(path, " "), strings.TrimSuffix(usage[1], " [flags]"), m[2]})
	}
	require.NotEmpty(t, all, group)
	return all
}

func help(t *testing.T, path []string) string {
	t.Helper()
	var out bytes.Buffer
	code := cli.Run(t.Context(), append(append([]string{}, path...), "--help"), cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &out}, cli.App{})
	require.Equal(t, exit.Done, code, out.String())
	return out.String()
}

// exampleOf returns a link to the heading of the page that has the command in a block.
func exampleOf(t *testing.T, path string) string {
	t.Helper()
	wanted := regexp.MustCompile(`(?m)(^|[ |(])voicewright ` + regexp.QuoteMeta(path) + `( |$)`)
	for _, page := range []string{
		commandsPage, "transcription.md", "voices.md", "models.md", "library.md", "cloning.md", "speakers.md", "books.md", "studio.md", "hosted.md",
	} {
		text := read(t, page)
		for _, block := range commandBlock.FindAllStringSubmatchIndex(text, -1) {
			if wanted.MatchString(text[block[2]:block[3]]) {
				return linkTo(t, page, text[:block[0]])
			}
		}
	}
	// The hosted service has a table of its commands, as most of them need an account.
	start := hostedCommand.FindString(path)
	require.NotEmpty(t, start, "no page has an example of voicewright %s", path)
	text := read(t, "hosted.md")
	before, _, found := strings.Cut(text, "`voicewright "+start)
	require.True(t, found, "docs/hosted.md has no voicewright %s", path)
	return linkTo(t, "hosted.md", before)
}

// linkTo returns a link to the last heading of the text before an example.
func linkTo(t *testing.T, page, before string) string {
	t.Helper()
	heads := anchors(before)
	require.NotEmpty(t, heads, page)
	anchor := "#" + heads[len(heads)-1]
	titles := heading.FindAllStringSubmatch(fenced.ReplaceAllString(before, ""), -1)
	title := titles[len(titles)-1][1]
	if page == commandsPage {
		return "[" + title + "](" + anchor + ")"
	}
	return "[" + titles[0][1] + "](" + page + anchor + ")"
}
