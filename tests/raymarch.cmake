# tests of raymarch
