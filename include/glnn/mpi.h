/** @file
 *  @ingroup glnn_train
 *  @brief A messenger between processes that uses MPI: the library libglnn-mpi.
 *
 *  libglnn-mpi is a library of its own, so that libglnn does not need MPI. Programs that use it
 *  include this header and link both libraries, by the pkg-config name `glnn-mpi` or the CMake
 *  target `glnn::mpi`. A launcher of MPI starts one process for each device:
 *
 *      mpirun -n 2 ./program
 *
 *  Each process then trains on the device that corresponds to its place on its host:
 *
 *      glnn_mpi *mpi;
 *      int device;
 *      glnn_status status = glnn_mpi_create(NULL, &mpi);
 *      if (!status)
 *          status = glnn_mpi_get_device(mpi, &device);
 *      ...
 *      glnn_train_desc desc = {.exchange = {.messenger = glnn_mpi_get_messenger(mpi)}};
 *      ...
 *      glnn_mpi_destroy(mpi);
 *
 *  ### Ways
 *
 *  Processes of one host sum and gather through a window of shared memory of MPI, which `allocate`
 *  of the messenger provides as long as it has room. The sum of a host has the order of the ranks.
 *  The first process of each host exchanges it with those of the other hosts by messages of MPI.
 *  Where memory cannot be shared, each process acts as a host of its own, and the log says so.
 *
 *  Memory of `allocate` is freed with the group.
 *
 *  A thread of its own carries the messages in the order in which they were begun, while the
 *  program computes. It sleeps when there is none. If the host has two cores for each of its
 *  processes, this thread and the one that waits in `end` look for numbers for up to 50 us before
 *  they sleep.
 *
 *  ### Failures of other processes
 *
 *  The functions of the messenger do not wait forever. They fail with GLNN_E_PROCESS, and the
 *  sentence names the ranks and their hosts, if
 *
 *  - processes have not arrived at a message for which this one has waited for the time limit,
 *    because they were killed or stopped or do something else. While a process measures its device
 *    or compiles programs, the limit is ten times as long, unless its thread does not run any more;
 *  - a process called the function `fail` of its messenger;
 *  - a process ended without glnn_mpi_destroy().
 *
 *  Of other hosts the sentence names the first process, which speaks for its host. All processes of
 *  the group learn of a failure that one of them notices. All messages under way are then given up,
 *  and all later calls fail with the same sentence. A program should print the sentence and end.
 *  When it ends, the library ends all processes that MPI has started with it. Some launchers end
 *  all processes themselves when one is killed; they print which one it was.
 *
 *  Programs that call MPI themselves have to initialise it with MPI_THREAD_MULTIPLE, and finalise
 *  it after glnn_mpi_destroy(). Otherwise the library initialises MPI when it is first used, and
 *  finalises it when the program ends. */
#ifndef GLNN_MPI_H
#define GLNN_MPI_H

#include <glnn/base.h>
#include <glnn/exchange.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** A group of processes, and the messenger between them. */
typedef struct glnn_mpi glnn_mpi;

/** How hosts sum numbers. With each of them, all processes receive the same bits in every run with
 * as many processes on as many hosts. */
typedef enum glnn_mpi_algorithm {
    GLNN_MPI_ALGORITHM_AUTO = 0,  /**< ALLREDUCE for small sums, else TREE                       */
    GLNN_MPI_ALGORITHM_ALLREDUCE, /**< the non-blocking all-reduce of the MPI library, which
                                       chooses the order of the sum                              */
    GLNN_MPI_ALGORITHM_TREE,      /**< messages between pairs of processes: up a binary tree, in
                                       which each process adds the numbers of its two children to
                                       its own, and down again                                   */
    GLNN_MPI_ALGORITHM_COUNT
} glnn_mpi_algorithm;

/** The name of an algorithm: "auto", "allreduce", "tree". @since 0.2 */
GLNN_API const char *glnn_mpi_algorithm_name(glnn_mpi_algorithm algorithm);

