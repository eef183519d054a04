import type { Pool } from 'pg'

const RealDate = Date

/** PostgreSQL looks for functions here before it looks among its own, which it would otherwise do first. */
export const movedClockSettings = { search_path: 'public, moved_clock, pg_catalog' }

let aheadMs = 0

class MovedDate extends RealDate {
  constructor(...values: unknown[]) {
    super(...((values.length === 0 ? [MovedDate.now()] : values) as [number]))
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }

  /** Dates that were made before count as dates, too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof RealDate
  }
}

/** Makes the clocks of this process and of a new database movable. Before the migrations: defaults of columns keep the function they found. */
export async function installMovedClock(pool: Pool): Promise<void> {
  globalThis.Date = MovedDate as DateConstructor
  await pool.query(`
    create schema moved_clock;
    create table moved_clock.clock (ahead interval not null);
    insert into moved_clock.clock values (interval '0');
    create function moved_clock.now() returns timestamptz language sql stable
      as 'select pg_catalog.now() + (select ahead from moved_clock.clock)';
    create function moved_clock.clock_timestamp() returns timestamptz language sql volatile
      as 'select pg_catalog.clock_timestamp() + (select ahead from moved_clock.clock)'`)
}

/** Timers and durations go on as ever. */
export async function moveClock(pool: Pool, to: Date): Promise<void> {
  aheadMs = to.getTime() - RealDate.now()
  await pool.query('update moved_clock.clock set ahead = make_interval(secs => $1)', [aheadMs / 1_000])
}
