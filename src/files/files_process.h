/**
 * @file files_process.h
 * Requests to the program brume-files, which holds the libraries for files of other programs: they may crash, abort,
 * hang or allocate without limit on damaged files and where memory runs out.
 */
#ifndef BRUME_FILES_FILES_PROCESS_H
#define BRUME_FILES_FILES_PROCESS_H

#include "files/messages.h"

/**
 * Sends a request and waits for the reply; `memory` are the two descriptors in the order of BrumeFilesMemory. Returns
 * the status of the reply with its text; BRUME_FAILED with one line that starts with the path where brume-files is not
 * installed, cannot be started, is ended by a signal or a limit, or does not respond. `reply` is undefined then.
 *
 * Any number of threads may call it: each uses a process of its own, and a process serves one request after the other
 * until the caller's process ends. Where a library has failed, the process is ended, and the next request starts
 * another.
 */
BrumeStatus brume_files_request(const BrumeFilesRequest *request, const int memory[BRUME_FILES_MEMORIES],
                                BrumeFilesReply *reply, BrumeError *error);

#endif
