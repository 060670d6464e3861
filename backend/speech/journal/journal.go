// Package journal stores the finished segments of a generation on the disk, for a later run.
package journal

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/engines"
)

// Journal stores the finished segments of a generation, so that a later run does not synthesize them again. It is a file of
// records with checksums that only grows: a record that was not written completely is ignored, with all that follows. It is
// safe for concurrent use.
type Journal struct {
	File *os.File
	now  func() time.Time

	mu       sync.Mutex
	size     int64 // of the valid records
	synced   time.Time
	named    bool             // the file's name is on the disk
	segments map[string]entry // by key
	plan     []PlannedSegment // of the last run
	raw      []byte           // the samples of the record that is written
}

// PlannedSegment is a segment of the text: its key, the chunk that it belongs to, and the silence before it.
type PlannedSegment struct {
	Line  int           `json:"line"`
	Key   string        `json:"key"`
	Asked time.Duration `json:"asked,omitempty"` // by markup, in nanoseconds
	Own   time.Duration `json:"own,omitempty"`   // of the structure or the engine
}

// entry is where the record of a segment is.
type entry struct {
	at      int64
	setting string
	heard   bool
	seconds float64

	rate, channels int // 0 without sound
}

func (k *KeptSegment) entry(at int64) entry {
	return entry{at: at, setting: k.Setting, heard: k.Heard, seconds: k.seconds(), rate: k.Rate, channels: k.Channels}
}

// KeptSegment is the JSON of a segment's record; the samples follow it as little-endian float32.
type KeptSegment struct {
	Key      string      `json:"key"`
	Setting  string      `json:"setting"` // identifies the program, the device and the libraries that synthesized it
	Rate     int         `json:"rate"`
	Channels int         `json:"channels"`
	Heard    bool        `json:"heard"` // it has a sample that is not zero
	Sounds   []keptSound `json:"sounds"`

	samples [][]float32 // of the sounds
}

// keptSound is what an engine emitted at a time.
type keptSound struct {
	Samples int            `json:"samples"`
	Words   []backend.Word `json:"words,omitempty"`
}

// Add adds what an engine emitted, and keeps its samples, which must not change.
func (k *KeptSegment) Add(s engines.Sound) {
	k.Rate, k.Channels = s.Rate, s.Channels
	k.Sounds = append(k.Sounds, keptSound{Samples: len(s.Samples), Words: slices.Clone(s.Words)})
	k.Heard = k.Heard || slices.ContainsFunc(s.Samples, func(x float32) bool { return x != 0 })
	k.samples = append(k.samples, s.Samples)
}

func (k *KeptSegment) seconds() float64 {
	if k.Rate <= 0 || k.Channels <= 0 {
		return 0
	}
	n := 0
	for _, s := range k.Sounds {
		n += s.Samples
	}
	return audio.Seconds(int64(n/k.Channels), k.Rate)
}

const (
	journalMagic = "VWJOURNAL1\n"
	recordHeader = 20 // kind, length of the JSON, length of the samples (8 bytes), CRC-32C of these and of both
	maxMeta      = 64 << 20
	planRecord   = uint32('P')
	soundRecord  = uint32('S')

	// journalSync is how often a growing journal is written to the disk: a power cut loses at most what was made since, a
	// killed process loses nothing.
	journalSync = 2 * time.Second
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Open opens the journal at path, or creates it, and removes what is behind its last valid record.
func Open(path string, now func() time.Time) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, backend.FileError("make the folder of finished chunks", "the data directory", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, backend.FileError("open the finished chunks", "the data directory", err)
	}
	j := &Journal{File: f, now: now, synced: now()}
	err = j.Read()
	if err == nil {
		err = f.Truncate(j.size)
	}
	if err == nil && j.size == 0 {
		_, err = f.WriteAt([]byte(journalMagic), 0)
		j.size = int64(len(journalMagic))
	}
	if err != nil {
		return nil, errors.Join(backend.FileError("read the finished chunks", "the data directory", err), f.Close())
	}
	return j, nil
}

// ReadPartial returns what the journal at path holds, nil where no chunk is complete, and whether it is empty: no later run can
// use it.
func ReadPartial(path string) (partial *backend.Partial, empty bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = f.Close() }()
	j := &Journal{File: f}
	if err := j.Read(); err != nil {
		return nil, false, err
	}
	return j.Partial(), j.Empty(), nil
}

