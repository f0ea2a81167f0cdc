# Writes shaders/*.glsl as arrays in a C file: cmake -DSHADERS=a.glsl;b.glsl -DOUTPUT=file.c -P embed.cmake
set(text "#include \"raymarch/gl/gl_program.h\"\n")
foreach(shader ${SHADERS})
  get_filename_component(name ${shader} NAME_WE)
  file(READ ${shader} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
  string(APPEND text "\nconst char brume_glsl_${name}[] = {${bytes}0x00};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
