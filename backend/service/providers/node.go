package providers

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/voicewright/voicewright/backend"
)

// errMistake returns the error about a node of a providers file.
func errMistake(node *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("providers file, line %d: %s", node.Line, fmt.Sprintf(format, args...))
}

// resolve returns the node that an alias stands for.
func resolve(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// fields calls use with each key of a mapping and its value. what names the mapping in errors.
func fields(node *yaml.Node, what string, use func(key string, value *yaml.Node) error) error {
	mapping := resolve(node)
	if mapping.Kind != yaml.MappingNode {
		return errMistake(node, "%s must be a list of fields, such as {adapter: local}", what)
	}
	var seen []string
	for i := 0; i < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		if slices.Contains(seen, key.Value) {
			return errMistake(key, "%q is given twice", key.Value)
		}
		seen = append(seen, key.Value)
		if err := use(key.Value, mapping.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// word reads a text of one line.
func word(key string, node *yaml.Node) (string, error) {
	value := resolve(node)
	if value.Kind != yaml.ScalarNode || strings.TrimSpace(value.Value) == "" || strings.ContainsAny(value.Value, "\r\n") {
		return "", errMistake(node, "%s must be a text of one line", key)
	}
	return strings.TrimSpace(value.Value), nil
}

// choice reads one of the given words.
func choice(key string, node *yaml.Node, words ...string) (string, error) {
	value := resolve(node).Value
	if !slices.Contains(words, value) {
		return "", errMistake(node, "%s must be %s", key, strings.Join(words, " or "))
	}
	return value, nil
}

func languageTag(node *yaml.Node) (string, error) {
	tag, ok := backend.CanonicalLanguage(resolve(node).Value)
	if !ok {
		return "", errMistake(node, "language must be a language tag, such as en or en-GB")
	}
	return tag, nil
}