// Read finds the valid records.
func (j *Journal) Read() error {
	j.size, j.segments, j.plan = 0, map[string]entry{}, nil
	info, err := j.File.Stat()
	if err != nil {
		return err
	}
	magic := make([]byte, len(journalMagic))
	if _, err := j.File.ReadAt(magic, 0); err != nil || string(magic) != journalMagic {
		return ignoreEnd(err)
	}
	j.size = int64(len(magic))
	for {
		next, err := j.readRecord(info.Size())
		if err != nil || next == 0 {
			return err
		}
		j.size = next
	}
}

// readRecord reads the record at j.size and returns where it ends, 0 where there is no valid one.
func (j *Journal) readRecord(end int64) (next int64, err error) {
	kind, meta, samples, err := j.recordAt(j.size, end)
	if err != nil || meta == nil {
		return 0, err
	}
	switch kind {
	case planRecord:
		var plan []PlannedSegment
		if !parses(meta, &plan) {
			return 0, nil
		}
		j.plan = plan
	case soundRecord:
		var k KeptSegment
		if !parses(meta, &k) || !k.fits(samples) {
			return 0, nil
		}
		j.segments[k.Key] = k.entry(j.size)
	}
	return j.size + recordHeader + int64(len(meta)) + samples, nil
}

func parses(raw []byte, to any) bool { return json.Unmarshal(raw, to) == nil }

// fits reports whether the samples of the sounds have this many bytes.
func (k *KeptSegment) fits(bytes int64) bool {
	for _, s := range k.Sounds {
		if bytes -= 4 * int64(s.Samples); s.Samples < 0 || bytes < 0 {
			return false
		}
	}
	return bytes == 0 && (len(k.Sounds) == 0 || k.Rate > 0 && k.Channels > 0)
}

// recordAt checks the record at an offset and returns its JSON and the number of bytes of its samples; meta is nil where it is
// not valid.
func (j *Journal) recordAt(at, end int64) (kind uint32, meta []byte, samples int64, err error) {
	head := make([]byte, recordHeader)
	if _, err := j.File.ReadAt(head, at); err != nil {
		return 0, nil, 0, ignoreEnd(err)
	}
	kind, samples = binary.LittleEndian.Uint32(head), int64(binary.LittleEndian.Uint64(head[8:]))
	length, at := int64(binary.LittleEndian.Uint32(head[4:])), at+recordHeader
	if length == 0 || length > maxMeta || samples < 0 || length > end-at || samples > end-at-length {
		return 0, nil, 0, nil
	}
	meta = make([]byte, length)
	if _, err := j.File.ReadAt(meta, at); err != nil {
		return 0, nil, 0, ignoreEnd(err)
	}
	sum := crc32.New(castagnoli)
	_, _ = sum.Write(head[:recordHeader-4])
	_, _ = sum.Write(meta)
	if _, err := io.Copy(sum, io.NewSectionReader(j.File, at+length, samples)); err != nil {
		return 0, nil, 0, err
	}
	if sum.Sum32() != binary.LittleEndian.Uint32(head[recordHeader-4:]) {
		return 0, nil, 0, nil
	}
	return kind, meta, samples, nil
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Begin stores the segments of a run.
func (j *Journal) Begin(plan []PlannedSegment) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if slices.Equal(plan, j.plan) {
		return nil
	}
	meta, err := json.Marshal(plan)
	if err != nil {
		return fmt.Errorf("write the plan of a generation: %w", err)
	}
	if err := j.append(planRecord, meta, nil); err != nil {
		return err
	}
	j.plan = plan
	return nil
}

// Find returns what the segment with this key was synthesized with.
func (j *Journal) Find(key string) (setting string, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e, ok := j.segments[key]
	return e.setting, ok
}

