package moss

import (
	"fmt"
	"slices"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The largest files that are read, in bytes; the published ones have 503, 4 and 17 kB.
const (
	maxManifest = 4 << 20
	maxMeta     = 1 << 20
)

// The limits of the numbers in a model's files; the published model has 16 channels of 1,024 codes, 12 layers of 12 heads
// of 64, 18 voices of about 10 s and 12 memories of its codec.
const (
	maxChannels = 64
	maxCodes    = 1 << 16
	maxLayers   = 256
	maxHeads    = 256
	maxHeadDim  = 1024
	maxHidden   = 1 << 15
	maxFrames   = 10_000
	maxPrompt   = 4096    // ids of one part of the prompt
	maxCaches   = 256     // memories of the codec
	maxStates   = 1 << 26 // numbers in all of them
	maxMemory   = 1 << 30 // bytes of the keys and values of the longest speech; the published model takes about 115 MB
)

// manifest is the part of browser_poc_manifest.json that concerns speaking.
type manifest struct {
	Files struct {
		Meta      string `json:"tts_meta"`
		Codec     string `json:"codec_meta"` // usually in a folder beside that of the manifest
		Tokenizer string `json:"tokenizer_model"`
	} `json:"model_files"`
	IDs struct {
		Channels  int   `json:"n_vq"`
		Pad       int32 `json:"audio_pad_token_id"`
		Start     int32 `json:"audio_start_token_id"`
		End       int32 `json:"audio_end_token_id"`
		User      int32 `json:"audio_user_slot_token_id"`
		Assistant int32 `json:"audio_assistant_slot_token_id"`
	} `json:"tts_config"`
	Prompt struct {
		Prefix    []int32 `json:"user_prompt_prefix_token_ids"`
		After     []int32 `json:"user_prompt_after_reference_token_ids"`
		Assistant []int32 `json:"assistant_prompt_prefix_token_ids"`
	} `json:"prompt_templates"`
	Defaults struct {
		Frames int `json:"max_new_frames"`
	} `json:"generation_defaults"`
	Voices []builtin `json:"builtin_voices"`
}

// builtin is a voice of the manifest.
type builtin struct {
	ID    string    `json:"voice"`
	Name  string    `json:"display_name"`
	Group string    `json:"group"`
	Codes [][]int32 `json:"prompt_audio_codes"`
}

// meta is tts_browser_onnx_meta.json: the graphs of the language model.
type meta struct {
	Files struct {
		Prefill string `json:"prefill"`
		Step    string `json:"decode_step"`
		Frame   string `json:"local_fixed_sampled_frame"`
	} `json:"files"`
	Config struct {
		Channels int   `json:"n_vq"`
		Hidden   int   `json:"hidden_size"`
		Layers   int   `json:"global_layers"`
		Heads    int   `json:"global_heads"`
		HeadDim  int   `json:"head_dim"`
		Words    int32 `json:"vocab_size"`
		Codes    []int `json:"audio_codebook_sizes"`
	} `json:"model_config"`
	Names struct {
		Prefill []string `json:"prefill_output_names"` // hidden state, then the keys and values
		Inputs  []string `json:"decode_input_names"`   // ids, length, then the keys and values
		Outputs []string `json:"decode_output_names"`  // as of prefill
	} `json:"onnx"`
}

// position returns the numbers that one position takes in one of the key and value tensors.
func (m meta) position() int { return m.Config.Heads * m.Config.HeadDim }

// tensors returns the number of key and value tensors.
func (m meta) tensors() int { return 2 * m.Config.Layers }

// codes returns the number of codes of each channel.
func (m meta) codes() int { return m.Config.Codes[0] }

// codecMeta is codec_browser_onnx_meta.json: the graphs that turn sound into codes and back.
type codecMeta struct {
	Files struct {
		Encode string `json:"encode"`
		Step   string `json:"decode_step"`
	} `json:"files"`
	Config struct {
		SampleRate int `json:"sample_rate"`
		Channels   int `json:"channels"`
		Frame      int `json:"downsample_rate"` // samples per frame
		Quantizers int `json:"num_quantizers"`
	} `json:"codec_config"`
	Streaming struct {
		Offsets []struct {
			Input  string  `json:"input_name"`
			Output string  `json:"output_name"`
			Shape  []int64 `json:"shape"`
		} `json:"transformer_offsets"`
		Caches []struct {
			OffsetIn     string  `json:"offset_input_name"`
			OffsetOut    string  `json:"offset_output_name"`
			KeysIn       string  `json:"cached_keys_input_name"`
			KeysOut      string  `json:"cached_keys_output_name"`
			ValuesIn     string  `json:"cached_values_input_name"`
			ValuesOut    string  `json:"cached_values_output_name"`
			PositionsIn  string  `json:"cached_positions_input_name"`
			PositionsOut string  `json:"cached_positions_output_name"`
			OffsetShape  []int64 `json:"offset_shape"`
			Shape        []int64 `json:"cache_shape"`
			Positions    []int64 `json:"positions_shape"`
		} `json:"attention_caches"`
	} `json:"streaming_decode"`
}

// state is one tensor that the codec returns and takes again with the next frames.
type state struct {
	in, out string
	shape   []int64
	ints    bool  // of int32, else of float32
	start   int32 // of every number, in the first run
}

// size returns how many numbers a state has, more than maxStates for a shape that no state has.
func (s state) size() int64 {
	if len(s.shape) == 0 || len(s.shape) > 4 {
		return maxStates + 1
	}
	n := int64(1)
	for _, d := range s.shape {
		if n *= d; d < 1 || d > maxStates || n > maxStates {
			return maxStates + 1
		}
	}
	return n
}

// states returns all states in a fixed order.
func (c codecMeta) states() []state {
	var out []state
	for _, o := range c.Streaming.Offsets {
		out = append(out, state{in: o.Input, out: o.Output, shape: o.Shape, ints: true})
	}
	for _, a := range c.Streaming.Caches {
		out = append(out,
			state{in: a.OffsetIn, out: a.OffsetOut, shape: a.OffsetShape, ints: true},
			state{in: a.KeysIn, out: a.KeysOut, shape: a.Shape},
			state{in: a.ValuesIn, out: a.ValuesOut, shape: a.Shape},
			state{in: a.PositionsIn, out: a.PositionsOut, shape: a.Positions, ints: true, start: -1})
	}
	return out
}

// config is what the three files say together.
type config struct {
	manifest manifest
	meta     meta
	codec    codecMeta
}

// width returns the numbers of one row of the prompt: a text id and a code of each channel.
func (c config) width() int { return c.manifest.IDs.Channels + 1 }

// readManifest reads and checks the manifest. Errors are backend.CodeModelCorrupt naming the file and the field.
func readManifest(path string) (manifest, error) {
	var m manifest
	if err := onnx.ReadJSON(path, maxManifest, &m); err != nil {
		return manifest{}, err
	}
	err := onnx.CheckLimits(path,
		onnx.Limit{Field: "tts_config.n_vq", Value: m.IDs.Channels, Min: 1, Max: maxChannels},
		onnx.Limit{Field: "generation_defaults.max_new_frames", Value: m.Defaults.Frames, Min: 1, Max: maxFrames},
		onnx.Limit{Field: "prompt_templates.user_prompt_prefix_token_ids", Value: len(m.Prompt.Prefix), Max: maxPrompt},
		onnx.Limit{Field: "prompt_templates.user_prompt_after_reference_token_ids", Value: len(m.Prompt.After), Max: maxPrompt},
		onnx.Limit{Field: "prompt_templates.assistant_prompt_prefix_token_ids", Value: len(m.Prompt.Assistant), Max: maxPrompt},
		onnx.Limit{Field: "builtin_voices", Value: len(m.Voices), Max: onnx.MaxVoiceFiles},
	)
	if err != nil {
		return manifest{}, err
	}
	return m, m.checkVoices(path)
}

// checkVoices checks the names of the voices, and that each has as many channels as the model.
func (m manifest) checkVoices(path string) error {
	seen := map[string]bool{}
	for i, v := range m.Voices {
		field := fmt.Sprintf("builtin_voices[%d].", i)
		err := onnx.CheckLimits(path,
			onnx.Limit{Field: field + "voice", Value: len(v.ID), Min: 1, Max: onnx.MaxText},
			onnx.Limit{Field: field + "display_name", Value: len(v.Name), Max: onnx.MaxText},
			onnx.Limit{Field: field + "prompt_audio_codes", Value: len(v.Codes), Min: 1, Max: maxPrompt},
		)
		if err != nil {
			return err
		}
		if seen[v.ID] {
			return onnx.WrongValue(path, field+"voice", fmt.Errorf("%q is there twice", v.ID))
		}
		seen[v.ID] = true
		for _, row := range v.Codes {
			if len(row) != m.IDs.Channels {
				return onnx.WrongValue(path, field+"prompt_audio_codes", fmt.Errorf("a row has %d codes, not %d", len(row), m.IDs.Channels))
			}
		}
	}
	return nil
}

// readMeta reads and checks the description of the language model. Errors are those of readManifest.
func readMeta(path string) (meta, error) {
	var m meta
	if err := onnx.ReadJSON(path, maxMeta, &m); err != nil {
		return meta{}, err
	}
	err := onnx.CheckLimits(path,
		onnx.Limit{Field: "model_config.n_vq", Value: m.Config.Channels, Min: 1, Max: maxChannels},
		onnx.Limit{Field: "model_config.hidden_size", Value: m.Config.Hidden, Min: 1, Max: maxHidden},
		onnx.Limit{Field: "model_config.global_layers", Value: m.Config.Layers, Min: 1, Max: maxLayers},
		onnx.Limit{Field: "model_config.global_heads", Value: m.Config.Heads, Min: 1, Max: maxHeads},
		onnx.Limit{Field: "model_config.head_dim", Value: m.Config.HeadDim, Min: 1, Max: maxHeadDim},
		onnx.Limit{Field: "model_config.vocab_size", Value: int(m.Config.Words), Min: 1, Max: onnx.MaxSymbolID},
		onnx.Limit{Field: "model_config.audio_codebook_sizes", Value: len(m.Config.Codes), Min: m.Config.Channels, Max: m.Config.Channels},
	)
	if err != nil {
		return meta{}, err
	}
	for _, n := range m.Config.Codes {
		if n != m.codes() || n < 1 || n > maxCodes {
			return meta{}, onnx.WrongValue(path, "model_config.audio_codebook_sizes", fmt.Errorf("found %v", m.Config.Codes))
		}
	}
	names := func(field string, present []string, want int) onnx.Limit {
		return onnx.Limit{Field: "onnx." + field, Value: len(present), Min: want, Max: want}
	}
	return m, onnx.CheckLimits(path,
		names("prefill_output_names", m.Names.Prefill, 1+m.tensors()),
		names("decode_input_names", m.Names.Inputs, 2+m.tensors()),
		names("decode_output_names", m.Names.Outputs, 1+m.tensors()),
	)
}

// readCodec reads and checks the description of the codec. Errors are those of readManifest.
func readCodec(path string) (codecMeta, error) {
	var c codecMeta
	if err := onnx.ReadJSON(path, maxMeta, &c); err != nil {
		return codecMeta{}, err
	}
	err := onnx.CheckLimits(path,
		onnx.Limit{Field: "codec_config.sample_rate", Value: c.Config.SampleRate, Min: onnx.MinSampleRate, Max: onnx.MaxSampleRate},
		onnx.Limit{Field: "codec_config.channels", Value: c.Config.Channels, Min: 1, Max: 2},
		onnx.Limit{Field: "codec_config.downsample_rate", Value: c.Config.Frame, Min: 1, Max: onnx.MaxHop},
		onnx.Limit{Field: "codec_config.num_quantizers", Value: c.Config.Quantizers, Min: 1, Max: maxChannels},
		onnx.Limit{Field: "streaming_decode.transformer_offsets", Value: len(c.Streaming.Offsets), Max: maxCaches},
		onnx.Limit{Field: "streaming_decode.attention_caches", Value: len(c.Streaming.Caches), Min: 1, Max: maxCaches},
	)
	if err != nil {
		return codecMeta{}, err
	}
	names, total := map[string]bool{}, int64(0)
	for _, s := range c.states() {
		if total += s.size(); total > maxStates {
			return codecMeta{}, onnx.WrongValue(path, "streaming_decode", fmt.Errorf("%s has the shape %v", s.in, s.shape))
		}
		if names[s.in] || names[s.out] || s.in == s.out {
			return codecMeta{}, onnx.WrongValue(path, "streaming_decode", fmt.Errorf("%s or %s is there twice", s.in, s.out))
		}
		names[s.in], names[s.out] = true, true
	}
	return c, nil
}

// together checks what the files say of each other.
func (c config) together(files engines.Files) error {
	manifest, codec := files[RoleManifest], files[RoleCodec]
	if c.manifest.IDs.Channels != c.meta.Config.Channels {
		return onnx.WrongValue(manifest, "tts_config.n_vq",
			fmt.Errorf("%d, but the model has %d", c.manifest.IDs.Channels, c.meta.Config.Channels))
	}
	if c.codec.Config.Quantizers != c.meta.Config.Channels {
		return onnx.WrongValue(codec, "codec_config.num_quantizers",
			fmt.Errorf("%d, but the model has %d", c.codec.Config.Quantizers, c.meta.Config.Channels))
	}
	ids, prompt := c.manifest.IDs, c.manifest.Prompt
	for _, list := range []struct {
		field string
		ids   []int32
	}{
		{"tts_config.audio_pad_token_id", []int32{ids.Pad}},
		{"tts_config.audio_start_token_id", []int32{ids.Start}},
		{"tts_config.audio_end_token_id", []int32{ids.End}},
		{"tts_config.audio_user_slot_token_id", []int32{ids.User}},
		{"tts_config.audio_assistant_slot_token_id", []int32{ids.Assistant}},
		{"prompt_templates.user_prompt_prefix_token_ids", prompt.Prefix},
		{"prompt_templates.user_prompt_after_reference_token_ids", prompt.After},
		{"prompt_templates.assistant_prompt_prefix_token_ids", prompt.Assistant},
	} {
		if i := slices.IndexFunc(list.ids, func(id int32) bool { return id < 0 || id >= c.meta.Config.Words }); i >= 0 {
			return onnx.WrongValue(manifest, list.field, fmt.Errorf("there is no id %d", list.ids[i]))
		}
	}
	if n := c.memory(c.longest()); n > maxMemory {
		return onnx.WrongValue(files[RoleMeta], "model_config", fmt.Errorf("the longest speech takes %d bytes of keys and values", n))
	}
	for i, v := range c.manifest.Voices {
		for _, row := range v.Codes {
			if !c.meta.valid(row) {
				return onnx.WrongValue(manifest, fmt.Sprintf("builtin_voices[%d].prompt_audio_codes", i),
					fmt.Errorf("a code is not from 0 to %d", c.meta.codes()-1))
			}
		}
	}
	return nil
}

// longest returns the positions of the longest speech: a prompt with the longest voice and text, and all frames after it.
func (c config) longest() int {
	voice := longestReference * c.codec.Config.SampleRate / c.codec.Config.Frame
	for _, v := range c.manifest.Voices {
		voice = max(voice, len(v.Codes))
	}
	prompt := c.manifest.Prompt
	return len(prompt.Prefix) + len(prompt.After) + len(prompt.Assistant) + voice + longestPiece + c.manifest.Defaults.Frames
}

// memory returns the bytes of the keys and values for so many positions, two sets of them.
func (c config) memory(positions int) int64 {
	return 2 * 4 * int64(c.meta.tensors()) * int64(positions) * int64(c.meta.position())
}

// valid reports whether the codec has all these codes.
func (m meta) valid(codes []int32) bool {
	return !slices.ContainsFunc(codes, func(v int32) bool { return v < 0 || int(v) >= m.codes() })
}
