"""What may go out: decided purely, read from text, and which addresses are not the public internet."""
