# Debian packages by CPack (scripts/package): `brume` has the program and the viewer with their manual, completions, scenes
# and documents; `libbrume0.1`, named after the soname, the shared library; `libbrume-dev` what programs are compiled with.
set(BRUME_PACKAGE_CONTACT "Brume developers" CACHE STRING "Maintainer of the Debian packages, as NAME <ADDRESS>")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME brume)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_CONTACT ${BRUME_PACKAGE_CONTACT})
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(library_package libbrume${soversion})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SOURCE brume)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(release ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

# group `brume`: all packaged components but those of the library
set(CPACK_DEBIAN_BRUME_PACKAGE_NAME brume)
set(CPACK_DEBIAN_BRUME_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_BRUME_DESCRIPTION "simulator and renderer of smoke in three dimensions
Brume simulates smoke in a box and draws it. A scene file in YAML describes
the box, emitters, bodies, lights and the camera. One command solves the
incompressible flow equations on all cores and renders a lit image sequence;
another opens a window in which the simulation runs while one flies through
the smoke.

The results have the same bits with any number of threads. All quantities
are in SI units.")
if(BRUME_HAS_VIEWER)
  # the viewer loads OpenGL and its fonts at run time
  set(CPACK_DEBIAN_BRUME_PACKAGE_RECOMMENDS "libgl1, libegl1, fonts-dejavu-core")
endif()

# component `runtime`
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_MULTIARCH same)
file(WRITE ${PROJECT_BINARY_DIR}/packaging/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/packaging/triggers)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "simulator and renderer of smoke, shared library
Brume simulates smoke in a box, by the incompressible flow equations on all
cores, and draws it.

This package has the library with which programs embed the simulator and the
renderer.")

# component `development`; the files for pkg-config and CMake name the libraries that the static library needs
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libbrume-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library_package} (= ${release}), libyaml-dev, libxxhash-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "simulator and renderer of smoke, files for development
Brume simulates smoke in a box, by the incompressible flow equations on all
cores, and draws it.

This package has the headers, the static library, and the files with which
pkg-config and CMake find both libraries.")

# what Debian wants beside the installed files is added before the packages are made
configure_file(packaging/debian_files.cmake.in packaging/debian_files.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/packaging/debian_files.cmake)

# the module that encodes videos is in no package: it makes brume depend on FFmpeg, and its license is that of FFmpeg;
# nor is the one of MPI, of which a cluster has its own
get_cmake_property(CPACK_COMPONENTS_ALL COMPONENTS)
list(REMOVE_ITEM CPACK_COMPONENTS_ALL Unspecified video mpi)

include(CPack)
cpack_add_component_group(brume)
foreach(component ${CPACK_COMPONENTS_ALL})
  if(NOT component MATCHES "^(runtime|development)$")
    cpack_add_component(${component} GROUP brume)
  endif()
endforeach()
