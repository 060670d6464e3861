package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// voice is a Piper voice of true size with random weights, as files.
type voice struct{ dir, graph, tokens string }

// writeVoice writes the voice, whose sound is as long for piper-tts as for Voicewright: the noise that changes how long a symbol
// sounds is off.
func writeVoice(root, dir string) (voice, error) {
	v := voice{dir: dir, graph: filepath.Join(dir, voiceName+".onnx"), tokens: filepath.Join(filepath.Dir(dir), "tokens.txt")}
	small, err := os.ReadFile(filepath.Join(root, smallVoice))
	if err != nil {
		return v, err
	}
	graph, err := grown.Piper(small, 1)
	if err != nil {
		return v, err
	}
	raw, err := os.ReadFile(filepath.Join(root, voiceConfig))
	if err != nil {
		return v, err
	}
	config, tokens, err := steady(raw)
	if err != nil {
		return v, fmt.Errorf("%s: %w", voiceConfig, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return v, err
	}
	for path, content := range map[string][]byte{v.graph: graph, v.graph + ".json": config, v.tokens: tokens} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return v, err
		}
	}
	return v, nil
}

// steady returns a voice's config without noise in the lengths of symbols, and its symbols as sherpa-onnx reads them.
func steady(raw []byte) (config, tokens []byte, err error) {
	var all map[string]any
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, nil, err
	}
	inference, _ := all["inference"].(map[string]any)
	symbols, _ := all["phoneme_id_map"].(map[string]any)
	if inference == nil || symbols == nil {
		return nil, nil, fmt.Errorf("it has no inference or no phoneme_id_map")
	}
	inference["noise_w"], inference["length_scale"] = 0, paceOfSpeech
	var lines []string
	for symbol, ids := range symbols {
		if list, _ := ids.([]any); len(list) > 0 {
			lines = append(lines, fmt.Sprintf("%s %v\n", symbol, list[0]))
		}
	}
	slices.Sort(lines)
	config, err = json.Marshal(all)
	return config, []byte(strings.Join(lines, "")), err
}
