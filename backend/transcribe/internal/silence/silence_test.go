package silence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

const second = engines.TranscriberRate

func whiteNoise(n int, sigma float64, seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 1))
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(sigma * random.NormFloat64())
	}
	return out
}

// generatorNoise is the noise of the kit of the speech detector.
func generatorNoise(n int) []float32 {
	out := make([]float32, n)
	x := uint32(1)
	for i := range out {
		x = 1664525*x + 1013904223
		out[i] = float32((float64(x>>16) - 32768) / 32768 * 0.3)
	}
	return out
}

// pinkNoise is white noise through Paul Kellet's filter.
func pinkNoise(n int, sigma float64, seed uint64) []float32 {
	poles := [6]float64{0.99886, 0.99332, 0.96900, 0.86650, 0.55000, -0.7616}
	gains := [6]float64{0.0555179, 0.0750759, 0.1538520, 0.3104856, 0.5329522, -0.0168980}
	out, before := whiteNoise(n, sigma, seed), 0.0
	var state [6]float64
	for i, x := range out {
		v := float64(x)
		sum := before + v*0.5362
		for k := range state {
			state[k] = poles[k]*state[k] + v*gains[k]
			sum += state[k]
		}
		before = v * 0.115926
		out[i] = float32(sum)
	}
	return out
}

func brownNoise(n int, sigma float64, seed uint64) []float32 {
	out, y := whiteNoise(n, sigma, seed), 0.0
	for i, x := range out {
		y = 0.998*y + float64(x)
		out[i] = float32(y)
	}
	return out
}

func tone(n int, hz, amplitude float64) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(amplitude * math.Sin(2*math.Pi*hz*float64(i)/second))
	}
	return out
}

func hum(n int, hz float64) []float32 {
	return mix(tone(n, hz, 0.2), tone(n, 2*hz, 0.1), tone(n, 3*hz, 0.05), tone(n, 4*hz, 0.02), whiteNoise(n, 0.001, 7))
}

// chords are four chords of four tones with overtones, two seconds each.
func chords(n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		root := []float64{261.6, 293.7, 349.2, 392}[i/(2*second)%4]
		for _, interval := range []float64{1, 1.26, 1.5, 2} {
			for overtone := 1.0; overtone <= 4; overtone++ {
				out[i] += float32(0.1 / overtone * math.Sin(2*math.Pi*root*interval*overtone*float64(i)/second))
			}
		}
	}
	return out
}

func mix(parts ...[]float32) []float32 {
	out := slices.Clone(parts[0])
	for _, part := range parts[1:] {
		for i := range out {
			out[i] += part[i]
		}
	}
	return out
}

// pcm returns samples with a gain, rounded to 16 bits.
func pcm(samples []float32, gain float32) []float32 {
	out := make([]float32, len(samples))
	for i, x := range samples {
		out[i] = float32(math.Round(float64(x*gain)*(1<<15)) / (1 << 15))
	}
	return out
}

func noises(n int) map[string][]float32 {
	return map[string][]float32{
		"generator": generatorNoise(n), "white": whiteNoise(n, 0.1, 1), "quiet white": pcm(whiteNoise(n, 0.0015, 2), 1),
		"pink": pinkNoise(n, 0.05, 3), "brown": brownNoise(n, 0.01, 4), "hum of 50 Hz": hum(n, 50), "hum of 60 Hz": hum(n, 60),
		"room": pcm(mix(pinkNoise(n, 0.002, 5), brownNoise(n, 0.0002, 6), tone(n, 50, 0.002), tone(n, 100, 0.001)), 1),
	}
}

// sounds are what a model must hear although no speech may be detected in it.
func otherSounds(t *testing.T, n int) map[string][]float32 {
	out := map[string][]float32{
		"chords": chords(n), "quiet chords": pcm(chords(n), 0.03), "chords in noise": mix(chords(n), whiteNoise(n, 0.05, 8)),
	}
	for _, hz := range []float64{300, 1000, 3000} {
		for _, amplitude := range []float64{0.3, 0.9} {
			out[fmt.Sprintf("tone of %v Hz at %v", hz, amplitude)] = tone(n, hz, amplitude)
			out[fmt.Sprintf("tone of %v Hz at %v in noise", hz, amplitude)] = mix(tone(n, hz, amplitude), whiteNoise(n, 0.05, 9))
		}
	}
	for _, name := range []string{"jfk.wav", "LJ001-0001.wav", "sense_and_sensibility_01_austen_64kb-0870.wav"} {
		clip := enginetest.Clip(t, name)
		speech := audio.Resample(clip.Samples, clip.Rate, second)
		long := slices.Concat(slices.Repeat(speech, n/len(speech)+1))[:n]
		out["quiet speech of "+name] = pcm(long, 0.0316) // -30 dB
		out["quiet speech in noise of "+name] = pcm(mix(pcm(long, 0.0316), whiteNoise(n, 0.001, 10)), 1)
	}
	return out
}

