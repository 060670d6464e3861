package desktop

import (
	"encoding/json"

	"github.com/voicewright/voicewright/backend"
)

// apiError is an error in the form of the API, which the page shows in its own words.
type apiError struct {
	Code   backend.Code   `json:"code"`
	Detail string         `json:"detail"`
	Remedy string         `json:"remedy"`
	Params map[string]any `json:"params,omitempty"`
}

func newAPIError(err error) apiError {
	e := backend.AsError(err)
	return apiError{e.Code, e.Detail, e.Remedy, e.Params}
}

// rejection returns an error as JSON, for Wails, which passes only a text to the page.
func rejection(err error) string {
	s := newAPIError(err)
	raw, bad := json.Marshal(s)
	if bad != nil { // a parameter that has no JSON form
		s.Params = nil
		raw, _ = json.Marshal(s)
	}
	return string(raw)
}
