// Package onnx runs ONNX graphs through the ONNX Runtime shared library: it finds and loads the library when the
// first model is opened, checks a graph's inputs and outputs before it is used, and turns the library's failures into
// errors with codes. What fails on a GPU is done by the CPU. Tensors are plain Go slices; only sessions have to be closed.
package onnx
