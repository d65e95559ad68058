"""The parts of tests/prove. Standard library only."""
