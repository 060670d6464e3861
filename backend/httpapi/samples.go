package httpapi

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/profiles"
)

// maxSampleFile is the maximum size of an uploaded sample in bytes: five minutes of audio in any format.
const maxSampleFile = 1 << 30

// sampleAudioRoute serves the audio of a sample, with the token or a signature.
const sampleAudioRoute = "/profiles/{profile_id}/samples/{sample_id}/audio"

// sampleHandlers are the routes of the recordings of a voice.
type sampleHandlers struct {
	*responder
	service *profiles.Service
	forms   *forms
	links   *Links
}

func (h *sampleHandlers) routes(r *router) {
	const formats = "A form with the recording as the part `file`, of at most 1 GiB and of any kind that ffmpeg reads, or JSON " +
		"with `recording_id`. At most the first five minutes are read, of which 3 to 60 seconds may remain without the silence at " +
		"both ends; else 422 `sample_rejected` with params reason (silent, no_speech, too_short, too_long, clipped) and seconds."
	post(r, "/profiles/{profile_id}/samples", "add-sample", "Add a recording of the voice of a cloned profile", h.addSample,
		h.forms.acceptForm(maxSampleFile, "NewSample"), status(http.StatusCreated), describe(formats))
	get(r, "/profiles/{profile_id}/samples", "samples", "List the samples of a profile, oldest first", h.samples)
	patch(r, "/profiles/{profile_id}/samples/{sample_id}", "patch-sample", "Change the transcript of a sample", h.patchSample)
	del(r, "/profiles/{profile_id}/samples/{sample_id}", "delete-sample", "Delete a sample and what was computed from it", h.deleteSample)
	r.file(sampleAudioRoute, "sample-audio", "Audio of a sample", h.sampleAudio, returnsFile("audio/wav"),
		queryParam("exp", "when the signature expires, in Unix seconds"), queryParam("sig", "the signature"),
		describe("Mono WAV. Accepts the token, or `exp` and `sig` as in `audio_url`. Supports Range and HEAD."))
	post(r, "/samples/check", "check-sample", "Check a recording of a voice; nothing is stored", h.checkSample,
		h.forms.acceptForm(maxSampleFile, "SampleToCheck"), describe(formats))
}

// Sample is a recording of the voice of a cloned profile as the API shows it.
type Sample struct {
	ID         string                  `json:"id" doc:"UUID version 7"`
	ProfileID  string                  `json:"profile_id"`
	Name       string                  `json:"name" doc:"of the uploaded file, or empty"`
	Seconds    float64                 `json:"seconds" doc:"without the silence at both ends"`
	SampleRate int                     `json:"sample_rate" doc:"Hz"`
	LevelLUFS  float64                 `json:"level_lufs"`
	NoiseDB    float64                 `json:"noise_db" doc:"level of the background in dB below full scale"`
	Clipped    bool                    `json:"clipped"`
	Speakers   int                     `json:"speakers" doc:"2 where the pitch suggests two people, else 1"`
	Warnings   []backend.SampleWarning `json:"warnings"`
	Transcript string                  `json:"transcript"`
	CreatedAt  time.Time               `json:"created_at"`
	AudioURL   string                  `json:"audio_url" doc:"a path that works without a token for one hour"`
}

func (h *sampleHandlers) sampleView(s backend.Sample) Sample {
	out := Sample{
		ID: s.ID, ProfileID: s.ProfileID, Name: s.Name, Seconds: s.Seconds, SampleRate: s.SampleRate, LevelLUFS: s.LevelLUFS,
		NoiseDB: s.NoiseDB, Clipped: s.Clipped, Speakers: s.Speakers, Warnings: s.Warnings, Transcript: s.Transcript,
		CreatedAt: s.CreatedAt.UTC(),
	}
	if out.Warnings == nil {
		out.Warnings = []backend.SampleWarning{}
	}
	if s.ProfileID != "" {
		out.AudioURL = h.links.signedURL("/profiles/" + s.ProfileID + "/samples/" + s.ID + "/audio")
	}
	return out
}

// SampleFields are the fields of a recording in a body; it is exported for huma.
type SampleFields struct {
	RecordingID ID       `json:"recording_id,omitempty" doc:"a recording of the microphone, in place of file"`
	From        *float64 `json:"from,omitempty" minimum:"0" doc:"seconds of the recording; default: the start"`
	To          *float64 `json:"to,omitempty" doc:"seconds of the recording; default: the end"`
	Transcript  string   `json:"transcript,omitempty" maxLength:"5000" doc:"what is said"`
	Transcribe  bool     `json:"transcribe,omitempty" doc:"an installed transcription model writes a missing transcript"`
}

