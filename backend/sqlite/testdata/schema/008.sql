INSERT INTO voice_gains (model, voice, gain_db, measured_at, peak_db) VALUES ('kokoro', 'af_bella', -3.25, 1790024000000, 1.5);
