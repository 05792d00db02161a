"""The game itself: rules, bids, points and the score sheet. Pure: no input or output, no clock, no global chance."""
