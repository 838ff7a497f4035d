-- Signs become spaces first: the parser of PostgreSQL would keep an address or a file name as one word.
ALTER TABLE cases ADD COLUMN words tsvector GENERATED ALWAYS AS (
  to_tsvector('simple', regexp_replace(lower(name || ' ' || subject || ' ' || summary), '[^[:alnum:]]+', ' ', 'g'))
) STORED;
CREATE INDEX cases_by_words ON cases USING gin (words);
