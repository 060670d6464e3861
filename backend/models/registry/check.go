package registry

import (
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// Limits that no valid list reaches.
const (
	maxText     = 200     // characters of a name, note or reason
	maxBytes    = 1 << 40 // of one file
	maxMemoryMB = 1 << 24
	maxRate     = 192000 // Hz
)

// The forms of words in the list.
var (
	nameForm   = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	wordForm   = regexp.MustCompile(`^[a-z0-9_-]{1,32}$`)
	repoForm   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}$`)
	commitForm = regexp.MustCompile(`^[0-9a-f]{40}$`)
	sha256Form = regexp.MustCompile(`^[0-9a-f]{64}$`)
	md5Form    = regexp.MustCompile(`^[0-9a-f]{32}$`)
	roleForm   = regexp.MustCompile(`^[a-z0-9_]{1,64}(/[^/#\s]{1,64})?$`)
)

// ValidName reports whether a model can have this name: 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, and not a word
// that the routes of the local API have in the place of a name.
func ValidName(name string) bool {
	switch strings.ToLower(name) {
	case ".", "..", "status", "load", "unload", "download", "progress", "import", "register", "catalogue",
		"directory", "loaded", "espeak":
		return false
	}
	return nameForm.MatchString(name)
}

// Check returns the first error of an entry as a *FieldError, or nil.
func (e Entry) Check() error {
	c := checker{model: e.Name}
	c.need(ValidName(e.Name), "model_name", "must be 1 to 64 of A-Z a-z 0-9 . _ - and not a word of the API")
	c.text(e.DisplayName, "display_name")
	c.need(wordForm.MatchString(e.Engine), "engine", "must be an engine, such as piper")
	c.need(slices.Contains([]string{Speech, Transcription, Speakers}, e.Family), "family",
		`must be "speech", "transcription" or "speakers"`)
	c.need(e.Key == "" || plain(e.Key) && !strings.Contains(e.Key, "#"), "key", "must be one short line without #")
	c.need(e.Note == "" || plain(e.Note), "note", "must be one short line")
	c.languages(e)
	c.license(e.License)
	c.need(e.SampleRate >= 1000 && e.SampleRate <= maxRate, "sample_rate", "must be 1000 to 192000 Hz")
	c.need(e.Family != Speakers || !e.Cloning && len(e.Voices) == 0, "voices", "must be empty in a model that finds speakers")
	c.need(e.Family != Speech || e.Cloning || len(e.Voices) > 0, "voices", "must not be empty in a model that cannot clone")
	c.need(e.Translator == "" || e.Family == Transcription && ValidName(e.Translator) && e.Translator != e.Name, "translator",
		"must name another transcription model")
	c.voices(e.Voices)
	c.variants(e)
	if c.first == nil {
		return nil
	}
	return c.first
}

// checker stores the first error.
type checker struct {
	model string
	first *FieldError
}

// need stores an error unless ok.
func (c *checker) need(ok bool, field, reason string) {
	if !ok && c.first == nil {
		c.first = &FieldError{Model: c.model, Field: field, Reason: reason}
	}
}

func (c *checker) text(s, field string) { c.need(plain(s), field, "must be one short line of text") }

func (c *checker) language(tag, field string) {
	_, ok := backend.CanonicalLanguage(tag)
	c.need(ok && !strings.Contains(tag, "_"), field, "must be a BCP 47 tag, such as en-US")
}

func (c *checker) languages(e Entry) {
	c.need(len(e.Languages) > 0 || e.Family == Speakers, "languages", "must name at least one language")
	c.need(len(e.Languages) == 0 || e.Family != Speakers, "languages", "must be empty in a model that finds speakers in any language")
	for i, l := range e.Languages {
		at := fmt.Sprintf("languages[%d]", i)
		c.language(l, at)
		c.need(!slices.Contains(e.Languages[:i], l), at, "is in the list twice")
	}
	for _, l := range slices.Sorted(maps.Keys(e.LanguageNotes)) {
		at := fmt.Sprintf("language_notes[%q]", l)
		c.need(slices.Contains(e.Languages, l), at, "must be one of the languages")
		c.text(e.LanguageNotes[l], at)
	}
}

func (c *checker) license(l License) {
	c.need(l.Name == "" || plain(l.Name), "license.name", "must be one short line of text")
	u, err := url.Parse(l.URL)
	web := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
	c.need(l.URL == "" || web, "license.url", "must be a web address")
	c.need(l.URL != "" || !l.AcceptRequired, "license.url", "must be given where the licence must be accepted")
}

func (c *checker) voices(voices []Voice) {
	seen := make(map[string]bool, len(voices))
	for i, v := range voices {
		at := fmt.Sprintf("voices[%d].", i)
		c.need(plain(v.ID) && !strings.Contains(v.ID, "#"), at+"id", "must be one short line without #")
		c.need(!seen[v.ID], at+"id", "is the id of another voice too")
		c.text(v.Name, at+"name")
		c.language(v.Language, at+"language")
		c.need(slices.Contains([]string{"", "female", "male", "neutral"}, v.Gender), at+"gender",
			"must be female, male or neutral")
		c.need(v.Grade == "" || plain(v.Grade), at+"grade", "must be one short line of text")
		c.need(v.CanSpeak() || plain(v.Reason), at+"reason", "must say why the voice is not usable")
		seen[v.ID] = true
	}
}

func (c *checker) variants(e Entry) {
	c.need(len(e.Variants) > 0, "variants", "must have at least one variant")
	seen := make(map[string]bool, len(e.Variants))
	unconditional := false
	for i, v := range e.Variants {
		at := fmt.Sprintf("variants[%d].", i)
		c.need(nameForm.MatchString(v.Name), at+"variant", "must be 1 to 64 of A-Z a-z 0-9 . _ -")
		c.need(!seen[v.Name], at+"variant", "is the name of another variant too")
		c.need(v.MemoryMB >= 0 && v.MemoryMB <= maxMemoryMB, at+"memory_mb", "must be a size in MB")
		c.need(v.When.MinMemoryMB >= 0, at+"when.min_memory_mb", "must be a size in MB")
		c.need(v.When.OS == "" || wordForm.MatchString(v.When.OS), at+"when.os", "must be a system such as darwin")
		c.need(v.When.Arch == "" || wordForm.MatchString(v.When.Arch), at+"when.arch", "must be a processor such as arm64")
		c.files(v.Files, e.Voices, at)
		c.mirrors(v, at)
		seen[v.Name] = true
		unconditional = unconditional || v.When == When{}
	}
	c.need(unconditional, "variants", "must have one variant whose when is empty, for every other machine")
}

func (c *checker) files(files []File, voices []Voice, variant string) {
	c.need(len(files) > 0, variant+"files", "must not be empty")
	roles, paths := make(map[string]bool, len(files)), make(map[string]bool, len(files))
	for i, f := range files {
		at := fmt.Sprintf("%sfiles[%d].", variant, i)
		c.file(f, at)
		c.need(!roles[f.Role], at+"role", "is the role of another file too")
		path := strings.ToLower(f.Repo + "/" + f.Path)
		c.need(!paths[path], at+"path", "is in the list twice")
		if id, ok := strings.CutPrefix(f.Role, "voice/"); ok {
			known := slices.ContainsFunc(voices, func(v Voice) bool { return v.ID == id })
			c.need(known, at+"role", "must name a voice of the list")
		}
		roles[f.Role], paths[path] = true, true
	}
}

func (c *checker) file(f File, at string) {
	c.need(localPath(f.Path), at+"path", "must be a path below its folder, with slashes")
	c.need(f.Bytes >= 0 && f.Bytes <= maxBytes, at+"bytes", "must be the size of a file")
	c.need(f.Bytes > 0 || !f.Pinned, at+"bytes", "must be given for a pinned file")
	c.need(roleForm.MatchString(f.Role), at+"role", "must be a word such as graph, or voice/ID")
	c.need(f.MD5 == "" || md5Form.MatchString(f.MD5), at+"md5", "must be 32 hex digits")
	if !f.Pinned {
		c.need(f.SHA256 == "", at+"sha256", "must be empty for a file that is not pinned")
	} else {
		c.need(sha256Form.MatchString(f.SHA256), at+"sha256", "must be 64 hex digits in lower case")
	}
	commit := commitForm.MatchString(f.Revision)
	if f.Repo == "" { // imported from a disk, and hashed then
		c.need(f.Pinned, at+"pinned", "must be true for a file without a repository")
		c.need(f.Revision == "" || commit, at+"revision", "must be 40 hex digits or empty")
		return
	}
	c.need(repository(f.Repo), at+"repo", "must be owner/name at the hub")
	c.need(commit || f.Revision == Branch && !f.Pinned, at+"revision",
		`must be a commit of 40 hex digits ("main" only for a file that is not pinned)`)
}

func (c *checker) mirrors(v Variant, variant string) {
	for i, m := range v.Mirrors {
		at := fmt.Sprintf("%smirrors[%d].", variant, i)
		c.need(repository(m.Repo), at+"repo", "must be owner/name at the hub")
		c.need(commitForm.MatchString(m.Revision), at+"revision", "must be a commit of 40 hex digits")
		notMirrored := func(f File) bool { return f.Repo != v.Files[0].Repo || f.Repo == m.Repo }
		c.need(!slices.ContainsFunc(v.Files, notMirrored), at+"repo", "must mirror one other repository that has all files")
	}
}

// repository reports whether a repository's folder in the cache is unique: the cache writes the slash as two hyphens.
func repository(s string) bool {
	return repoForm.MatchString(s) && !strings.Contains(s, "--") && !strings.Contains(s, "..")
}

// localPath reports whether a path stays below its folder, on every system.
func localPath(p string) bool {
	return fs.ValidPath(p) && p != "." && len(p) <= 512 && utf8.ValidString(p) && !strings.ContainsAny(p, `\:`) &&
		!strings.ContainsFunc(p, unicode.IsControl) && filepath.IsLocal(filepath.FromSlash(p))
}

// plain reports whether s is one short line of text.
func plain(s string) bool {
	return strings.TrimSpace(s) != "" && utf8.ValidString(s) && utf8.RuneCountInString(s) <= maxText &&
		!strings.ContainsFunc(s, unicode.IsControl)
}
