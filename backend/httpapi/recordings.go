package httpapi

import (
	"cmp"
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/recordings"
)

// recordingHandlers are the routes of recordings from a microphone.
type recordingHandlers struct {
	*responder
	service *recordings.Service
	events  *events.Streams
}

func (h *recordingHandlers) routes(r *router) {
	if h.service == nil {
		return
	}
	get(r, "/recordings/devices", "recording-devices", "List the microphones", h.recordingDevices,
		describe("Empty where there is no microphone or no sound system. Monitors of outputs are listed too where the sound system has them."))
	post(r, "/recordings", "start-recording", "Record from a microphone", h.startRecording, status(http.StatusCreated),
		describe("One recording runs at a time. It ends by itself after 4 hours. Audio that no transcript or voice has used is deleted "+
			"at the first start after a day."))
	get(r, "/recordings/{recording_id}", "recording", "Get a recording", h.recording)
	r.file("/recordings/{recording_id}/events", "recording-events", "Status and level as server-sent events", h.recordingEvents, eventStream,
		describe("Each message is the recording with its level, at most 10 a second; the last one is stopped or failed."))
	r.file("/recordings/{recording_id}/audio", "recording-audio", "Audio of a recording", h.recordingAudio, audioFile(),
		describe("A WAV file, which can be read while it grows. Supports Range and HEAD."))
	post(r, "/recordings/{recording_id}/pause", "pause-recording", "Pause a recording", h.pauseRecording)
	post(r, "/recordings/{recording_id}/resume", "resume-recording", "Resume a paused recording", h.resumeRecording)
	post(r, "/recordings/{recording_id}/stop", "stop-recording", "Stop a recording", h.stopRecording)
	del(r, "/recordings/{recording_id}", "delete-recording", "Delete a recording with its audio, also while it is running", h.deleteRecording)
}

// Recording is a recording as the API shows it.
type Recording struct {
	ID      string                   `json:"id" doc:"UUID version 7"`
	Status  backend.RecordingStatus  `json:"status" enum:"recording,paused,stopped,failed"`
	Purpose backend.RecordingPurpose `json:"purpose" enum:"transcript,sample,dictation"`
	Device  string                   `json:"device" doc:"id of the microphone; empty for the system's default"`
	Seconds float64                  `json:"seconds" doc:"of audio so far, without pauses"`
	LevelDB float64                  `json:"level_db" doc:"RMS of the last moment in dB below full scale, at least -100"`
	PeakDB  float64                  `json:"peak_db" doc:"highest sample of the last moment in dB below full scale, at least -100"`
	Clipped bool                     `json:"clipped" doc:"a sample has reached full scale since the recording started"`
	Dropped float64                  `json:"dropped" doc:"seconds of audio lost because this machine was too busy"`
	Error   *backend.Failure         `json:"error" doc:"why it ended; null where it was stopped by a request or at the longest duration"`
}

type recordingOutput struct {
	Body Recording
}

// RecordingPath is the id of a recording in a path; it is exported for huma.
type RecordingPath struct {
	ID ID `path:"recording_id"`
}

type recordingDevicesOutput struct {
	Body List[AudioDevice] `nameHint:"AudioDevices"`
}

// AudioDevice is a microphone as the API shows it.
type AudioDevice struct {
	ID      string `json:"id" doc:"the same after a restart"`
	Name    string `json:"name"`
	Default bool   `json:"default" doc:"the system's default"`
}

func (h *recordingHandlers) recordingDevices(ctx context.Context, _ *struct{}) (*recordingDevicesOutput, error) {
	devices, err := h.service.Devices(ctx)
	return &recordingDevicesOutput{whole(mapAll(devices, func(d backend.AudioDevice) AudioDevice { return AudioDevice(d) }))}, err
}

type startRecordingInput struct {
	Body *struct {
		Device  string                   `json:"device,omitempty" maxLength:"512" doc:"id of a microphone; absent: the system's default"`
		Purpose backend.RecordingPurpose `json:"purpose,omitempty" enum:"transcript,sample,dictation" doc:"absent: transcript"`
	} `nameHint:"NewRecording"`
}

func (h *recordingHandlers) startRecording(ctx context.Context, in *startRecordingInput) (*recordingOutput, error) {
	device, purpose := "", backend.RecordTranscript
	if in.Body != nil {
		device, purpose = in.Body.Device, cmp.Or(in.Body.Purpose, purpose)
	}
	r, err := h.service.Start(ctx, device, purpose)
	return &recordingOutput{Recording(r)}, err
}

func (h *recordingHandlers) recording(ctx context.Context, in *RecordingPath) (*recordingOutput, error) {
	r, err := h.service.Get(ctx, string(in.ID))
	return &recordingOutput{Recording(r)}, err
}

func (h *recordingHandlers) pauseRecording(ctx context.Context, in *RecordingPath) (*recordingOutput, error) {
	r, err := h.service.Pause(ctx, string(in.ID))
	return &recordingOutput{Recording(r)}, err
}

func (h *recordingHandlers) resumeRecording(ctx context.Context, in *RecordingPath) (*recordingOutput, error) {
	r, err := h.service.Resume(ctx, string(in.ID))
	return &recordingOutput{Recording(r)}, err
}

func (h *recordingHandlers) stopRecording(ctx context.Context, in *RecordingPath) (*recordingOutput, error) {
	r, err := h.service.Stop(ctx, string(in.ID))
	return &recordingOutput{Recording(r)}, err
}

func (h *recordingHandlers) deleteRecording(ctx context.Context, in *RecordingPath) (*struct{}, error) {
	err := h.service.DeleteRecording(ctx, string(in.ID))
	h.events.Changed("recording", string(in.ID), err)
	return nil, err
}

func (h *recordingHandlers) recordingEvents(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r, "recording_id")
	if err == nil {
		err = h.events.ServeRecording(w, r, id, func(ctx context.Context) (backend.Recording, error) { return h.service.Get(ctx, id) })
	}
	if err != nil {
		h.fail(w, r, err)
	}
}

func (h *recordingHandlers) recordingAudio(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r, "recording_id")
	var path string
	if err == nil {
		path, err = h.service.File(r.Context(), id)
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.serveAudio(w, r, path)
}
