package backend

import "time"

// VoiceType is where the voice of a profile comes from.
type VoiceType string

// The kinds of voices that a profile can name.
const (
	VoiceDefault VoiceType = "default" // the voice in the setting speech.default_voice
	VoicePreset  VoiceType = "preset"  // a voice of an engine
	VoiceCloned  VoiceType = "cloned"  // made from samples
	VoiceHosted  VoiceType = "hosted"  // a voice of the hosted service
)

// Gender is the gender of a voice as its model states it; it is never guessed.
type Gender string

// The genders; empty where unknown.
const (
	Female Gender = "female"
	Male   Gender = "male"
)

// GenderOf returns the gender for a word of the model registry, empty for its other words.
func GenderOf(word string) Gender {
	switch g := Gender(word); g {
	case Female, Male:
		return g
	default:
		return ""
	}
}

// BuiltInProfileName is the name of the only profile of a new data directory.
const BuiltInProfileName = "Built-in voice"

// Profile is a stored voice (model-server.md, Voice profile; decisions.md section 2).
type Profile struct {
	ID            string    `json:"id" doc:"UUID version 7"`
	Name          string    `json:"name"`
	Description   string    `json:"description"`
	Language      string    `json:"language" doc:"BCP 47"`
	Gender        Gender    `json:"gender" enum:"female,male," doc:"of a preset voice, from the model registry; of a mixture, if voices with more than half of the weight share it; empty where unknown"`
	VoiceType     VoiceType `json:"voice_type" enum:"default,preset,cloned,hosted"`
	PresetEngine  string    `json:"preset_engine,omitempty"`
	PresetVoiceID string    `json:"preset_voice_id,omitempty"`
	ModelName     string    `json:"model_name,omitempty"`
	HostedVoiceID string    `json:"hosted_voice_id,omitempty"`
	HostedModelID string    `json:"hosted_model_id,omitempty"`
	Speed         float64   `json:"speed" doc:"1 is the normal speed of the voice; 0.25 to 4"`
	Favorite      bool      `json:"favorite"`
	Samples       int       `json:"samples" doc:"how many recordings a cloned profile has"`
	Consent       *Consent  `json:"consent" doc:"that the voice may be cloned; null without samples"`
	Usable        bool      `json:"usable" doc:"false when this build cannot use it"`
	Reason        string    `json:"reason,omitempty" doc:"why it cannot be used"`
	CreatedAt     time.Time `json:"created_at"`
	UpdatedAt     time.Time `json:"updated_at"`
}

// ProfilePatch changes the given fields only. The tags describe the body of a request.
type ProfilePatch struct {
	Name          *string    `json:"name,omitempty" minLength:"1"`
	Description   *string    `json:"description,omitempty" maxLength:"2000"`
	Language      *string    `json:"language,omitempty" maxLength:"35" doc:"BCP 47"`
	VoiceType     *VoiceType `json:"voice_type,omitempty" enum:"default,preset,cloned,hosted"`
	PresetEngine  *string    `json:"preset_engine,omitempty" maxLength:"64"`
	PresetVoiceID *string    `json:"preset_voice_id,omitempty" maxLength:"200"`
	ModelName     *string    `json:"model_name,omitempty" maxLength:"64" doc:"without a voice: the first voice of that model"`
	HostedVoiceID *string    `json:"hosted_voice_id,omitempty" maxLength:"200"`
	HostedModelID *string    `json:"hosted_model_id,omitempty" maxLength:"200"`
	Speed         *float64   `json:"speed,omitempty" minimum:"0.25" maximum:"4"`
	Favorite      *bool      `json:"favorite,omitempty"`
}

// Apply changes the given fields of a profile.
func (c ProfilePatch) Apply(p *Profile) {
	set(&p.Name, c.Name)
	set(&p.Description, c.Description)
	set(&p.Language, c.Language)
	set(&p.VoiceType, c.VoiceType)
	set(&p.PresetEngine, c.PresetEngine)
	set(&p.PresetVoiceID, c.PresetVoiceID)
	set(&p.ModelName, c.ModelName)
	set(&p.HostedVoiceID, c.HostedVoiceID)
	set(&p.HostedModelID, c.HostedModelID)
	set(&p.Speed, c.Speed)
	set(&p.Favorite, c.Favorite)
}

// set assigns a value that was given.
func set[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}

// ProfileSort is an order of the profile list.
type ProfileSort string

// The orders of the profile list.
const (
	ProfilesByName   ProfileSort = "name"   // A to Z, the default
	ProfilesNewest   ProfileSort = "newest" // latest created first
	ProfilesOldest   ProfileSort = "oldest"
	ProfilesByUpdate ProfileSort = "updated" // latest changed first
)

// ProfileFilter selects profiles; zero values select all that can be used.
type ProfileFilter struct {
	Search    string // in name, description and language; accents and case do not matter
	Language  string // "en" also finds "en-GB"
	Engine    string
	VoiceType VoiceType
	Favorite  *bool
	All       bool // also those that this build cannot use
	Sort      ProfileSort
	Page
}

// Preset is a voice of a model for which a profile is created.
type Preset struct {
	Engine   string
	VoiceID  string // engine-specific; Piper: "<key>#<speaker>"
	Name     string // display name
	Taken    string // name when Name is taken, such as "Bella (KittenTTS mini)"
	Language string // BCP 47
	Model    string // model_name
	Reason   string // why this build cannot use it, else empty
}

// VoiceForm is how a voice of a model is written, for messages.
const VoiceForm = "MODEL:VOICE, such as espeak:en-us"
