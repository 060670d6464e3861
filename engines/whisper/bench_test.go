//go:build whisper && unix

package whisper

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// BenchmarkWhisperCLI compares the time of a run with whisper-cli's: the same build of the library, a model of the size of tiny
// with random weights, one file, one thread. Loading the model counts in cpu-ratio, the ratio of the processor times, only: that
// one depends less on what else the machine does. Where it runs several times, the shortest of each are compared.
func BenchmarkWhisperCLI(b *testing.B) { newComparison(b, 1).measure(b) }

// BenchmarkWhisperBesideWork is BenchmarkWhisperCLI with a thread for each core while twice as many other programs keep the cores busy.
// slowdown is how much longer a run takes than without these: 3 if the threads get their share and waste none of it by waiting.
func BenchmarkWhisperBesideWork(b *testing.B) {
	cores := runtime.NumCPU()
	c := newComparison(b, cores)
	c.runEngine(b)
	alone := c.ours.run
	c.ours = best{}
	for range 2 * cores {
		busy := exec.Command("sh", "-c", "while :; do :; done")
		require.NoError(b, busy.Start())
		b.Cleanup(func() {
			require.NoError(b, busy.Process.Kill())
			_ = busy.Wait() // it was killed
		})
	}
	c.measure(b)
	b.ReportMetric(float64(c.ours.run)/float64(alone), "slowdown")
}

// comparison is a recording with what whisper-cli and the engine took for it.
type comparison struct {
	command, model, file string
	samples              []float32
	threads              int
	ours, theirs         best
}

func newComparison(b *testing.B, threads int) *comparison {
	b.Helper()
	root := enginetest.Root(b)
	c := &comparison{
		command: filepath.Join(root, "build/lib/whisper/bin/whisper-cli"), model: filepath.Join(b.TempDir(), "ggml-tiny-random.bin"),
		file: filepath.Join(root, "backend/audio/testdata/speech/jfk.wav"), threads: threads,
	}
	if _, err := os.Stat(c.command); err != nil {
		b.Fatal("whisper-cli is missing; make bench builds it.")
	}
	writeRandomTiny(b, c.model)
	c.samples = readWAV(b, c.file)
	return c
}

// measure runs both in turn, so that both meet the same other work on the machine.
func (c *comparison) measure(b *testing.B) {
	b.Helper()
	for b.Loop() {
		text := c.runCommand(b)
		require.Equal(b, text, c.runEngine(b), "whisper-cli found another text")
	}
	b.ReportMetric(float64(c.ours.run)/float64(c.theirs.run), "ratio")
	b.ReportMetric(float64(c.ours.cpu)/float64(c.theirs.cpu), "cpu-ratio")
	b.ReportMetric(float64(c.ours.run.Milliseconds()), "ms/run")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkWhisperCancel measures how long a caller waits after a run was cancelled, at most.
func BenchmarkWhisperCancel(b *testing.B) {
	model := filepath.Join(b.TempDir(), "ggml-tiny-random.bin")
	writeRandomTiny(b, model)
	e := openFile(b, model)
	samples := tone(300, 60)
	var longest, delay time.Duration
	for b.Loop() {
		ctx, cancel := context.WithCancel(b.Context())
		cancelled := make(chan time.Time, 1)
		var once sync.Once
		_, err := e.Transcribe(ctx, samples, engines.TranscribeOptions{Language: "en", Progress: func(float64) {
			once.Do(func() { time.AfterFunc(delay, func() { cancelled <- time.Now(); cancel() }) })
		}}, func(backend.Segment) error { return nil })
		longest = max(longest, time.Since(<-cancelled))
		require.ErrorIs(b, err, backend.ErrCancelled)
		delay = (delay + 70*time.Millisecond) % time.Second // in the encoder, then in the decoder
	}
	b.ReportMetric(float64(longest.Microseconds())/1000, "cancel-ms")
	b.ReportMetric(0, "ns/op")
}

// best are the shortest times so far.
type best struct{ run, cpu time.Duration }

func (b *best) record(run, cpu time.Duration) {
	if b.run == 0 || run < b.run {
		b.run = run
	}
	if b.cpu == 0 || cpu < b.cpu {
		b.cpu = cpu
	}
}

// runEngine opens the model, transcribes and closes it.
func (c *comparison) runEngine(b *testing.B) string {
	b.Helper()
	before := cpuTime(b)
	e, err := NewDriver(slog.New(slog.DiscardHandler)).Open(b.Context(), engines.Files{RoleModel: c.model}, engines.Options{Threads: c.threads})
	require.NoError(b, err)
	start := time.Now()
	_, segments := transcribe(b, e.(*Engine), c.samples, engines.TranscribeOptions{Language: "en"})
	took := time.Since(start)
	require.NoError(b, e.Close())
	c.ours.record(took, cpuTime(b)-before)
	return allText(segments)
}

// cpuTime returns the processor time of this process.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func allText(segments []backend.Segment) string {
	var all strings.Builder
	for _, s := range segments {
		all.WriteString(s.Text)
	}
	return plain(all.String())
}

