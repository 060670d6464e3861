package httpapi

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend/httpapi/events"
)

// eventHandlers are the routes of all changes.
type eventHandlers struct {
	*responder
	streams *events.Streams
}

func (h *eventHandlers) routes(r *router) {
	r.file("/events", "events", "Changes as server-sent events", h.events, eventStream,
		describe("Named events `model`, `generation`, `profile`, `draft`, `pronunciation`, `script`, `book`, `history`, "+
			"`transcription`, `recording`, `speaker`, `hosted`, `settings`, `export`; each names what to read again. "+
			"A `script` event has the status `joined` or `failed` when its file was joined or could not be, otherwise no status. "+
			"`export` has the progress of an export that was given an id, with the status `exporting`, `complete`, `failed` or `cancelled`."))
}

func (h *eventHandlers) events(w http.ResponseWriter, r *http.Request) {
	if err := h.streams.ServeUI(w, r); err != nil {
		h.fail(w, r, err)
	}
}

// eventType is the content type of a stream of events.
const eventType = "text/event-stream"

// eventStream documents the response of a stream.
func eventStream(op *huma.Operation) {
	returnsFile(eventType)(op)
	op.Responses["200"].Description = "A stream of events"
}
