package httpapi

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/export"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/studio"
)

// ScriptFields are the fields that are the same in a Script and a ScriptRow; it is exported for huma.
type ScriptFields struct {
	ID         string    `json:"id" doc:"UUID version 7"`
	Title      string    `json:"title"`
	GapMS      int       `json:"gap_ms" doc:"silence between turns, in milliseconds"`
	AudioPath  string    `json:"audio_path" doc:"absolute path of the joined file, empty until it is joined"`
	Duration   float64   `json:"duration" doc:"seconds of the joined file, 0 until it is joined"`
	SampleRate int       `json:"sample_rate" doc:"Hz, 0 until it is joined"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	AudioURL   string    `json:"audio_url" doc:"a path that works without a token for one hour; empty until it is joined"`
	Speakers   []string  `json:"speakers" doc:"names of the turns' speakers, empty for those of their profile; empty list where none was given"`
	CanUndo    bool      `json:"can_undo" doc:"true when the version before the last revision can be taken back"`
}

// Script is a script as the API shows it by itself.
type Script struct {
	ScriptFields
	Turns []Generation `json:"turns" doc:"those that are still in the history"`

	Receipt *backend.ScriptReceipt `json:"receipt" doc:"how the voices were levelled; null until it is joined"`
}

// ScriptRow is a script in a list.
type ScriptRow struct {
	ScriptFields
	Turns []GenerationRow `json:"turns" doc:"those that are still in the history"`
}

func (l *Links) scriptFields(s backend.Script) ScriptFields {
	f := ScriptFields{
		ID: s.ID, Title: s.Title, GapMS: s.GapMS, AudioPath: s.AudioPath, Duration: s.Duration, SampleRate: s.SampleRate,
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, CanUndo: s.Previous != nil, Speakers: append([]string{}, s.Speakers...),
	}
	if s.AudioPath != "" {
		f.AudioURL = l.audioURL(s.ID)
	}
	return f
}

type scriptOutput struct {
	Status  int
	Applied string `header:"Preference-Applied" doc:"the preference that was applied"`
	Body    Script
}

// scriptHandlers are the routes of scripts.
type scriptHandlers struct {
	speech  *studio.Studio
	export  *export.Service
	exports *exports
	events  *events.Streams
	links   *Links
}

func (h *scriptHandlers) routes(r *router) {
	post(r, "/script", "script", "Generate speech in several voices", h.script, accepts("Script"))
	get(r, "/scripts", "scripts", "List the scripts, newest first", h.scripts)
	get(r, "/scripts/{script_id}", "stored-script", "Get a script with its turns", h.storedScript)
	put(r, "/scripts/{script_id}", "revise-script", "Change a script: only new and changed turns are generated", h.reviseScript,
		status(http.StatusAccepted), describe("Equal turns keep their audio whatever their place. The script and its file stay as they are "+
			"until the new file is there, also when a turn fails. `turns` are those of the new version."))
	post(r, "/scripts/{script_id}/revise/undo", "undo-script", "Return to the version before the last change", h.undoScript)
	post(r, "/scripts/{script_id}/join", "join-script", "Join the turns of a script again", h.joinScript)
	r.file("/scripts/{script_id}/export", "export-script", "Export a script as audio or subtitles", h.exportScript,
		audioFile("application/x-subrip", "text/vtt"), queryParam("format", "absent: wav", backend.ExportFormats()...), exportParams)
	del(r, "/scripts/{script_id}", "delete-script", "Delete a script; its turns stay in the history", h.deleteScript)
}

func (h *scriptHandlers) scriptAnswer(status int, s backend.ScriptWithTurns, err error) (*scriptOutput, error) {
	if err != nil {
		return nil, err
	}
	return &scriptOutput{Status: status, Body: h.links.scriptView(s)}, nil
}

func (l *Links) scriptView(s backend.ScriptWithTurns) Script {
	return Script{ScriptFields: l.scriptFields(s.Script), Turns: mapAll(s.Turns, l.generationView), Receipt: s.Receipt}
}

type scriptTurn struct {
	ProfileID string   `json:"profile_id" doc:"UUID of the voice profile"`
	Text      string   `json:"text" minLength:"1" doc:"1 to 200,000 characters after trimming"`
	Speed     *float64 `json:"speed,omitempty" minimum:"0.25" maximum:"4"`
	Voice     string   `json:"voice,omitempty" maxLength:"200" doc:"MODEL:VOICE instead of the profile's voice"`
	Language  string   `json:"language,omitempty" maxLength:"35" doc:"BCP 47"`
	Seed      *int64   `json:"seed,omitempty" minimum:"0" maximum:"2147483647"`

	Speaker      string `json:"speaker,omitempty" maxLength:"100" doc:"name in subtitles, tags and lists; absent: that of the profile"`
	GenerationID ID     `json:"generation_id,omitempty" doc:"for PUT: a generation with the same text and voice, to keep for this turn"`
}

// defaultGapMS is the default silence between turns in milliseconds.
const defaultGapMS = 300

// ScriptRequest is the body of POST /script; it is exported for huma.
type ScriptRequest struct {
	Turns []scriptTurn `json:"turns" minItems:"1" maxItems:"200"`
	GapMS *int         `json:"gap_ms,omitempty" minimum:"0" maximum:"60000" doc:"silence between turns; default 300"`
	Title string       `json:"title,omitempty" maxLength:"200"`

	AcceptCredits *int64 `json:"accept_credits,omitempty" minimum:"0" doc:"the price of all hosted turns that the user accepted"`
}

type scriptInput struct {
	PreferHeader
	Body ScriptRequest
}

func (in ScriptRequest) request() scripts.Request {
	gap := defaultGapMS
	if in.GapMS != nil {
		gap = *in.GapMS
	}
	r := scripts.Request{Gap: time.Duration(gap) * time.Millisecond, Title: in.Title, AcceptCredits: in.AcceptCredits}
	var speakers []string
	named := false
	for _, t := range in.Turns {
		r.Turns = append(r.Turns, generations.Request{ProfileID: canonicalID(t.ProfileID), Text: t.Text, GenerateOptions: backend.GenerateOptions{
			Voice: t.Voice, Language: t.Language, Seed: t.Seed, Speed: t.Speed,
		}})
		speakers, named = append(speakers, strings.TrimSpace(t.Speaker)), named || strings.TrimSpace(t.Speaker) != ""
		r.Keep = append(r.Keep, string(t.GenerationID))
	}
	if named {
		r.Speakers = speakers
	}
	return r
}

func (h *scriptHandlers) script(ctx context.Context, in *scriptInput) (*scriptOutput, error) {
	if async(in.Prefer) {
		r := in.Body.request()
		r.Ended = h.events.ScriptJoined
		s, err := h.speech.Scripts.SubmitScript(ctx, r)
		h.events.Changed(events.Script, s.ID, err)
		out, err := h.scriptAnswer(http.StatusAccepted, s, err)
		if err == nil {
			out.Applied = respondAsync
		}
		return out, err
	}
	s, err := h.speech.Scripts.Script(ctx, in.Body.request())
	if s.ID != "" {
		h.events.ScriptJoined(s.ID, err)
	}
	return h.scriptAnswer(http.StatusOK, s, err)
}

type scriptsInput struct {
	Paging
	Full
}

type scriptsOutput struct {
	Body List[ScriptRow] `nameHint:"Scripts"`
}

func (h *scriptHandlers) scripts(ctx context.Context, in *scriptsInput) (*scriptsOutput, error) {
	list, err := h.speech.Scripts.List(ctx, in.page(), !in.Full.Full)
	if err != nil {
		return nil, err
	}
	return &scriptsOutput{mapList(list, func(s backend.ScriptWithTurns) ScriptRow {
		row := ScriptRow{ScriptFields: h.links.scriptFields(s.Script), Turns: make([]GenerationRow, len(s.Turns))}
		for i, g := range s.Turns {
			row.Turns[i] = h.links.row(g, in.Full.Full)
		}
		return row
	})}, nil
}

// ScriptPath is the id of a script in a path; it is exported for huma.
type ScriptPath struct {
	ID ID `path:"script_id"`
}

func (h *scriptHandlers) storedScript(ctx context.Context, in *ScriptPath) (*scriptOutput, error) {
	s, err := h.speech.Scripts.StoredScript(ctx, string(in.ID))
	return h.scriptAnswer(http.StatusOK, s, err)
}

func (h *scriptHandlers) joinScript(ctx context.Context, in *ScriptPath) (*scriptOutput, error) {
	s, err := h.speech.Scripts.JoinScript(ctx, string(in.ID))
	if err == nil {
		h.events.ScriptJoined(s.ID, nil)
	}
	return h.scriptAnswer(http.StatusOK, s, err)
}

type reviseScriptInput struct {
	ScriptPath
	Body ScriptRequest
}

// RevisedScript is a script whose new turns are being generated; it is exported for huma.
type RevisedScript struct {
	Script
	Reused    int `json:"reused" doc:"turns that keep their audio"`
	Generated int `json:"generated" doc:"turns that are generated"`
	Removed   int `json:"removed" doc:"turns of the version before that the script no longer has"`
}

type revisedScriptOutput struct{ Body RevisedScript }

func (h *scriptHandlers) reviseScript(ctx context.Context, in *reviseScriptInput) (*revisedScriptOutput, error) {
	r := in.Body.request()
	r.Ended = h.events.ScriptJoined
	s, revision, err := h.speech.Scripts.ReviseScript(ctx, string(in.ID), r)
	h.events.Changed(events.Script, string(in.ID), err)
	if err != nil {
		return nil, err
	}
	return &revisedScriptOutput{RevisedScript{h.links.scriptView(s), revision.Reused, revision.Generated, revision.Removed}}, nil
}

func (h *scriptHandlers) undoScript(ctx context.Context, in *ScriptPath) (*scriptOutput, error) {
	s, err := h.speech.Scripts.UndoRevision(ctx, string(in.ID))
	if err == nil {
		h.events.ScriptJoined(s.ID, nil)
	}
	return h.scriptAnswer(http.StatusOK, s, err)
}

func (h *scriptHandlers) deleteScript(ctx context.Context, in *ScriptPath) (*struct{}, error) {
	err := h.speech.Scripts.DeleteScript(ctx, string(in.ID))
	h.events.Changed(events.Script, string(in.ID), err)
	return nil, err
}
