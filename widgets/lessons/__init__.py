"""Parts of lessons and of a class: shelves, questions to predict by, what a teacher leads with."""
