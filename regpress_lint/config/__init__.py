"""Configuration: files, command line and defaults become one frozen `Settings`."""