// request returns the request for the file of the form or a recording of the microphone.
func (f SampleFields) request(file formFile) (profiles.NewSample, error) {
	n := profiles.NewSample{
		Source: profiles.Source{
			Path: file.path, Name: file.name, RecordingID: string(f.RecordingID), From: value(f.From), To: value(f.To),
		},
		Transcript: f.Transcript, Transcribe: f.Transcribe,
	}
	if f.To != nil && *f.To <= n.From {
		return n, backend.Invalid("greater_than", "Input should be greater than from", "body", "to")
	}
	if file.path == "" && f.RecordingID == "" && !file.form {
		return n, backend.Invalid("missing", "Field required", "body", "recording_id")
	}
	return n, nil
}

// value returns what p points to, or zero.
func value[T any](p *T) T { return *cmp.Or(p, new(T)) }

type sampleOutput struct {
	Body Sample
}

type addSampleInput struct {
	ProfilePath
	Body struct {
		Consent backend.ConsentKind `json:"consent" enum:"own_voice,permission" doc:"why the voice may be cloned: it is yours, or its owner allowed it"`
		By      string              `json:"consent_by,omitempty" maxLength:"200" doc:"whose statement it is; default: the name of your account on this machine"`
		SampleFields
	} `required:"true" nameHint:"NewSample"`
}

func (h *sampleHandlers) addSample(ctx context.Context, in *addSampleInput) (*sampleOutput, error) {
	n, err := in.Body.request(uploadOf(ctx).formFile)
	if err != nil {
		return nil, err
	}
	n.Consent, n.By = in.Body.Consent, in.Body.By
	s, err := h.service.AddSample(ctx, string(in.ID), n)
	if err != nil {
		return nil, err
	}
	return &sampleOutput{h.sampleView(s)}, nil
}

type samplesOutput struct {
	Body List[Sample] `nameHint:"Samples"`
}

func (h *sampleHandlers) samples(ctx context.Context, in *ProfilePath) (*samplesOutput, error) {
	list, err := h.service.Samples(ctx, string(in.ID))
	if err != nil {
		return nil, err
	}
	return &samplesOutput{whole(mapAll(list, h.sampleView))}, nil
}

// SamplePath is the id of a sample and of its profile in a path; it is exported for huma.
type SamplePath struct {
	ProfilePath
	SampleID ID `path:"sample_id"`
}

type patchSampleInput struct {
	SamplePath
	Body struct {
		Transcript string `json:"transcript" maxLength:"5000"`
	} `nameHint:"SampleChanges"`
}

func (h *sampleHandlers) patchSample(ctx context.Context, in *patchSampleInput) (*sampleOutput, error) {
	s, err := h.service.SetTranscript(ctx, string(in.ID), string(in.SampleID), in.Body.Transcript)
	if err != nil {
		return nil, err
	}
	return &sampleOutput{h.sampleView(s)}, nil
}

func (h *sampleHandlers) deleteSample(ctx context.Context, in *SamplePath) (*struct{}, error) {
	return nil, h.service.DeleteSample(ctx, string(in.ID), string(in.SampleID))
}

func (h *sampleHandlers) sampleAudio(w http.ResponseWriter, r *http.Request) {
	profile, err := pathID(r, "profile_id")
	var id, path string
	if err == nil {
		id, err = pathID(r, "sample_id")
	}
	if err == nil {
		path, err = h.service.SampleFile(r.Context(), profile, id)
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.serveAudio(w, r, path)
}

// SampleCheck is what a recording of a voice is like.
type SampleCheck struct {
	Sample
	From     float64      `json:"from" doc:"seconds of the file: where the part begins that is kept"`
	To       float64      `json:"to" doc:"seconds of the file: where it ends"`
	Duration float64      `json:"duration" doc:"seconds of the file, of which at most the first 300 are read"`
	Peaks    []float32    `json:"peaks" doc:"of the file, 0 to 1 each"`
	Models   []CloneModel `json:"models" doc:"the models that clone voices"`
}

// CloneModel is a model that clones voices, and whether it can use a recording.
type CloneModel struct {
	ModelName   string           `json:"model_name"`
	DisplayName string           `json:"display_name"`
	Downloaded  bool             `json:"downloaded"`
	SizeMB      int              `json:"size_mb"`
	Fits        backend.Fits     `json:"fits" enum:"yes,tight,no,unknown"`
	Languages   []string         `json:"languages"`
	Problem     *backend.Failure `json:"problem" doc:"why the model cannot use the recording, else null"`
}

type checkSampleInput struct {
	Body struct {
		SampleFields
	} `required:"true" nameHint:"SampleToCheck"`
}

type checkSampleOutput struct {
	Body SampleCheck
}

func (h *sampleHandlers) checkSample(ctx context.Context, in *checkSampleInput) (*checkSampleOutput, error) {
	n, err := in.Body.request(uploadOf(ctx).formFile)
	if err != nil {
		return nil, err
	}
	c, err := h.service.Check(ctx, n)
	if err != nil {
		return nil, err
	}
	return &checkSampleOutput{SampleCheck{
		Sample: h.sampleView(c.Sample), From: c.From, To: c.To, Duration: c.Duration, Peaks: c.Peaks,
		Models: mapAll(c.Models, func(m profiles.CheckedModel) CloneModel { return CloneModel(m) }),
	}}, nil
}
