package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

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

// composeFile is what the test reads of compose.yaml.
type composeFile struct {
	Services map[string]struct {
		Image       string
		Command     []string
		Environment map[string]string
		Secrets     []string
		Volumes     []string
		DependsOn   any           `yaml:"depends_on"`
		Grace       time.Duration `yaml:"stop_grace_period"`
	}
	Secrets map[string]struct{ File string }
	Volumes map[string]any
}

// TestCompose reads compose.yaml: the program accepts its settings, secrets are in files, and what is named is there.
func TestCompose(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(enginetest.Root(t), "build", "service")
	text, err := os.ReadFile(filepath.Join(folder, "compose.yaml"))
	require.NoError(t, err)
	var compose composeFile
	require.NoError(t, yaml.Unmarshal(text, &compose))
	require.Len(t, compose.Services, 7)
	for name, s := range compose.Services {
		require.NotEmpty(t, s.Image, name)
		for variable, value := range s.Environment {
			require.NotRegexp(t, `(?i)(PASSWORD|SECRET|KEY|USER)$`, strings.TrimPrefix(variable, "POSTGRES_USER"), "%s: %s belongs into a file", name, variable)
			if path, secret := strings.CutPrefix(value, "/run/secrets/"); secret {
				require.Contains(t, s.Secrets, path, "%s: %s", name, variable)
			}
		}
		for _, secret := range s.Secrets {
			require.Equal(t, "./secrets/"+secret, compose.Secrets[secret].File, name)
		}
		for _, volume := range s.Volumes {
			from, _, _ := strings.Cut(volume, ":")
			if !strings.HasPrefix(from, "$") && !strings.HasPrefix(from, ".") {
				require.Contains(t, compose.Volumes, from, name)
			}
		}
	}
	service := compose.Services["service-1"]
	require.Equal(t, service, compose.Services["service-2"])
	drain, err := time.ParseDuration(service.Environment["VOICEWRIGHT_SERVICE_DRAIN_DELAY"])
	require.NoError(t, err)
	require.Greater(t, service.Grace, drain+10*time.Minute+41*time.Second, "the container waits for calls that run")

	o := newOperator(t)
	for name, value := range service.Environment {
		value = strings.ReplaceAll(value, "${DOMAIN:?the name of the service, such as voice.example.org}", "voice.example.org")
		value = strings.ReplaceAll(value, "/run/secrets/files-credentials", o.file("keys", objectKeys))
		value = strings.ReplaceAll(value, "/etc/voicewright-service/config.yaml", o.file("settings.yaml", "issuer: https://id.example.org\n"))
		o.env = append(o.env, name+"="+value)
	}
	o.mustFail(exitUsage, []string{"--offline", "--database is postgres://voicewright@database/voicewright"}, append(service.Command, "--offline")...)
}

// TestUnits: the unit of an instance is as hardened as the one of a single service.
func TestUnits(t *testing.T) {
	t.Parallel()
	unit := func(name string) string {
		text, err := os.ReadFile(filepath.Join(enginetest.Root(t), "build", "service", name))
		require.NoError(t, err)
		return string(text)
	}
	single, instance := unit("voicewright-service.service"), unit("voicewright-service@.service")
	hardened := single[strings.Index(single, "CapabilityBoundingSet="):]
	require.True(t, strings.HasSuffix(instance, hardened))
	for _, line := range []string{"DynamicUser=yes", "KillMode=mixed", "TimeoutStopSec=12min", "UMask=0077", "Restart=on-failure", "StartLimitIntervalSec=0"} {
		require.Contains(t, single, "\n"+line+"\n")
		require.Contains(t, instance, "\n"+line+"\n")
	}
	for _, secret := range []string{"database-password", "files-credentials"} { // a user that exists while it runs can't read them in /etc
		line := "LoadCredential=" + secret + ":/etc/voicewright-service/" + secret + "\n"
		require.Contains(t, single, "\n#"+line)
		require.Contains(t, instance, "\n"+line)
	}
	require.Contains(t, instance, "VOICEWRIGHT_SERVICE_ADDR=127.0.0.1:%i")
	require.NotContains(t, instance, "StateDirectory", "it stores nothing")
}