// The limits lie between the highest measures of noises and the lowest ones of other sounds: in each block of noise both are
// below, in each block of another sound at least one is above, but for pauses of speech.
func TestNoiseMeasures(t *testing.T) {
	const n = 40 * second
	m := newNoiseMeter()
	highestPeak, highestVariation := 0.0, 0.0
	for name, samples := range noises(n) {
		for block := range slices.Chunk(samples, second) {
			peak, variation := m.measure(block)
			require.Less(t, peak, maxPeak-1, name)
			require.Less(t, variation, maxVariation/2, name)
			highestPeak, highestVariation = max(highestPeak, peak), max(highestVariation, variation)
		}
	}
	t.Logf("noise: peaks up to %.1f dB, variations up to %.2f dB", highestPeak, highestVariation)
	for name, samples := range otherSounds(t, n) {
		lowestPeak, lowestVariation, noisy := math.Inf(1), math.Inf(1), 0
		for block := range slices.Chunk(samples, second) {
			peak, variation := m.measure(block)
			lowestPeak, lowestVariation = min(lowestPeak, peak), min(lowestVariation, variation)
			if peak < maxPeak && variation < maxVariation {
				noisy++
			}
		}
		t.Logf("%s: peaks from %.1f dB, variations from %.2f dB, %d of 40 blocks as noise", name, lowestPeak, lowestVariation, noisy)
		require.LessOrEqual(t, noisy, 4, name)
	}
}

func TestFind(t *testing.T) {
	const n = 40 * second
	all := []engines.Span{{End: n}}
	require.Equal(t, all, Find(make([]float32, n), nil), "digital silence")
	require.Equal(t, all, Find(tone(n, 440, 0.001), nil), "below -60 dBFS")
	for name, samples := range noises(n) {
		require.Equal(t, all, Find(samples, nil), name)
		require.Equal(t, []engines.Span{{End: 5 * second}}, Find(samples[:5*second], nil), "all of a short file of %s", name)
	}
	require.Equal(t, []engines.Span{{End: 1.23 * second}}, Find(whiteNoise(1.23*second, 0.1, 1), nil), "no whole number of blocks")
	for name, samples := range otherSounds(t, n) {
		require.Empty(t, Find(samples, nil), name)
		require.Empty(t, Find(samples[:5*second], nil), "short: %s", name)
	}
	require.Empty(t, Find(nil, nil))
	require.Equal(t, []engines.Span{{End: 800}}, Find(make([]float32, 800), nil), "0.05 s of silence")
}

// What is detected as speech stays, however quiet it is; shorter silence stays beside sounds.
func TestFindAroundSpeech(t *testing.T) {
	speech := []engines.Span{{Start: 40 * second, End: 42 * second}}
	require.Equal(t,
		[]engines.Span{{End: 40 * second}, {Start: 42 * second, End: 100 * second}},
		Find(make([]float32, 100*second), speech))
	require.Empty(t, Find(make([]float32, 3*second), []engines.Span{{Start: second, End: 2 * second}}))

	samples := slices.Concat(make([]float32, 35*second), chords(5*second), make([]float32, 20*second), chords(5*second), whiteNoise(35*second, 0.1, 1))
	got := Find(samples, nil)
	require.Len(t, got, 2)
	require.Equal(t, engines.Span{End: 35 * second}, got[0])
	require.InDelta(t, 65*second, got[1].Start, second/2)
	require.Equal(t, 100*second, got[1].End)
}

// The tones that a model of the kit names, with its pauses of silence, are all heard.
func TestTonesAreNotFound(t *testing.T) {
	var samples []float32
	for _, hz := range []float64{300, 1000, 3000, 0, 1000, 1000, 3000, 300, 0, 3000, 300, 300, 1000, 3000} {
		samples = append(samples, tone(5*second, hz, 0.5)...)
	}
	require.Empty(t, Find(samples, nil))
	require.Empty(t, Find(mix(samples, whiteNoise(len(samples), 0.05, 1)), nil))
}
