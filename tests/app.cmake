# tests of app
