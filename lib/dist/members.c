#include "dist/members.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int glnn__mpi_most_of_host;

static glnn_status duplicate(MPI_Comm from, MPI_Comm *out)
{
    const int code = MPI_Comm_dup(from, out);
    if (code == MPI_SUCCESS)
        MPI_Comm_set_errhandler(*out, MPI_ERRORS_RETURN);
    return glnn__mpi_check_call(code, "MPI_Comm_dup");
}

/* The lists of ranks follow one another. */
static glnn_status allocate(glnn__mpi_members *members)
{
    const size_t ranks = (size_t)members->ranks;
    members->hosts = calloc(ranks, sizeof *members->hosts);
    members->mate_ranks = calloc(3 * ranks, sizeof *members->mate_ranks);
    if (!members->hosts || !members->mate_ranks)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory for %zu ranks", ranks);
    members->leader_of = members->mate_ranks + ranks;
    members->leader_ranks = members->leader_of + ranks;
    return GLNN_OK;
}

static glnn_status find_hosts(glnn__mpi_members *members, bool messages_only)
{
    MPI_Comm host;
    char own[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    const int most = messages_only ? 1 : glnn__mpi_most_of_host;
    MPI_Get_processor_name(own, &length);
    int code = MPI_Allgather(own, (int)sizeof own, MPI_CHAR, members->hosts, (int)sizeof own,
                             MPI_CHAR, members->all);
    for (int r = 0; r < members->ranks; ++r)
        members->hosts[r][sizeof members->hosts[r] - 1] = '\0';
    if (!code)
        code = MPI_Comm_split_type(members->all, MPI_COMM_TYPE_SHARED, members->rank, MPI_INFO_NULL,
                                   &host);
    if (code)
        return glnn__mpi_check_call(code, "MPI_Comm_split_type");
    MPI_Comm_rank(host, &members->host_rank);
    MPI_Comm_size(host, &members->host_ranks);
    code = MPI_Comm_split(host, most > 0 ? members->host_rank / most : 0, members->rank,
                          &members->host);
    MPI_Comm_free(&host);
    return glnn__mpi_check_call(code, "MPI_Comm_split");
}

static void meet_mates(glnn__mpi_members *members)
{
    MPI_Comm_rank(members->host, &members->place);
    MPI_Comm_size(members->host, &members->mates);
    MPI_Comm_set_errhandler(members->host, MPI_ERRORS_RETURN);
}

glnn_status glnn__mpi_members_join(glnn__mpi_members *members, bool messages_only)
{
    members->all = members->host = members->between = MPI_COMM_NULL;
    glnn_status status = duplicate(MPI_COMM_WORLD, &members->all);
    if (status)
        return status;
    MPI_Comm_rank(members->all, &members->rank);
    MPI_Comm_size(members->all, &members->ranks);
    status = allocate(members);
    if (!status)
        status = find_hosts(members, messages_only);
    if (!status)
        meet_mates(members);
    return status;
}

glnn_status glnn__mpi_members_part(glnn__mpi_members *members)
{
    MPI_Comm_free(&members->host);
    const glnn_status status = duplicate(MPI_COMM_SELF, &members->host);
    if (!status)
        meet_mates(members);
    return status;
}

glnn_status glnn__mpi_members_lead(glnn__mpi_members *members)
{
    int code =
        MPI_Allgather(&members->rank, 1, MPI_INT, members->mate_ranks, 1, MPI_INT, members->host);
    if (!code)
        code = MPI_Allgather(&members->mate_ranks[0], 1, MPI_INT, members->leader_of, 1, MPI_INT,
                             members->all);
    if (code)
        return glnn__mpi_check_call(code, "MPI_Allgather");
    members->leader = -1;
    for (int r = 0; r < members->ranks; ++r) {
        if (members->leader_of[r] != r)
            continue;
        if (r == members->rank)
            members->leader = members->leaders;
        members->leader_ranks[members->leaders++] = r;
    }
    code = MPI_Comm_split(members->all, members->leader < 0 ? MPI_UNDEFINED : 0, members->rank,
                          &members->between);
    if (!code && members->leader >= 0)
        MPI_Comm_set_errhandler(members->between, MPI_ERRORS_RETURN);
    return glnn__mpi_check_call(code, "MPI_Comm_split");
}

void glnn__mpi_members_leave(glnn__mpi_members *members, bool has_failed)
{
    MPI_Comm *const comms[] = {&members->between, &members->host, &members->all};
    for (int i = 0; i < 3 && !has_failed; ++i)
        if (*comms[i] != MPI_COMM_NULL)
            MPI_Comm_free(comms[i]);
    free(members->hosts);
    free(members->mate_ranks);
}

/* ---- Sentences */

glnn_status glnn__mpi_fail(glnn_status status, const char *format, ...)
{
    char sentence[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return glnn_last_error_set(status, sentence);
}

glnn_status glnn__mpi_check_call(int code, const char *function)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;
    if (code == MPI_SUCCESS)
        return GLNN_OK;
    MPI_Error_string(code, text, &length);
    return glnn__mpi_fail(GLNN_E_PROCESS, "glnn_mpi_create: %s failed: %s", function, text);
}
