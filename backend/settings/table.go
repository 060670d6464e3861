// Package settings is the table of all settings: key, type, default, range and description. A value is checked when it is set,
// and has its type when it is read.
package settings

import (
	"slices"
	"strconv"

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
	Number   Kind = "number"
)

// The keys of the settings.
const (
	APIAddress       = "api.address"
	AllowOrigins     = "api.allow_origins"
	AllowHosts       = "api.allow_hosts"
	Offline          = "network.offline"
	DefaultVoice     = "speech.default_voice"
	SpeechDevice     = "speech.device"
	TranscribeModel  = "transcribe.model"
	TranscribeDevice = "transcribe.device"
	SpeakersPace     = "transcribe.speakers_pace"
	MaxHours         = "audio.max_hours"
	SentencePause    = "speech.sentence_pause"
	ParagraphPause   = "speech.paragraph_pause"
	HeadingPause     = "speech.heading_pause"
	ScenePause       = "speech.scene_pause"
	Verify           = "speech.verify"
	VerifyModel      = "speech.verify_model"
	VerifyLimit      = "speech.verify_limit"
	IdleUnload       = "models.idle_unload"
	ModelsDir        = "models.directory"
	Retention        = "history.retention"
	HostedURL        = "hosted.base_url"
	HostedEnabled    = "hosted.enabled"
	HostedIssuer     = "hosted.issuer"
	HostedClientID   = "hosted.client_id"
	HostedAudience   = "hosted.audience"
	HostedScopes     = "hosted.scopes"
	HostedSecret     = "hosted.client_secret" //nolint:gosec // the name of a setting
	HostedUseIDToken = "hosted.use_id_token"
	HostedResource   = "hosted.resource"
	HostedAuthParams = "hosted.auth_params"
	HostedWarn       = "hosted.warn_credits"
	HostedAsk        = "hosted.ask_credits"
	AllowSecretFile  = "secrets.allow_file"

	ReadShortcut = "desktop.read_shortcut"
	StartAtLogin = "desktop.start_at_login"

	DictationEnabled  = "dictation.enabled"
	DictationShortcut = "dictation.shortcut"
	DictationMode     = "dictation.mode"
	DictationTarget   = "dictation.target"
)

// Setting describes one key.
type Setting struct {
	Key      string              `json:"key"`
	Kind     Kind                `json:"type"`
	Default  string              `json:"-"` // as text; see DefaultValue
	Range    string              `json:"range"`
	Values   []string            `json:"values,omitempty"`
	Sentence string              `json:"description"`
	check    func(string) string // returns what is wrong with a value, "" when it is valid
	also     func(string) bool   // accepts values besides Values
	network  bool                // it changes what the program connects to, or who can connect to it
}

