package main

import (
	"fmt"
	"math"

	"github.com/voicewright/voicewright/backend/audio"
)

// difference is how unlike two sounds of one text are.
type difference struct {
	length      [2]float64 // seconds
	level       [2]float64 // dB below full scale, RMS
	correlation float64    // 1 for the same sound at any level
}

// What counts as the same sound: the devices add and multiply in different orders.
const (
	sameLength      = 0.02 // share
	sameLevel       = 0.5  // dB
	sameCorrelation = 0.98
)

// lag is how far one sound may be behind the other, in seconds.
const lag = 0.01

// compare compares the sounds of the processor and of a card.
func compare(processor, card audio.Buffer) difference {
	a, b := processor.Samples, card.Samples
	d := difference{
		length: [2]float64{seconds(processor), seconds(card)}, level: [2]float64{level(a), level(b)},
	}
	reach := int(lag * float64(processor.Rate))
	for shift := -reach; shift <= reach; shift++ {
		d.correlation = max(d.correlation, correlation(a[min(max(shift, 0), len(a)):], b[min(max(-shift, 0), len(b)):]))
	}
	return d
}

func seconds(b audio.Buffer) float64 { return float64(b.Frames()) / float64(max(b.Rate, 1)) }

func level(samples []float32) float64 {
	sum := 0.0
	for _, v := range samples {
		sum += float64(v) * float64(v)
	}
	return 10 * math.Log10(max(sum/float64(max(len(samples), 1)), 1e-12))
}

func correlation(a, b []float32) float64 {
	var both, first, second float64
	for i := range min(len(a), len(b)) {
		x, y := float64(a[i]), float64(b[i])
		both, first, second = both+x*y, first+x*x, second+y*y
	}
	if first == 0 || second == 0 {
		return 0
	}
	return both / math.Sqrt(first*second)
}

// same reports whether nobody would hear a difference.
func (d difference) same() bool {
	return math.Abs(d.length[1]-d.length[0]) <= sameLength*d.length[0] &&
		math.Abs(d.level[1]-d.level[0]) <= sameLevel && d.correlation >= sameCorrelation
}

func (d difference) String() string {
	return fmt.Sprintf("length %.2f and %.2f s, level %.1f and %.1f dB, correlation %.4f",
		d.length[0], d.length[1], d.level[0], d.level[1], d.correlation)
}
