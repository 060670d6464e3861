// Package settings is the table of everything that a user can set: key, type, default, range and a sentence.
// A value is checked once, when it is set, and read typed ever after.
package settings

import (
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/voicewright/voicewright/backend"
)

// Kind is the type of a setting's value in JSON.
type Kind string

// The kinds of values.
const (
	String   Kind = "string"
	Duration Kind = "duration" // "10m", "0", "-1"
	Enum     Kind = "enum"
	Boolean  Kind = "boolean"
)

// The keys of the settings.
const (
	APIAddress     = "api.address"
	AllowOrigins   = "api.allow_origins"
	AllowHosts     = "api.allow_hosts"
	Offline        = "network.offline"
	DefaultVoice   = "speech.default_voice"
	SpeechDevice   = "speech.device"
	SentencePause  = "speech.sentence_pause"
	ParagraphPause = "speech.paragraph_pause"
	HeadingPause   = "speech.heading_pause"
	ScenePause     = "speech.scene_pause"
	IdleUnload     = "models.idle_unload"
	ModelsDir      = "models.directory"
	Retention      = "history.retention"
	HostedURL      = "hosted.base_url"
)

// Setting describes one key.
type Setting struct {
	Key      string              `json:"key"`
	Kind     Kind                `json:"type"`
	Default  string              `json:"-"` // as text; see DefaultValue
	Range    string              `json:"range"`
	Values   []string            `json:"values,omitempty"`
	Sentence string              `json:"description"`
	complain func(string) string // "" for an acceptable value, else a sentence
}

// Table gives all settings in the order in which a screen shows them.
func Table() []Setting {
	return []Setting{
		{
			Key: DefaultVoice, Kind: String, Default: "espeak:en-us", Range: "MODEL:VOICE", complain: complainVoice,
			Sentence: "The voice of profiles that have none of their own.",
		},
		{
			Key: SpeechDevice, Kind: Enum, Default: "auto", Range: "auto, cpu", Values: []string{"auto", "cpu"},
			Sentence: "Where speech models run, from their next load on. auto takes the fastest device that this build can use.",
		},
		pauseSetting(SentencePause, "350ms", "The silence between two sentences."),
		pauseSetting(ParagraphPause, "700ms", "The silence between two paragraphs."),
		pauseSetting(HeadingPause, "1s", "The silence before and after a heading."),
		pauseSetting(ScenePause, "1500ms", "The silence at a scene break, a line such as * * *."),
		{
			Key: IdleUnload, Kind: Duration, Default: "10m", Range: "a duration; 0 = at once, -1 = never", complain: complainIdle,
			Sentence: "How long an unused model stays in memory.",
		},
		{
			Key: ModelsDir, Kind: String, Default: "", Range: "an absolute path; empty = below the data directory", complain: complainDir,
			Sentence: "Where models are kept, from the next start on; PUT /models/directory also moves them.",
		},
		{
			Key: Retention, Kind: Duration, Default: "-1", Range: "a duration of at least 1h; -1 = for ever", complain: complainRetention,
			Sentence: "How long the history is kept; favourites stay.",
		},
		{
			Key: APIAddress, Kind: String, Default: "127.0.0.1:7411", Range: "HOST:PORT", complain: complainAddress,
			Sentence: "The address of the local API, from the next start on.",
		},
		{
			Key: AllowOrigins, Kind: String, Default: "", Range: "origins such as https://page.example, with blanks between", complain: complainOrigins,
			Sentence: "Pages of other addresses that may use the local API; each still needs the token.",
		},
		{
			Key: AllowHosts, Kind: String, Default: "", Range: "names as NAME or NAME:PORT, with blanks between", complain: complainHosts,
			Sentence: "More names by which the local API may be called.",
		},
		{
			Key: Offline, Kind: Boolean, Default: "false", Range: "true, false",
			Sentence: "Open no connection but to this machine.",
		},
		{
			Key: HostedURL, Kind: String, Default: "", Range: "an http or https address, or empty", complain: complainURL,
			Sentence: "The address of the hosted service.",
		},
	}
}

// pauseSetting describes the length of a pause.
func pauseSetting(key, length, sentence string) Setting {
	return Setting{Key: key, Kind: Duration, Default: length, Range: "a duration from 0 to 10s", complain: complainPause, Sentence: sentence}
}

