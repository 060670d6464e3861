package onnx

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
)

// seedInput is the extra input of a seeded graph: int64 [1].
const seedInput = "noise_seed"

// prime is the modulus of the noise: the largest prime below 2^30. It is 2 modulo 3, so that taking the cube is a
// one-to-one map, and small enough that no product of a cube leaves the 63 bits of an int64.
const prime = 1<<30 - 35

// drawn is a random node of the main graph with its attributes (ONNX operator specification).
type drawn struct {
	op        string
	input     string // of the Like operators
	output    string
	dtype     Type // Undefined means the input's
	mean, sd  float32
	low, high float32
	shape     []int64
}

// like reports whether the node takes its shape from its input.
func (d drawn) like() bool { return d.op == "RandomNormalLike" || d.op == "RandomUniformLike" }

func (d drawn) normal() bool { return d.op == "RandomNormal" || d.op == "RandomNormalLike" }

// noise writes nodes that compute what random nodes would draw. The noise of an element depends only on its place in
// the tensor, on the node's number in the graph and on the seed. A place, which is a number below the prime, goes
// through rounds of "add a key, take the cube modulo the prime" (the round of the cipher MiMC, Albrecht and others
// 2016); the keys come from the seed and from constants of the node in the same way. All of it is exact, so any number
// of threads draws the same numbers. Changing anything here changes what every seed sounds like.
type noise struct {
	nodes message // GraphProto with nodes only
	opset int
	count int // random nodes so far
	names int
	prime string // the constant
	base  string // int64 [rounds], from the seed
	table string // of normal numbers; empty until it is needed
}

// rounds is the number of cubes that turn a place into a number: after two, neighbours have nothing in common that
// could be heard or measured.
const rounds = 2

// newNoise begins with the nodes that all random nodes share. The seed input holds 60 well mixed bits (spread),
// of which each key takes another half.
func newNoise(opset int) *noise {
	n := &noise{opset: opset}
	n.prime = n.ints(nil, prime)
	parts := n.ints([]int64{rounds}, 1, 1<<30)
	n.base = n.add("Mod", n.add("Div", seedInput, parts), n.prime)
	return n
}

// spread turns a seed into the value of the seed input, 0 to 2^60-1 (the finalizer of SplitMix64).
func spread(seed int64) int64 { return int64(splitMix(uint64(seed)) >> 4) }

func splitMix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// replace writes the nodes for d; it reports false if the graph's operator set cannot express them.
func (n *noise) replace(d drawn) bool {
	typed := slices.Contains([]Type{Float32, Float16, Float64}, d.dtype)
	likeInput := d.dtype == Undefined && d.like() && n.opset >= 15 // CastLike
	if n.opset < 11 || !typed && !likeInput {                      // Range
		return false
	}
	shape, size := n.extent(d)
	keys := n.keys()
	var flat string
	if d.normal() {
		flat = n.normal(d, size, keys)
	} else {
		flat = n.uniform(d, size, keys)
	}
	if d.dtype == Undefined {
		flat = n.add("CastLike", flat, d.input)
	} else if d.dtype != Float32 {
		flat = n.cast(flat, d.dtype)
	}
	var attributes []message
	if n.opset >= 14 {
		attributes = append(attributes, intAttribute("allowzero", 1)) // a dimension of 0 is one
	}
	n.put("Reshape", d.output, []string{flat, shape}, attributes...)
	n.count++
	return true
}

// extent returns the shape, int64 [rank], and the number of elements, an int64 scalar.
func (n *noise) extent(d drawn) (shape, size string) {
	if d.like() {
		return n.add("Shape", d.input), n.add("Size", d.input)
	}
	elements := int64(1)
	for _, dim := range d.shape {
		elements *= dim
	}
	return n.ints([]int64{int64(len(d.shape))}, d.shape...), n.ints(nil, elements)
}

// keys returns the keys of this node's rounds, int64 scalars.
func (n *noise) keys() []string {
	var own [rounds]int64
	for i := range own {
		own[i] = int64(splitMix(uint64(n.count*rounds+i)) % prime)
	}
	all := n.cube(n.base, n.ints([]int64{rounds}, own[:]...))
	keys := make([]string, rounds)
	for i := range keys {
		keys[i] = n.add("Gather", all, n.ints(nil, int64(i)))
	}
	return keys
}

// cube is one round: (x + key)³ modulo the prime, for x and key from 0 to prime-1.
func (n *noise) cube(x, key string) string {
	sum := n.add("Add", x, key)
	square := n.add("Mod", n.add("Mul", sum, sum), n.prime)
	return n.add("Mod", n.add("Mul", square, sum), n.prime)
}

// places returns 0, 1, 2, ... up to size.
func (n *noise) places(size string) string {
	return n.add("Range", n.ints(nil, 0), size, n.ints(nil, 1))
}

