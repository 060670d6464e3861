//go:build race

package ggml_test

const cases = 2_000 // of TestDamagedFiles; the race detector makes reading them twenty times slower