/** The algorithm with a name. @since 0.2 */
GLNN_API glnn_status glnn_mpi_algorithm_from_name(const char *name, glnn_mpi_algorithm *out);

/** Describes how processes exchange numbers; the same on all of them. Zeros mean the defaults. */
typedef struct glnn_mpi_desc {
    glnn_mpi_algorithm algorithm; /**< 0: AUTO                                                   */
    size_t bucket;  /**< large messages travel in buckets of so many numbers, so that all processes
                         are busy at once. 0: 131072 for each process if all share memory,
                         else 65536; at most 2^28                                                */
    double seconds; /**< time limit for other processes. 0: 8; at least 0.5. It is ten times as
                         long while one of them measures its device or compiles programs         */
    bool messages_only;   /**< processes of one host do not share memory. They send messages, as
                             those of different hosts do                                         */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_mpi_desc;

/** Joins the processes that MPI has started, and waits until all of them have made this call, for
 * at most ten times the time limit.
 *
 * Several objects can exist at a time, if all processes create and destroy them in the same order.
 * `desc` NULL means all defaults.
 *
 * @errors
 *   - GLNN_E_ARG: `out` is null; a member of `desc` is not in its range; the processes have
 *     different descriptions or versions of the library.
 *   - GLNN_E_STATE: MPI was finalised, or the program initialised it with less than
 *     MPI_THREAD_MULTIPLE.
 *   - GLNN_E_UNSUPPORTED: the MPI library does not have MPI_THREAD_MULTIPLE.
 *   - GLNN_E_NOMEM: main memory ran out, or a thread cannot be created.
 *   - GLNN_E_PROCESS: a function of MPI failed, or a process has not made this call in time.
 * @owner  the caller, who passes it to glnn_mpi_destroy(). After a failure `*out` is NULL.
 * @thread any; MPI recommends the main thread for the first call.
 * @since  0.2 */
GLNN_API glnn_status glnn_mpi_create(const glnn_mpi_desc *desc, glnn_mpi **out);

/** Leaves the group, and waits until all other processes do so too.
 *
 * It does not wait after a failure, such as the end of another process that has not left. NULL is
 * ignored.
 *
 * @thread any.
 * @since  0.2 */
GLNN_API void glnn_mpi_destroy(glnn_mpi *mpi);

/** The messenger, for glnn_exchange_desc::messenger; NULL for NULL.
 *
 * @owner  the group; valid until glnn_mpi_destroy().
 * @thread any. One thread at a time may call the functions of the messenger.
 * @since  0.2 */
GLNN_API const glnn_messenger *glnn_mpi_get_messenger(const glnn_mpi *mpi);

/** The rank of this process, from 0; 0 for NULL. @since 0.2 */
GLNN_API int glnn_mpi_get_rank(const glnn_mpi *mpi);

/** The processes of the group; 0 for NULL. @since 0.2 */
GLNN_API int glnn_mpi_get_ranks(const glnn_mpi *mpi);

/** The place of this process among those of its host, from 0; 0 for NULL. @since 0.2 */
GLNN_API int glnn_mpi_get_host_rank(const glnn_mpi *mpi);

/** The processes of the group on this host; 0 for NULL. @since 0.2 */
GLNN_API int glnn_mpi_get_host_ranks(const glnn_mpi *mpi);

/** Chooses an EGL device for this process, for glnn_context_desc::device.
 *
 * The devices that compute in hardware are taken in EGL's order: process n of the host takes
 * device n, and starts again with the first one if there are more processes than devices. On a
 * host without such a device, all processes take the first software rasteriser.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null.
 *   - GLNN_E_UNSUPPORTED: no device supports the OpenGL that the library needs, or EGL is absent.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @thread any; see glnn_device_list().
 * @since  0.2 */
GLNN_API glnn_status glnn_mpi_get_device(const glnn_mpi *mpi, int *device);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