// uniform returns float32 numbers from low to below high.
func (n *noise) uniform(d drawn, size string, keys []string) string {
	chance := n.cube(n.cube(n.places(size), keys[0]), keys[1])
	wide := n.add("Mul", n.cast(chance, Float32), n.float((d.high-d.low)/(1<<30)))
	return n.add("Min", n.add("Add", wide, n.float(d.low)), n.float(below(d.high, d.dtype)))
}

// below returns the largest number below high that a float32, or a float16, can hold: rounding must not reach high.
func below(high float32, dtype Type) float32 {
	next := math.Nextafter32(high, float32(math.Inf(-1)))
	if dtype != Float16 {
		return next
	}
	_, exponent := math.Frexp(float64(next))
	step := math.Ldexp(1, max(exponent, -13)-11) // float16 has 11 bits, and none below 2^-24
	return float32(math.Floor(float64(next)/step) * step)
}

// normal returns float32 numbers with the node's mean and standard deviation, two from each place: halves of the drawn
// number choose two normal numbers a and b from a table, and (a+b)/√2 and (a-b)/√2 are normal and independent again,
// with far more values and longer tails (to 5.9). The first half of the tensor takes the sums, the second half the
// differences. Unlike logarithm and cosine, whose last bit depends on how the runtime shares a tensor among its threads,
// sums and products are exact.
func (n *noise) normal(d drawn, size string, keys []string) string {
	half := n.add("Div", n.add("Add", size, n.ints(nil, 1)), n.ints(nil, 2))
	chance := n.cube(n.cube(n.places(half), keys[0]), keys[1])
	table, count := n.quantiles(), n.ints(nil, tableSize)
	a := n.add("Gather", table, n.add("Mod", chance, count))
	b := n.add("Gather", table, n.add("Div", chance, count))
	both := n.name()
	n.put("Concat", both, []string{n.add("Add", a, b), n.add("Sub", a, b)}, intAttribute("axis", 0))
	end := n.add("Reshape", size, n.ints([]int64{1}, 1))
	out := n.add("Slice", both, n.ints([]int64{1}, 0), end)
	if d.sd != 1 {
		out = n.add("Mul", out, n.float(d.sd))
	}
	if d.mean != 0 {
		out = n.add("Add", out, n.float(d.mean))
	}
	return out
}

// tableSize is half of the bits of a drawn number.
const tableSize = 1 << 15

// quantiles returns the table of normal numbers, in the middle of parts of equal chance, with the variance 1/2. All nodes
// of a graph share it.
func (n *noise) quantiles() string {
	if n.table != "" {
		return n.table
	}
	values, squares := make([]float64, tableSize), 0.0
	for i := range values {
		values[i] = math.Erfinv((2*float64(i) + 1 - tableSize) / tableSize)
		squares += values[i] * values[i]
	}
	scale := 1 / math.Sqrt(2*squares/tableSize)
	raw := make([]byte, 0, 4*tableSize)
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v*scale)))
	}
	n.table = n.constant(Float32, []int64{tableSize}, raw)
	return n.table
}

func (n *noise) cast(x string, to Type) string {
	out := n.name()
	n.put("Cast", out, []string{x}, intAttribute("to", int64(to)))
	return out
}

// ints writes an int64 constant and returns its name; a nil shape means a scalar.
func (n *noise) ints(shape []int64, values ...int64) string {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return n.constant(Int64, shape, raw)
}

// float writes a float32 scalar constant and returns its name.
func (n *noise) float(v float32) string {
	return n.constant(Float32, nil, binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
}

// constant writes a Constant node with a TensorProto and returns its name.
func (n *noise) constant(t Type, shape []int64, raw []byte) string {
	var tensor message
	for _, dim := range shape {
		tensor = tensor.number(1, uint64(dim))
	}
	tensor = tensor.number(2, uint64(t)).bytes(9, raw)
	out := n.name()
	n.put("Constant", out, nil, message(nil).text(1, "value").bytes(5, tensor).number(20, 4))
	return out
}

// add writes a node without attributes and returns the name of its output.
func (n *noise) add(op string, inputs ...string) string {
	out := n.name()
	n.put(op, out, inputs)
	return out
}

// put writes a NodeProto.
func (n *noise) put(op, output string, inputs []string, attributes ...message) {
	var node message
	for _, in := range inputs {
		node = node.text(1, in)
	}
	node = node.text(2, output).text(4, op)
	for _, a := range attributes {
		node = node.bytes(5, a)
	}
	n.nodes = n.nodes.bytes(1, node)
}

// intAttribute returns an AttributeProto.
func intAttribute(name string, v int64) message {
	return message(nil).text(1, name).number(3, uint64(v)).number(20, 2)
}

func (n *noise) name() string {
	n.names++
	return seedInput + "/" + strconv.Itoa(n.names)
}
