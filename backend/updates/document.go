package updates

import (
	"net/url"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend/printable"
	"github.com/voicewright/voicewright/backend/strictjson"
)

const (
	maxDepth = 4    // of the document
	maxNotes = 4000 // characters of the notes that are shown
	maxPage  = 1000 // bytes of an address
)

// Status says how the newest version is related to this program.
type Status string

// The states.
const (
	Newer   Status = "newer"   // there is a newer version
	Current Status = "current" // this program is as new, or newer
	Unknown Status = "unknown" // this program has no number that could be compared: it was built from a state between versions
	None    Status = "none"    // no version for this platform is listed
)

// NewestVersion is what a check found. Without a version for this platform only Current and Status are set.
type NewestVersion struct {
	Current string `json:"current" doc:"the version of this program"`
	Status  Status `json:"status" enum:"newer,current,unknown,none" doc:"newer: there is a newer version; current: there is none; unknown: this program was built between two versions, so they cannot be compared; none: no version for this platform is listed"`
	Version string `json:"version" doc:"the newest version, without v; empty where there is none"`
	Date    string `json:"date" doc:"when it was released, as 2026-11-29"`
	Page    string `json:"page" doc:"where to download it, on the host that was asked; for a browser"`
	Notes   string `json:"notes" doc:"what changed: plain text, whatever it looks like"`
}

// release is an entry of the document.
type release struct {
	Version  string `json:"version"`
	Date     string `json:"date"`
	Page     string `json:"page"`
	Notes    string `json:"notes"`
	Platform string `json:"platform"` // GOOS-GOARCH; empty for all

	number version
}

// answer reads a document: a release, or a list of them by platform. One that cannot be used makes the document a bad one.
// Error: updates_bad_answer.
func (c *Checker) answer(raw []byte) (NewestVersion, error) {
	value, faults := strictjson.Parse(raw, strictjson.Rules{Depth: maxDepth})
	if len(faults) > 0 {
		return NewestVersion{}, c.bad("it is not the JSON that was expected")
	}
	if _, one := value.(map[string]any); one {
		value = []any{value}
	}
	var releases []release
	if err := strictjson.Decode(value, &releases); err != nil || value == nil {
		return NewestVersion{}, c.bad("it is not the JSON that was expected").WithCause(err)
	}
	var newest *release
	for i := range releases {
		r := &releases[i]
		if what := c.check(r); what != "" {
			return NewestVersion{}, c.bad(what)
		}
		if (r.Platform == "" || r.Platform == c.o.Platform) && (newest == nil || precedes(newest, r)) {
			newest = r
		}
	}
	answer := NewestVersion{Current: c.o.Version, Status: None}
	if newest == nil {
		return answer, nil
	}
	answer.Status = compareTo(c.o.Version, newest.number)
	answer.Version, answer.Date = strings.TrimPrefix(newest.Version, "v"), newest.Date
	answer.Page, answer.Notes = newest.Page, plain(newest.Notes)
	return answer, nil
}

// precedes reports whether b goes before a: what is for this platform before what is for all, then the higher version.
func precedes(a, b *release) bool {
	if (a.Platform == "") != (b.Platform == "") {
		return a.Platform == ""
	}
	return a.number.compare(b.number) < 0
}

// check reads the fields of a release and returns what is wrong with it, "" for nothing.
func (c *Checker) check(r *release) string {
	var ok bool
	if r.number, ok = parseVersion(r.Version); !ok {
		return "it names no version"
	}
	released, err := time.Parse(time.DateOnly, r.Date)
	if err != nil {
		released, err = time.Parse(time.RFC3339, r.Date)
	}
	if err != nil || released.Year() < 1 {
		return "its date is not one"
	}
	r.Date = released.UTC().Format(time.DateOnly)
	page, err := url.Parse(r.Page)
	if err != nil || len(r.Page) > maxPage || strings.ContainsFunc(r.Page, notVisible) || !usable(page) || !sameOrigin(page, c.address) {
		return "its page is not on the same server"
	}
	return ""
}

// notVisible reports whether a character cannot be in an address as programs write it, such as one that changes the direction of
// writing.
func notVisible(r rune) bool { return r <= ' ' || r > '~' }

// plain returns notes as lines that are safe to show: without control characters and without empty lines at the ends.
func plain(notes string) string {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(notes), "\n")
	for i, line := range lines {
		lines[i] = printable.OneLine(line)
	}
	return printable.Shortened(strings.TrimSpace(strings.Join(lines, "\n")), maxNotes)
}
