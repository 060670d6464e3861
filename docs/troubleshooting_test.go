package docs_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:generate go test -run TestTroubleshooting$ . -update
var update = flag.Bool("update", false, "write what errors say into docs/troubleshooting.md")

const (
	troubleshooting = "troubleshooting.md"
	begin, end      = "<!-- from the code, by make gen -->", "<!-- end -->"
	others          = "## Other errors"
)

var (
	section   = regexp.MustCompile(`(?m)^### (\w+)\n`)
	generated = regexp.MustCompile(`(?s)` + begin + `.*?` + end)
)

// TestTroubleshooting compares the page with the code: each error has a section with all that it says.
func TestTroubleshooting(t *testing.T) {
	page := read(t, troubleshooting)
	want := withSentences(t, page)
	if *update {
		require.NoError(t, os.WriteFile(troubleshooting, []byte(want), 0o600))
		page = want
	}
	have := strings.Split(page, "\n")
	for i, line := range strings.Split(want, "\n") {
		require.True(t, i < len(have) && have[i] == line, "line %d of %s is out of date; make gen writes:\n%s", i+1, troubleshooting, line)
	}
}

// TestTroubleshootingIsWritten holds that each section says more than the code, and that one finds it: those of a subject are sorted.
func TestTroubleshootingIsWritten(t *testing.T) {
	page := read(t, troubleshooting)
	require.NotContains(t, page, others, "move these sections to their subject")
	for _, subject := range strings.Split(page, "\n## ")[1:] {
		var codes []string
		parts := section.Split(subject, -1)
		for i, m := range section.FindAllStringSubmatch(subject, -1) {
			codes = append(codes, m[1])
			require.Greater(t, len(strings.Fields(generated.ReplaceAllString(parts[i+1], ""))), 5, "say what %s means", m[1])
		}
		require.True(t, slices.IsSorted(codes), "the codes of a subject are sorted: %v", codes)
	}
}

// TestNewErrorsGetASection removes the section of an error, and one of its sentences elsewhere: both come back.
func TestNewErrorsGetASection(t *testing.T) {
	page := read(t, troubleshooting)
	start := strings.Index(page, "\n### queue_full\n")
	stop := start + strings.Index(page[start:], end+"\n") + len(end+"\n")
	const sentence = "| Another program is using this address. | Choose another port in Settings, Local API. |\n"
	require.Contains(t, page, sentence)

	changed := withSentences(t, strings.Replace(page[:start]+page[stop:], sentence, "", 1))
	require.Contains(t, changed, sentence)
	_, added, found := strings.Cut(changed, "\n"+others+"\n\n### queue_full\n")
	require.True(t, found)
	require.Contains(t, added, "| The queue is full. | Wait for something to finish, or stop something. |\n")
}

// TestSentencesAreFound has one sentence of each way in which an error gets its texts.
func TestSentencesAreFound(t *testing.T) {
	shown, program := pageSentences(t), programSentences(t)
	for _, row := range []struct {
		of           map[string][]advice
		code         string
		detail, what string
	}{
		{shown, "queue_full", "The queue is full.", "Wait for something to finish, or stop something."},
		{shown, "not_permitted", "The file system there has no file locks, or lacks something else that Voicewright needs.", "Choose a folder on a local disk."},
		{shown, "hub_rate_limited", "Too many requests. Try again in … s.", "Set HF_TOKEN for a higher limit."},
		{program, "address_in_use", "… is already in use.", "Choose another port with --addr, or 0 for any free port."},
		{program, "name_taken", "There is already a voice profile named “…”.", "Choose another name."},
		{program, "out_of_memory", "There is not enough memory to load the model.", "Unload other models, close other programs, or use a smaller model."},
		{program, "secrets_unavailable", "The keychain is locked.", "Unlock the keychain and try again."},
		{program, "nothing_to_speak", "The text has nothing that this voice can speak.", "Write words in English."},
	} {
		require.Contains(t, row.of[row.code], advice{row.detail, row.what})
	}
}

// withSentences returns the page with what errors say now: the index, and a table in each section. A code without a section gets one
// at the end.
func withSentences(t *testing.T, page string) string {
	t.Helper()
	program, shown := programSentences(t), pageSentences(t)
	codes := slices.Sorted(maps.Keys(shown))
	for _, code := range errorCodes(t) {
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	for _, code := range codes {
		if strings.Contains(page, "\n### "+code+"\n") {
			continue
		}
		if !strings.Contains(page, "\n"+others+"\n") {
			page += "\n" + others + "\n"
		}
		page += fmt.Sprintf("\n### %s\n\n%s\n%s\n", code, begin, end)
	}
	parts := section.Split(page, -1)
	text := replaceGenerated(t, parts[0], index(codes))
	for i, m := range section.FindAllStringSubmatch(page, -1) {
		require.Contains(t, codes, m[1], "no error has this code: remove the section")
		text += m[0] + replaceGenerated(t, parts[i+1], tables(shown[m[1]], program[m[1]]))
	}
	return text
}

func replaceGenerated(t *testing.T, part, by string) string {
	t.Helper()
	require.Len(t, generated.FindAllString(part, -1), 1, "each section has one place for what the error says:\n%s", part)
	return generated.ReplaceAllLiteralString(part, begin+"\n\n"+by+"\n"+end)
}

// index returns links to all codes.
func index(codes []string) string {
	slices.Sort(codes)
	links := make([]string, len(codes))
	for i, code := range codes {
		links[i] = fmt.Sprintf("[%s](#%s)", code, code)
	}
	return strings.Join(links, ",\n") + "\n"
}

// tables returns what the page says, and what commands and the API say besides.
func tables(page, program []advice) string {
	said := map[string]bool{}
	for _, a := range page {
		said[plain(a)] = true
	}
	program = slices.DeleteFunc(slices.Clone(program), func(a advice) bool { return said[plain(a)] })
	return strings.TrimPrefix(table("the page says", page)+table("commands and the API say", program), "\n")
}

// plain returns the texts with the quotes of a typewriter, as commands write them.
func plain(a advice) string { return strings.ReplaceAll(a.detail+a.remedy, "’", "'") }

func table(title string, rows []advice) string {
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s | what to do |\n|---|---|\n", title)
	cell := strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ")
	for _, a := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.TrimRight(cell.Replace(a.detail)+" | "+cell.Replace(a.remedy), " "))
	}
	return b.String()
}
