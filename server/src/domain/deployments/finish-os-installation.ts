import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/**
 * The operating system of a computer was installed, or could not be: the computer boots from its disk again, and its open
 * work is closed. Said twice, it changes nothing the second time. An installation that failed is not begun again by
 * itself: somebody has to activate it.
 */
export async function finishOsInstallation(
  db: Database,
  computerId: number,
  status: 'Success' | 'Failed',
  message: string | null,
): Promise<void> {
  await clearPxe(db, computerId)
  const closed = await db
    .updateTable('work')
    .set({ state: status, closed_at: sql`now()`, leased_until: null })
    .where('computer_id', '=', computerId)
    .where('kind', '=', 'OperatingSystem')
    .where('state', 'in', ['Due', 'Leased'])
    .returning(['id', 'package_id', 'attempt', 'commands', 'kind'])
    .execute()
  if (closed.length === 0) return
  await (status === 'Success' ? noteInstalled(db, computerId, closed) : noteFailed(db, computerId, closed, message))
  await db
    .insertInto('distribution_events')
    .values(
      closed.map(({ package_id, kind }) => ({
        computer_id: computerId,
        package_id,
        result: status,
        classification: 'Report',
        install_mode: kind,
      })),
    )
    .execute()
}

type ClosedWork = { id: number; package_id: string | null; attempt: number; commands: number; kind: string }

async function clearPxe(db: Database, computerId: number): Promise<void> {
  await db
    .deleteFrom('activations')
    .where('computer_id', '=', computerId)
    .where('pxe', '=', true)
    .where('software', '=', false)
    .where('pull', '=', false)
    .execute()
  await db
    .updateTable('activations')
    .set({ pxe: false })
    .where('computer_id', '=', computerId)
    .where('pxe', '=', true)
    .execute()
  await db
    .updateTable('computers')
    .set({ is_pxe_active: false })
    .where('id', '=', computerId)
    .where('is_pxe_active', '=', true)
    .execute()
}

/** The new system is there, and nothing of what was on the disk before. */
async function noteInstalled(db: Database, computerId: number, closed: readonly ClosedWork[]): Promise<void> {
  const packageIds = closed.map(({ package_id }) => package_id)
  await sql`
    insert into deployments (computer_id, package_id, result, installation_state, current_mode, installed_hash, installed_at)
    select ${computerId}, packages.id, 'Success', 'Installed', done.commands, packages.content_hash, now()
    from packages join unnest(${packageIds}::uuid[], ${closed.map(({ commands }) => commands)}::integer[])
      as done (package_id, commands) on done.package_id = packages.id
    order by packages.id
    on conflict (computer_id, package_id) do update set result = excluded.result, pending_since = null,
      installation_state = excluded.installation_state, current_mode = excluded.current_mode,
      installed_hash = excluded.installed_hash, installed_at = excluded.installed_at, failed_at = null, error_text = null`.execute(
    db,
  )
  await sql`
    update deployments set installation_state = 'NotInstalled', installed_hash = null
    where computer_id = ${computerId} and package_id = any(array(
      select package_id from deployments
      where computer_id = ${computerId} and installation_state = 'Installed' and package_id <> all(${packageIds}::uuid[])
      order by package_id for update))`.execute(db)
}

async function noteFailed(
  db: Database,
  computerId: number,
  closed: readonly ClosedWork[],
  message: string | null,
): Promise<void> {
  await sql`
    insert into deployments (computer_id, package_id, result, failed_at, error_text)
    select ${computerId}, id, 'Failed', now(), ${message}::text
    from packages where id = any(${closed.map(({ package_id }) => package_id)}::uuid[]) order by id
    on conflict (computer_id, package_id) do update set result = excluded.result, pending_since = null,
      failed_at = excluded.failed_at, error_text = excluded.error_text`.execute(db)
  await db
    .insertInto('setup_errors')
    .values(
      closed.map(({ id, package_id, attempt }) => ({
        computer_id: computerId,
        package_id,
        work_id: id,
        attempt,
        output: message ?? '',
      })),
    )
    .execute()
}
