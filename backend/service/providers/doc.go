// Package providers has what every provider of speech needs: a lane with a bounded fair queue, a time limit and a circuit
// breaker in front of it, the file that configures providers, and the preparation of a text without audio tags.
package providers
