// Package tokens turns text into the token ids of speech models and back. It reads the two kinds of tokenizer files that
// they come with: models of SentencePiece (unigram and BPE), and tokenizer.json files of Hugging Face with a BPE model.
//
// Both readers accept files from anyone: a file that is damaged or made to harm is an error, and no file and no text
// makes them panic or use memory out of proportion to its size.
package tokens
