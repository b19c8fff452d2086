"""What stands around controls and pictures: the bar, cards, headlines, folds, tabs."""
