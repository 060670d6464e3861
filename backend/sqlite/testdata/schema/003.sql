-- Measured without a peak: 00008 removes it.
INSERT INTO voice_gains (model, voice, gain_db, measured_at) VALUES ('kokoro', 'af_bella', -3.5, 1790011000000);
