// Package pockettest writes a small Pocket TTS model for tests. The engine loads it as it loads a published one, and it
// speaks a tone with the pitch of the sample: half as many cycles a second as the sample crosses zero, for 0.8 frames a token
// and one more. So a test can hear whose sample reached the engine.
package pockettest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// The model in numbers.
const (
	Rate           = 24000 // Hz
	Frame          = 1920  // samples
	FramesPerToken = 0.8
	AfterEnd       = 1 // frames after the one in which the end is found

	dim, latent, positions, opset = 3, 2, 400, 17
)

// Pitch returns the frequency in Hz of the model's tone for a sample at its rate.
func Pitch(sample []float32) float64 {
	crossings := 0
	for i := 1; i < len(sample); i++ {
		if sample[i]*sample[i-1] < 0 {
			crossings++
		}
	}
	return float64(crossings) / float64(len(sample)-1) * Rate / 2
}

// Write writes the files of the model into a folder, see Files.
func Write(folder, language string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, content := range Files(language) {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Files returns the files of the model by name; language is english, french, german, italian, portuguese or spanish.
func Files(language string) map[string][]byte {
	return map[string][]byte{
		"bundle.json": bundle(language), "tokenizer.model": tokenizer(), "bos_before_voice.npy": beginning(),
		"mimi_encoder.onnx": encoder(), "text_conditioner.onnx": text(), "flow_lm_main_int8.onnx": mainGraph(),
		"flow_lm_flow_int8.onnx": flow(), "mimi_decoder_int8.onnx": decoder(),
	}
}

// bundle is bundle.json. The cache is there because a model has one; what the model remembers is in the other states.
func bundle(language string) []byte {
	state := func(index int, key string, shape ...int) map[string]any {
		return map[string]any{
			"index": index, "input_name": fmt.Sprint("state_", index), "output_name": fmt.Sprint("out_state_", index),
			"module": "test", "key": key, "path": "test/" + key, "shape": shape, "dtype": "float32", "fill": "zeros",
		}
	}
	raw, err := json.MarshalIndent(map[string]any{
		"schema_version": 2, "bundle_name": language + "_tone", "language": language, "sample_rate": Rate,
		"frame_rate": float64(Rate) / Frame, "samples_per_frame": Frame, "latent_dim": latent, "conditioning_dim": dim,
		"max_token_per_chunk": 50, "insert_bos_before_voice": true, "tokenizer_file": "tokenizer.model",
		"bos_before_voice_file": "bos_before_voice.npy", "pad_with_spaces_for_short_inputs": false, "remove_semicolons": false,
		"model_recommended_frames_after_eos": AfterEnd, "predefined_voices": []string{},
		"flow_lm_state_manifest": []any{
			state(0, "cache", 2, 1, positions, 1, 1), state(1, "pitch", 1), state(2, "tokens", 1), state(3, "frames", 1),
		},
		"mimi_state_manifest": []any{state(0, "offset", 1)},
	}, "", " ")
	if err != nil {
		panic(err) // it has only words and numbers
	}
	return raw
}

// beginning is bos_before_voice.npy: one row that means nothing to the main graph.
func beginning() []byte {
	const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 3), }"
	const size = 118 // so that the numbers begin at byte 128
	out := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, size)...)
	out = append(out, fmt.Sprintf("%-*s\n", size-1, header)...)
	return append(out, raw([]float32{0, 0, 1})...)
}

// tokenizer is a SentencePiece model with a piece for each character of Latin-1 and for each byte.
func tokenizer() []byte {
	const normal, unknown, control, single = 1, 2, 3, 6
	var out []byte
	add := func(s string, score float32, kind uint64) {
		field := binary.LittleEndian.AppendUint32([]byte{2<<3 | 5}, math.Float32bits(score))
		out = append(out, onnxtest.Bytes(1, onnxtest.Bytes(1, []byte(s)), field, onnxtest.Number(3, kind))...)
	}
	add("<unk>", 0, unknown)
	add("<s>", 0, control)
	add("</s>", 0, control)
	for b := range 256 {
		add(fmt.Sprintf("<0x%02X>", b), -20, single)
	}
	add("▁", -2, normal)
	for r := '!'; r <= 'ÿ'; r++ {
		if r < 0x7f || r > 0xa0 {
			add(string(r), -3, normal)
		}
	}
	const modelType, byteFallback, unigram = 3, 35, 1
	return append(out, onnxtest.Bytes(2, onnxtest.Number(modelType, unigram), onnxtest.Number(byteFallback, 1))...)
}

func raw(values any) []byte {
	var out bytes.Buffer
	_ = binary.Write(&out, binary.LittleEndian, values) // a buffer takes everything
	return out.Bytes()
}