// plain returns a text without line breaks and incomplete characters.
func plain(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(strings.ReplaceAll(s, "\n", ""), ""), "\uFFFD", "")
}

var timing = regexp.MustCompile(`(load|total) time = +([0-9.]+) ms`)

// runCommand runs whisper-cli, and returns the text that it found.
func (c *comparison) runCommand(b *testing.B) string {
	b.Helper()
	to := filepath.Join(b.TempDir(), "out")
	command := exec.Command(c.command, "-m", c.model, "-f", c.file, "-t", strconv.Itoa(c.threads), "-bs", "1", "-l", "en", "-ng", "-otxt", "-of", to)
	out, err := command.CombinedOutput()
	require.NoError(b, err, string(out))
	times := map[string]float64{}
	for _, m := range timing.FindAllStringSubmatch(string(out), -1) {
		times[m[1]], err = strconv.ParseFloat(m[2], 64)
		require.NoError(b, err)
	}
	require.Len(b, times, 2, string(out))
	text, err := os.ReadFile(to + ".txt")
	require.NoError(b, err)
	run := time.Duration((times["total"] - times["load"]) * float64(time.Millisecond))
	c.theirs.record(run, command.ProcessState.UserTime()+command.ProcessState.SystemTime())
	return plain(string(text))
}

// The size of tiny.
const (
	tinyState, tinyHeads, tinyLayers = 384, 6, 4
	tinyAudio, tinyText, tinyMels    = 1500, 448, 80
	tinyVocabulary                   = 51865
)

// writeRandomTiny writes a model of the size of tiny with random weights; vocabulary and filters are those of a small model.
func writeRandomTiny(b *testing.B, path string) {
	b.Helper()
	small := whispertest.Bytes(b, "plain")
	f, err := os.Create(path)
	require.NoError(b, err)
	w := &tensorWriter{to: bufio.NewWriterSize(f, 1<<20), random: rand.New(rand.NewPCG(1, 1))}
	header := []uint32{
		0x67676d6c, tinyVocabulary, tinyAudio, tinyState, tinyHeads, tinyLayers, tinyText, tinyState, tinyHeads, tinyLayers, tinyMels, 1,
	}
	const headerBytes = 12 * 4
	for _, n := range header {
		w.number(n)
	}
	_, _ = w.to.Write(small[headerBytes : endOfVocabulary(small[headerBytes:])+headerBytes])
	w.encoder()
	w.decoder()
	require.NoError(b, w.to.Flush())
	require.NoError(b, f.Close())
}

