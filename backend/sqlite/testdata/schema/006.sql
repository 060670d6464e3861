-- 00009 removes it.
INSERT INTO paces (model, callers, width, rate, measured_at) VALUES ('kokoro', 4, 2, 181.5, 1790022000000);
