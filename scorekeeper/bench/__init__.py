"""How fast it is, measured side by side in one run: each figure with the bar that it has to reach."""
