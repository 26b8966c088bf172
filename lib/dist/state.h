/* The state of a group of processes. */
#ifndef GLNN__DIST_STATE_H
#define GLNN__DIST_STATE_H

#include <glnn/mpi.h>

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Seconds that threads poll before they sleep, if there are cores for both of them. Waking a thread
 * takes longer than a small sum. */
#define GLNN__MPI_POLLS_FOR 50e-6

/* Buckets under way at a time. */
enum { GLNN__MPI_WINDOW = 8 };

/* A message between all processes: a sum or a gathering of numbers. */
typedef struct glnn__mpi_message {
    struct glnn__mpi_message *next;         /* under way, or unused */
    struct glnn__mpi_message *next_waiting; /* of those with buckets that have not started */
    int number;
    char *values;
    size_t count;         /* of a sum: its numbers */
    const size_t *begins; /* of a gathering: places in bytes, one more than ranks; else NULL */
    size_t *room;         /* for `begins` */
    size_t buckets, started, finished;
    bool is_done;
} glnn__mpi_message;

typedef enum glnn__mpi_kind { GLNN__MPI_SUM, GLNN__MPI_GATHERING } glnn__mpi_kind;

struct glnn__mpi_bucket;

/* The next operation of a bucket; see bucket.h. */
typedef void (*glnn__mpi_stage)(glnn_mpi *group, struct glnn__mpi_bucket *bucket);

/* A part of a message that travels on its own. */
typedef struct glnn__mpi_bucket {
    glnn__mpi_message *of;         /* NULL: its numbers have arrived, or it is free */
    size_t index;                  /* in the message */
    uint64_t number;               /* the same on all processes */
    int tag;                       /* of messages of MPI; the same on all processes */
    const glnn__mpi_stage *stages; /* the next one is the first; NULL: the bucket is free */
    glnn__mpi_kind kind;
    char *numbers; /* of a gathering: those of this process */
    size_t bytes;
    size_t count;          /* of a sum */
    char *shown;           /* the numbers in shared memory, or `numbers` */
    char *staging;         /* shared memory for numbers that are not in it; NULL: not used */
    int awaits;            /* a phase of the processes of the host; -1: none */
    bool awaits_leader;    /* of the leader alone */
    int operations;        /* of MPI, under way */
    MPI_Request *requests; /* of the operations; two for each rank */
    MPI_Status *statuses;
    struct glnn__mpi_peer *peers; /* of the operations */
    char *children;               /* of the tree: received numbers, two buckets; NULL: not used */
} glnn__mpi_bucket;

typedef struct glnn__mpi_sentence {
    char text[1024];
} glnn__mpi_sentence;

/* A small message by which processes watch each other. */
typedef struct glnn__mpi_note {
    int kind;
    uint64_t number; /* messages that the sender has begun           */
    double idle_for; /* seconds since it has done long work; 0: it does */
    glnn__mpi_sentence sentence;
} glnn__mpi_note;

/* A note under way. */
typedef struct glnn__mpi_letter {
    struct glnn__mpi_letter *next;
    MPI_Request request;
    int to;
    glnn__mpi_note note;
} glnn__mpi_letter;

/* The knowledge of a process about the others. */
typedef struct glnn__mpi_watch {
    glnn__mpi_note received;
    MPI_Request receive;
    glnn__mpi_letter *letters;
    double turned_at; /* the latest turn of the driving thread */
    double beat_at;   /* the latest sign of life that was sent */
    double heard_at;  /* the latest note of the previous rank */
    double asked_at;  /* 0: not since a message moved */
    bool is_late;     /* all have begun the message, but it does not move */
    uint64_t *begun;  /* by each rank, as it answered; UINT64_MAX: no answer */
    double *busy_at;  /* each rank, when it last was, as it answered         */
    bool *has_left;   /* of each rank: it leaves the group, after so many messages */
    uint64_t *begun_at_end;
    int left;                   /* ranks that leave */
    bool leaves;                /* this process does */
    glnn__mpi_sentence noticed; /* a failure; "": none */
    bool is_told;               /* another process has noticed it, and told all */
} glnn__mpi_watch;

/* The thread of the program and the one that drives the messages share a group. Members of the
 * first part do not change. Those of the second part need the lock. Those of the third part belong
 * to the driving thread. */
struct glnn_mpi {
    glnn_messenger messenger;
    glnn_mpi_desc desc; /* without zeros */
    int rank, ranks, host_rank, host_ranks;
    char (*hosts)[MPI_MAX_PROCESSOR_NAME]; /* of all ranks */
    MPI_Comm data, control;
    MPI_Comm between[GLNN__MPI_WINDOW]; /* the leaders, for each bucket; else MPI_COMM_NULL */
    int mates, place;    /* processes that share memory with this one, with itself, and its place */
    int *mate_ranks;     /* in their order; the first one is the leader */
    int *leader_of;      /* by rank */
    int leaders, leader; /* all leaders, and the place of this process; -1: it is none */
    int *leader_ranks;
    struct glnn__mpi_host *host;
    struct glnn__mpi_memory *memory; /* NULL: nothing is shared */
    struct glnn__pool *pool;
    bool has_spare_cores;  /* one for each of the two threads: they may poll for a while */
    struct glnn_mpi *next; /* in the list of groups */
    pthread_t thread;
    _Atomic uint64_t arrivals; /* messages, and the failure; without the lock */

    pthread_mutex_t lock;
    pthread_cond_t wake; /* the driving thread: there is work */
    pthread_cond_t news; /* the program: a message has arrived, or the group has failed */
    glnn__mpi_message *under_way, *waiting, *unused;
    uint64_t begun;             /* messages */
    double waits_since;         /* the program waits for a message since then; 0: it does not */
    bool is_busy;               /* the program does long work  */
    double busy_at;             /* when it began or ended it   */
    bool leaves;                /* glnn_mpi_destroy was called */
    bool failed;                /* `failure` has the sentence */
    double failed_at;           /* seconds */
    glnn__mpi_sentence failure; /* first of the program's own failure, then of the group's */
    bool fails;                 /* `failure` has the program's own */
    glnn__mpi_sentence error;   /* for get_error */

    glnn__mpi_bucket buckets[GLNN__MPI_WINDOW]; /* taken in turn */
    const void **from;                          /* room for a pointer for each rank */
    uint64_t started;                           /* buckets */
    uint64_t finished;                          /* messages */
    double moved_at;                            /* when a message has moved */
    glnn__mpi_watch watch;
};

#endif
