package providers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/voicewright/voicewright/backend/service"
)

// The adapters of a providers file.
const (
	Local  = "local"
	OpenAI = "openai"
)

// DefaultLocalTimeout is the time limit of a call to the local engines, which take minutes for a long text
// with a neural voice on a slow machine.
const DefaultLocalTimeout = 10 * time.Minute

const maxFileBytes = 1 << 20

// Entry is the configuration of one provider.
type Entry struct {
	Adapter string // Local or OpenAI
	Timeout time.Duration
	Queue   int // callers that may wait
	// Of OpenAI only.
	URL    string // up to the version, such as https://host/v1
	APIKey string // empty where the server needs none
	Model  string
	Voices []service.Voice // in place of the published ones; nil for those
}

// File is a providers file: an entry for each provider of the contract.
type File map[service.ProviderID]Entry

// Longest returns how long a call of any provider may wait and be spoken, where nobody waits over queueTimeout.
func (f File) Longest(queueTimeout time.Duration) time.Duration {
	var longest time.Duration
	for _, e := range f {
		longest = max(longest, timeLimit(e.Timeout, service.MaxTurns))
	}
	return queueTimeout + longest
}

// Parse reads a providers file in YAML. Providers that it does not name are local. An api_key_env names the environment variable
// that holds the key. An error is one sentence with the line of the mistake.
func Parse(r io.Reader) (File, error) {
	content, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read the providers file: %w", err)
	}
	if len(content) > maxFileBytes {
		return nil, errors.New("providers file: it is larger than 1 MiB")
	}
	file := File{}
	for _, id := range service.ProviderIDs() {
		file[id] = Entry{Adapter: Local, Timeout: DefaultLocalTimeout, Queue: service.DefaultQueueLimit}
	}
	root, err := document(content)
	if err != nil || root == nil {
		return file, err
	}
	err = fields(root, "the file", func(key string, value *yaml.Node) error {
		id := service.ProviderID(key)
		if _, known := file[id]; !known {
			return errMistake(value, "%q is no provider; the providers are ProviderA, ProviderB and ProviderC", key)
		}
		file[id], err = parseEntry(id, value)
		return err
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

// document returns the root of a YAML file with one document, nil for an empty one.
func document(content []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var root, second yaml.Node
	switch err := decoder.Decode(&root); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("providers file: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New("providers file: it has more than one YAML document; keep one")
	}
	if content := root.Content[0]; content.Tag != "!!null" {
		return content, nil
	}
	return nil, nil
}

func parseEntry(id service.ProviderID, node *yaml.Node) (Entry, error) {
	e := Entry{Queue: service.DefaultQueueLimit}
	at := map[string]*yaml.Node{}
	err := fields(node, string(id), func(key string, value *yaml.Node) error {
		at[key] = value
		return e.set(id, key, value)
	})
	if err != nil {
		return Entry{}, err
	}
	return e.complete(id, node, at)
}

// set reads one field.
func (e *Entry) set(id service.ProviderID, key string, value *yaml.Node) (err error) {
	switch key {
	case "adapter":
		e.Adapter, err = word(key, value)
	case "url":
		e.URL, err = address(value)
	case "api_key":
		e.APIKey, err = word(key, value)
	case "api_key_env":
		e.APIKey, err = environment(value)
	case "model":
		e.Model, err = word(key, value)
	case "timeout":
		e.Timeout, err = duration(key, value)
	case "queue":
		e.Queue, err = number(key, value)
	case "voices":
		e.Voices, err = voices(id, value)
	default:
		return errMistake(value, "%s has no field %q; its fields are adapter, url, api_key, api_key_env, model, timeout, queue and voices",
			id, key)
	}
	return err
}

// complete checks the fields together and returns the entry with its defaults.
func (e Entry) complete(id service.ProviderID, node *yaml.Node, at map[string]*yaml.Node) (Entry, error) {
	switch e.Adapter {
	case Local:
		for _, key := range []string{"url", "api_key", "api_key_env", "model", "voices"} {
			if at[key] != nil {
				return Entry{}, errMistake(at[key], "%s is local, which has no %s; remove it, or use the adapter openai", id, key)
			}
		}
		if at["timeout"] == nil {
			e.Timeout = DefaultLocalTimeout
		}
		return e, nil
	case OpenAI:
	case "":
		return Entry{}, errMistake(node, "%s needs an adapter: local or openai", id)
	default:
		return Entry{}, errMistake(at["adapter"], "%q is no adapter; the adapters are local and openai", e.Adapter)
	}
	for _, key := range []string{"url", "model"} {
		if at[key] == nil {
			return Entry{}, errMistake(node, "%s needs a %s for the adapter openai", id, key)
		}
	}
	if at["api_key"] != nil && at["api_key_env"] != nil {
		return Entry{}, errMistake(at["api_key_env"], "%s has both api_key and api_key_env; keep one of them", id)
	}
	if at["timeout"] == nil {
		e.Timeout = DefaultTimeout
	}
	return e, nil
}

// voices reads the list of voices of an OpenAI-shaped server.
func voices(id service.ProviderID, node *yaml.Node) ([]service.Voice, error) {
	node = resolve(node)
	if node.Kind != yaml.SequenceNode || len(node.Content) == 0 {
		return nil, errMistake(node, "voices must be a list of at least one voice, "+
			"such as [{name: alloy, gender: female, language: en, category: narrator}]")
	}
	var list []service.Voice
	for _, item := range node.Content {
		v, err := voice(id, item)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(o service.Voice) bool { return o.Native == v.Native }) {
			return nil, errMistake(item, "the voice %q is listed twice", v.Native)
		}
		list = append(list, v)
	}
	return list, nil
}

func voice(id service.ProviderID, node *yaml.Node) (service.Voice, error) {
	v := service.Voice{Provider: id, Language: "en", Category: "conversational"}
	tag := ""
	err := fields(node, "a voice", func(key string, value *yaml.Node) (err error) {
		switch key {
		case "name":
			v.Native, err = word(key, value)
		case "gender":
			v.Gender, err = choice(key, value, "female", "male")
		case "category":
			v.Category, err = choice(key, value, "conversational", "narrator")
		case "language":
			tag, err = languageTag(value)
		default:
			return errMistake(value, "a voice has no field %q; its fields are name, gender, language and category", key)
		}
		return err
	})
	if err != nil {
		return v, err
	}
	if v.Native == "" || v.Gender == "" {
		return v, errMistake(node, "a voice needs a name and a gender (female or male)")
	}
	v.Name = v.Native
	if tag != "" {
		v.Language, v.Accent = Language(tag), Accent(tag)
	}
	return v, nil
}

// address reads the URL of a server.
func address(node *yaml.Node) (string, error) {
	s, err := word("url", node)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return "", errMistake(node, "url must be like https://host/v1, without a name or password")
	}
	return s, nil
}

func environment(node *yaml.Node) (string, error) {
	name, err := word("api_key_env", node)
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(os.Getenv(name))
	if key == "" {
		return "", errMistake(node, "api_key_env names the environment variable %s, which is not set", name)
	}
	return key, nil
}

func duration(key string, node *yaml.Node) (time.Duration, error) {
	d, err := time.ParseDuration(resolve(node).Value)
	if err != nil || d <= 0 || d > time.Hour {
		return 0, errMistake(node, "%s must be a duration up to 1h, such as 30s", key)
	}
	return d, nil
}

func number(key string, node *yaml.Node) (int, error) {
	n, err := strconv.Atoi(resolve(node).Value)
	if err != nil || n < 0 || n > 10_000 {
		return 0, errMistake(node, "%s must be a whole number from 0 to 10000", key)
	}
	return n, nil
}
