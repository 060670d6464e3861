package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// What benchmarks find in the environment.
const (
	graphVariable    = "VOICEWRIGHT_GRAPH"         // a Piper voice of true size
	programsVariable = "VOICEWRIGHT_TEST_PROGRAMS" // a folder with the built program, which the benchmarks of app need not build again
	peersVariable    = "VOICEWRIGHT_PEERS"         // a Python interpreter with the libraries of others
)

// prepare writes the voice of true size, and installs the libraries of others where rows compare with them. Rows for which that is
// not possible are left out, with the reason.
func (m *measurement) prepare(ctx context.Context, rows []row) []row {
	speaks := func(r row) bool { return r.pkg == "app" || r.pkg == "engines/piper" }
	if slices.ContainsFunc(rows, speaks) && os.Getenv(graphVariable) == "" {
		graph, err := writeVoice(m.root, filepath.Join(m.root, "build", "lib", "peers", "voice"))
		m.fail(err)
		m.env = append(m.env, graphVariable+"="+graph)
	}
	if _, err := os.Stat(filepath.Join(m.root, programPath)); err == nil {
		m.env = append(m.env, programsVariable+"="+filepath.Join(m.root, "bin"))
	}
	compares := func(r row) bool { return r.peers }
	if !slices.ContainsFunc(rows, compares) || os.Getenv(peersVariable) != "" {
		return rows
	}
	python, err := m.install(ctx)
	if err == nil {
		m.env = append(m.env, peersVariable+"="+python)
		return rows
	}
	fmt.Fprintln(m.problems, err)
	return slices.DeleteFunc(rows, func(r row) bool {
		if compares(r) {
			m.miss(r.pkg, firstPart(r.name), "the libraries of others could not be installed")
		}
		return compares(r)
	})
}

// install makes the environment of Python with the libraries in requirements.txt, each with its hash, where it is not there yet.
func (m *measurement) install(ctx context.Context) (python string, err error) {
	list := filepath.Join(m.root, "build", "bench", "peers", "requirements.txt")
	raw, err := os.ReadFile(list)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	dir := filepath.Join(m.root, "build", "lib", "peers", "python-"+hex.EncodeToString(sum[:4]))
	python = filepath.Join(dir, "bin", "python")
	if runtime.GOOS == "windows" {
		python = filepath.Join(dir, "Scripts", "python.exe")
	}
	done := filepath.Join(dir, "installed")
	if _, err := os.Stat(done); err == nil {
		return python, nil
	}
	fmt.Fprintln(m.problems, "# installing the libraries of others into build/lib/peers")
	for _, args := range [][]string{
		{"python3", "-m", "venv", "--clear", dir},
		{
			python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-warn-conflicts", "--only-binary=:all:",
			"--require-hashes", "-r", list,
		},
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:forbidigo // Python, which needs its own settings
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return python, os.WriteFile(done, nil, 0o600)
}