// Table returns all settings in the order of the screen.
func Table() []Setting {
	return append([]Setting{
		{
			Key: DefaultVoice, Kind: String, Default: "espeak:en-us", Range: "MODEL:VOICE", check: checkVoice,
			Sentence: "The voice of profiles without a voice.",
		},
		deviceSetting(SpeechDevice, "speech"),
		{
			Key: TranscribeModel, Kind: String, Default: "whisper-base", Range: "the name of a transcription model", check: checkModel,
			Sentence: "The model of transcriptions that name none. Once set, it is downloaded on first use; until then an installed model " +
				"is used if there is one.",
		},
		deviceSetting(TranscribeDevice, "transcription"),
		speakersPaceSetting(),
		{
			Key: MaxHours, Kind: Number, Default: "48", Range: "a number of hours above 0, up to 1000", check: checkHours,
			Sentence: "How many hours of audio are transcribed at most. Small files can hold very long audio, which fills the disk.",
		},
		pauseSetting(SentencePause, "350ms", "The silence between two sentences."),
		pauseSetting(ParagraphPause, "700ms", "The silence between two paragraphs."),
		pauseSetting(HeadingPause, "1s", "The silence before and after a heading."),
		pauseSetting(ScenePause, "1500ms", "The silence at a scene break, a line such as * * *."),
		{
			Key: Verify, Kind: Boolean, Default: "false", Range: "true, false",
			Sentence: "Listen to finished audio with a transcription model, and make passages again that it does not understand.",
		},
		{
			Key: VerifyModel, Kind: String, Default: "whisper-base", Range: "a transcription model", check: checkModel,
			Sentence: "The transcription model that listens to finished audio. Once set, it is downloaded on first use; until then an " +
				"installed model is used if there is one.",
		},
		{
			Key: VerifyLimit, Kind: Number, Default: "0.15", Range: "a number from 0 to 1", check: checkLimit,
			Sentence: "The word error rate above which a passage counts as not understood.",
		},
		{
			Key: DictationEnabled, Kind: Boolean, Default: "false", Range: "true, false",
			Sentence: "Type what you say into any program. The microphone is open only while you dictate, and nothing is stored.",
		},
		{
			Key: DictationShortcut, Kind: String, Default: "Ctrl+Alt+Space",
			Range: "Ctrl, Alt, Shift, Super and a key, joined by +", check: checkShortcut,
			Sentence: "The keys that start dictation in every program.",
		},
		{
			Key: DictationMode, Kind: Enum, Default: "hold", Range: "hold, toggle", Values: []string{"hold", "toggle"},
			Sentence: "hold: dictate while the shortcut is held. toggle: press it to start and again to stop.",
		},
		{
			Key: DictationTarget, Kind: Enum, Default: "field", Range: "field, clipboard", Values: []string{"field", "clipboard"},
			Sentence: "Where the text goes: into the focused text field, or onto the clipboard.",
		},
		{
			Key: ReadShortcut, Kind: String, Default: "", Range: "Ctrl, Alt, Shift, Super and a key, joined by +; empty = none",
			check:    checkShortcutOrNone,
			Sentence: "The keys that read the clipboard aloud in every program, while the window is open.",
		},
		{
			Key: StartAtLogin, Kind: Boolean, Default: "false", Range: "true, false",
			Sentence: "Start the window, minimized, when you log in.",
		},
		{
			Key: IdleUnload, Kind: Duration, Default: "10m", Range: "a duration; 0 = immediately, -1 = never", check: checkIdle,
			Sentence: "How long an unused model stays in memory.",
		},
		{
			Key: ModelsDir, Kind: String, Default: "", Range: "an absolute path; empty = below the data directory", check: checkDir,
			Sentence: "The folder of the models; applies after a restart. PUT /models/directory also moves them.",
		},
		{
			Key: Retention, Kind: Duration, Default: "-1", Range: "a duration of at least 1h; -1 = forever", check: checkRetention,
			Sentence: "How long history is kept. Favourites are always kept.",
		},
		{
			Key: APIAddress, network: true, Kind: String, Default: "127.0.0.1:7411", Range: "HOST:PORT", check: checkAddress,
			Sentence: "The address of the local API; applies after a restart.",
		},
		{
			Key: AllowOrigins, network: true, Kind: String, Default: "",
			Range: "origins such as https://page.example, separated by spaces", check: checkOrigins,
			Sentence: "Websites that may use the local API. Each still needs the token.",
		},
		{
			Key: AllowHosts, network: true, Kind: String, Default: "", Range: "NAME or NAME:PORT, separated by spaces", check: checkHosts,
			Sentence: "Additional host names that the local API accepts.",
		},
		{
			Key: Offline, network: true, Kind: Boolean, Default: "false", Range: "true, false",
			Sentence: "Make no network connections except to this machine.",
		},
	}, hostedTable()...)
}

// hostedTable returns the settings of the hosted service.
func hostedTable() []Setting {
	return []Setting{
		{
			Key: HostedURL, network: true, Kind: String, Default: "",
			Range: "an https address, an http address of this machine, or empty", check: checkURL,
			Sentence: "The address of the hosted service.",
		},
		{
			Key: HostedEnabled, network: true, Kind: Boolean, Default: "true", Range: "true, false",
			Sentence: "Offer the voices of the hosted service. Nothing is sent to it before you sign in or store an API key.",
		},
		{
			Key: HostedIssuer, network: true, Kind: String, Default: "",
			Range: "an https address, an http address of this machine, or empty", check: checkURL,
			Sentence: "The address at which you sign in; empty = the hosted service names it.",
		},
		{
			Key: HostedClientID, network: true, Kind: String, Default: "", Range: "text; empty = the hosted service names it",
			check:    checkLogin(backend.CheckLoginText),
			Sentence: "The name under which this program signs in.",
		},
		{
			Key: HostedAudience, network: true, Kind: String, Default: "", Range: "text; empty = the hosted service names it",
			check:    checkLogin(backend.CheckLoginText),
			Sentence: "The service for which a sign-in is valid.",
		},
		{
			Key: HostedScopes, network: true, Kind: String, Default: "",
			Range: "scopes separated by spaces; empty = the hosted service names them", check: checkLogin(backend.CheckScopes),
			Sentence: "What a sign-in asks the sign-in server for.",
		},
		{
			Key: HostedSecret, network: true, Kind: String, Default: "", Range: "text; empty = the hosted service names it",
			check: checkLogin(backend.CheckClientSecret),
			Sentence: "The secret that goes with hosted.client_id where the sign-in server gave one. Every copy of the program has " +
				"it, so it protects nothing.",
		},
		{
			Key: HostedUseIDToken, network: true, Kind: Boolean, Default: "false", Range: "true, false",
			Sentence: "Send the ID token to the hosted service in place of the access token. The service can ask for this too.",
		},
		{
			Key: HostedResource, network: true, Kind: String, Default: "",
			Range: "a URI; none = name no service; empty = the hosted service decides", check: checkLogin(backend.CheckResource),
			Sentence: "The resource for which the sign-in server makes tokens.",
		},
		{
			Key: HostedAuthParams, network: true, Kind: String, Default: "",
			Range:    "parameters such as access_type=offline&prompt=consent; empty = the hosted service names them",
			check:    checkLogin(backend.CheckAuthParams),
			Sentence: "More parameters of the address at which you sign in.",
		},
		{
			Key: HostedWarn, Kind: Number, Default: "0", Range: "a number of credits; 0 = never", check: checkCredits,
			Sentence: "Show a warning before a call that costs at least this many credits.",
		},
		{
			Key: HostedAsk, Kind: Number, Default: "0", Range: "a number of credits; 0 = never", check: checkCredits,
			Sentence: "Ask before a call that costs at least this many credits, or whose price is unknown.",
		},
		{
			Key: AllowSecretFile, Kind: Boolean, Default: "false", Range: "true, false",
			Sentence: "Store sign-in and API key in an encrypted file where this machine has no keychain.",
		},
	}
}

