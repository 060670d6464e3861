package main

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/voicewright/voicewright/backend/service"
)

// maxConfig is the size that a configuration file may have.
const maxConfig = 1 << 20

// configFile holds the entries of a configuration file. The zero value is an empty file.
type configFile struct {
	path   string
	flags  map[string]entry      // by name of the flag
	others map[string]*yaml.Node // the keys of others, which are no flags
}

// entry is the value of a key: one, or several for a flag that is repeatable.
type entry struct {
	line   int
	values []string
	list   bool // the file has them as a list
}

// The keys that are no flags.
const (
	keyRates        = "rates"
	keyLimits       = "limits"
	keyPlanCaps     = "plan_caps"
	keyPlanCredits  = "plan_credits"
	keyQueueTimeout = "queue_timeout"
)

var otherKeys = []string{keyLimits, keyPlanCaps, keyPlanCredits, keyQueueTimeout, keyRates}

// readConfig reads a configuration file. Unknown and repeated keys are errors that name the key and its line.
func readConfig(path string, flags *pflag.FlagSet) (configFile, error) {
	c := configFile{path: path, flags: map[string]entry{}, others: map[string]*yaml.Node{}}
	root, err := readYAML(path)
	if err != nil || root == nil {
		return c, err
	}
	if root.Kind != yaml.MappingNode {
		return c, usagef("%s must contain lines of the form \"key: value\"", c.place(root.Line))
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if err := c.add(root.Content[i], root.Content[i+1], flags); err != nil {
			return c, err
		}
	}
	return c, nil
}

// readYAML returns the document of a file, nil when it is empty.
func readYAML(path string) (*yaml.Node, error) {
	raw, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var document, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, usagef("%s is not valid YAML: %s", path, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, usagef("%s must contain one YAML document", path)
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	return root, nil
}

// readFile reads a file of settings.
func readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, usagef("cannot read %s: %w", path, errors.Unwrap(err))
	}
	raw, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, usagef("cannot read %s: %w", path, err)
	}
	if len(raw) > maxConfig {
		return nil, usagef("%s is larger than 1 MiB, so it is not a file of settings", path)
	}
	return raw, nil
}

// add adds one key of the file. Dashes and underscores in it are the same.
func (c configFile) add(key, value *yaml.Node, flags *pflag.FlagSet) error {
	place := c.place(key.Line)
	name := strings.ReplaceAll(key.Value, "_", "-")
	other := strings.ReplaceAll(key.Value, "-", "_")
	flag := flags.Lookup(name)
	_, twice := c.flags[name]
	switch {
	case twice || c.others[other] != nil:
		return usagef("%s: %s is there twice", place, key.Value)
	case slices.Contains(otherKeys, other):
		c.others[other] = value
	case flag == nil || name == "config":
		return usagef("%s: unknown key %q. The keys are %s", place, key.Value, strings.Join(keys(flags), ", "))
	case value.Kind == yaml.SequenceNode && flag.Value.Type() == "stringSlice":
		c.flags[name] = entry{key.Line, scalars(value.Content), true}
	case value.Kind == yaml.ScalarNode:
		c.flags[name] = entry{key.Line, scalars([]*yaml.Node{value}), false}
	default:
		return usagef("%s: %s takes one value", place, key.Value)
	}
	return nil
}

// scalars returns the texts of nodes; a null is no text.
func scalars(nodes []*yaml.Node) []string {
	var values []string
	for _, n := range nodes {
		if n.Tag != "!!null" {
			values = append(values, n.Value)
		}
	}
	return values
}

// keys returns all keys of a configuration file.
func keys(flags *pflag.FlagSet) []string {
	names := slices.Clone(otherKeys)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name != "config" {
			names = append(names, f.Name)
		}
	})
	slices.Sort(names)
	return names
}

// maps fills in the settings that are no flags.
func (c configFile) maps(s *options) error {
	p := &s.prices
	*p = service.Prices{
		Rates: map[string]int64{}, Limits: map[string]int{}, PlanCaps: map[service.Plan]int{}, PlanCredits: map[service.Plan]int64{},
	}
	for _, name := range slices.Sorted(maps.Keys(c.others)) {
		node := c.others[name]
		var err error
		switch name {
		case keyRates:
			err = c.numbers(name, node, p, func(key string, n int64) { p.Rates[key] = n })
		case keyLimits:
			err = c.numbers(name, node, p, func(key string, n int64) { p.Limits[key] = int(n) })
		case keyPlanCaps:
			err = c.numbers(name, node, p, func(key string, n int64) { p.PlanCaps[service.Plan(key)] = int(n) })
		case keyPlanCredits:
			err = c.numbers(name, node, p, func(key string, n int64) { p.PlanCredits[service.Plan(key)] = n })
		case keyQueueTimeout:
			s.queueTimeout, err = time.ParseDuration(node.Value)
			if err != nil || s.queueTimeout <= 0 {
				err = usagef("%s: %s must be a duration such as 30s", c.place(node.Line), name)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// numbers reads a map from names to whole numbers, and checks the prices after each of them.
func (c configFile) numbers(key string, node *yaml.Node, prices *service.Prices, set func(name string, n int64)) error {
	if node.Kind != yaml.MappingNode {
		return usagef("%s: %s must be a map from names to numbers", c.place(node.Line), key)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		place := c.place(name.Line)
		n, err := strconv.ParseInt(value.Value, 10, 64)
		switch {
		case seen[name.Value]:
			return usagef("%s: %s: %s is there twice", place, key, name.Value)
		case err != nil || n > maxNumber:
			return usagef("%s: %s: %s must be a whole number up to %d", place, key, name.Value, maxNumber)
		}
		seen[name.Value] = true
		set(name.Value, n)
		if _, err := prices.Complete(); err != nil {
			return usagef("%s: %w", place, err)
		}
	}
	return nil
}

// maxNumber is the largest number that the program accepts for credits and prices.
const maxNumber = 1_000_000_000
