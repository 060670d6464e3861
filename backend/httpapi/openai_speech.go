package httpapi

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/httpapi/openai"
	"github.com/voicewright/voicewright/backend/settings"
)

type openAISpeechInput struct {
	Body struct {
		Model          string           `json:"model" maxLength:"200" doc:"a model name, espeak, or tts-1 and its like for the default"`
		Input          string           `json:"input" minLength:"1" doc:"1 to 200,000 characters"`
		Voice          openai.VoiceName `json:"voice,omitempty" doc:"a profile, a voice of the model, or alloy and its like for the default; also as the id of an object"`
		ResponseFormat string           `json:"response_format,omitempty" doc:"mp3 (default), opus, aac, flac, wav or pcm, in any case"`
		Speed          *float64         `json:"speed,omitempty" minimum:"0.25" maximum:"4"`
		StreamFormat   string           `json:"stream_format,omitempty" doc:"audio (default) or sse, in any case"`
	} `nameHint:"OpenAISpeech"`
}

func (h *openAIHandlers) openAISpeech(ctx context.Context, in *openAISpeechInput) (*huma.StreamResponse, error) {
	b := in.Body
	format, err := openai.ChoiceOf("response_format", b.ResponseFormat, backend.FormatMP3, "mp3", "opus", "aac", "flac", "wav", "pcm")
	if err != nil {
		return nil, err
	}
	streamed, err := openai.ChoiceOf("stream_format", b.StreamFormat, "audio", "audio", "sse")
	if err != nil {
		return nil, err
	}
	request, err := h.openAIVoice(ctx, b.Model, string(b.Voice))
	if err != nil {
		return nil, err
	}
	request.Text, request.Speed, request.Format = b.Input, b.Speed, storedFormat(format)
	g, err := h.speech.Generations.Generate(ctx, request)
	if err != nil {
		return nil, err
	}
	file, err := h.export.Speech(ctx, g.ID, format)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer file.Close()
		c.SetHeader("X-Generation-Id", g.ID)
		c.SetHeader("Cache-Control", "no-store")
		c.SetHeader("Content-Type", openAIAudio[format])
		send := func(w io.Writer, r io.Reader) error { _, err := io.Copy(w, r); return err }
		if streamed == "sse" {
			c.SetHeader("Content-Type", eventType)
			send = sendSpeechEvents
		}
		f, err := os.Open(file.Path)
		if err != nil {
			panic(http.ErrAbortHandler) // it was deleted meanwhile
		}
		defer func() { _ = f.Close() }()
		c.SetStatus(http.StatusOK)
		if err := send(flushing{c.BodyWriter()}, f); err != nil {
			panic(http.ErrAbortHandler) // only a broken connection can still show that the audio is incomplete
		}
	}}, nil
}

// eventAudio is how many bytes of audio an event has.
const eventAudio = 48 << 10

// OpenAIVoice is a voice in the shape that clients of OpenAI's API ask for.
type OpenAIVoice struct {
	ID       string `json:"id" doc:"for voice in /v1/audio/speech: the id of a profile"`
	Object   string `json:"object" enum:"voice"`
	Name     string `json:"name"`
	Language string `json:"language" doc:"BCP 47"`
}

type openAIVoicesOutput struct {
	Body struct {
		Voices []OpenAIVoice `json:"voices"`
	} `nameHint:"OpenAIVoices"`
}

// openAIAudioVoices lists the profiles that this machine can speak with.
func (h *openAIHandlers) openAIAudioVoices(ctx context.Context, _ *struct{}) (*openAIVoicesOutput, error) {
	profiles, err := allProfiles(ctx, h.store)
	if err != nil {
		return nil, err
	}
	out := &openAIVoicesOutput{}
	out.Body.Voices = []OpenAIVoice{}
	for _, p := range profiles {
		if p.Usable {
			out.Body.Voices = append(out.Body.Voices, OpenAIVoice{ID: p.ID, Object: "voice", Name: p.Name, Language: p.Language})
		}
	}
	return out, nil
}

