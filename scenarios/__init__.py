"""What a page is, without the page: its settings, the picture that is computed of them, and the words that say it."""
