package speech

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// lines gives what the texts of a plan become for the engine, in the order of the plan. Where the job has a take for one,
// that is spoken as it was.
func (s *Service) lines(ctx context.Context, j *job, info engines.Info) ([]backend.ReceiptChunk, error) {
	voicing, err := s.voicing(ctx, j.voice.language, j.g.Request.Pronunciations, info)
	if err != nil {
		return nil, err
	}
	var out []backend.ReceiptChunk
	var pause time.Duration
	for _, piece := range j.plan {
		pause += piece.Pause
		if piece.Text == "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, backend.ErrCancelled.Because(err)
		}
		own, ok := j.takes[len(out)]
		if !ok {
			own = newTake(voicing, piece.Text, chunkSeed(j.g.Seed, len(out)))
		}
		out = append(out, backend.ReceiptChunk{Text: piece.Text, PauseMS: pause.Milliseconds(), ReceiptTake: own})
		pause = 0
	}
	return out, nil
}

func newTake(v *text.Speaker, chunk string, seed int64) backend.ReceiptTake {
	said := v.Speak(chunk)
	return backend.ReceiptTake{Spoken: said.Text, Seed: seed, Pronounced: said.Used, Dropped: said.Dropped}
}

// voicing turns text into what an engine is given, by the user's dictionary and the words of the request, which win.
func (s *Service) voicing(
	ctx context.Context, language string, own map[string]string, info engines.Info,
) (*text.Speaker, error) {
	words, err := s.o.Words(ctx)
	if err != nil {
		return nil, err
	}
	o := text.SpeakOptions{Language: language, Words: words, Phonemes: info.Phonemes, Tags: info.Tags}
	for _, word := range slices.Sorted(maps.Keys(own)) {
		o.Own = append(o.Own, backend.Pronunciation{Word: word, Respelling: own[word]})
	}
	return text.NewSpeaker(o), nil
}

// recording is what was learnt while the samples went into the spool.
type recording struct {
	chunks   []backend.Chunk
	takes    []backend.ReceiptChunk
	words    [][]backend.Word // of each chunk, times from its start
	gain     float64          // linear, 1 when the loudness is not measurable or not wanted
	measured bool             // the gain says something about the voice
	frames   int64
}

// The level of finished speech (decisions.md section 2, normalize).
const (
	targetLUFS  = -16
	ceilingDBTP = -1
)

// record speaks the plan into the spool.
func (s *Service) record(ctx context.Context, j *job, loaded *engines.Loaded, sp *spool) (recording, error) {
	r := recorder{s: s, j: j, loaded: loaded, started: s.o.Now()}
	var err error
	if r.lines, err = s.lines(ctx, j, loaded.Info()); err != nil {
		return recording{}, err
	}
	for _, l := range r.lines {
		r.total += utf8.RuneCountInString(l.Text)
	}
	meter := audio.NewMeter(sp.rate, sp.channels)
	r.joiner = audio.NewJoiner(sp.rate, sp.channels, j.crossfade, func(samples []float32) error {
		meter.Write(samples)
		if err := sp.write(samples); err != nil {
			return err
		}
		j.begin(sp)
		return nil
	})
	if err := r.speak(ctx); err != nil {
		return recording{}, err
	}
	if err := r.joiner.Close(); err != nil {
		return recording{}, err
	}
	return r.out, r.out.measure(j, sp, meter, r.joiner)
}

// recorder speaks the lines of a job into a joiner.
type recorder struct {
	s       *Service
	j       *job
	loaded  *engines.Loaded
	lines   []backend.ReceiptChunk
	joiner  *audio.Joiner
	out     recording
	started time.Time
	total   int // characters of all lines
	spoken  int
	next    int  // the line whose turn it is
	piece   int  // of the plan
	rested  bool // the engine's own pause after the last chunk is written
}

// speak goes through the lines group by group.
func (r *recorder) speak(ctx context.Context) error {
	p := r.s.newPace(ctx, r.j, r.loaded)
	for r.next < len(r.lines) {
		n, width := p.group(len(r.lines) - r.next)
		group := r.lines[r.next : r.next+n]
		began := r.s.o.Now()
		err := sideBySide(ctx, n, width, func(ctx context.Context, i int, emit func(sound) error) error {
			return speakAt(ctx, r.loaded, r.j.utterance(group[i].ReceiptTake), emit)
		}, func(i int, f *feed) error { return r.take(group[i], f) })
		if err != nil {
			return err
		}
		p.learn(ctx, group, r.s.o.Now().Sub(began))
	}
	return r.pauses()
}

func (j *job) utterance(l backend.ReceiptTake) engines.Utterance {
	return engines.Utterance{
		Text: l.Spoken, Voice: j.voice.id, Language: j.voice.language, Speed: j.g.Speed, Seed: l.Seed, Steps: j.g.Request.Steps,
	}
}

// pauses writes the pauses up to the next text of the plan: those of the text, else the engine's own, which a crossfade
// stands for.
func (r *recorder) pauses() error {
	if n := len(r.out.takes); n > 0 && r.j.crossfade == 0 && r.piece < len(r.j.plan) && r.j.plan[r.piece].Text != "" {
		if r.rested {
			return nil
		}
		r.rested = true
		return r.joiner.Pause(pauseAfter(r.out.takes[n-1].Text, r.loaded.Info().Pauses))
	}
	for ; r.piece < len(r.j.plan) && r.j.plan[r.piece].Text == ""; r.piece++ {
		if err := r.joiner.Pause(r.j.plan[r.piece].Pause); err != nil {
			return err
		}
	}
	return nil
}

