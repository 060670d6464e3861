package events

import "github.com/voicewright/voicewright/backend"

// The names of events that handlers publish by Changed as well.
const (
	Script        = "script"        // a script is new, joined, failed or deleted
	Transcription = "transcription" // a transcript has changed
)

// changed is the data of the event for a changed draft, pronunciation or script.
type changed struct {
	ID string `json:"id"`
}

// Changed publishes a named event about the object with this id, unless err is set.
func (e *Streams) Changed(event, id string, err error) {
	if err == nil {
		e.Publish(event, changed{id})
	}
}

// historyChange is the data of the event for generations that were edited or deleted.
type historyChange struct {
	Changed int `json:"changed"`
}

// History publishes that n generations were edited or deleted, nothing for 0.
func (e *Streams) History(n int) {
	if n > 0 {
		e.Publish("history", historyChange{n})
	}
}

// scriptChange is the data of the event for a changed script.
type scriptChange struct {
	changed
	Status string `json:"status,omitempty"` // joined or failed, when joining has ended
}

// ScriptJoined publishes that a script was joined, or could not be.
func (e *Streams) ScriptJoined(id string, err error) {
	status := "joined"
	if err != nil {
		status = "failed"
	}
	e.Publish(Script, scriptChange{changed{id}, status})
}

// exportEvent is the data of the event for an export.
type exportEvent struct {
	ID       string         `json:"id"`
	Status   backend.Status `json:"status"`
	Progress float64        `json:"progress"` // 0 to 1
}

// Export publishes the state of an export; the progress is 0 to 1.
func (e *Streams) Export(id string, status backend.Status, progress float64, ended bool) {
	now := exportEvent{ID: id, Status: status, Progress: progress}
	e.update(change{key: "export." + id, event: "export", brief: now, state: func() any { return now }, ended: ended})
}

// generationEvent is the data of the event for a changed generation.
type generationEvent struct {
	ID       string            `json:"id"`
	Status   backend.Status    `json:"status"`
	Progress float64           `json:"progress"`
	Made     *generationOrigin `json:"request,omitempty"`
}

// generationOrigin is what a generation was made for.
type generationOrigin struct {
	BookID string `json:"book_id"`
}

// Generation publishes the new state of a generation, see update. Call it after the state is stored, at acceptance and at
// every change.
func (e *Streams) Generation(g backend.Generation) {
	brief := generationEvent{ID: g.ID, Status: g.Status, Progress: g.Progress}
	if id := g.Request.BookID; id != "" {
		brief.Made = &generationOrigin{id}
	}
	e.update(change{
		key: g.ID, event: "generation", brief: brief,
		state: func() any { return e.views.Generation(g) }, ended: generationEnded(g),
	})
}

// transcriptChange is the data of the event for a changed transcript; without a status it was edited or deleted.
type transcriptChange struct {
	ID       string         `json:"id"`
	Status   backend.Status `json:"status,omitempty"`
	Progress float64        `json:"progress,omitempty"`

	FindingSpeakers *backend.FindingSpeakers `json:"finding_speakers,omitempty"` // while its speakers are found
}

// Transcript publishes the new state of a transcript, see update. Call it like Generation.
func (e *Streams) Transcript(t backend.Transcript) {
	event := Transcription
	if f := t.FindingSpeakers; f != nil && t.Status.Ended() && f.Progress > 0 {
		event = "" // nothing that a list shows has changed
	}
	e.update(change{
		key: t.ID, event: event, brief: transcriptChange{t.ID, t.Status, t.Progress, t.FindingSpeakers},
		state: func() any { return e.views.Transcript(t) }, ended: transcriptEnded(t),
	})
}

// transcriptEnded reports whether a transcript will not change by itself: one whose speakers are being found does.
func transcriptEnded(t backend.Transcript) bool { return t.Status.Ended() && t.FindingSpeakers == nil }

// modelEvent is the data of the event for a changed model.
type modelEvent struct {
	ModelName string                 `json:"model_name"`
	Status    backend.DownloadStatus `json:"status"`
	Current   int64                  `json:"current"`
	Total     int64                  `json:"total"`
	Retry     *backend.ModelRetry    `json:"retry,omitempty"`
}

// Model publishes a progress record of a download, see update. Call it for every record, in their order.
func (e *Streams) Model(p backend.ModelProgress) {
	e.update(change{
		key: modelKey(p.ModelName), event: "model", brief: modelEvent{p.ModelName, p.Status, p.Current, p.Total, p.Retry},
		state: func() any { return e.views.Model(p) }, ended: p.Ended(),
	})
}

// modelKey returns the stream key of a model, which differs from those of generations, which are UUIDs.
func modelKey(name string) string { return "model." + name }

// recordingChange is the data of the event for a recording.
type recordingChange struct {
	ID     string                  `json:"id"`
	Status backend.RecordingStatus `json:"status"`
}

// Recording publishes the state and level of a recording; changed reports a new status, which the UI is told.
func (e *Streams) Recording(r backend.Recording, changed bool) {
	if changed {
		e.Publish("recording", recordingChange{r.ID, r.Status})
	}
	e.update(change{key: recordingKey(r.ID), state: func() any { return e.views.Recording(r) }, ended: r.Status.Ended()})
}

// recordingKey returns the stream key of a recording.
func recordingKey(id string) string { return "recording." + id }

// generationEnded reports whether a generation will not change by itself: a complete one that is heard does.
func generationEnded(g backend.Generation) bool { return g.Status.Ended() && !g.Verifying }
