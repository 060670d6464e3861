package espeak

import (
	"math"
	"strconv"
)

// Words a minute of -s. Below 80 espeak-ng speaks no slower; from 450 on it speeds up finished audio instead, which at 450 is
// slower than at 449.
const (
	normalRate = 175
	minRate    = 80
	maxRate    = 449
)

// rate returns the value of -s for a speed, where 1 is the voice's own. 0 means 1.
func rate(speed float64) string {
	if speed == 0 || math.IsNaN(speed) {
		speed = 1
	}
	wpm := min(max(speed*normalRate, minRate), maxRate)
	return strconv.Itoa(int(math.Round(wpm)))
}

// pitches are the measured steps of -p on 1.51: fundamental frequency of a held vowel against -p 50,
// in semitones, middle of four voices. They differ by up to one semitone between voices.
var pitches = []struct{ semitones, p float64 }{
	{-6.8, 0}, {-5.7, 10}, {-4.0, 25}, {-1.7, 40}, {0, 50}, {1.9, 60}, {4.8, 75}, {7.9, 90}, {9.7, 99},
}

// pitch returns the value of -p (0 to 99, 50 is the voice's own) for a shift in semitones, from -6.8 to +9.7. It interpolates
// a measured table, because the steps of espeak-ng are uneven.
func pitch(semitones float64) string {
	last := pitches[len(pitches)-1]
	value := last.p
	switch {
	case math.IsNaN(semitones):
		value = 50
	case semitones <= pitches[0].semitones:
		value = pitches[0].p
	case semitones < last.semitones:
		for i := 1; i < len(pitches); i++ {
			a, b := pitches[i-1], pitches[i]
			if semitones <= b.semitones {
				value = a.p + (b.p-a.p)*(semitones-a.semitones)/(b.semitones-a.semitones)
				break
			}
		}
	}
	return strconv.Itoa(int(math.Round(value)))
}