// endOfVocabulary returns where the mel filters and the vocabulary end that b begins with.
func endOfVocabulary(b []byte) int {
	at := 8 + 4*int(binary.LittleEndian.Uint32(b))*int(binary.LittleEndian.Uint32(b[4:]))
	words := binary.LittleEndian.Uint32(b[at:])
	at += 4
	for range words {
		at += 4 + int(binary.LittleEndian.Uint32(b[at:]))
	}
	return at
}

// tensorWriter writes tensors with random weights.
type tensorWriter struct {
	to     *bufio.Writer
	random *rand.Rand
}

func (w *tensorWriter) number(n uint32) { _ = binary.Write(w.to, binary.LittleEndian, n) }

func (w *tensorWriter) encoder() {
	w.tensor("encoder.positional_embedding", false, tinyState, tinyAudio)
	w.tensor("encoder.conv1.weight", true, 3, tinyMels, tinyState)
	w.tensor("encoder.conv1.bias", false, 1, tinyState)
	w.tensor("encoder.conv2.weight", true, 3, tinyState, tinyState)
	w.tensor("encoder.conv2.bias", false, 1, tinyState)
	w.norm("encoder.ln_post")
	for i := range tinyLayers {
		w.block(fmt.Sprintf("encoder.blocks.%d.", i), "attn")
	}
}

func (w *tensorWriter) decoder() {
	w.tensor("decoder.positional_embedding", false, tinyState, tinyText)
	w.tensor("decoder.token_embedding.weight", true, tinyState, tinyVocabulary)
	w.norm("decoder.ln")
	for i := range tinyLayers {
		w.block(fmt.Sprintf("decoder.blocks.%d.", i), "attn", "cross_attn")
	}
}

func (w *tensorWriter) block(prefix string, attentions ...string) {
	for _, a := range attentions {
		w.norm(prefix + a + "_ln")
		for _, part := range []string{"query", "key", "value", "out"} {
			w.tensor(prefix+a+"."+part+".weight", true, tinyState, tinyState)
			if part != "key" {
				w.tensor(prefix+a+"."+part+".bias", false, tinyState)
			}
		}
	}
	w.norm(prefix + "mlp_ln")
	w.tensor(prefix+"mlp.0.weight", true, tinyState, 4*tinyState)
	w.tensor(prefix+"mlp.0.bias", false, 4*tinyState)
	w.tensor(prefix+"mlp.2.weight", true, 4*tinyState, tinyState)
	w.tensor(prefix+"mlp.2.bias", false, tinyState)
}

func (w *tensorWriter) norm(name string) {
	w.tensor(name+".weight", false, tinyState)
	w.tensor(name+".bias", false, tinyState)
}

// tensor writes a tensor, the fastest dimension first, as half or single floats.
func (w *tensorWriter) tensor(name string, half bool, shape ...uint32) {
	kind, count := uint32(0), 1
	if half {
		kind = 1
	}
	w.number(uint32(len(shape)))
	w.number(uint32(len(name)))
	w.number(kind)
	for _, n := range shape {
		w.number(n)
		count *= int(n)
	}
	_, _ = w.to.WriteString(name)
	for range count {
		value := float32(w.random.NormFloat64() * 0.02)
		switch {
		case strings.HasSuffix(name, "bias"):
			value = 0
		case strings.HasSuffix(name, "ln.weight"), strings.HasSuffix(name, "ln_post.weight"):
			value = 1
		}
		if half {
			var raw [2]byte
			binary.LittleEndian.PutUint16(raw[:], toHalf(value))
			_, _ = w.to.Write(raw[:])
		} else {
			w.number(math.Float32bits(value))
		}
	}
}

// toHalf rounds a number below 65,504 down to a half float; the smallest ones become 0.
func toHalf(v float32) uint16 {
	bits := math.Float32bits(v)
	sign, exponent, fraction := uint16(bits>>16&0x8000), int(bits>>23&0xff)-127+15, uint16(bits>>13&0x3ff)
	if exponent <= 0 {
		return sign
	}
	return sign | uint16(exponent)<<10 | fraction
}