// pauseAfter gives the silence that an engine puts after a chunk, by its last mark.
func pauseAfter(chunk string, own engines.Pauses) time.Duration {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(chunk, "\"'”’»)]} "))
	switch {
	case strings.ContainsRune(".!?…。！？।", last):
		return own.Sentence
	case strings.ContainsRune(",;:—–，；：、", last):
		return own.Clause
	default:
		return 0
	}
}

// take joins a chunk to the sound. One in which the engine finds nothing to speak, such as a script that it does not know,
// is left out; the others go on.
func (r *recorder) take(l backend.ReceiptChunk, f *feed) error {
	if err := r.pauses(); err != nil {
		return err
	}
	r.piece++
	heard, frames := false, int64(0)
	var words []backend.Word
	for s := range f.out {
		if !heard && len(s.Samples) > 0 {
			heard = true
			if err := r.joiner.Start(); err != nil {
				return err
			}
		}
		if !heard {
			continue
		}
		words = append(words, shifted(s.words, seconds(frames, s.Rate))...)
		frames += int64(s.Frames())
		if err := r.joiner.Write(s.Samples); err != nil {
			return err
		}
	}
	if f.err != nil && (heard || backend.CodeOf(f.err) != backend.CodeNothingToSpeak) {
		return f.err
	}
	if heard {
		r.rested = false
		r.out.takes, r.out.words = append(r.out.takes, l), append(r.out.words, words)
	}
	r.progress(l)
	return nil
}

// progress tells how far the work is and how long the rest will take at the pace so far.
func (r *recorder) progress(l backend.ReceiptChunk) {
	r.next++
	r.spoken += utf8.RuneCountInString(l.Text)
	done := float64(r.spoken) / float64(r.total)
	left := r.s.o.Now().Sub(r.started).Seconds() * (1 - done) / done
	r.s.notify(r.j.set(func(g *backend.Generation) {
		g.Progress = max(g.Progress, min(0.95, 0.95*done))
		g.ChunksDone, g.ChunksTotal, g.ETASeconds = r.next, len(r.lines), &left
	}))
}

// shifted gives words with later times.
func shifted(words []backend.Word, by float64) []backend.Word {
	out := slices.Clone(words)
	for i := range out {
		out[i].Start += by
		out[i].End += by
	}
	return out
}

// measure finds the gain and the chunks' times of what was spoken. Errors: nothing_to_speak, engine_failed for silence.
func (r *recording) measure(j *job, sp *spool, meter *audio.Meter, joiner *audio.Joiner) error {
	if len(r.takes) == 0 {
		return errNothing
	}
	if meter.TruePeak() == 0 {
		return errSilent
	}
	r.frames, r.gain = joiner.Frames(), 1
	if j.normalize {
		var lufs float64
		lufs, r.measured = meter.Integrated()
		r.gain = audio.Gain(lufs, meter.TruePeak(), targetLUFS, ceilingDBTP)
	}
	for i, span := range joiner.Spans() {
		start := seconds(span.Start, sp.rate)
		r.chunks = append(r.chunks, backend.Chunk{
			Text: r.takes[i].Text, Start: start, End: seconds(span.End, sp.rate), Takes: 1, Words: shifted(r.words[i], start),
		})
	}
	return nil
}

var errSilent = backend.E(backend.CodeEngineFailed, "The engine gave only silence.",
	"Try another seed or another voice.").With("stage", "speak")

// speakAt speaks at any speed: within the engine's own range by the engine, beyond it by time-stretch at equal pitch.
func speakAt(ctx context.Context, sp engines.Speaker, u engines.Utterance, emit func(sound) error) error {
	info := sp.Info()
	wanted := u.Speed
	u.Speed = min(max(wanted, info.MinSpeed), info.MaxSpeed)
	if u.Speed == wanted {
		return speakWords(ctx, sp, u, emit)
	}
	var whole sound
	err := speakWords(ctx, sp, u, func(s sound) error {
		whole.words = append(whole.words, shifted(s.words, seconds(int64(len(whole.Samples)/info.Channels), info.SampleRate))...)
		whole.Samples = append(whole.Samples, s.Samples...)
		return nil
	})
	if err != nil {
		return err
	}
	factor := wanted / u.Speed
	whole.Samples, err = audio.Stretch(ctx, whole.Samples, info.SampleRate, factor)
	if err != nil {
		return err
	}
	for i := range whole.words {
		whole.words[i].Start /= factor
		whole.words[i].End /= factor
	}
	whole.Rate, whole.Channels = info.SampleRate, info.Channels
	return emit(whole)
}

// speakWords speaks with the times of the words where the engine tells them.
func speakWords(ctx context.Context, sp engines.Speaker, u engines.Utterance, emit func(sound) error) error {
	if loaded, ok := sp.(*engines.Loaded); ok {
		sp = loaded.Speaker
	}
	return engines.Contain("speak", func() error {
		if aligned, ok := sp.(engines.Aligned); ok {
			return aligned.SpeakWords(ctx, u, func(b audio.Buffer, words []backend.Word) error { return emit(sound{b, words}) })
		}
		return sp.Speak(ctx, u, func(b audio.Buffer) error { return emit(sound{Buffer: b}) })
	})
}

// chunkSeed derives the seed of a chunk (SplitMix64, Steele et al. 2014), so that every chunk draws its own noise
// and keeps it when a neighbour changes.
func chunkSeed(seed int64, chunk int) int64 {
	x := uint64(seed) + uint64(chunk+1)*0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return int64((x ^ (x >> 31)) & 0x7fffffff)
}
