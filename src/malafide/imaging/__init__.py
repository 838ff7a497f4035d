"""The bytes of a picture in, what can be seen in it out: text, codes, traces of editing, marks of a generator."""
