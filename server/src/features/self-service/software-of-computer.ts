import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { remainingPostponements } from '../deployments/postponement.ts'
import { distributionCommands, isOptional } from '../distribution/commands.ts'
import { getAgentFacts, listWaitingWork, type WaitingWork } from '../hand-out/waiting-work.ts'
import type { RequestState } from './package-requests.ts'

export const softwareStates = ['Offered', 'Pending', 'Running', 'Installed', 'Failed'] as const

type SoftwareState = (typeof softwareStates)[number]

export type SoftwareReason = { reason: string; untilUtc: Date | null; packages: string[] }

export type SoftwareItem = {
  packageId: string
  name: string
  version: string
  description: string
  category: string
  iconSha256: string | null
  state: SoftwareState
  /** What is done with it; null if nothing is. */
  action: string | null
  /** When it was installed or failed. */
  sinceUtc: Date | null
  offeredUntilUtc: Date | null
  reasons: SoftwareReason[]
  postponementsLeft: number
}

const { Hidden } = distributionCommands

/** What is of interest to the user of a computer: neither scans nor settings. */
const shownKinds = ['Software', 'PatchFix']

const maxItems = 1_000
const maxHistory = 50
const maxRequests = 50
const maxDescription = 500

/** With one of these, the offer does not apply yet, or no longer. */
const hidingReasons = [
  'NotReleased',
  'HashMissing',
  'HashMismatch',
  'OptionalExpired',
  'OtherEnvironment',
  'ConditionUnmet',
  'RolloutCancelled',
]

type PackageRow = Pick<SoftwareItem, 'packageId' | 'name' | 'version' | 'description' | 'category' | 'iconSha256'> & {
  package_name: string | null
  installation_state: string | null
  status: string | null
  installed_at: Date | null
  failed_at: Date | null
}

/**
 * What the user of a computer may see of its software. Texts for administrators stay here: commands, their output, variables,
 * groups, and everything about packages that are hidden from users.
 */
export async function listSoftwareOfComputer(db: Database, computerId: number) {
  const work = (await listWaitingWork(db, await getAgentFacts(db, computerId))).filter(isShown)
  const packages = await listPackages(db, computerId, work)
  const workOf = new Map(work.map((item) => [item.package_id, item]))
  const names = namesByReference(packages)
  return {
    software: packages.flatMap((row) => toItem(row, workOf.get(row.packageId), names) ?? []),
    history: await listHistory(db, computerId),
    requests: await listRequests(db, computerId),
  }
}

function isShown({ package_kind, package_id, commands, kind }: WaitingWork): boolean {
  return (
    package_id !== null &&
    (kind as string) !== 'OperatingSystem' &&
    shownKinds.includes(package_kind ?? '') &&
    (commands & Hidden) === 0
  )
}

/** How the user knows the packages that reasons mention. Names of hidden ones are for administrators. */
const namesByReference = (packages: readonly PackageRow[]): ReadonlyMap<string, string> =>
  new Map(
    packages.flatMap(({ name, version, package_name }) => {
      const withVersion = `${name} ${version}`.trim()
      return [
        [(package_name ?? name).toLowerCase(), name],
        [withVersion.toLowerCase(), withVersion],
      ]
    }),
  )

function toItem(
  row: PackageRow,
  work: WaitingWork | undefined,
  names: ReadonlyMap<string, string>,
): SoftwareItem | undefined {
  const { package_name: _, installation_state, status, installed_at, failed_at, ...shown } = row
  const item = { ...shown, action: null, offeredUntilUtc: null, reasons: [], postponementsLeft: 0 }
  const isInstalled = installation_state === 'Installed'
  const settled: SoftwareItem | undefined =
    status === 'Failed'
      ? { ...item, state: 'Failed', sinceUtc: failed_at }
      : isInstalled
        ? { ...item, state: 'Installed', sinceUtc: installed_at }
        : undefined
  if (!work) return settled
  const reasons = work.blockers
    .filter(({ reason }) => reason !== 'NotRequested' && reason !== 'AlreadyLeased')
    .map(({ reason, until, packages }) => ({
      reason,
      untilUtc: until,
      packages: packages.flatMap((name) => names.get(name.toLowerCase()) ?? []),
    }))
  const ofWork = { action: work.kind, reasons, sinceUtc: null }
  if (isOptional(work.commands) && work.attempt === 0)
    return reasons.some(({ reason }) => hidingReasons.includes(reason))
      ? settled
      : { ...item, ...ofWork, state: 'Offered', offeredUntilUtc: work.optional_date }
  const postponementsLeft = remainingPostponements(work, work.now)
  return { ...item, ...ofWork, state: work.is_leased ? 'Running' : 'Pending', postponementsLeft }
}

