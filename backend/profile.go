package backend

import "time"

// VoiceType says where a profile's voice comes from.
type VoiceType string

// The kinds of voices that a profile can name.
const (
	VoiceDefault VoiceType = "default" // speaks with the setting speech.default_voice
	VoicePreset  VoiceType = "preset"  // a voice that an engine brings
	VoiceCloned  VoiceType = "cloned"  // made from samples
	VoiceHosted  VoiceType = "hosted"  // a voice of the hosted service
)

// Gender is how a voice sounds, as the makers of its model say; it is never guessed.
type Gender string

// The genders that can be looked for; empty where it is not known.
const (
	Female Gender = "female"
	Male   Gender = "male"
)

// GenderOf is the gender by its word in the list of models, which has more words.
func GenderOf(word string) Gender {
	switch g := Gender(word); g {
	case Female, Male:
		return g
	default:
		return ""
	}
}

// BuiltInProfileName is the name of the one profile that a new data directory holds.
const BuiltInProfileName = "Built-in voice"

// Profile is a stored voice (model-server.md, Voice profile; decisions.md section 2).
type Profile struct {
	ID            string    `json:"id" doc:"UUID version 7"`
	Name          string    `json:"name"`
	Description   string    `json:"description"`
	Language      string    `json:"language" doc:"BCP 47"`
	Gender        Gender    `json:"gender" enum:"female,male," doc:"of a preset voice, by the list of models; of a mixture that of more than half of it; empty where it is not known"`
	VoiceType     VoiceType `json:"voice_type" enum:"default,preset,cloned,hosted"`
	PresetEngine  string    `json:"preset_engine,omitempty"`
	PresetVoiceID string    `json:"preset_voice_id,omitempty"`
	ModelName     string    `json:"model_name,omitempty"`
	HostedVoiceID string    `json:"hosted_voice_id,omitempty"`
	HostedModelID string    `json:"hosted_model_id,omitempty"`
	Speed         float64   `json:"speed" doc:"1 is the voice's own pace; 0.25 to 4"`
	Favorite      bool      `json:"favorite"`
	Usable        bool      `json:"usable" doc:"false when this build cannot speak with it"`
	Reason        string    `json:"reason,omitempty" doc:"why it is not usable"`
	CreatedAt     time.Time `json:"created_at"`
	UpdatedAt     time.Time `json:"updated_at"`
}

// ProfilePatch changes the given fields only.
type ProfilePatch struct {
	Name          *string
	Description   *string
	Language      *string
	VoiceType     *VoiceType
	PresetEngine  *string
	PresetVoiceID *string
	ModelName     *string
	HostedVoiceID *string
	HostedModelID *string
	Speed         *float64
	Favorite      *bool
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

// set writes a value that was given.
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

// ProfileFilter selects profiles; zero values select all that are usable.
type ProfileFilter struct {
	Search    string // in name, description and language; accents and case do not matter
	Language  string // "en" also finds "en-GB"
	Engine    string
	VoiceType VoiceType
	Favorite  *bool
	All       bool // also those that this build cannot speak
	Sort      ProfileSort
	Page
}

// Preset is a voice that a model brings, on its way to become a profile.
type Preset struct {
	Engine   string
	VoiceID  string // engine-specific; Piper: "<key>#<speaker>"
	Name     string // shown name
	Taken    string // name when Name is taken, such as "Bella (KittenTTS mini)"
	Language string // BCP 47
	Model    string // model_name
	Reason   string // why this build cannot speak with it, else empty
}
