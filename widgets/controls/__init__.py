"""What a person changes something with, or asks for something with."""
