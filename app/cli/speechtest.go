package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// The limits of normal speech. Audio beyond them is a fault of the model or of its engine.
const (
	minCharsPerSecond = 2.0
	maxCharsPerSecond = 60.0
	minLevel          = -45.0 // RMS of the whole audio, in dBFS
	silenceLevel      = -55.0 // RMS of a frame of 20 ms, in dBFS; below it is silence
	minAudible        = 0.3   // fraction of the frames that are not silence
)

// languageTest is the result of a speech test in one language.
type languageTest struct {
	Language   string   `json:"language"`
	Voice      string   `json:"voice"`
	Characters int      `json:"characters"`
	Seconds    float64  `json:"seconds"`
	RTF        float64  `json:"rtf"`
	LevelDB    float64  `json:"level_db"`
	Audible    float64  `json:"sound"` // fraction that is not silence
	WER        *float64 `json:"wer"`   // of what a transcription model understood; nil if none is downloaded
	OK         bool     `json:"ok"`
	Reason     string   `json:"reason"`
}

// speechTest is the result of the speech test of a model.
type speechTest struct {
	ModelName string         `json:"model_name"`
	OK        bool           `json:"ok"`
	Languages []languageTest `json:"trials"`
	Skipped   []string       `json:"skipped"` // languages without a test sentence
	WER       string         `json:"wer"`
}

// testSpeech downloads a model that is not installed, verifies its files, generates speech in each of its languages and
// checks the audio. Nothing stays in the history.
func (p modelCommands) testSpeech(ctx context.Context, c *client.Client, name string, yes bool) error {
	m, err := modelStatus(ctx, c, name)
	if err != nil {
		return err
	}
	if m.Family != registry.Speech {
		return usage.Errorf("%s does not speak; verify it without --speak", m.ModelName)
	}
	if m, err = p.download(ctx, c, name, yes); err != nil {
		return err
	}
	v, err := verifyModel(ctx, c, name)
	if err == nil {
		err = verifyError(v)
	}
	if err != nil {
		return err
	}
	result := speechTest{ModelName: m.ModelName, OK: true, Languages: []languageTest{}, Skipped: []string{}}
	var verifier listener // the last one
	for _, language := range m.Languages {
		text, ok := testSentences[backend.BaseLanguage(language)]
		if !ok {
			result.Skipped = append(result.Skipped, language)
			continue
		}
		verifier, err = verifierFor(ctx, c, language)
		var unusable *backend.Error
		if err != nil && !errors.As(err, &unusable) {
			return err
		}
		t, err := p.testLanguage(ctx, c, m, language, text, verifier.Downloaded)
		if err != nil {
			return err
		}
		result.Languages, result.OK = append(result.Languages, t), result.OK && t.OK
	}
	result.OK = result.OK && len(result.Languages) > 0
	result.WER = result.rate(verifier)
	if err := p.printSpeechTest(result); err != nil {
		return err
	}
	if !result.OK {
		return backend.E(backend.CodeEngineFailed, result.ModelName+" failed the speech test.", "Download it again, or use another model.")
	}
	return nil
}

func (p modelCommands) printSpeechTest(result speechTest) error {
	if p.json {
		return p.printJSON(result)
	}
	rows := make([][]string, len(result.Languages))
	for i, t := range result.Languages {
		outcome := "OK"
		if !t.OK {
			outcome = t.Reason
		}
		rows[i] = []string{
			t.Language, t.Voice, fmt.Sprint(t.Characters), fmt.Sprintf("%.2f", t.Seconds), fmt.Sprintf("%.3f", t.RTF),
			fmt.Sprintf("%.1f dB", t.LevelDB), fmt.Sprintf("%.0f%%", 100*t.Audible), outcome,
		}
	}
	if err := p.table("LANGUAGE VOICE CHARACTERS SECONDS RTF LEVEL AUDIBLE RESULT", rows); err != nil {
		return err
	}
	if len(result.Skipped) > 0 {
		if err := p.printf("No test sentence for: %s\n", strings.Join(result.Skipped, ", ")); err != nil {
			return err
		}
	}
	return p.printf("WER: %s\n", result.WER)
}

