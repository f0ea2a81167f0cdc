# tests of pressure
