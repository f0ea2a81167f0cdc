/**
 * @file export.h
 * The macros that mark exported functions: every function that an embedding program may call is declared with
 * BRUME_API, and nothing else is visible in the shared library.
 */
#ifndef BRUME_EXPORT_H
#define BRUME_EXPORT_H

#if defined(__GNUC__)
#define BRUME_API __attribute__((visibility("default")))
#else
#define BRUME_API
#endif

#ifdef __cplusplus
#define BRUME_BEGIN_DECLS extern "C" {
#define BRUME_END_DECLS }
#else
#define BRUME_BEGIN_DECLS
#define BRUME_END_DECLS
#endif

#endif
