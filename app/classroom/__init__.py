"""A class: a room in which a teacher leads students through a lesson and sees what they predict."""
