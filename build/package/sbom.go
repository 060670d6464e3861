package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

// partsFile describes what neither Go nor npm knows of, as components of a bill of materials.
//
//go:embed parts.json
var partsFile []byte

// licencesByHand are those of components in which the tools find none.
var licencesByHand = map[string]string{"github.com/pressly/goose/v3": "MIT", "std": "BSD-3-Clause"}

// platform is what the address of a module says of the program that it was found in.
var platform = regexp.MustCompile(`goarch=[^&]*&goos=[^&]*&`)

// bill is a bill of materials in the format CycloneDX: what this program reads and writes of it.
type bill struct {
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Tools     toolList   `json:"tools"`
	Component *component `json:"component"`
}

type toolList struct {
	Components []component `json:"components"`
}

type component struct {
	Ref         string              `json:"bom-ref,omitempty"`
	Type        string              `json:"type"`
	Name        string              `json:"name"`
	Version     string              `json:"version,omitempty"`
	Description string              `json:"description,omitempty"`
	Scope       string              `json:"scope,omitempty"`
	Hashes      []map[string]string `json:"hashes,omitempty"`
	Licenses    []licence           `json:"licenses,omitempty"`
	Copyright   string              `json:"copyright,omitempty"`
	PURL        string              `json:"purl,omitempty"`
	References  []map[string]any    `json:"externalReferences,omitempty"`
	Properties  []property          `json:"properties,omitempty"`
}

type licence struct {
	License    *licenceID `json:"license,omitempty"`
	Expression string     `json:"expression,omitempty"`
}

type licenceID struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// part is one bill that is merged: the components of one tool.
type part struct {
	Metadata struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

// writeBill merges the bills in files with the parts described by hand, and writes that of version to the first file.
func writeBill(version, to string, files []string) error {
	texts := [][]byte{partsFile}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("read a bill of materials: %w", err)
		}
		texts = append(texts, text)
	}
	merged, err := merge(version, texts)
	if err != nil {
		return err
	}
	if err := merged.check(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(merged, "", "  ")
	if err != nil {
		return fmt.Errorf("write a bill of materials: %w", err)
	}
	return os.WriteFile(to, append(text, '\n'), 0o644) //nolint:gosec // for everybody
}

// merge returns the bill of all components, each once, sorted by their references. It says nothing of when and where it was made.
func merge(version string, texts [][]byte) (*bill, error) {
	root := component{
		Ref: "voicewright", Type: "application", Name: "voicewright", Version: version, PURL: "pkg:generic/voicewright@" + version,
		Licenses: []licence{{License: &licenceID{ID: "Apache-2.0"}}},
	}
	components, dependsOn := map[string]component{}, map[string][]string{}
	for _, text := range texts {
		var p part
		if err := json.Unmarshal(text, &p); err != nil {
			return nil, fmt.Errorf("read a bill of materials: %w", err)
		}
		for _, c := range p.Components {
			if id := licencesByHand[c.Name]; id != "" && len(c.Licenses) == 0 {
				c.Licenses = []licence{{License: &licenceID{ID: id}}}
			}
			c.PURL = platform.ReplaceAllString(c.PURL, "")
			components[c.Ref] = c
			if p.Metadata.Component.Ref == "" {
				dependsOn[root.Ref] = append(dependsOn[root.Ref], c.Ref)
			}
		}
		for _, d := range p.Dependencies {
			if d.Ref == p.Metadata.Component.Ref {
				d.Ref = root.Ref
			}
			dependsOn[d.Ref] = append(dependsOn[d.Ref], d.DependsOn...)
		}
	}
	tools := toolList{Components: []component{{Type: "application", Name: "cyclonedx-gomod"}, {Type: "application", Name: "npm"}}}
	out := &bill{Format: "CycloneDX", SpecVersion: "1.6", Version: 1, Metadata: metadata{Component: &root, Tools: tools}}
	for _, ref := range slices.Sorted(maps.Keys(components)) {
		out.Components = append(out.Components, components[ref])
	}
	for _, ref := range slices.Sorted(maps.Keys(dependsOn)) {
		slices.Sort(dependsOn[ref])
		out.Dependencies = append(out.Dependencies, dependency{ref, slices.Compact(dependsOn[ref])})
	}
	return out, nil
}

// componentTypes are the types of components that the format has and this program uses.
var componentTypes = []string{"application", "data", "library", "machine-learning-model"}

// check returns an error where the bill is not complete: every component has a name, a version, a licence and a reference of its own,
// and whatever something depends on is a component.
func (b *bill) check() error {
	known := map[string]bool{b.Metadata.Component.Ref: true}
	for _, c := range b.Components {
		switch {
		case c.Name == "" || c.Version == "" || !slices.Contains(componentTypes, c.Type):
			return fmt.Errorf("a component has no name, version or type: %+v", c)
		case known[c.Ref] || c.Ref == "":
			return fmt.Errorf("%s has no reference of its own", c.Name)
		case licenceOf(c) == "":
			return fmt.Errorf("%s %s has no licence", c.Name, c.Version)
		case !strings.HasPrefix(c.PURL, "pkg:"):
			return fmt.Errorf("%s %s has no package URL", c.Name, c.Version)
		}
		known[c.Ref] = true
	}
	for _, d := range b.Dependencies {
		for _, ref := range append([]string{d.Ref}, d.DependsOn...) {
			if !known[ref] {
				return fmt.Errorf("%s is no component", ref)
			}
		}
	}
	return nil
}

// licenceOf returns the licences of a component as one expression, empty where it has none.
func licenceOf(c component) string {
	var ids []string
	for _, l := range c.Licenses {
		id := l.Expression
		if l.License != nil {
			id = cmp.Or(l.License.ID, l.License.Name)
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return strings.Join(ids, " and ")
}
