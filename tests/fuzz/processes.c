/* Bytes of another process: files of the cache folder, and messages. */
#include "target.h"

#include "support/at_once.h"
#include "support/subjects.h"

#include <glnn/copy.h>

#include "base/folder.h"
#include "learn/exchange/message.h"
#include "pass/disk_cache.h"
#include "pass/tuning_store.h"

#include <stdio.h>

/* ---- The file of what was measured of a device */

static glnn_context driver = {.info = {.vendor = "v", .renderer = "r", .version = "1"}};

/* A process writes the file, so that its name is known. */
static const char *tuning_path(void)
{
    static char names[4][256];
    expect_ok(glnn__folder_make(fuzz_path("tuning")));
    if (tree_list(fuzz_path("tuning"), names, 4) == 0) {
        char folder[TREE_PATH];
        snprintf(folder, sizeof folder, "%s", fuzz_path("tuning"));
        glnn__tuning tuning = {.folder = folder};
        glnn__tuning_put(&driver, &tuning, "a", NULL, "1");
        glnn__tuning_forget(&tuning);
        assert_int_equal(tree_list(fuzz_path("tuning"), names, 4), 1);
    }
    return names[0];
}

void fuzz_run_tuning(const unsigned char *bytes, size_t size)
{
    char name[TREE_PATH], folder[TREE_PATH];
    double speeds[GLNN__TUNING_SPEEDS];
    snprintf(name, sizeof name, "tuning/%s", tuning_path());
    snprintf(folder, sizeof folder, "%s", fuzz_path("tuning"));
    fuzz_file(name, bytes, size);
    glnn__tuning tuning = {.folder = folder};
    const char *value = glnn__tuning_get(&driver, &tuning, "a");
    assert_true(!value || strlen(value) < GLNN__TUNING_TEXT);
    assert_true(tuning.count <= GLNN__TUNING_LINES);
    for (size_t count = 1; count <= GLNN__TUNING_SPEEDS; count *= 2)
        if (glnn__tuning_read(&driver, &tuning, "speeds", speeds, count))
            for (size_t i = 0; i < count; ++i)
                assert_true(speeds[i] > 0 && isfinite(speeds[i]));
    glnn__tuning_forget(&tuning);
}

void fuzz_seed_tuning(void)
{
    fuzz_seed_text("a = 1\nb = two words\nspeeds = 1234 567 89 1\n");
    fuzz_seed_text("speeds = 1\n\nno value\n = \na = = 2\na = 3");
    fuzz_seed_text("speeds = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 "
                   "27 28 29 30 31 32\n");
}

/* ---- Compiled programs */

static const glnn__cache_key key = {1, 2};

static const char *program_folder(void)
{
    static char folder[TREE_PATH];
    snprintf(folder, sizeof folder, "%s", fuzz_path("programs"));
    expect_ok(glnn__folder_make(folder));
    return folder;
}