async function listPackages(
  db: Database,
  computerId: number,
  work: readonly Pick<WaitingWork, 'package_id'>[],
): Promise<PackageRow[]> {
  const { rows } = await sql<PackageRow>`
    select packages.id as "packageId", packages.name, packages.package_name, coalesce(packages.version, '') as version,
      left(coalesce(packages.description, ''), ${sql.lit(maxDescription)}) as description,
      coalesce(packages.manifest ->> 'category', '') as category, encode(icon.sha256, 'hex') as "iconSha256",
      d.installation_state, d.status, d.installed_at, d.failed_at
    from packages
      left join deployments d on d.computer_id = ${computerId} and d.package_id = packages.id
      left join package_files icon on icon.package_id = packages.id and icon.path = replace(packages.manifest ->> 'icon', '\\', '/')
    where packages.kind = any(${shownKinds}::text[])
      and (packages.id = any(${work.map(({ package_id }) => package_id)}::uuid[])
        or packages.id = any(array(
          select package_id from deployments
          where computer_id = ${computerId} and current_mode & ${sql.lit(Hidden)} = 0
            and (installation_state = 'Installed' or status = 'Failed'))))
    order by lower(packages.name), packages.version, packages.id
    limit ${sql.lit(maxItems)}`.execute(db)
  return rows
}

type HistoryRow = {
  name: string
  version: string
  result: 'Pending' | 'Running' | 'Success' | 'Failed' | 'Cancelled'
  action: string | null
  atUtc: Date
}

async function listHistory(db: Database, computerId: number): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    select packages.name, coalesce(packages.version, '') as version, event.result, event.install_mode as action,
      event.logged_at as "atUtc"
    from distribution_events event
      join packages on packages.id = event.package_id
      left join deployments d on d.computer_id = event.computer_id and d.package_id = event.package_id
    where event.computer_id = ${computerId} and packages.kind = any(${shownKinds}::text[])
      and coalesce(d.current_mode, 0) & ${sql.lit(Hidden)} = 0
    order by event.id desc limit ${sql.lit(maxHistory)}`.execute(db)
  return rows
}

async function listRequests(db: Database, computerId: number) {
  return db
    .selectFrom('package_requests')
    .select([
      'id as requestId',
      'wish',
      'user_name as user',
      sql<RequestState>`state`.as('state'),
      'answer',
      'requested_at as requestedUtc',
    ])
    .where('computer_id', '=', computerId)
    .orderBy('requested_at', 'desc')
    .limit(maxRequests)
    .execute()
}

/** The icon of a package that the user of the computer can see. */
export async function findIcon(db: Database, computerId: number, packageId: string) {
  const { software } = await listSoftwareOfComputer(db, computerId)
  const found = software.find((item) => item.packageId === packageId)
  if (!found?.iconSha256) return undefined
  return db
    .selectFrom('packages')
    .innerJoin('package_files', 'package_files.package_id', 'packages.id')
    .select(['packages.folder', 'package_files.path', sql<number>`package_files.size`.as('size')])
    .where('packages.id', '=', packageId)
    .where('package_files.sha256', '=', Buffer.from(found.iconSha256, 'hex'))
    .where('packages.folder', 'is not', null)
    .$narrowType<{ folder: string }>()
    .executeTakeFirst()
    .then((file) => file && { ...file, sha256: found.iconSha256 ?? '' })
}
