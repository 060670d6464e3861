// Package samples measures recordings of a voice and says what is wrong with them: where speech is, level, background noise,
// clipping, bandwidth, pitch and the number of speakers. Thresholds are in this package only.
package samples

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// The lengths of a sample in seconds, both inclusive, after the silence at both ends is cut off.
const (
	Shortest = 3.0
	Longest  = 60.0
)

// LongestRecording is the length in seconds above which a recording is too long without a look for speech in it.
const LongestRecording = 300.0

const (
	highestRate = 48000 // of a sample; recordings at higher rates are resampled
	margin      = 0.15  // seconds that are kept before the first and after the last speech
	peakCount   = 400   // of Report.Peaks
	detectRate  = 16000 // of Options.Detect, in Hz
)

// Options says which part of a recording to analyse, and how speech is found in it.
type Options struct {
	// Detect returns where speech is in mono audio at 16 kHz, in order. Analyse returns its errors.
	Detect func(ctx context.Context, mono16k []float32) ([]Span, error)
	// Voices returns what each person says in mono audio at 16 kHz. Nil, or an error: people are told apart by the pitch.
	Voices   func(ctx context.Context, mono16k []float32) ([]Voice, error)
	From, To float64 // the part of the recording to use, in seconds; To 0: to its end
}

// Span is a stretch of audio in seconds.
type Span struct{ Start, End float64 }

// Report says what a recording is like.
type Report struct {
	// Audio is mono, without the silence at both ends, at the rate of the recording or 48 kHz if that is less. It may share
	// memory with the recording.
	Audio      audio.Buffer
	From, To   float64   // the part of the recording that is in Audio, in seconds
	Duration   float64   // of the recording in seconds
	Seconds    float64   // length of Audio
	Speech     float64   // seconds of speech in Audio, without the pauses
	SampleRate int       // of Audio, in Hz
	LevelLUFS  float64   // integrated loudness of Audio
	NoiseDB    float64   // level of the background in dB below full scale
	Clipped    bool      // the recording was cut off at its highest level
	Speakers   int       // 2 where it may be two people, else 1
	PitchHz    float64   // median pitch; 0 if nothing is voiced
	Peaks      []float32 // of the whole recording, 0 to 1, about 400
	Warnings   []backend.SampleWarning
}

// Analyse returns what a recording is like and the part of it to keep. Errors: sample_rejected with params reason and
// seconds, where Duration and Peaks of the report are set nevertheless; cancelled; those of Options.Detect.
func Analyse(ctx context.Context, in audio.Buffer, o Options) (Report, error) {
	in = sound(in)
	r := Report{
		Duration: in.Duration().Seconds(), SampleRate: min(in.Rate, highestRate), Speakers: 1, Warnings: []backend.SampleWarning{},
	}
	var err error
	if r.Peaks, err = peaks(ctx, in); err != nil {
		return r, err
	}
	part, from, err := choose(in, o.From, o.To)
	if err != nil {
		return r, err
	}
	a := &analysis{report: &r, part: part, from: from}
	for _, step := range []func(context.Context, Options) error{a.mixDown, a.trim, a.measureLevels, a.measurePitch, a.countSpeakers} {
		if err := step(ctx, o); err != nil {
			return r, err
		}
		if err := ctx.Err(); err != nil {
			return r, backend.ErrCancelled.WithCause(err)
		}
	}
	return r, nil
}

// analysis is a recording on its way to a report.
type analysis struct {
	report  *Report
	part    audio.Buffer // what Options chose, all channels
	from    float64      // where it begins in the recording, in seconds
	mono    audio.Buffer // of the part, at the rate of the report
	low     []float32    // of mono, at detectRate
	speech  []Span       // in the part, in seconds
	pitches []float64    // of windows of what is kept, in Hz; 0 without a voice
	start   float64      // of what is kept of the part, in seconds
	end     float64
}

// mixDown makes one channel of the part.
func (a *analysis) mixDown(ctx context.Context, _ Options) error {
	mono, dead := mix(a.part)
	if mono.Rate > highestRate {
		var err error
		if mono, err = mono.MonoAt(ctx, highestRate); err != nil {
			return err
		}
	}
	a.mono = mono
	if dead > 0 {
		a.warn(deadChannel(dead, a.part.Channels))
	}
	low, err := mono.MonoAt(ctx, detectRate)
	a.low = low.Samples
	return err
}

