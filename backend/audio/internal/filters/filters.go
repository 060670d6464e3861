// Package filters computes what is needed many times for each sample: products with the taps of filters, and the highest level between
// samples.
package filters

import "math"

// Dot returns the inner product of two slices of equal length, in four sums that the processor can compute in parallel.
func Dot(x, y []float32) float32 {
	var a, b, c, d float32
	y = y[:len(x)]
	for len(x) >= 8 && len(y) >= 8 {
		x8, y8 := (*[8]float32)(x), (*[8]float32)(y) // without bounds checks
		a += x8[0] * y8[0]
		b += x8[1] * y8[1]
		c += x8[2] * y8[2]
		d += x8[3] * y8[3]
		a += x8[4] * y8[4]
		b += x8[5] * y8[5]
		c += x8[6] * y8[6]
		d += x8[7] * y8[7]
		x, y = x[8:], y[8:]
	}
	if len(x) >= 4 && len(y) >= 4 {
		a += x[0] * y[0]
		b += x[1] * y[1]
		c += x[2] * y[2]
		d += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for i := range x {
		a += x[i] * y[i]
	}
	return (a + b) + (c + d)
}

// Sinc returns sin(πx)/(πx).
func Sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// Bessel0 returns the modified Bessel function of the first kind of order 0, by its power series.
func Bessel0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > 1e-12*sum; k++ {
		term *= (x / 2 / k) * (x / 2 / k)
		sum += term
	}
	return sum
}

// Abs returns x without its sign.
func Abs(x float32) float32 {
	return math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
}

// Highest returns the highest absolute sample; numbers without a sign are in the order of their bits.
func Highest(samples []float32) float32 {
	var a, b, c, d uint32 // so that a comparison need not wait for the one before
	for ; len(samples) >= 4; samples = samples[4:] {
		x := (*[4]float32)(samples) // without bounds checks
		a, b = max(a, math.Float32bits(x[0])&^(1<<31)), max(b, math.Float32bits(x[1])&^(1<<31))
		c, d = max(c, math.Float32bits(x[2])&^(1<<31)), max(d, math.Float32bits(x[3])&^(1<<31))
	}
	for _, x := range samples {
		a = max(a, math.Float32bits(x)&^(1<<31))
	}
	return math.Float32frombits(max(a, b, c, d))
}
