import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { PackageKind } from '../packages/manifest.ts'
import { newLease } from './lease.ts'

type Start = { attempt: number; runId: string }

/** The first start of an attempt is told in the history; a repeated one only renews the lease. */
export async function beginWork(db: Database, clientId: number, workId: number, { attempt, runId }: Start) {
  const { rows } = await sql<{ package_id: string | null; package_kind: PackageKind | null }>`
    with held as (
      select id, progress from work
      where id = ${workId} and computer_id = ${clientId} and state = 'Leased' and attempt = ${attempt}
      for update
    ), begun as (
      update work set leased_until = ${newLease}, run_id = ${runId}, progress = coalesce(work.progress, 0),
        content_hash = (select content_hash from packages where packages.id = work.package_id)
      from held where work.id = held.id
      returning work.computer_id, work.package_id, work.kind, held.progress is null as is_first
    ), told as (
      insert into distribution_events (computer_id, package_id, result, classification, install_mode)
      select computer_id, package_id, 'Running', 'Report', kind from begun where is_first and package_id is not null
    )
    select package_id, packages.kind as package_kind from begun left join packages on packages.id = package_id`.execute(
    db,
  )
  return rows[0]
}
