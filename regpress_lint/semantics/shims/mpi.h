#pragma once
#include <regpress_common.h>
#include <stddef.h>
REGPRESS_BEGIN
// Handles: every implementation has its own kind, so none has a size here.
#define REGPRESS_MPI_HANDLE(name)    \
  struct REGPRESS_UNSIZED name {     \
    void *place;                     \
    operator long() const;           \
    bool operator==(const name &) const; \
    bool operator!=(const name &) const; \
  };
REGPRESS_MPI_HANDLE(MPI_Comm)
REGPRESS_MPI_HANDLE(MPI_Datatype)
REGPRESS_MPI_HANDLE(MPI_Op)
REGPRESS_MPI_HANDLE(MPI_Request)
REGPRESS_MPI_HANDLE(MPI_Group)
REGPRESS_MPI_HANDLE(MPI_Info)
REGPRESS_MPI_HANDLE(MPI_Win)
REGPRESS_MPI_HANDLE(MPI_File)
struct REGPRESS_UNSIZED MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
};
typedef long MPI_Aint;
typedef long long MPI_Offset;
extern MPI_Comm MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL;
extern MPI_Datatype MPI_CHAR, MPI_BYTE, MPI_SHORT, MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_LONG_LONG_INT, MPI_UNSIGNED,
    MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_FLOAT, MPI_DOUBLE,
    MPI_DOUBLE_INT, MPI_INT32_T, MPI_INT64_T, MPI_UINT32_T, MPI_UINT64_T, MPI_DATATYPE_NULL, MPI_C_BOOL;
extern MPI_Op MPI_SUM, MPI_MIN, MPI_MAX, MPI_PROD, MPI_LOR, MPI_LAND, MPI_BOR, MPI_MINLOC, MPI_MAXLOC;
extern MPI_Info MPI_INFO_NULL;
extern MPI_Request MPI_REQUEST_NULL;
extern const int MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_TYPE_SHARED, MPI_PROC_NULL, MPI_THREAD_MULTIPLE,
    MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_SINGLE, MPI_UNDEFINED;
#define MPI_SUCCESS 0
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#define MPI_STATUSES_IGNORE ((MPI_Status *)1)
#define MPI_IN_PLACE ((void *)1)
double MPI_Wtime();
#define REGPRESS_MPI(name)  \
  template <typename... A>  \
  int MPI_##name(A &&...);
REGPRESS_MPI(Init)
REGPRESS_MPI(Init_thread)
REGPRESS_MPI(Initialized)
REGPRESS_MPI(Finalize)
REGPRESS_MPI(Finalized)
REGPRESS_MPI(Abort)
REGPRESS_MPI(Comm_rank)
REGPRESS_MPI(Comm_size)
REGPRESS_MPI(Comm_split)
REGPRESS_MPI(Comm_split_type)
REGPRESS_MPI(Comm_dup)
REGPRESS_MPI(Comm_free)
REGPRESS_MPI(Cart_create)
REGPRESS_MPI(Cart_coords)
REGPRESS_MPI(Cart_shift)
REGPRESS_MPI(Dims_create)
REGPRESS_MPI(Barrier)
REGPRESS_MPI(Bcast)
REGPRESS_MPI(Reduce)
REGPRESS_MPI(Allreduce)
REGPRESS_MPI(Gather)
REGPRESS_MPI(Gatherv)
REGPRESS_MPI(Allgather)
REGPRESS_MPI(Allgatherv)
REGPRESS_MPI(Scatter)
REGPRESS_MPI(Scatterv)
REGPRESS_MPI(Alltoall)
REGPRESS_MPI(Alltoallv)
REGPRESS_MPI(Scan)
REGPRESS_MPI(Exscan)
REGPRESS_MPI(Send)
REGPRESS_MPI(Recv)
REGPRESS_MPI(Isend)
REGPRESS_MPI(Irecv)
REGPRESS_MPI(Sendrecv)
REGPRESS_MPI(Wait)
REGPRESS_MPI(Waitall)
REGPRESS_MPI(Waitany)
REGPRESS_MPI(Test)
REGPRESS_MPI(Probe)
REGPRESS_MPI(Get_count)
REGPRESS_MPI(Get_processor_name)
REGPRESS_MPI(Type_contiguous)
REGPRESS_MPI(Type_vector)
REGPRESS_MPI(Type_commit)
REGPRESS_MPI(Type_free)
#define MPI_MAX_PROCESSOR_NAME 256
REGPRESS_END