// Add stores a finished segment.
func (j *Journal) Add(k *KeptSegment) error {
	meta, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("store a finished segment: %w", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	at := j.size
	if err := j.append(soundRecord, meta, k.samples); err != nil {
		return err
	}
	j.segments[k.Key] = k.entry(at)
	if now := j.now(); now.Sub(j.synced) >= journalSync {
		j.synced = now
		return j.sync()
	}
	return nil
}

// append writes a record. After an error the file ends as before.
func (j *Journal) append(kind uint32, meta []byte, sounds [][]float32) error {
	samples := j.raw[:0]
	for _, s := range sounds {
		samples = AppendSamples(samples, s)
	}
	j.raw = samples
	record := make([]byte, 0, recordHeader+len(meta))
	record = binary.LittleEndian.AppendUint32(record, kind)
	record = binary.LittleEndian.AppendUint32(record, uint32(len(meta)))
	record = binary.LittleEndian.AppendUint64(record, uint64(len(samples)))
	sum := crc32.Update(crc32.Update(crc32.Checksum(record, castagnoli), castagnoli, meta), castagnoli, samples)
	record = append(binary.LittleEndian.AppendUint32(record, sum), meta...)
	_, err := j.File.WriteAt(record, j.size)
	if err == nil && len(samples) > 0 {
		_, err = j.File.WriteAt(samples, j.size+int64(len(record)))
	}
	if err != nil {
		_ = j.File.Truncate(j.size) // else the checksum tells that the record is not complete
		return backend.FileError("store a finished chunk", "the data directory", err)
	}
	j.size += int64(len(record) + len(samples))
	return nil
}

// Replay calls emit with what the engine emitted for a segment.
func (j *Journal) Replay(key string, emit func(engines.Sound) error) error {
	j.mu.Lock()
	e, end := j.segments[key], j.size
	j.mu.Unlock()
	_, meta, _, err := j.recordAt(e.at, end)
	if err == nil && meta == nil {
		err = errors.New("a record has changed")
	}
	var k KeptSegment
	if err == nil {
		err = json.Unmarshal(meta, &k)
	}
	if err != nil {
		return backend.FileError("read a finished chunk", "the data directory", err)
	}
	at := e.at + recordHeader + int64(len(meta))
	for _, s := range k.Sounds {
		raw := make([]byte, 4*s.Samples)
		if _, err := j.File.ReadAt(raw, at); err != nil {
			return backend.FileError("read a finished chunk", "the data directory", err)
		}
		at += int64(len(raw))
		sound := engines.Sound{Buffer: audio.Buffer{Samples: ParseSamples(nil, raw), Rate: k.Rate, Channels: k.Channels}, Words: s.Words}
		if err := emit(sound); err != nil {
			return err
		}
	}
	return nil
}

// chunks calls visit with the segments of each chunk of the last plan, their seconds, and whether all of them are stored.
func (j *Journal) chunks(visit func(segments []PlannedSegment, sound float64, complete bool)) {
	for from := 0; from < len(j.plan); {
		to, sound, complete := from, 0.0, true
		for ; to < len(j.plan) && j.plan[to].Line == j.plan[from].Line; to++ {
			e, ok := j.segments[j.plan[to].Key]
			sound, complete = sound+e.seconds, complete && ok
		}
		visit(j.plan[from:to], sound, complete)
		from = to
	}
}

// First returns the segments of the chunks before the first one that is not complete, and the format of their sound.
func (j *Journal) First() (segments []PlannedSegment, rate, channels int) {
	missing := false
	j.chunks(func(chunk []PlannedSegment, _ float64, complete bool) {
		if missing = missing || !complete; missing {
			return
		}
		segments = append(segments, chunk...)
		for _, seg := range chunk {
			if e := j.segments[seg.Key]; e.rate > 0 {
				rate, channels = e.rate, e.channels
			}
		}
	})
	return segments, rate, channels
}

// Partial returns the chunks of the last plan whose segments are all stored; nil where there is none.
func (j *Journal) Partial() *backend.Partial {
	j.mu.Lock()
	defer j.mu.Unlock()
	var p backend.Partial
	j.chunks(func(_ []PlannedSegment, sound float64, complete bool) {
		p.Total++
		if complete {
			p.Chunks, p.Seconds = p.Chunks+1, p.Seconds+sound
			if p.Chunks < p.Total {
				p.Behind++
			}
		}
	})
	if p.Chunks == 0 {
		return nil
	}
	p.Seconds = Thousandths(p.Seconds)
	return &p
}

// Empty reports whether all stored segments are silent, which no later run would change.
func (j *Journal) Empty() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range j.segments {
		if e.heard {
			return false
		}
	}
	return true
}

// sync writes the file to the disk, and its name once.
func (j *Journal) sync() error {
	err := files.Sync(j.File)
	if err == nil && !j.named {
		err = files.SyncDir(filepath.Dir(j.File.Name()))
		j.named = err == nil
	}
	return backend.FileError("store a finished chunk", "the data directory", err)
}

// Close writes a journal to the disk that a later run will read, and closes it.
func (j *Journal) Close(later bool) error {
	var err error
	if later {
		j.mu.Lock()
		err = j.sync()
		j.mu.Unlock()
	}
	return errors.Join(err, j.File.Close())
}
