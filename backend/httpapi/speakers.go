package httpapi

import (
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/voiceprints"
)

// voiceHandlers are the routes of voice prints.
type voiceHandlers struct{ service *voiceprints.Service }

func (h *voiceHandlers) routes(r *router) {
	if h.service == nil {
		return
	}
	get(r, "/speakers", "speakers", "List the known speakers by name", h.list,
		describe("People whose voice prints are stored, so that later transcripts suggest their names. The prints are in no answer."))
	post(r, "/speakers", "remember-speaker", "Store the voice print of a speaker of a transcript", h.remember, status(http.StatusCreated),
		alsoReturns(http.StatusOK, "The print of the known speaker with this name is better now", "KnownSpeaker"),
		describe("The lines of the speaker are heard again, up to 60 seconds. A name that is known, ignoring case, gets a better print."))
	patch(r, "/speakers/{speaker_id}", "patch-speaker", "Rename a known speaker", h.rename)
	del(r, "/speakers/{speaker_id}", "forget-speaker", "Delete a known speaker with the voice print", h.forget)
	post(r, "/speakers/verify", "verify-speakers", "Measure how well voices are told apart, with recordings of your own", h.verify,
		describe("The folder has a folder for each person. Nothing is stored."))
}

type speakersOutput struct {
	Body List[voiceprints.KnownSpeaker] `nameHint:"KnownSpeakers"`
}

func (h *voiceHandlers) list(context.Context, *struct{}) (*speakersOutput, error) {
	return &speakersOutput{whole(h.service.Speakers())}, nil
}

type rememberInput struct {
	Body struct {
		TranscriptionID ID                  `json:"transcription_id"`
		Speaker         string              `json:"speaker" minLength:"1" doc:"the name in the transcript"`
		Name            string              `json:"name,omitempty" maxLength:"100" doc:"of the person; default: that name, where a person gave it"`
		Consent         backend.ConsentKind `json:"consent" enum:"own_voice,permission" doc:"why the voice print may be stored: the voice is yours, or its owner allowed it"`
		By              string              `json:"consent_by,omitempty" maxLength:"200" doc:"whose statement it is; default: the name of your account on this machine"`
	} `nameHint:"NewKnownSpeaker"`
}

type rememberOutput struct {
	Status int
	Body   voiceprints.KnownSpeaker
}

func (h *voiceHandlers) remember(ctx context.Context, in *rememberInput) (*rememberOutput, error) {
	b := in.Body
	known, created, err := h.service.Remember(ctx, voiceprints.NewSpeaker{
		TranscriptID: string(b.TranscriptionID), Speaker: b.Speaker, Name: b.Name, Consent: b.Consent, By: b.By,
	})
	if !created {
		return &rememberOutput{http.StatusOK, known}, err
	}
	return &rememberOutput{http.StatusCreated, known}, err
}

// SpeakerPath is the id of a known speaker in a path; it is exported for huma.
type SpeakerPath struct {
	SpeakerID ID `path:"speaker_id"`
}

type renameSpeakerInput struct {
	SpeakerPath
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"100"`
	} `nameHint:"KnownSpeakerChanges"`
}

func (h *voiceHandlers) rename(_ context.Context, in *renameSpeakerInput) (*rememberOutput, error) {
	known, err := h.service.Rename(string(in.SpeakerID), in.Body.Name)
	return &rememberOutput{http.StatusOK, known}, err
}

func (h *voiceHandlers) forget(_ context.Context, in *SpeakerPath) (*struct{}, error) {
	return nil, h.service.Forget(string(in.SpeakerID))
}

type voiceCheckInput struct {
	Body struct {
		Path string `json:"path" minLength:"1" doc:"a folder on this machine, also as a file: URL, where its bytes are no UTF-8"`
	} `nameHint:"VoiceCheckRequest"`
}

type voiceCheckOutput struct{ Body backend.VoiceCheck }

func (h *voiceHandlers) verify(ctx context.Context, in *voiceCheckInput) (*voiceCheckOutput, error) {
	path, err := localPath(in.Body.Path)
	if err != nil {
		return nil, err
	}
	out, err := h.service.Verify(ctx, path)
	return &voiceCheckOutput{out}, err
}