// sendSpeechEvents sends audio as OpenAI's events.
func sendSpeechEvents(w io.Writer, audio io.Reader) error {
	buf := make([]byte, eventAudio)
	for {
		n, err := io.ReadFull(audio, buf)
		if n > 0 {
			event := map[string]any{"type": "speech.audio.delta", "audio": base64.StdEncoding.EncodeToString(buf[:n])}
			if err := sendOpenAIEvent(w, event); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	usage := map[string]int{"input_tokens": 0, "output_tokens": 0, "total_tokens": 0} // nothing is billed
	return sendOpenAIEvent(w, map[string]any{"type": "speech.audio.done", "usage": usage})
}

// sendOpenAIEvent sends an unnamed event.
func sendOpenAIEvent(w io.Writer, event any) error {
	data, err := json.Marshal(event)
	if err == nil {
		_, err = w.Write(bytes.Join([][]byte{[]byte("data: "), data, []byte("\n\n")}, nil))
	}
	return err
}

// openAIVoice returns the request for a model and a voice as OpenAI's clients name them. It always has a profile: the one
// named, else that of the voice, else the built-in voice.
func (h *openAIHandlers) openAIVoice(ctx context.Context, model, voice string) (generations.Request, error) {
	profiles, err := allProfiles(ctx, h.store)
	if err != nil {
		return generations.Request{}, err
	}
	r := generations.Request{GenerateOptions: backend.GenerateOptions{ModelName: openai.ModelNamed(model, openai.SpeechModels)}}
	find := func(match func(backend.Profile) bool) bool {
		i := slices.IndexFunc(profiles, match)
		if i >= 0 {
			r.ProfileID = profiles[i].ID
		}
		return i >= 0
	}
	builtIn := func(p backend.Profile) bool { return p.Name == backend.BuiltInProfileName }
	if voice = strings.TrimSpace(voice); voice != "" && !slices.Contains(openai.Voices, strings.ToLower(voice)) {
		if find(isVoice(voice)) {
			return r, nil
		}
		r.Voice = h.voiceOfModel(r.ModelName, voice)
	} else if r.ModelName != "" {
		r.Voice = r.ModelName + ":"
	} else if chosen := h.defaultVoice(); chosen != h.models.BuiltIn() {
		r.Voice = chosen
	}
	r.ModelName = ""
	if id, ok := h.presetID(r.Voice); ok && find(id) || find(builtIn) || find(func(backend.Profile) bool { return true }) {
		return r, nil
	}
	return r, backend.E(backend.CodeProfileNotFound, "This library has no voice profile.", "Create one, for example with POST /profiles.")
}

// isVoice returns which profile a client means by a voice: its id or name, or that of its Piper voice, such as
// en_US-lessac-medium.
func isVoice(voice string) func(backend.Profile) bool {
	return func(p backend.Profile) bool {
		key, _, keyed := strings.Cut(p.PresetVoiceID, "#")
		return p.ID == canonicalID(voice) || strings.EqualFold(p.Name, voice) || keyed && strings.EqualFold(key, voice)
	}
}

// voiceOfModel returns MODEL:VOICE for a voice of a model, empty for the default one. Case does not matter.
func (h *openAIHandlers) voiceOfModel(model, voice string) string {
	if model == "" {
		model, _, _ = strings.Cut(h.defaultVoice(), ":")
	}
	if m, err := h.models.Model(model); err == nil {
		for _, v := range m.Voices {
			if strings.EqualFold(v.ID, voice) {
				return model + ":" + v.ID
			}
		}
	}
	return model + ":" + voice
}

// defaultVoice returns MODEL:VOICE of the setting if the user has set it, else the name of the built-in engine.
func (h *openAIHandlers) defaultVoice() string {
	if prefs := h.settings; prefs.IsSet(settings.DefaultVoice) {
		return prefs.String(settings.DefaultVoice)
	}
	return h.models.BuiltIn()
}

// presetID returns which profile has a voice MODEL:VOICE as its preset.
func (h *openAIHandlers) presetID(voice string) (match func(backend.Profile) bool, ok bool) {
	name, id, _ := strings.Cut(voice, ":")
	m, err := h.models.Model(name)
	if err != nil {
		return nil, false
	}
	v, found := m.Voice(id)
	return func(p backend.Profile) bool {
		_, speaker, keyed := strings.Cut(p.PresetVoiceID, "#")
		return p.VoiceType == backend.VoicePreset && p.PresetEngine == m.Engine &&
			(p.PresetVoiceID == v.ID || keyed && speaker == v.ID && strings.EqualFold(p.ModelName, m.Name))
	}, found && voice != ""
}

// allProfiles returns all profiles, by name.
func allProfiles(ctx context.Context, store Store) ([]backend.Profile, error) {
	var all []backend.Profile
	f := backend.ProfileFilter{All: true, Page: backend.Page{Limit: backend.MaxPageLimit}}
	for {
		list, err := store.Profiles(ctx, f)
		if err != nil {
			return nil, err
		}
		all = append(all, list.Items...)
		if list.NextCursor == nil {
			return all, nil
		}
		f.Cursor = *list.NextCursor
	}
}