// trim finds speech and cuts off what is before and after it.
func (a *analysis) trim(ctx context.Context, o Options) error {
	r := a.report
	length := a.mono.Duration().Seconds()
	level, ok, err := loudness(ctx, audio.Buffer{Samples: a.low, Rate: detectRate, Channels: 1})
	switch {
	case err != nil:
		return err
	case !ok || level < silentLUFS:
		return errSilent(length)
	}
	spans, err := o.Detect(ctx, amplified(a.low, level))
	if err != nil {
		if ctx.Err() != nil {
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		return err
	}
	a.speech = within(spans, length)
	if len(a.speech) == 0 {
		return errNoSpeech(length)
	}
	first, last := a.speech[0].Start, a.speech[len(a.speech)-1].End
	if last-first > Longest {
		return errTooLong(last - first)
	}
	by := min(margin, (Longest-(last-first))/2)
	a.start, a.end = max(0, first-by), min(length, last+by)
	if a.end-a.start < Shortest || total(a.speech) < Shortest/2 {
		return errTooShort(total(a.speech))
	}
	r.Audio = seconds(a.mono, a.start, a.end)
	r.From, r.To, r.Seconds = a.from+a.start, a.from+a.end, r.Audio.Duration().Seconds()
	r.Speech = total(a.speech)
	return nil
}

// measureLevels measures how loud speech and background are, and what the recording lost.
func (a *analysis) measureLevels(ctx context.Context, _ Options) error {
	r := a.report
	share := clipped(seconds(a.part, a.start, a.end), a.speech)
	r.Clipped = share > 0
	if share > mostlyClips {
		return errTooLoud(r.Seconds, share)
	}
	if r.Clipped {
		a.warn(distorted(share))
	}
	level, ok, err := loudness(ctx, r.Audio)
	switch {
	case err != nil:
		return err
	case !ok:
		return errSilent(r.Seconds)
	}
	if r.LevelLUFS = tenths(level); level < quietLUFS {
		a.warn(quiet(level))
	}
	noise, voice := background(a.mono, a.speech)
	if r.NoiseDB = tenths(noise); voice-noise < noisySNR {
		a.warn(noisy(voice-noise, noise))
	}
	if rate := a.part.Rate; rate < lowestFull || narrow(a.lowKept()) {
		a.warn(narrowBand(rate))
	}
	return nil
}

// measurePitch measures the pitch of the voice.
func (a *analysis) measurePitch(ctx context.Context, _ Options) error {
	windows, err := pitches(ctx, audio.Resample(a.lowKept(), detectRate, pitchRate))
	if err != nil {
		return err
	}
	for i := range windows {
		middle := a.start + float64(i*pitchStep+pitchWindow/2)/pitchRate
		if !overlaps(a.speech, middle, middle+1.0/pitchRate) {
			windows[i] = 0
		}
	}
	a.pitches = windows
	a.report.PitchHz, _ = medianPitch(windows)
	return nil
}

// countSpeakers finds out whether two people speak: by their voices, or by the pitch where nothing tells voices apart.
func (a *analysis) countSpeakers(ctx context.Context, o Options) error {
	if o.Voices != nil {
		voices, err := o.Voices(ctx, a.lowKept())
		if ctx.Err() != nil {
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		if err == nil {
			if first, other, cosine, ok := twoVoices(voices); ok {
				a.report.Speakers = 2
				a.warn(twoPeople(first, other, cosine))
			}
			return nil
		}
	}
	if low, high, ok := twoGroups(a.pitches); ok {
		a.report.Speakers = 2
		a.warn(twoSpeakers(low, high))
	}
	return nil
}

// lowKept returns the part of low that is kept.
func (a *analysis) lowKept() []float32 {
	return seconds(audio.Buffer{Samples: a.low, Rate: detectRate, Channels: 1}, a.start, a.end).Samples
}

func (a *analysis) warn(w backend.SampleWarning) {
	a.report.Warnings = append(a.report.Warnings, w)
}
