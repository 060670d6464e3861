package backend

import "time"

// ModelStatus is one entry of the model list (model-server.md, Model status entry; decisions.md section 2).
type ModelStatus struct {
	ModelName   string     `json:"model_name"`
	DisplayName string     `json:"display_name"`
	Engine      string     `json:"engine"`
	Downloaded  bool       `json:"downloaded"`
	SizeMB      int        `json:"size_mb" doc:"1,000,000 bytes, rounded up"`
	Loaded      bool       `json:"loaded"`
	Family      string     `json:"family" enum:"speech,transcription"`
	Revision    string     `json:"revision"`
	Languages   []string   `json:"languages"`
	License     License    `json:"license"`
	Voices      int        `json:"voices"`
	Cloning     bool       `json:"cloning"`
	Device      string     `json:"device" doc:"where it is loaded, empty when it is not"`
	Error       *Failure   `json:"error"`
	LastUsedAt  *time.Time `json:"last_used_at"`
	UnloadAt    *time.Time `json:"idle_unload_at"`
}

// License is what a model may be used for.
type License struct {
	Name           string `json:"name"`
	URL            string `json:"url"`
	AcceptRequired bool   `json:"accept_required"`
	Accepted       bool   `json:"accepted"`
}
