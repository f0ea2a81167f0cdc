/**
 * @file messages.h
 * The messages between the programs of Brume and the program brume-files: for each request one reply, each a single
 * message of a socket (SOCK_SEQPACKET). Both are built together, so that the messages are structures in memory; their
 * pointers have no meaning for the receiver. Contents of files, values of grids and pixels are in shared memory
 * (io/shared_memory.h), whose descriptors the request carries.
 */
#ifndef BRUME_FILES_MESSAGES_H
#define BRUME_FILES_MESSAGES_H

#include "exchange/mesh/mesh_parts.h"
#include "exchange/mesh_file.h"
#include "exchange/volume_format.h"
#include "io/exr_write.h"
#include "io/shared_memory.h"

#include <limits.h>

/** The requests to brume-files. */
typedef enum BrumeFilesTask {
    BRUME_READ_HDF,    ///< the contents of a file to a frame
    BRUME_READ_VDB,    ///< the same
    BRUME_COMPOSE_HDF, ///< a frame to the contents of a file
    BRUME_COMPOSE_VDB, ///< the same
    BRUME_READ_EXR,    ///< the contents of a file to a picture of linear RGB
    BRUME_COMPOSE_EXR, ///< the planes of a picture to the contents of a file
    BRUME_READ_MESH,   ///< the contents of several files to triangles, or to the names of further files
} BrumeFilesTask;

/** The memory that a request carries: two descriptors in this order. */
typedef enum BrumeFilesMemory {
    BRUME_FILES_INPUT,  ///< contents of a file, values of a frame, planes of a picture
    BRUME_FILES_RESULT, ///< added by brume-files
    BRUME_FILES_MEMORIES,
} BrumeFilesMemory;

typedef struct BrumeFilesRequest {
    BrumeFilesTask task;
    int threads;            ///< that may compute
    char path[PATH_MAX];    ///< of the file, for messages
    BrumeSharedBlock input; ///< contents of a file, or planes of a picture
    BrumeVolumeReadDef def; ///< the parts of a volume file to read
    BrumeFrameGrids frame;  ///< that is to be composed; its grids are in the input
    BrumeSharedBlock scene; ///< its scene in the memory of the result, with the final 0; size 0: none
    bool half, z_up, vdb_staggered;
    char vdb_names[16]; ///< "": Brume's
    int width, height;  ///< of the picture that is to be composed
    BrumeExrHeader exr; ///< of it, without the name of the software
    char software[64];  ///< that wrote the picture
    BrumeMeshReadDef mesh_def;
    BrumeSharedBlock parts; ///< BrumeMeshParts of a mesh in the memory of the input; names of further files are added
} BrumeFilesRequest;

typedef struct BrumeFilesReply {
    BrumeStatus status;
    BrumeError error;        ///< where the status is not BRUME_OK
    bool ends;               ///< the process takes no further request: a library has failed
    BrumeSharedBlock result; ///< contents of a file, or pixels of a picture: floats (height x width x 3)
    BrumeFrameGrids frame;   ///< that was read; its grids are in the memory of the result
    BrumeSharedBlock scene;  ///< its scene, with the final 0; size 0: none
    int width, height;       ///< of the picture that was read
    BrumeMeshFile mesh;      ///< that was read; its blocks are in the memory of the result
    bool mesh_complete;      ///< false: further files are needed
} BrumeFilesReply;

#endif
