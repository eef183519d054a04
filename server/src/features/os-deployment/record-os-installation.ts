import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
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
import { isOpenWork, workLockOrder } from '../work-states/work-states.ts'
import { languagePacksOf } from './installable-language-packs.ts'
import { lockInstallation } from './lock-installation.ts'
import { publishAgain, recordReplacedSystem } from './replace-system.ts'

/** How a package that runs before the operating system ended. */
export type PreOsResult = { packageId: string; status: 'Success' | 'Failed'; message?: string | null | undefined }

export type OsInstallation = {
  status: 'Success' | 'Failed'
  message: string | null
  /** Packages of the language packs that the installer has installed with the operating system. */
  languagePacks: readonly string[]
  /** What the installer did with the packages that its document lists. */
  preOsPackages: readonly PreOsResult[]
}

/**
 * Records that the installation of an operating system has ended. Either way, the computer boots from its disk again. After
 * a success, everything that the computer is activated for is due on the new system.
 */
export async function recordOsInstallation(
  db: Database,
  clientId: number,
  { status, message, languagePacks, preOsPackages }: OsInstallation,
): Promise<void> {
  await lockInstallation(db, clientId)
  const computers = sql<{ computer_id: number }>`select ${clientId}::integer as computer_id`
  await endPxe(db, computers)
  await lockWorkAndDeployments(db, clientId)
  const isInstallation = sql<boolean>`
    work.computer_id = ${clientId} and work.kind = 'OperatingSystem' and ${isOpenWork('work.state')}`
  const items = await closeWorkItems(db, status, 'Agent', isInstallation)
  for (const item of items) {
    if (status === 'Success') await recordInstallation(db, item, 'Installed', 'Success')
    else await recordFailedItem(db, item, message, 'The operating system could not be installed.')
    await recordReportEvent(db, item, status, null)
  }
  if (items.length > 0) {
    await recordPreOsResults(db, clientId, preOsPackages)
    await recordBootImage(db, items)
    await endPreOsInstallations(db, clientId)
  }
  const isReplaced = status === 'Success' && items.length > 0
  if (isReplaced) {
    const installed = await recordLanguagePacks(db, clientId, languagePacks)
    await recordReplacedSystem(db, clientId, [...items.flatMap(({ package_id }) => package_id ?? []), ...installed])
  }
  // Packages that run before the operating system and that the installer left out wait for the next activation.
  await withdrawUnjustifiedWork(db, { computers }, { reason: 'SystemInstalled' })
  if (isReplaced) await publishAgain(db, clientId)
}

/** The statements that follow change some of these rows each, in an order of their own. */
async function lockWorkAndDeployments(db: Database, clientId: number): Promise<void> {
  await sql`
    select from work where computer_id = ${clientId} and ${isOpenWork('state')}
    order by ${workLockOrder('work')} for update`.execute(db)
  await sql`select from deployments where computer_id = ${clientId} order by package_id for update`.execute(db)
}

/** Closes the work of packages that ran before the operating system. What is not open on the computer is ignored. */
async function recordPreOsResults(db: Database, clientId: number, results: readonly PreOsResult[]): Promise<void> {
  for (const status of ['Success', 'Failed'] as const) {
    const reported = results.filter((result) => result.status === status)
    if (reported.length === 0) continue
    const isReported = sql<boolean>`
      work.computer_id = ${clientId} and work.package_id = any(${reported.map(({ packageId }) => packageId)}::uuid[])
      and ${isOpenWork('work.state')} and work.package_id in (select id from packages where is_pre_os)`
    for (const item of await closeWorkItems(db, status, 'Agent', isReported)) {
      const { message = null } = reported.find(({ packageId }) => packageId === item.package_id) ?? {}
      if (status === 'Success') await recordInstallation(db, item, 'Installed', 'Success')
      else await recordFailedItem(db, item, message, 'The installer could not run it.')
      await recordReportEvent(db, item, status, null)
    }
  }
}

async function recordFailedItem(db: Database, item: WorkItem, message: string | null, fallback: string): Promise<void> {
  await recordFailure(db, item, message ?? fallback, null)
  await recordSetupError(db, item, { exitCode: null, commandLine: null, output: message ?? '' })
}

/** An installer that reports has booted, so the boot image has done its part. It has no work of its own. */
async function recordBootImage(db: Database, items: readonly WorkItem[]): Promise<void> {
  await sql`
    insert into deployments (computer_id, package_id, result)
    select work.computer_id, image.package_id, 'Success'
    from work join pxe_boot_images image on image.id = work.boot_image_id
    where work.id = any(${items.map(({ id }) => id)}::bigint[]) and image.package_id <> work.package_id
    on conflict on constraint deployments_pkey do update set result = 'Success'`.execute(db)
}

/** Packages that run before the operating system leave nothing behind: they run again with the next installation. */
async function endPreOsInstallations(db: Database, clientId: number): Promise<void> {
  await sql`
    update deployments set installation_state = 'NotInstalled', installed_hash = null, installed_at = null
    from packages
    where deployments.computer_id = ${clientId} and deployments.installation_state = 'Installed'
      and packages.id = deployments.package_id and packages.is_pre_os`.execute(db)
}

/**
 * Records language packs that came with the operating system, and returns them. Language packs that are not effective are
 * ignored.
 */
async function recordLanguagePacks(db: Database, clientId: number, packages: readonly string[]): Promise<string[]> {
  if (packages.length === 0) return []
  await closeWorkItems(
    db,
    'Success',
    'Agent',
    sql<boolean>`
      work.computer_id = ${clientId} and work.package_id = any(${packages}::uuid[]) and ${isOpenWork('work.state')}
      and work.package_id in (select id from (${languagePacksOf(clientId)}) as pack)`,
  )
  const { rows } = await sql<{ package_id: string }>`
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
    ), events as (
      ${insertDistributionEvents({
        from: sql`installed order by package_id`,
        result: 'Success',
        classification: 'Report',
        installMode: 'Install',
      })}
    )
    select package_id from installed`.execute(db)
  return rows.map(({ package_id }) => package_id)
}
