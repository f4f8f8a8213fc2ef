"""What the user sees and touches."""
