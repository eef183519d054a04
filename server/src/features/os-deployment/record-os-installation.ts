import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../agents/lock-agent.ts'
import { closeWorkItems } from '../deployments/close-work.ts'
import {
  recordFailure,
  recordInstallation,
  recordReportEvent,
  recordSetupError,
} from '../deployments/record-deployment.ts'
import type { WorkItem } from '../deployments/work-items.ts'
import { isOpenWork } from '../work-states/work-states.ts'

export type OsInstallation = { status: 'Success' | 'Failed'; message: string | null }

/** Records that the installation of an operating system has ended. Either way, the computer boots from its disk again. */
export async function recordOsInstallation(
  db: Database,
  clientId: number,
  { status, message }: OsInstallation,
): Promise<void> {
  await lockAgent(db, clientId)
  await clearPxeBits(db, clientId)
  const isInstallation = sql<boolean>`
    work.computer_id = ${clientId} and work.kind = 'OperatingSystem' and ${isOpenWork('work.state')}`
  const items = await closeWorkItems(db, status, 'Agent', isInstallation)
  for (const item of items) {
    if (status === 'Success') await recordInstallation(db, item, 'Installed', 'Success')
    else {
      await recordFailure(db, item, message ?? 'The operating system could not be installed.', null)
      await recordSetupError(db, item, { exitCode: null, commandLine: null, output: message ?? '' })
    }
    await recordReportEvent(db, item, status, null)
  }
  if (status === 'Success') await markOthersNotInstalled(db, clientId, items)
}

/** The new system has replaced everything that was installed on the disk. */
async function markOthersNotInstalled(db: Database, clientId: number, items: readonly WorkItem[]): Promise<void> {
  if (items.length === 0) return
  await sql`
    update deployments set installation_state = 'NotInstalled', installed_hash = null, installed_at = null
    where computer_id = ${clientId} and package_id = any(array(
      select package_id from deployments
      where computer_id = ${clientId} and installation_state = 'Installed'
        and package_id <> all(${items.map(({ package_id }) => package_id)}::uuid[])
      order by package_id for update))`.execute(db)
}

async function clearPxeBits(db: Database, clientId: number): Promise<void> {
  await sql`
    with booted as materialized (
      select id, software or pull as has_other_bits from activations
      where computer_id = ${clientId} and pxe order by group_id for update
    ), deleted as (
      delete from activations where id in (select id from booted where not has_other_bits)
    )
    update activations set pxe = false from booted where activations.id = booted.id and has_other_bits`.execute(db)
}
