import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { advisoryLocks } from '../advisory-locks.ts'

const retryDelayMs = 200
const firstWarningMs = 2_000
const warningIntervalMs = 30_000

/**
 * Begins a transaction that has the lock of the migrations. While another session has it, says whom it waits for. It
 * waits outside of a transaction: the lock must not outlive one, because behind a pooler the next transaction of this
 * client may use another session.
 */
export async function beginWithMigrationLock(client: pg.ClientBase, warn: (message: string) => void): Promise<void> {
  for (let waited = 0, nextWarning = firstWarningMs; ; waited += retryDelayMs) {
    await client.query('begin')
    if (await tryLock(client)) return
    await client.query('rollback')
    if (waited >= nextWarning) {
      warn(await describeLockOwner(client))
      nextWarning += warningIntervalMs
    }
    await sleep(retryDelayMs)
  }
}

async function tryLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isLocked: boolean }>('select pg_try_advisory_xact_lock($1) as "isLocked"', [
    advisoryLocks.migrations,
  ])
  return rows[0]?.isLocked ?? false
}

type LockOwner = { pid: number; address: string; isIdle: boolean }

async function describeLockOwner(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<LockOwner>(
    `select pid, coalesce(host(client_addr), 'a local socket') as address,
        state = 'idle' and state_change < now() - interval '1 second' as "isIdle"
      from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and (classid, objid, objsubid) = (0, $1, 1)
        and database = (select oid from pg_database where datname = current_database())`,
    [advisoryLocks.migrations],
  )
  const [owner] = rows
  const waiting = 'Waiting until another node has applied its migrations, or until a restore ends.'
  if (!owner) return waiting
  const session = `Its database session has the process id ${owner.pid} and comes from ${owner.address}.`
  // No version takes the lock outside of a transaction any more, but sessions of a pooler may be older than this one.
  const abandoned =
    'The session is idle, so the lock was left behind, for example by an earlier version of Muster behind a pooler. ' +
    `Release it with: select pg_terminate_backend(${owner.pid})`
  return [waiting, session, ...(owner.isIdle ? [abandoned] : [])].join(' ')
}
