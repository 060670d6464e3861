package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/build/bench/grown"
)

// The small voice of the tests, and a config with the symbols of English.
const (
	smallVoice  = "engines/piper/testdata/kit/vits/vits-small.onnx"
	voiceConfig = "engines/piper/testdata/kit/repo/en/en_US/lessac/medium/en_US-lessac-medium.onnx.json"
)

// voiceName is the name of the voice of true size.
const voiceName = "en_US-random-medium"

// paceOfSpeech makes the symbols of the random voice, which are 9 frames long on average, as long as those of speech.
const paceOfSpeech = 0.4

// writeVoice writes the voice, whose sound is as long for piper-tts as for Voicewright: the noise that changes how long a symbol
// sounds is off.
func writeVoice(root, dir string) (path string, err error) {
	path = filepath.Join(dir, voiceName+".onnx")
	small, err := os.ReadFile(filepath.Join(root, smallVoice))
	if err != nil {
		return path, err
	}
	graph, err := grown.Piper(small, 1)
	if err != nil {
		return path, err
	}
	raw, err := os.ReadFile(filepath.Join(root, voiceConfig))
	if err != nil {
		return path, err
	}
	config, err := steady(raw)
	if err != nil {
		return path, fmt.Errorf("%s: %w", voiceConfig, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return path, err
	}
	for name, content := range map[string][]byte{path: graph, path + ".json": config} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return path, err
		}
	}
	return path, nil
}

// steady returns a voice's config with the pace of speech and without noise in the lengths of symbols.
func steady(raw []byte) ([]byte, error) {
	var all map[string]any
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	inference, _ := all["inference"].(map[string]any)
	if inference == nil {
		return nil, errors.New("it has no inference")
	}
	inference["noise_w"], inference["length_scale"] = 0, paceOfSpeech
	return json.Marshal(all)
}