// testLanguage generates a sentence in one language, checks the audio, and deletes the generation.
func (p modelCommands) testLanguage(
	ctx context.Context, c *client.Client, m backend.ModelStatus, language, text string, listen bool,
) (languageTest, error) {
	t := languageTest{Language: language, Characters: utf8.RuneCountInString(text)}
	voice, err := voiceFor(ctx, c, m, language)
	if err != nil {
		return t, err
	}
	profile, err := findProfile(ctx, c, "", "")
	if err != nil {
		return t, err
	}
	g, err := p.generate(ctx, c, map[string]any{
		"profile_id": profile.ID, "text": text, "voice": m.ModelName + ":" + voice, "language": language,
		"format": "wav", "normalize": false, "seed": 1, "title": "Speech test of " + m.ModelName,
		"verify": listen,
	})
	if err != nil {
		return t, err
	}
	t.Voice = g.Voice
	if g.Verify != nil {
		t.WER = &g.Verify.WER
	}
	buffer, err := fetchAudio(ctx, c, g)
	if err != nil {
		return t, err
	}
	if err := c.Call(ctx, http.MethodDelete, "/history/"+g.ID, nil, nil); err != nil {
		return t, err
	}
	t.Seconds = buffer.Duration().Seconds()
	if g.Receipt != nil && t.Seconds > 0 {
		t.RTF = g.Receipt.Seconds["speak"] / t.Seconds
	}
	t.LevelDB, t.Audible = levels(buffer)
	t.check()
	return t, nil
}

// rate returns the mean word error rate of the languages, or why it was not measured.
func (t speechTest) rate(verifier listener) string {
	sum, n := 0.0, 0
	for _, l := range t.Languages {
		if l.WER != nil {
			sum, n = sum+*l.WER, n+1
		}
	}
	switch {
	case n > 0:
		return fmt.Sprintf("%.1f%% (%s)", 100*sum/float64(n), verifier.ModelName)
	case !verifier.Downloaded && verifier.ModelName != "":
		return fmt.Sprintf("not measured (download %s to measure it)", verifier.ModelName)
	}
	return "not measured"
}

// check compares the measurements with the limits of normal speech.
func (t *languageTest) check() {
	rate := float64(t.Characters) / max(t.Seconds, 0.001)
	switch {
	case rate > maxCharsPerSecond:
		t.Reason = "too short for the text"
	case rate < minCharsPerSecond:
		t.Reason = "too long for the text"
	case t.LevelDB < minLevel:
		t.Reason = "too quiet"
	case t.Audible < minAudible:
		t.Reason = "mostly silence"
	}
	t.OK = t.Reason == ""
}

// voiceFor returns a voice of the model for a language; empty means the first voice.
func voiceFor(ctx context.Context, c *client.Client, m backend.ModelStatus, language string) (string, error) {
	query := url.Values{"voice_type": {string(backend.VoicePreset)}, "engine": {m.Engine}}
	profile, _, err := firstProfile(ctx, c, query, func(v backend.Profile) bool {
		return v.ModelName == m.ModelName && v.Usable && backend.BaseLanguage(v.Language) == backend.BaseLanguage(language)
	})
	id := profile.PresetVoiceID
	if _, speaker, ok := strings.Cut(id, "#"); ok {
		id = speaker
	}
	return id, err
}

// fetchAudio returns the audio of a generation.
func fetchAudio(ctx context.Context, c *client.Client, g client.Generation) (audio.Buffer, error) {
	dir, err := os.MkdirTemp("", "voicewright-*")
	if err != nil {
		return audio.Buffer{}, backend.FileError("make a temporary folder", "the temporary directory", err)
	}
	defer func() { _ = files.RemoveAll(dir) }()
	path := filepath.Join(dir, "speech.wav")
	if err := c.Fetch(ctx, g.AudioURL, path); err != nil {
		return audio.Buffer{}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return audio.Buffer{}, backend.FileError("read the audio", path, err)
	}
	defer func() { _ = f.Close() }()
	return audio.ReadWAV(f)
}

// levels returns the RMS level in dBFS, and the fraction of the frames of 20 ms that are not silence.
func levels(b audio.Buffer) (level, audible float64) {
	frame := int(0.02*float64(b.Rate)) * b.Channels
	total, frames, loud := 0.0, 0, 0
	for start := 0; start+frame <= len(b.Samples) && frame > 0; start += frame {
		sum := 0.0
		for _, s := range b.Samples[start : start+frame] {
			sum += float64(s) * float64(s)
		}
		total += sum
		frames++
		if decibels(sum/float64(frame)) > silenceLevel {
			loud++
		}
	}
	if frames == 0 {
		return decibels(0), 0
	}
	return decibels(total / float64(frames*frame)), float64(loud) / float64(frames)
}

// decibels converts a mean square to dBFS; silence is -120.
func decibels(square float64) float64 { return max(-120, 10*math.Log10(square)) }
