/* out_lock.h: who writes a file, and who reads it meanwhile; see out_lock.c. */
#ifndef HOL_IO_OUT_LOCK_H
#define HOL_IO_OUT_LOCK_H

enum { HOL__OUT_WHO = 128 };

/* Become the writer of the open file, under the number of this process; 0 where somebody else
 * writes, with the words for that in *who: "process 4711 is writing it". Whoever is about to end is
 * waited for, some seconds at most. */
int hol__out_lock(int fd, char who[HOL__OUT_WHO]);

/* Whether a run is writing the open file: the number of its process, -1 where only that is known, 0
 * where none does. */
long hol__out_writer_of(int fd);

/* Shared between one writer and readers: a reader holds the state of a file as it is (0 when the
 * writer does not let go of it in time), and a writer asks whether it may change it. Closing the
 * file lets go. */
int hol__out_hold(int fd);
int hol__out_may_change(int fd);
void hol__out_changed(int fd);

#endif
