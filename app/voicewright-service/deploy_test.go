package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestDeployment reads what build/service runs the program by: each command, flag and variable there exists, and images have versions.
func TestDeployment(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	settings := map[string]bool{}
	for _, flag := range regexp.MustCompile(`(?m)^ +--([a-z-]+)`).FindAllStringSubmatch(o.mustRun("run", "--help"), -1) {
		settings[flag[1]] = true
	}
	folder := filepath.Join(enginetest.Root(t), "build", "service")
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	require.Contains(t, files, filepath.Join(folder, "Containerfile"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		name := filepath.Base(file)
		for _, variable := range regexp.MustCompile(`VOICEWRIGHT_SERVICE_([A-Z_]+)`).FindAllStringSubmatch(string(text), -1) {
			flag := strings.ToLower(strings.ReplaceAll(variable[1], "_", "-"))
			require.True(t, settings[flag], "%s: %s is no setting", name, variable[0])
		}
		for _, command := range regexp.MustCompile(`voicewright-service (run|migrate|account|backup)\b.*`).FindAllString(string(text), -1) {
			o.requireCommand(name, strings.Fields(command)[1], command)
		}
		for _, image := range regexp.MustCompile(`(?m)^ *(?:FROM|ARG BASE=|image:) *([^\s$]+)$`).FindAllStringSubmatch(string(text), -1) {
			require.Regexp(t, `^docker\.io/[a-z/]+:[0-9A-Z][0-9A-Za-z.-]*[0-9][0-9A-Za-z.-]*$|^localhost/`, image[1], name)
		}
	}
}

// requireCommand fails where a command line in a file has a flag that the command does not know.
func (o *operator) requireCommand(file, command, line string) {
	o.t.Helper()
	help := o.mustRun(command, "--help")
	for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(line, -1) {
		require.Regexp(o.t, `(?m)^ .*`+flag+`\b`, help, "%s: %s has no %s", file, command, flag)
	}
}
