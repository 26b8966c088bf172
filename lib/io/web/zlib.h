/* Replaces zlib's header in a library that is built without zlib: what lib/io uses of it. Its
 * functions refuse to begin. */
#ifndef GLNN__IO_WEB_ZLIB_H
#define GLNN__IO_WEB_ZLIB_H

typedef unsigned uInt;

typedef struct z_stream {
    unsigned char *next_in, *next_out;
    uInt avail_in, avail_out;
    const char *msg;
} z_stream;

enum { Z_NO_FLUSH, Z_FINISH };
enum { Z_OK, Z_STREAM_END, Z_MEM_ERROR = -4, Z_BUF_ERROR = -5, Z_VERSION_ERROR = -6 };
enum { Z_DEFAULT_COMPRESSION = -1, Z_DEFAULT_STRATEGY = 0, Z_DEFLATED = 8 };

#define inflateInit2(stream, window) ((void)(stream), Z_VERSION_ERROR)
#define inflate(stream, flush)       ((void)(stream), Z_VERSION_ERROR)
#define inflateReset(stream)         ((void)(stream))
#define inflateEnd(stream)           ((void)(stream))
#define deflateInit2(stream, level, method, window, memory, strategy)                              \
    ((void)(stream), Z_VERSION_ERROR)
#define deflate(stream, flush)     ((void)(stream), Z_VERSION_ERROR)
#define deflateBound(stream, size) (size)
#define deflateEnd(stream)         ((void)(stream))

#endif
