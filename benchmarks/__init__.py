"""Speed and scale: every figure a ratio of two things measured side by side in one run."""
