import pg from 'pg'

/** True when a statement did not get a lock in time, or lost a deadlock. The same request can succeed a moment later. */
export function isLockUnavailable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')
}
