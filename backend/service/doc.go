// Package service is our implementation of the hosted API (docs/contract/hosted-api.md): accounts, credits, API keys, and
// speech by several providers. It declares the interfaces of its store, its files and its providers; app/voicewright-service
// connects it with their implementations, and backend/service/api serves it over HTTP.
package service
