package diarizetest

import (
	"fmt"
	"math"

	"github.com/voicewright/voicewright/engines"
)

// steady are the tones by which the toy network tells the speakers of a window apart, in Hz.
var steady = [...]float64{300, 700, 1500}

// pairs are tones of which the toy networks hear no two as one voice, in Hz.
var pairs = [MostPeople][2]float64{
	{120, 136},
	{120, 153},
	{460, 520},
	{5994, 6773},
	{1083, 2255},
	{173, 250},
	{520, 4154},
	{2548, 5304},
	{1224, 4694},
	{2255, 6773},
	{460, 1083},
	{1083, 6773},
	{120, 460},
	{588, 2548},
	{173, 221},
	{2255, 4694},
	{153, 196},
	{196, 588},
	{120, 250},
	{4154, 4694},
	{4154, 6773},
	{588, 5304},
	{1224, 2548},
	{588, 6773},
	{2255, 4154},
	{588, 2255},
	{4154, 5304},
	{4694, 6773},
	{588, 4694},
	{588, 1224},
	{1083, 4154},
	{4694, 5304},
	{1083, 5304},
	{460, 5994},
	{2255, 2548},
	{520, 588},
	{2548, 4694},
	{2255, 5304},
	{2548, 6773},
	{1083, 1224},
}

const (
	// MostPeople is how many voices People can have.
	MostPeople = 40
	each       = 5   // seconds from one to the next
	speaks     = 4.6 // of these
)

// People returns sound in which n people speak one after the other, each for 4.6 s of 5, and who speaks when. The toy networks tell
// them apart where their number is given: their voices are nearer to each other than those of Tones.
func People(n int) (sound []float32, turns []Turn) {
	sound = make([]float32, n*each*engines.TranscriberRate)
	for i := range n {
		start := float64(i * each)
		turns = append(turns, Turn{Start: start, End: start + speaks, Speaker: fmt.Sprintf("P%02d", i+1)})
		phase := 0.0
		for k := range int(speaks * engines.TranscriberRate) {
			now := float64(k) / engines.TranscriberRate
			phase += 2 * math.Pi * pairs[i][int(now/0.12)%2] / engines.TranscriberRate
			sound[i*each*engines.TranscriberRate+k] = float32(0.2*math.Sin(phase) + 0.2*math.Sin(2*math.Pi*steady[i%len(steady)]*now))
		}
	}
	return sound, turns
}