/* Makes a program that computes nothing, and stores it. */
static void store_program(void)
{
    static const char *const vertex = "#version 430\nvoid main() { gl_Position = vec4(0); }";
    const GLuint shader = glCreateShader(GL_VERTEX_SHADER), program = glCreateProgram();
    glShaderSource(shader, 1, &vertex, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glProgramParameteri(program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    glLinkProgram(program);
    glnn__disk_cache_store(program_folder(), &key, program);
    glDeleteProgram(program);
    glDeleteShader(shader);
}

static const char program_file[] = "programs/00000000000000010000000000000002.bin";

void fuzz_run_program(const unsigned char *bytes, size_t size)
{
    const char *folder = program_folder();
    const GLuint program = glCreateProgram();
    fuzz_file(program_file, bytes, size);
    glnn__disk_cache_load(glnn_test_context(), folder, &key, program);
    glDeleteProgram(program);
}

void fuzz_seed_program(void)
{
    size_t size;
    store_program();
    unsigned char *bytes = tree_read(fuzz_path(program_file), &size);
    fuzz_seed(bytes, size);
    free(bytes);
}

/* ---- Messages of a training by several processes */

/* A messenger that takes the bytes of the other processes from an input, and then zeros. */
typedef struct sender {
    const unsigned char *bytes;
    size_t size;
} sender;

static void take(sender *from, void *to, size_t count)
{
    const size_t got = count < from->size ? count : from->size;
    memset(to, 0, count);
    memcpy(to, from->bytes, got);
    from->bytes += got;
    from->size -= got;
}

enum { RANKS = 3 };
static int own_rank;

static glnn_status gather_taken(void *user, const void *own, size_t bytes, void *all)
{
    for (int r = 0; r < RANKS; ++r) {
        unsigned char *place = (unsigned char *)all + (size_t)r * bytes;
        if (r == own_rank)
            memmove(place, own, bytes);
        else
            take(user, place, bytes);
    }
    return GLNN_OK;
}

static glnn_status begin_taken_sum(void *user, int number, float *values, size_t count)
{
    (void)number;
    take(user, values, count * sizeof *values);
    return GLNN_OK;
}

static glnn_status begin_taken_gather(void *user, int number, void *values, const size_t *begins)
{
    (void)number;
    for (int r = 0; r < RANKS; ++r)
        if (r != own_rank)
            take(user, (unsigned char *)values + begins[r], begins[r + 1] - begins[r]);
    return GLNN_OK;
}

/* The processes compare what they train, count, keep the best rows, and hear of a failure. */
static glnn_status talk(glnn__exchange *exchange)
{
    static const glnn__exchange_text texts[] = {
        {"training", "epochs=3\nbatch=8\n"},
        {"data set", "samples=53\nchecksum of inputs=12\nfeatures=5\n"}};
    double numbers[2] = {1, 2};
    float rows[6] = {3, 1, 2, 1, 1, 1}, sums[4] = {0};
    unsigned char text[16] = "";
    GLNN__TRY(glnn__exchange_sum(exchange, numbers, 2));
    GLNN__TRY(glnn__exchange_keep_greatest(exchange, rows, 3, 2));
    GLNN__TRY(glnn__exchange_spread(exchange, text, sizeof text));
    GLNN__TRY(glnn__exchange_begin_numbers(exchange, 0, sums, 4));
    GLNN__TRY(glnn__exchange_end(exchange, 0));
    GLNN__TRY(glnn__exchange_answer(exchange, GLNN_OK));
    GLNN__TRY(glnn__exchange_compare_ranks(exchange));
    return glnn__exchange_compare(exchange, texts, 2);
}

void fuzz_run_messages(const unsigned char *bytes, size_t size)
{
    sender from = {bytes, size};
    unsigned char rank;
    take(&from, &rank, 1);
    own_rank = rank % RANKS;
    const glnn_messenger messenger = at_once((glnn_messenger){.rank = own_rank,
                                                              .ranks = RANKS,
                                                              .user = &from,
                                                              .gather = gather_taken,
                                                              .begin_sum = begin_taken_sum,
                                                              .begin_gather = begin_taken_gather});
    const glnn_exchange_desc desc = {.messenger = &messenger};
    glnn__exchange *exchange = NULL;
    expect_ok(glnn__exchange_create(glnn_test_context(), &desc, &exchange));
    const glnn_status status = talk(exchange);
    fuzz_expect_sentence(status);
    glnn__exchange_fail(exchange, status);
    glnn__exchange_destroy(exchange);
}

/* The bytes of `talk` up to the comparisons, all zeros, and then those of the comparisons. */
void fuzz_seed_messages(void)
{
    for (int rank = 0; rank < RANKS; ++rank) {
        unsigned char bytes[4096] = {(unsigned char)rank};
        size_t size = 1 + 2 * 16 + 2 * 24 + (rank ? 16 : 0) + 16 + 2 * 1024;
        for (int r = 0; r < RANKS; ++r) {
            if (r == rank)
                continue;
            fuzz_put_low_first(bytes + size, (uint64_t)r, 4);
            fuzz_put_low_first(bytes + size + 4, RANKS, 4);
            size += 8;
        }
        for (int i = 0; i < 4; ++i) { /* a checksum and a length of each text */
            fuzz_put_low_first(bytes + size, 0, 8);
            fuzz_put_low_first(bytes + size + 8, 20, 8);
            size += 16;
        }
        memcpy(bytes + size, "epochs=4\nbatch=8\n", 17);
        fuzz_seed(bytes, size + 40);
    }
}

/* ---- A training whose other processes send what this one sends, with changes
 *
 * An input begins with a byte for the rank and the description. Each change has three bytes: how
 * many bytes are sent before it (the low byte first), and the bits of the next one that change. */

typedef struct echo {
    sender changes;
    size_t left; /* bytes up to the next change */
    unsigned char bits;
} echo;

enum { DESCRIBED = 1, CHANGE = 3 };

static void find_change(echo *of)
{
    unsigned char change[CHANGE];
    of->bits = 0;
    of->left = SIZE_MAX;
    if (of->changes.size < CHANGE)
        return;
    take(&of->changes, change, CHANGE);
    of->left = (size_t)change[0] | (size_t)change[1] << 8;
    of->bits = change[2];
}

static void change(echo *of, void *bytes, size_t count)
{
    unsigned char *to = bytes;
    while (of->left < count) {
        to[of->left] ^= of->bits;
        to += of->left + 1;
        count -= of->left + 1;
        find_change(of);
    }
    if (of->left != SIZE_MAX)
        of->left -= count;
}

static glnn_status gather_echo(void *user, const void *own, size_t bytes, void *all)
{
    const int ranks[2] = {own_rank, RANKS};
    const bool has_ranks = bytes == sizeof ranks && memcmp(own, ranks, sizeof ranks) == 0;
    for (int r = 0; r < RANKS; ++r) {
        unsigned char *place = (unsigned char *)all + (size_t)r * bytes;
        memmove(place, own, bytes);
        if (has_ranks)
            memcpy(place, &r, sizeof r);
        if (r != own_rank)
            change(user, place, bytes);
    }
    return GLNN_OK;
}

static glnn_status begin_echo_sum(void *user, int number, float *values, size_t count)
{
    (void)number;
    change(user, values, count * sizeof *values);
    return GLNN_OK;
}

/* The others send ones: what this process would send in their place is not known. */
static glnn_status begin_echo_gather(void *user, int number, void *values, const size_t *begins)
{
    (void)number;
    for (int r = 0; r < RANKS; ++r)
        if (r != own_rank) {
            memset((char *)values + begins[r], 1, begins[r + 1] - begins[r]);
            change(user, (char *)values + begins[r], begins[r + 1] - begins[r]);
        }
    return GLNN_OK;
}

/* The description comes from a byte: a share, and a kind of exchange. */
static glnn_exchange_desc describe_exchange(unsigned char byte, const glnn_messenger *messenger)
{
    return (glnn_exchange_desc){.messenger = messenger,
                                .share = byte & 0x40 ? 0.5f : 0,
                                .kind = (glnn_exchange_kind)(byte >> 4 & 3)};
}

void fuzz_run_processes(const unsigned char *bytes, size_t size)
{
    echo others = {.changes = {bytes, size}};
    unsigned char described;
    take(&others.changes, &described, DESCRIBED);
    find_change(&others);
    own_rank = (described & 0xf) % RANKS;
    const glnn_messenger messenger = at_once((glnn_messenger){.rank = own_rank,
                                                              .ranks = RANKS,
                                                              .user = &others,
                                                              .gather = gather_echo,
                                                              .begin_sum = begin_echo_sum,
                                                              .begin_gather = begin_echo_gather});
    const glnn_train_desc how = {.epochs = 2,
                                 .batch = 24,
                                 .validation_split = 0.2f,
                                 .exchange = describe_exchange(described, &messenger)};
    fuzz_expect_sentence(
        glnn_learner_train(small_network(8), dataset_of(some_samples()), &how, NULL));
    release_learning();
}

void fuzz_seed_processes(void)
{
    static const int places[] = {30, 130, 200, 260, 320, 330, 400, 600, 1000, 2000};
    for (int described = 0; described < 0x80; described += 0x10)
        for (int rank = 0; rank < RANKS; ++rank) {
            const unsigned char alone = (unsigned char)(described | rank);
            fuzz_seed(&alone, 1);
        }
    for (size_t i = 0; i < COUNT_OF(places); ++i) {
        unsigned char bytes[DESCRIBED + CHANGE] = {(unsigned char)(0x40 | (i % RANKS))};
        fuzz_put_low_first(bytes + DESCRIBED, (uint64_t)places[i], 2);
        bytes[DESCRIBED + 2] = 0x80;
        fuzz_seed(bytes, sizeof bytes);
    }
}
