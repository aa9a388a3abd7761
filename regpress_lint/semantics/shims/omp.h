#pragma once
#include <regpress_common.h>
REGPRESS_BEGIN
extern "C" {
double omp_get_wtime();
double omp_get_wtick();
int omp_get_num_threads();
int omp_get_max_threads();
int omp_get_thread_num();
int omp_get_num_procs();
void omp_set_num_threads(int);
int omp_in_parallel();
void omp_set_dynamic(int);
void omp_set_nested(int);
int omp_get_num_devices();
int omp_get_num_teams();
int omp_get_team_num();
int omp_is_initial_device();
void omp_set_default_device(int);
typedef struct {
  unsigned char place[4];
} REGPRESS_UNSIZED omp_lock_t;
void omp_init_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
void omp_destroy_lock(omp_lock_t *);
}
REGPRESS_END
