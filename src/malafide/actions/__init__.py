"""Assessment in, receipts out: what is done after an answer, each action one file. Each can rehearse and be undone."""
