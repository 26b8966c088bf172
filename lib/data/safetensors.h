/* What reader and writer of safetensors share. */
#ifndef GLNN__DATA_SAFETENSORS_H
#define GLNN__DATA_SAFETENSORS_H

/* The key under which the header keeps texts instead of an array. */
#define GLNN__METADATA_KEY "__metadata__"

/* The longest header that the format allows, in bytes. */
#define GLNN__HEADER_LIMIT 100000000

/* Bytes in front of the header, which count it. */
#define GLNN__HEADER_START 8

#endif
