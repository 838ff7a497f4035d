"""The web page: what the store keeps and the judges say, as HTML that needs no outside request."""
