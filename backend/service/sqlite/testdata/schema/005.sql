INSERT INTO instances (id, beat, resumed) VALUES ('resumed', 1789000003200, 1789000003100);