func lookup(key string) (Setting, bool) {
	table := Table()
	i := slices.IndexFunc(table, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return Setting{}, false
	}
	return table[i], true
}

// DefaultValue is the default as it stands in JSON.
func (s Setting) DefaultValue() any { return s.value(s.Default) }

// value is how a text stands in JSON.
func (s Setting) value(text string) any {
	if s.Kind == Boolean {
		return text == "true"
	}
	return text
}

// text reads a value of JSON.
func (s Setting) text(value any) (string, *backend.FieldError) {
	invalid := func(msg, typ string) *backend.FieldError {
		return &backend.FieldError{Loc: []string{"body", s.Key}, Msg: msg, Type: typ}
	}
	if s.Kind == Boolean {
		on, ok := value.(bool)
		if !ok {
			return "", invalid("Input should be a valid boolean", "bool_type")
		}
		return strconv.FormatBool(on), nil
	}
	text, ok := value.(string)
	if n, number := value.(float64); number && s.Kind == Duration && (n == 0 || n == -1) {
		text, ok = strconv.Itoa(int(n)), true // at once, and never
	}
	if !ok {
		return "", invalid("Input should be a valid string", "string_type")
	}
	if complaint := s.complaint(text); complaint != "" {
		if s.Kind == Enum {
			return "", invalid(complaint, "enum")
		}
		return "", invalid(complaint, "value_error")
	}
	return text, nil
}

// complaint is what is wrong with a value, "" when nothing is.
func (s Setting) complaint(value string) string {
	if s.Kind == Enum && !slices.Contains(s.Values, value) {
		return "Input should be one of " + s.Range
	}
	if s.complain != nil {
		return s.complain(value)
	}
	return ""
}

var voicePattern = regexp.MustCompile(`^[a-z0-9._-]{1,64}:.{1,100}$`)

func complainVoice(v string) string {
	if !voicePattern.MatchString(v) {
		return "Input should be MODEL:VOICE, such as espeak:en-us"
	}
	return ""
}

var addressPattern = regexp.MustCompile(`^(\[[0-9a-fA-F:.]+\]|[0-9A-Za-z.-]+):([0-9]{1,5})$`)

func complainAddress(v string) string {
	parts := addressPattern.FindStringSubmatch(v)
	if parts == nil {
		return "Input should be HOST:PORT"
	}
	if _, err := strconv.ParseUint(parts[2], 10, 16); err != nil {
		return "Input should be HOST:PORT with a port up to 65535"
	}
	return ""
}

func complainOrigins(v string) string {
	for _, origin := range words(v) {
		if _, ok := backend.PlainOrigin(origin); !ok {
			return "Input should be addresses such as https://page.example, without a path, and " + origin + " is none"
		}
	}
	return ""
}

func complainHosts(v string) string {
	for _, host := range words(v) {
		if _, _, ok := backend.SplitHost(host); !ok {
			return "Input should be names such as studio.example or studio.example:8080, and " + host + " is none"
		}
	}
	return ""
}

// words are the parts of a value with blanks or commas between them.
func words(v string) []string {
	return strings.FieldsFunc(v, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

func complainDir(v string) string {
	if v != "" && !filepath.IsAbs(v) {
		return "Input should be an absolute path, or empty"
	}
	return ""
}

func complainURL(v string) string {
	u, err := url.Parse(v)
	if v != "" && (err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https")) {
		return "Input should be an http or https address"
	}
	return ""
}

// parseDuration also takes 0 and -1.
func parseDuration(v string) (time.Duration, error) {
	if v == "-1" {
		return -1, nil
	}
	return time.ParseDuration(v)
}

func complainIdle(v string) string {
	if d, err := parseDuration(v); err != nil || d < -1 {
		return "Input should be a duration such as 10m, 0 for at once or -1 for never"
	}
	return ""
}

func complainRetention(v string) string {
	if d, err := parseDuration(v); err != nil || (d != -1 && d < time.Hour) {
		return "Input should be a duration of at least 1h, or -1 for ever"
	}
	return ""
}

// longestPause is the longest silence that the structure of a text may have.
const longestPause = 10 * time.Second

func complainPause(v string) string {
	if d, err := parseDuration(v); err != nil || d < 0 || d > longestPause {
		return "Input should be a duration from 0 to 10s, such as 350ms"
	}
	return ""
}
