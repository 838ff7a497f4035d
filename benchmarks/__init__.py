"""Commands that print every figure malafide claims. They read data from MALAFIDE_DATA and ship none of it."""
