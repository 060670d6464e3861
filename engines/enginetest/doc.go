// Package enginetest holds the suite that every speech engine passes, a small engine without any files for the tests
// of other rooms, the decoder of the tone voices, and the way to test data and to the ONNX Runtime library.
// Only tests import it.
package enginetest
