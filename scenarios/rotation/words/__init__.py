"""What the Rotation page says, story by story, in plain words."""
