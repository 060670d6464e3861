package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/transcribe/cast"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
)

func (h *transcriptHandlers) speakerRoutes(r *router) {
	post(r, "/transcriptions/{transcript_id}/speakers", "find-speakers", "Find the speakers of a transcript", h.findSpeakers,
		accepts("Transcript"), describe("By its stored audio, without transcribing it again. With the mode off what was found is removed; "+
			"channels makes the left channel of the source one speaker and the right one another. "+
			"What a person set stays in any case."))
	post(r, "/transcriptions/{transcript_id}/segments/{segment_id}/split", "split-segment", "Cut a segment before a word", h.splitSegment)
	if h.profiles != nil {
		post(r, "/transcriptions/{transcript_id}/script", "make-script", "Make a script of a transcript with speakers", h.makeScript,
			status(http.StatusCreated), describe("As drafts of the page, which nobody has spoken yet: one, or more where it has over 200 turns or "+
				"200,000 characters. What a speaker says in a row is a turn."))
	}
}

// speakersOption is how the speakers of a transcript are found: auto, channels, off, a number, or an object, which a form may carry
// as a text.
type speakersOption backend.SpeakerOptions

// Schema implements huma.SchemaProvider.
func (speakersOption) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeInteger}, {
		Type: huma.TypeObject, AdditionalProperties: true,
		Properties: map[string]*huma.Schema{
			"mode": {Type: huma.TypeString}, "count": {Type: huma.TypeInteger}, "pace": {Type: huma.TypeString},
		},
	}}}
}

// UnmarshalJSON reads all forms.
func (s *speakersOption) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		text = strings.TrimSpace(text)
		if !strings.HasPrefix(text, "{") {
			*s = speakersOf(text)
			return nil
		}
		data = []byte(text)
	}
	if n, err := strconv.Atoi(string(data)); err == nil {
		*s = speakersOf(strconv.Itoa(n))
		return nil
	}
	var given struct {
		Mode  backend.SpeakerMode `json:"mode"`
		Count *int                `json:"count"`
		Pace  backend.SpeakerPace `json:"pace"`
	}
	err := json.Unmarshal(data, &given)
	s.Mode, s.Pace = given.Mode, given.Pace
	if given.Count != nil {
		s.Count = atLeastOne(*given.Count)
	}
	return err
}

// atLeastOne returns a number, and -1 for 0, which would count as absent: the service refuses it.
func atLeastOne(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// speakersOf returns the options that a word or a number means.
func speakersOf(text string) speakersOption {
	n, err := strconv.Atoi(text)
	if err != nil {
		return speakersOption{Mode: backend.SpeakerMode(strings.ToLower(text))}
	}
	return speakersOption{Mode: backend.SpeakersNumber, Count: atLeastOne(n)}
}

func (s *speakersOption) options() *backend.SpeakerOptions { return (*backend.SpeakerOptions)(s) }

type findSpeakersInput struct {
	TranscriptPath
	PreferHeader
	Body struct {
		Mode     string `json:"mode,omitempty" enum:"auto,number,channels,off" doc:"channels: of a stereo source; default: auto"`
		Count    *int   `json:"count,omitempty" minimum:"1" maximum:"100" doc:"exactly so many; with auto at most, default: 20"`
		Pace     string `json:"pace,omitempty" enum:"thorough,balanced,fast" doc:"default: the setting transcribe.speakers_pace"`
		Reassign bool   `json:"reassign,omitempty" doc:"compare each line with the voices of the lines that a person set, and find no new speakers"`
	} `nameHint:"SpeakersRequest"`
}

func (h *transcriptHandlers) findSpeakers(ctx context.Context, in *findSpeakersInput) (*transcriptOutput, error) {
	request := finder.Request{Reassign: in.Body.Reassign}
	request.Mode, request.Pace = backend.SpeakersAuto, backend.SpeakerPace(in.Body.Pace)
	if in.Body.Mode != "" {
		request.Mode = backend.SpeakerMode(in.Body.Mode)
	}
	if in.Body.Count != nil {
		request.Count = *in.Body.Count
	}
	if async(in.Prefer) {
		t, err := h.service.Speakers.Submit(ctx, string(in.ID), request)
		return h.transcriptAnswer(http.StatusAccepted, t, err)
	}
	t, err := h.service.Speakers.Find(ctx, string(in.ID), request)
	return h.transcriptAnswer(http.StatusOK, t, err)
}

type splitSegmentInput struct {
	TranscriptPath
	SegmentID int `path:"segment_id"`
	Body      struct {
		Word int `json:"word" minimum:"2" doc:"the word that begins the second part, counted from 1"`
	} `nameHint:"SplitRequest"`
}

func (h *transcriptHandlers) splitSegment(ctx context.Context, in *splitSegmentInput) (*transcriptOutput, error) {
	t, err := h.service.Speakers.Split(ctx, string(in.ID), in.SegmentID, in.Body.Word)
	return h.transcriptAnswer(http.StatusOK, t, err)
}

type makeScriptInput struct {
	TranscriptPath
	Body *struct {
		Voices map[string]string `json:"voices,omitempty" doc:"profiles (UUID) by the names of speakers; others get the profile of their name, else one in the language of the text that no other speaker has, else the default one"`
	} `nameHint:"MakeScriptRequest"`
}

type makeScriptOutput struct {
	Body struct {
		Items []Draft `json:"items" doc:"in order; their content has kind script"`
	} `nameHint:"MadeScript"`
}

func (h *transcriptHandlers) makeScript(ctx context.Context, in *makeScriptInput) (*makeScriptOutput, error) {
	t, err := h.service.Transcript(ctx, string(in.ID))
	if err != nil {
		return nil, err
	}
	request := cast.Request{Transcript: t, Voices: map[string]string{}}
	if request.Profiles, err = allProfiles(ctx, h.store); err != nil {
		return nil, err
	}
	h.profiles.Describe(request.Profiles)
	if in.Body != nil {
		for name, profile := range in.Body.Voices {
			request.Voices[name] = canonicalID(profile)
		}
	}
	drafts, err := cast.Script(ctx, h.store, request)
	if err != nil {
		return nil, err
	}
	out := &makeScriptOutput{}
	for _, d := range drafts {
		h.events.Changed("draft", d.ID, nil)
		out.Body.Items = append(out.Body.Items, Draft(d))
	}
	return out, nil
}
