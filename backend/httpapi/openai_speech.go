package httpapi

import (
	"bytes"
	"cmp"
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
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/speech"
)

// openAIVoices are OpenAI's names of voices, which mean the default voice.
var openAIVoices = []string{
	"alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer", "verse",
}

type openAISpeechInput struct {
	Body struct {
		Model          string   `json:"model" maxLength:"200" doc:"a model name, espeak, or tts-1 and its like for the default"`
		Input          string   `json:"input" doc:"1 to 200,000 characters"`
		Voice          string   `json:"voice,omitempty" maxLength:"200" doc:"a profile, a voice of the model, or alloy and its like for the default"`
		ResponseFormat string   `json:"response_format,omitempty" enum:"mp3,opus,aac,flac,wav,pcm" doc:"default: mp3"`
		Speed          *float64 `json:"speed,omitempty" minimum:"0.25" maximum:"4"`
		StreamFormat   string   `json:"stream_format,omitempty" enum:"audio,sse" doc:"default: audio"`
	} `nameHint:"OpenAISpeech"`
}

func (a *API) openAISpeech(ctx context.Context, in *openAISpeechInput) (*huma.StreamResponse, error) {
	b := in.Body
	request, err := a.openAIVoice(ctx, b.Model, b.Voice)
	if err != nil {
		return nil, err
	}
	format := cmp.Or(b.ResponseFormat, backend.FormatMP3)
	request.Text, request.Speed, request.Format = b.Input, b.Speed, storedFormat(format)
	g, err := a.opts.Speech.Generate(ctx, request)
	if err != nil {
		return nil, err
	}
	file, err := a.opts.Export.Speech(ctx, g.ID, format)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer file.Close()
		c.SetHeader("X-Generation-Id", g.ID)
		c.SetHeader("Cache-Control", "no-store")
		c.SetHeader("Content-Type", openAIAudio[format])
		send := func(w io.Writer, r io.Reader) error { _, err := io.Copy(w, r); return err }
		if b.StreamFormat == "sse" {
			c.SetHeader("Content-Type", "text/event-stream")
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
func (a *API) openAIVoice(ctx context.Context, model, voice string) (speech.Request, error) {
	profiles, err := a.allProfiles(ctx)
	if err != nil {
		return speech.Request{}, err
	}
	var r speech.Request
	if !slices.Contains(speechModels, model) {
		r.ModelName = model
	}
	find := func(match func(backend.Profile) bool) bool {
		i := slices.IndexFunc(profiles, match)
		if i >= 0 {
			r.ProfileID = profiles[i].ID
		}
		return i >= 0
	}
	builtIn := func(p backend.Profile) bool { return p.Name == backend.BuiltInProfileName }
	if voice != "" && !slices.Contains(openAIVoices, voice) {
		if find(func(p backend.Profile) bool { return p.ID == canonicalID(voice) || strings.EqualFold(p.Name, voice) }) {
			return r, nil
		}
		name, _, _ := strings.Cut(a.defaultVoice(), ":")
		r.Voice = cmp.Or(r.ModelName, name) + ":" + voice
	} else if r.ModelName != "" {
		r.Voice = r.ModelName + ":"
	} else if chosen := a.defaultVoice(); chosen != a.opts.Models.BuiltIn() {
		r.Voice = chosen
	}
	r.ModelName = ""
	if id, ok := a.presetID(r.Voice); ok && find(id) || find(builtIn) || find(func(backend.Profile) bool { return true }) {
		return r, nil
	}
	return r, backend.E(backend.CodeProfileNotFound, "This library has no voice profile.", "Create one, for example with POST /profiles.")
}

// defaultVoice returns MODEL:VOICE of the setting if the user has set it, else the name of the built-in engine.
func (a *API) defaultVoice() string {
	if prefs := a.opts.Settings; prefs.IsSet(settings.DefaultVoice) {
		return prefs.String(settings.DefaultVoice)
	}
	return a.opts.Models.BuiltIn()
}

// presetID returns which profile has a voice MODEL:VOICE as its preset.
func (a *API) presetID(voice string) (match func(backend.Profile) bool, ok bool) {
	name, id, _ := strings.Cut(voice, ":")
	m, err := a.opts.Models.Model(name)
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

// allProfiles returns all profiles.
func (a *API) allProfiles(ctx context.Context) ([]backend.Profile, error) {
	var all []backend.Profile
	f := backend.ProfileFilter{All: true, Page: backend.Page{Limit: backend.MaxPageLimit}}
	for {
		list, err := a.opts.Store.Profiles(ctx, f)
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
