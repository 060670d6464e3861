package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTypesOfWindows offers the program for every file that the window opens on other systems, and for each once.
func TestTypesOfWindows(t *testing.T) {
	var lines strings.Builder
	require.NoError(t, writeTypes(&lines))
	var config struct {
		Info struct{ FileAssociations []struct{ Ext string } }
	}
	file, err := os.ReadFile("../../wails.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(file, &config))
	require.NotEmpty(t, config.Info.FileAssociations)
	for _, kind := range config.Info.FileAssociations {
		assert.Equal(t, 1, strings.Count(lines.String(), `!insertmacro ${forType} ".`+kind.Ext+"\"\n"), kind.Ext)
	}
	for line := range strings.Lines(lines.String()) {
		assert.Equal(t, 1, strings.Count(lines.String(), line), line)
	}
}
