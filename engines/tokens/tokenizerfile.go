package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Limits on what a tokenizer.json file may hold. The published files have up to 20 MB and 300,000 tokens.
const (
	maxFile    = 32 << 20
	maxTokens  = 1 << 20
	maxTokenID = 1 << 24
	maxToken   = 1024 // bytes
	maxSteps   = 8    // normalizers, pre-tokenizers or post-processors in a sequence
	maxSpecial = 64   // ids that are added to a text
)

// tokenizerFile is a tokenizer.json file of Hugging Face.
type tokenizerFile struct {
	AddedTokens   []addedToken    `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Decoder       json.RawMessage `json:"decoder"`
	Model         bpeModel        `json:"model"`
}

// addedToken is a token that is found in a text before all others.
type addedToken struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	TrimLeft   bool   `json:"lstrip"`
	TrimRight  bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

type bpeModel struct {
	Type         string         `json:"type"`
	Vocab        map[string]int `json:"vocab"`
	Merges       []merge        `json:"merges"`
	Unknown      *string        `json:"unk_token"`
	FuseUnknown  bool           `json:"fuse_unk"`
	IgnoreMerges bool           `json:"ignore_merges"`
	ByteFallback bool           `json:"byte_fallback"`
	Dropout      float64        `json:"dropout"`
	Prefix       string         `json:"continuing_subword_prefix"`
	Suffix       string         `json:"end_of_word_suffix"`
}

// merge is two tokens that are joined. Files have them as ["a","b"] or, older ones, as "a b".
type merge struct{ left, right string }

func (m *merge) UnmarshalJSON(raw []byte) error {
	var parts []string
	var joined string
	if json.Unmarshal(raw, &joined) == nil {
		parts = strings.Split(joined, " ")
	} else if err := json.Unmarshal(raw, &parts); err != nil {
		return fmt.Errorf("a merge is neither a text nor a list: %.100s", raw)
	}
	if len(parts) != 2 {
		return fmt.Errorf("a merge has %d parts instead of two: %.100s", len(parts), raw)
	}
	m.left, m.right = parts[0], parts[1]
	return nil
}

// parseTokenizer reads a tokenizer.json file and checks the limits of its lists.
func parseTokenizer(raw []byte) (*tokenizerFile, error) {
	if len(raw) > maxFile {
		return nil, fmt.Errorf("the file has %d bytes, more than %d", len(raw), maxFile)
	}
	f := &tokenizerFile{}
	if err := json.Unmarshal(raw, f); err != nil {
		return nil, err
	}
	m := f.Model
	switch {
	case m.Type != "BPE" && (m.Type != "" || m.Merges == nil):
		return nil, fmt.Errorf("models of the type %q are not supported, only BPE", m.Type)
	case m.Prefix != "" || m.Suffix != "" || m.ByteFallback || m.Dropout != 0:
		return nil, errors.New("BPE models with a prefix, a suffix, byte fallback or dropout are not supported")
	case len(m.Vocab) == 0:
		return nil, errors.New("the model has no tokens")
	case len(m.Vocab)+len(f.AddedTokens) > maxTokens || len(m.Merges) > maxTokens:
		return nil, fmt.Errorf("the model has more than %d tokens or merges", maxTokens)
	}
	return f, f.checkTokens()
}

func (f *tokenizerFile) checkTokens() error {
	for text, id := range f.Model.Vocab {
		if err := checkToken(text, id); err != nil {
			return err
		}
	}
	for _, t := range f.AddedTokens {
		if err := checkToken(t.Content, t.ID); err != nil {
			return err
		}
	}
	return nil
}

func checkToken(text string, id int) error {
	if id < 0 || id > maxTokenID {
		return fmt.Errorf("token %.100q has the id %d, which is not from 0 to %d", text, id, maxTokenID)
	}
	if len(text) > maxToken {
		return fmt.Errorf("token %d has %d bytes, more than %d", id, len(text), maxToken)
	}
	return nil
}

// step is a normalizer, pre-tokenizer, post-processor or decoder in a tokenizer.json file.
type step struct {
	Type           string            `json:"type"`
	Normalizers    []json.RawMessage `json:"normalizers"`
	PreTokenizers  []json.RawMessage `json:"pretokenizers"`
	Processors     []json.RawMessage `json:"processors"`
	Pattern        pattern           `json:"pattern"`
	Content        string            `json:"content"`
	Behavior       string            `json:"behavior"`
	Invert         bool              `json:"invert"`
	AddPrefixSpace bool              `json:"add_prefix_space"`
	UseRegex       *bool             `json:"use_regex"`
	Single         []templatePart    `json:"single"`
	SpecialTokens  map[string]struct {
		IDs []int `json:"ids"`
	} `json:"special_tokens"`
}

// parts returns the steps of a sequence, which may be of any kind.
func (s step) parts() []json.RawMessage {
	return slices.Concat(s.Normalizers, s.PreTokenizers, s.Processors)
}

// steps returns the steps that a field of the file holds: none, one, or those of a sequence.
func steps(raw json.RawMessage) ([]step, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var s step
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if s.Type != "Sequence" {
		return []step{s}, nil
	}
	if len(s.parts()) > maxSteps {
		return nil, fmt.Errorf("a sequence has %d steps, more than %d", len(s.parts()), maxSteps)
	}
	var all []step
	for _, raw := range s.parts() {
		var part step
		if err := json.Unmarshal(raw, &part); err != nil {
			return nil, err
		}
		all = append(all, part)
	}
	return all, nil
}

// templatePart is the text, or a token that is added to it.
type templatePart struct {
	SpecialToken *struct {
		ID string `json:"id"`
	} `json:"SpecialToken"`
	Sequence *struct {
		ID string `json:"id"`
	} `json:"Sequence"`
}

// template returns the ids before and after those of a text.
func (f *tokenizerFile) template() (before, after []int, err error) {
	processors, err := steps(f.PostProcessor)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range processors {
		switch s.Type {
		case "ByteLevel": // changes offsets only
		case "TemplateProcessing":
			if before, after, err = s.template(); err != nil {
				return nil, nil, err
			}
		default:
			return nil, nil, fmt.Errorf("the post-processor %.100q is not supported", s.Type)
		}
	}
	return before, after, nil
}

func (s step) template() (before, after []int, err error) {
	texts := 0
	for _, part := range s.Single {
		switch {
		case part.SpecialToken != nil:
			token, ok := s.SpecialTokens[part.SpecialToken.ID]
			if !ok {
				return nil, nil, fmt.Errorf("the template has the unknown token %.100q", part.SpecialToken.ID)
			}
			if texts == 0 {
				before = append(before, token.IDs...)
			} else {
				after = append(after, token.IDs...)
			}
		case part.Sequence != nil && part.Sequence.ID == "A":
			texts++
		default:
			return nil, nil, errors.New("the template has a part that is neither a token nor the text")
		}
	}
	if texts != 1 {
		return nil, nil, fmt.Errorf("the template has the text %d times", texts)
	}
	if n := len(before) + len(after); n > maxSpecial {
		return nil, nil, fmt.Errorf("the template adds %d ids, more than %d", n, maxSpecial)
	}
	for _, id := range slices.Concat(before, after) {
		if err := checkToken("", id); err != nil {
			return nil, nil, err
		}
	}
	return before, after, nil
}
