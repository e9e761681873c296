"""Mouse and keyboard by XTEST, and which key gives which character."""
