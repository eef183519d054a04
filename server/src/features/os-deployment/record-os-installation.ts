import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../agents/lock-agent.ts'
import { closeWorkItems } from '../deployments/close-work-items.ts'
import {
  recordFailure,
  recordInstallation,
  recordReportEvent,
  recordSetupError,
} from '../deployments/record-deployment.ts'
import type { WorkItem } from '../deployments/work-items.ts'
import { insertDistributionEvents } from '../work-states/distribution-events.ts'
import { endPxe } from '../work-states/end-pxe.ts'
import { withdrawUnjustifiedWork } from '../work-states/withdraw-work.ts'
import { isOpenWork } from '../work-states/work-states.ts'
import { languagePacksOf } from './installable-language-packs.ts'

export type OsInstallation = {
  status: 'Success' | 'Failed'
  message: string | null
  /** Packages of the language packs that the installer has installed with the operating system. */
  languagePacks: readonly string[]
}

/** Records that the installation of an operating system has ended. Either way, the computer boots from its disk again. */
export async function recordOsInstallation(
  db: Database,
  clientId: number,
  { status, message, languagePacks }: OsInstallation,
): Promise<void> {
  await lockAgent(db, clientId)
  const computers = sql<{ computer_id: number }>`select ${clientId}::integer as computer_id`
  await endPxe(db, computers)
  const isInstallation = sql<boolean>`
    work.computer_id = ${clientId} and work.kind = 'OperatingSystem' and ${isOpenWork('work.state')}`
  const items = await closeWorkItems(db, status, 'Agent', isInstallation)
  // Packages that run before the operating system wait for the next activation.
  await withdrawUnjustifiedWork(db, { computers }, { reason: 'SystemInstalled' })
  for (const item of items) {
    if (status === 'Success') await recordInstallation(db, item, 'Installed', 'Success')
    else {
      await recordFailure(db, item, message ?? 'The operating system could not be installed.', null)
      await recordSetupError(db, item, { exitCode: null, commandLine: null, output: message ?? '' })
    }
    await recordReportEvent(db, item, status, null)
  }
  if (status === 'Success') await markOthersNotInstalled(db, clientId, items)
  if (status === 'Success' && items.length > 0) await recordLanguagePacks(db, clientId, languagePacks)
}

/** Records language packs that came with the operating system. Language packs that are not effective are ignored. */
async function recordLanguagePacks(db: Database, clientId: number, packages: readonly string[]): Promise<void> {
  if (packages.length === 0) return
  await closeWorkItems(
    db,
    'Success',
    'Agent',
    sql<boolean>`
      work.computer_id = ${clientId} and work.package_id = any(${packages}::uuid[]) and ${isOpenWork('work.state')}
      and work.package_id in (select id from (${languagePacksOf(clientId)}) as pack)`,
  )
  await sql`
    with installed as (
      insert into deployments (computer_id, package_id, result, installation_state, installed_hash, installed_at)
      select ${clientId}::integer, packages.id, 'Success', 'Installed', packages.content_hash, now()
      from packages
      where packages.id = any(${packages}::uuid[])
        and packages.id in (select id from (${languagePacksOf(clientId)}) as pack)
      order by packages.id
      on conflict on constraint deployments_pkey do update
        set result = 'Success', installation_state = 'Installed', installed_hash = excluded.installed_hash,
          installed_at = excluded.installed_at, pending_since = null, failed_at = null, error_text = null
      returning computer_id, package_id
    )
    ${insertDistributionEvents({
      from: sql`installed order by package_id`,
      result: 'Success',
      classification: 'Report',
      installMode: 'Install',
    })}`.execute(db)
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
