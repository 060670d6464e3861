package main_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

var update = flag.Bool("update", false, "write the answers in docs/service.md or docs/hosted.md")

// TestServicePage runs the commands of docs/service.md, in one shell, against the program with --dev-idp, and compares what they
// print with the page. With -update it writes that into the page.
func TestServicePage(t *testing.T) {
	t.Parallel()
	page := filepath.Join(enginetest.Root(t), "docs", "service.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	parts := splitPage(string(text))
	o := newOperator(t)
	o.env = append(o.env, "VOICEWRIGHT_ORT="+o.file("no-runtime", "")) // the voices of espeak-ng are the same everywhere
	require.NoError(t, os.Symlink(filepath.Join(enginetest.Root(t), "build"), filepath.Join(o.dir, "build")))
	require.NoError(t, os.Symlink(filepath.Dir(binary), filepath.Join(o.dir, "bin")))
	r := o.serve("--dev-idp", "--metrics")
	for path := range r.must("GET", "/openapi.json", "", nil)["paths"].(object) {
		fixed, _, _ := strings.Cut(path, "{")
		require.Contains(t, string(text), fixed, "the page shows every path")
	}
	for _, flag := range regexp.MustCompile(`(?m)^ +(--[a-z-]+)`).FindAllStringSubmatch(o.mustRun("run", "--help"), -1) {
		require.Contains(t, string(text), "`"+flag[1]+"`", "the page has every flag")
	}
	answers := o.shell(r.url, "", parts)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))

	written := join(parts, answers, func(answer string) string { return shorten(answer, r.url) })
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(written), 0o644))
		return
	}
	require.Equal(t, string(text), written, "go test ./app/voicewright-service -run TestServicePage -update writes the page again")
}

// join returns the page with these answers.
func join(parts []part, answers map[int]string, shorten func(answer string) string) string {
	var written strings.Builder
	for i, p := range parts {
		written.WriteString(p.text)
		if p.command != "" {
			written.WriteString(shorten(answers[i]))
		}
	}
	return written.String()
}

// part is a piece of the page: text, or a command as the page has it, whose answer follows.
type part struct{ text, command string }

// splitPage splits the page. Commands are in blocks of the kind console: a line that begins with "$ ", and lines after it that
// begin with "> ". The other lines of such a block are answers, which are left out.
func splitPage(page string) []part {
	parts := []part{{}}
	inside := false
	for line := range strings.Lines(page) {
		last := &parts[len(parts)-1]
		switch {
		case !inside:
			inside = line == "```console\n"
			if last.command != "" {
				parts = append(parts, part{})
				last = &parts[len(parts)-1]
			}
			last.text += line
		case strings.HasPrefix(line, "$ "):
			parts = append(parts, part{line, line[2:]})
		case strings.HasPrefix(line, "> "):
			last.text += line
			last.command += line[2:]
		case line == "```\n":
			inside = false
			parts = append(parts, part{text: line})
		}
	}
	return parts
}

// shell runs the commands in one shell, with the addresses of the service and of the app, and returns what each of them printed.
func (o *operator) shell(url, app string, parts []part) map[int]string {
	o.t.Helper()
	const mark = "\x1e"
	script := "export URL=" + url + " APP=" + app + "\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n"
	for i, p := range parts {
		if p.command != "" {
			script += fmt.Sprintf("printf '%s%d\\n'\n%s", mark, i, p.command)
		}
	}
	cmd := exec.CommandContext(o.t.Context(), "bash", "-eu")
	cmd.Dir, cmd.Env, cmd.Stdin = o.dir, o.env, strings.NewReader(script)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(o.t, cmd.Run(), out.String())
	answers := map[int]string{}
	for answer := range strings.SplitSeq(out.String(), mark) {
		number, text, _ := strings.Cut(answer, "\n")
		var i int
		if _, err := fmt.Sscan(number, &i); err == nil {
			answers[i] = text
		}
	}
	return answers
}

// maxLine is the longest line of an answer on the page, in characters.
const maxLine = 500

var variable = []struct {
	pattern *regexp.Regexp
	short   string
}{
	{regexp.MustCompile(`svc_sk_[A-Za-z0-9_-]{43}`), "svc_sk_…"},
	{regexp.MustCompile(`svc_sk_[A-Za-z0-9_-]{5}"`), `svc_sk_abcde"`},
	{regexp.MustCompile(`svc_sk_[A-Za-z0-9_-]{5}( |…)`), "svc_sk_abcde$1"},
	{regexp.MustCompile(`svc_sk_[A-Za-z0-9_-]{4}…`), `svc_sk_abcd…`},
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+/signed-in\?code=\S+`), "http://127.0.0.1:38395/signed-in?code=qZq_…&state=DL2V…"},
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+/files/`), "http://127.0.0.1:8080/files/"},
	{regexp.MustCompile(`(?m)^(Plan: .*until )20\d\d-\d\d-\d\d$`), "${1}2026-12-23"},
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "0f6c…"},
	{regexp.MustCompile(`files/[A-Za-z0-9_-]{43}`), "files/uT3q…"},
	{regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "2026-11-23T09:30:00Z"},
	{regexp.MustCompile(`schema version \d+`), "schema version 3"},
	{regexp.MustCompile(`service-20\d{6}T\d{6}Z`), "service-20261123T093000Z"},
	{regexp.MustCompile(`20\d\d-\d\d-\d\d \d\d:\d\d:\d\d`), "2026-11-23 09:30:00"},
	{regexp.MustCompile(`(changed +20\S+ by ).*`), "${1}olga"},
	{regexp.MustCompile(`"seconds":[0-9.]+`), `"seconds":2.1`},
	{regexp.MustCompile(`Audio: [0-9.]+ s`), "Audio: 1.25 s"},
	{regexp.MustCompile(`received in [0-9.]+ s`), "received in 0.49 s"},
	{regexp.MustCompile(`generated in [0-9.]+ s \([0-9.]+x real time\)`), "generated in 0.49 s (2.6x real time)"},
	{regexp.MustCompile(`"version":"[^"]{2,}"`), `"version":"v1.2.3"`},
}

// shorten replaces what differs from run to run.
func shorten(answer, url string) string {
	answer = strings.ReplaceAll(answer, url, "http://127.0.0.1:8080")
	for _, v := range variable {
		answer = v.pattern.ReplaceAllString(answer, v.short)
	}
	var b strings.Builder
	for line := range strings.Lines(answer) {
		line = strings.TrimRight(line, "\r\n")
		if r := []rune(line); len(r) > maxLine {
			line = string(r[:maxLine]) + "…"
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
