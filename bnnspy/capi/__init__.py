"""The C face: Apple's functions under Apple's names, answering with a status."""
