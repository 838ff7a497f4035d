"""Any number of cases, judged by several processes: a batch from an input to an output, or a queue without end."""
