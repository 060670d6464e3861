package desktop

import (
	"encoding/json"

	"github.com/voicewright/voicewright/backend"
)

// shown is an error as the page words it, whether it comes from the API or from the window.
type shown struct {
	Code   backend.Code   `json:"code"`
	Detail string         `json:"detail"`
	Remedy string         `json:"remedy"`
	Params map[string]any `json:"params,omitempty"`
}

func shownError(err error) shown {
	e := backend.AsError(err)
	return shown{e.Code, e.Detail, e.Remedy, e.Params}
}

// rejection is such an error as the text that Wails carries to the page.
func rejection(err error) string {
	s := shownError(err)
	raw, bad := json.Marshal(s)
	if bad != nil { // a parameter that is no JSON
		s.Params = nil
		raw, _ = json.Marshal(s)
	}
	return string(raw)
}
