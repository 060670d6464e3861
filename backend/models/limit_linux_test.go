package models_test

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// limited is the variable with the free memory, in MB, that a child process has when it loads a large voice.
const limited = "MODELS_TEST_MEMORY_LIMIT"

// TestLoadWithLittleMemory loads a voice in child processes with less and less memory: the real runtime fails without a crash.
func TestLoadWithLittleMemory(t *testing.T) {
	for free, want := range map[string]string{"2000": "loaded", "100": "out_of_memory", "40": "out_of_memory"} {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChildWithLittleMemory$", "-test.v")
		c.Env = append(os.Environ(), limited+"="+free)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s MB: %s", free, out)
		require.Contains(t, string(out), "the load ended with: "+want, "%s MB", free)
	}
}

// TestChildWithLittleMemory runs only in the child processes of TestLoadWithLittleMemory.
func TestChildWithLittleMemory(t *testing.T) {
	free, err := strconv.ParseUint(os.Getenv(limited), 10, 64)
	if err != nil {
		return
	}
	l := newFixture(t, piperAtHub(t), large)
	l.download("piper-large")
	l.download("piper-lessac")
	_, err = l.manager.Load(t.Context(), "piper-lessac", false, false) // the runtime itself is in memory
	require.NoError(t, err)
	raw, err := os.ReadFile("/proc/self/statm")
	require.NoError(t, err)
	pages, err := strconv.ParseUint(strings.Fields(string(raw))[0], 10, 64)
	require.NoError(t, err)
	limit := pages*uint64(os.Getpagesize()) + free*mb
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: unix.RLIM_INFINITY}))
	_, err = l.manager.Load(t.Context(), "piper-large", false, false)
	result := "loaded"
	if err != nil {
		result = string(backend.CodeOf(err))
	}
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}))
	_, _ = os.Stdout.WriteString("the load ended with: " + result + "\n")
}

// field writes a length-delimited field of a protobuf message.
func field(number int, content []byte) []byte {
	out := binary.AppendUvarint(nil, uint64(number<<3|2))
	return append(binary.AppendUvarint(out, uint64(len(content))), content...)
}

// weigh adds 64 MB of weights to a graph, and a node on them that draws noise in a way that no seed reaches: else the graph
// would be changed in memory and what it does not use never read (onnx.proto: ModelProto.graph = 7; GraphProto.node = 1,
// initializer = 5; NodeProto input = 1, output = 2, op_type = 4; TensorProto dims = 1, data_type = 2, name = 8, raw_data = 9).
func weigh(t *testing.T, model []byte) []byte {
	t.Helper()
	const n = 16 << 20 // floats
	tensor := binary.AppendUvarint([]byte{1 << 3}, n)
	tensor = append(tensor, 2<<3, 1)
	tensor = append(tensor, field(8, []byte("ballast"))...)
	tensor = append(tensor, field(9, make([]byte, 4*n))...)
	node := slices.Concat(field(1, []byte("ballast")), field(2, []byte("coin")), field(4, []byte("Bernoulli")))
	var out []byte
	for data := model; len(data) > 0; {
		key, size := binary.Uvarint(data)
		value, more := binary.Uvarint(data[size:])
		end := size + more
		if key&7 == 2 {
			end += int(value)
		} else {
			require.Zero(t, key&7)
		}
		if key == 7<<3|2 {
			out = append(out, field(7, slices.Concat(data[size+more:end], field(1, node), field(5, tensor)))...)
		} else {
			out = append(out, data[:end]...)
		}
		data = data[end:]
	}
	return out
}

// large adds a second model, which is the kit's voice with that weight.
func large(l *fixture) {
	e := l.options.Known[len(l.options.Known)-1]
	e.Name = "piper-large"
	e.Variants = []registry.Variant{{Name: "large", Files: slices.Clone(e.Variants[0].Files)}}
	for i, f := range e.Variants[0].Files {
		raw, err := os.ReadFile(filepath.Join("testdata", lessac, filepath.Base(f.Path)))
		require.NoError(l.t, err)
		if f.Role == "graph" {
			raw = weigh(l.t, raw)
		}
		path := "large/" + filepath.Base(f.Path)
		l.repos[len(l.repos)-1].Files[path] = hubtest.Bytes(raw)
		e.Variants[0].Files[i] = file(f.Repo, path, string(raw), f.Role)
	}
	l.options.Known = append(l.options.Known, e)
}
