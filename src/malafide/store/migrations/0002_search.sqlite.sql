CREATE VIRTUAL TABLE case_words USING fts5(
  name, subject, summary, content='cases', content_rowid='number', detail='none', prefix='2 3',
  tokenize='unicode61 remove_diacritics 2'
);
INSERT INTO case_words (case_words) VALUES ('rebuild');
CREATE TRIGGER case_words_in AFTER INSERT ON cases BEGIN
  INSERT INTO case_words (rowid, name, subject, summary) VALUES (new.number, new.name, new.subject, new.summary);
END;
CREATE TRIGGER case_words_out AFTER DELETE ON cases BEGIN
  INSERT INTO case_words (case_words, rowid, name, subject, summary)
  VALUES ('delete', old.number, old.name, old.subject, old.summary);
END;
CREATE TRIGGER case_words_changed AFTER UPDATE OF name, subject, summary ON cases BEGIN
  INSERT INTO case_words (case_words, rowid, name, subject, summary)
  VALUES ('delete', old.number, old.name, old.subject, old.summary);
  INSERT INTO case_words (rowid, name, subject, summary) VALUES (new.number, new.name, new.subject, new.summary);
END;