// DefaultPauses returns the pauses of a text where the user has set none.
func DefaultPauses() backend.Pauses {
	seconds := func(key string) float64 {
		setting, _ := lookup(key)
		d, _ := parseDuration(setting.Default) // a default is valid
		return d.Seconds()
	}
	return backend.Pauses{
		Sentence: seconds(SentencePause), Paragraph: seconds(ParagraphPause), Heading: seconds(HeadingPause), Scene: seconds(ScenePause),
	}
}

// speakersPaceSetting returns the setting of how fast speakers are found.
func speakersPaceSetting() Setting {
	return Setting{
		Key: SpeakersPace, Kind: Enum, Default: string(backend.PaceThorough), Range: "thorough, balanced, fast",
		Values: []string{string(backend.PaceThorough), string(backend.PaceBalanced), string(backend.PaceFast)},
		Sentence: "How often the same sound is heard to find out who speaks: thorough every second, balanced every 2.5 seconds, " +
			"fast every 5 seconds.",
	}
}

// pauseSetting returns the setting of a pause.
func pauseSetting(key, length, sentence string) Setting {
	return Setting{Key: key, Kind: Duration, Default: length, Range: "a duration from 0 to 10s", check: checkPause, Sentence: sentence}
}

func lookup(key string) (Setting, bool) {
	table := Table()
	i := slices.IndexFunc(table, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return Setting{}, false
	}
	return table[i], true
}

// DefaultValue returns the default as a JSON value.
func (s Setting) DefaultValue() any { return s.value(s.Default) }

// value returns a text as a JSON value.
func (s Setting) value(text string) any {
	switch s.Kind {
	case Boolean:
		return text == "true"
	case Number:
		n, _ := strconv.ParseFloat(text, 64) // checked when it was set
		return n
	default:
		return text
	}
}

// text returns a JSON value as text, or what is wrong with it.
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
		text, ok = strconv.Itoa(int(n)), true // immediately, and never
	}
	if n, number := value.(float64); number && s.Kind == Number {
		text, ok = strconv.FormatFloat(n, 'g', -1, 64), true
	}
	switch {
	case !ok && s.Kind == Number:
		return "", invalid("Input should be a valid number", "float_type")
	case !ok:
		return "", invalid("Input should be a valid string", "string_type")
	}
	if problem := s.problem(text); problem != "" {
		if s.Kind == Enum {
			return "", invalid(problem, "enum")
		}
		return "", invalid(problem, "value_error")
	}
	return text, nil
}

// maxText is the length of the longest value, in bytes: that of a path.
const maxText = 4096

// problem returns what is wrong with a value, "" when it is valid.
func (s Setting) problem(value string) string {
	if len(value) > maxText {
		return "Input should be at most 4,096 bytes long"
	}
	if s.Kind == Enum && !slices.Contains(s.Values, value) && (s.also == nil || !s.also(value)) {
		return "Input should be one of " + s.Range
	}
	if s.check != nil {
		return s.check(value)
	}
	return ""
}
