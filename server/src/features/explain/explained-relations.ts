import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectivePackages } from '../assignments/effective-packages.ts'
import { type RequiredPackage, requiredCte } from '../assignments/required-packages.ts'
import { pulledPackagesOf } from '../deployments/pulled-packages.ts'
import { mismatchSentence } from '../work-states/applicability.ts'
import type { ComputerExplanation } from './api/schemas.ts'

type Requirement = ComputerExplanation['requirements'][number]
type RequiringPackage = ComputerExplanation['requiredBy'][number]

export type ExplainedRequirements = {
  requirements: Requirement[]
  /** Why a requirement keeps the package from the computer, as a sentence; null if none does. */
  mismatch: string | null
}

type SupersedingPackage = { name: string; version: string | null; is_installed: boolean }

type Row = RequiredPackage & { version: string | null }

/** What a package requires directly, with what that means for the computer. */
export async function explainRequirements(
  db: Database,
  computerId: number,
  packageId: string,
): Promise<ExplainedRequirements> {
  const root = sql<{ computer_id: number; package_id: string }>`
    select ${computerId}::integer as computer_id, ${packageId}::uuid as package_id`
  const { rows } = await sql<Row>`
    with recursive ${requiredCte(root)}
    select required.*, packages.version from required left join packages on packages.id = required.package_id
    order by lower(required_name)`.execute(db)
  const requirements = rows
    .filter(({ parent_id }) => parent_id === packageId)
    .map(({ required_name: name, state, package_id, version }) => ({ name, state, packageId: package_id, version }))
  const obstacle = rows.find(({ state }) => state === 'NotApplicable')
  return { requirements, mismatch: obstacle ? await formatMismatch(db, computerId, rows, obstacle) : null }
}

/** A chain may be long, and names as well. */
const maxSentence = 1_000

/** The chain of requirements to the one that is for other computers, and why it is. */
async function formatMismatch(db: Database, computerId: number, rows: readonly Row[], obstacle: Row): Promise<string> {
  const chain: string[] = []
  for (let row: Row | undefined = obstacle; row; ) {
    chain.unshift(row.required_name)
    const parentId: string = row.parent_id
    row = rows.find(({ package_id }) => package_id === parentId)
  }
  const { rows: reasons } = await sql<{ sentence: string | null }>`
    select ${mismatchSentence('packages', 'platform')} as sentence
    from packages, computer_platforms platform
    where lower(packages.package_name) = lower(${obstacle.required_name}) and platform.computer_id = ${computerId}
    order by version_numbers(packages.version) desc, packages.id limit 1`.execute(db)
  const reason = reasons[0]?.sentence ?? 'It is not for this computer.'
  return `It requires ${chain.join(', which requires ')}. ${reason}`.slice(0, maxSentence)
}

/** The package that has taken the place of a package on the computer, or will; undefined without one. */
export async function findSuperseding(db: Database, computerId: number, packageName: string | null) {
  const { rows } = await sql<SupersedingPackage>`
    select later.name, later.version, coalesce(d.installation_state = 'Installed', false) as is_installed
    from package_supersedes superseding
      join packages later on later.id = superseding.package_id
      left join deployments d on d.package_id = later.id and d.computer_id = ${computerId}
    where lower(superseding.superseded_name) = lower(${packageName}) and (d.installation_state = 'Installed' or exists (
      select from (${effectivePackages(sql`select ${computerId}::integer as owner_id`)}) as effective
      where effective.package_id = later.id))
    order by is_installed desc, lower(later.name), later.version, later.id limit 1`.execute(db)
  return rows[0]
}

export function formatSuperseding({ name, version, is_installed }: SupersedingPackage): string {
  const label = [name, version].filter(Boolean).join(' ')
  return `${label} supersedes it, and ${is_installed ? 'is installed' : 'is assigned to the computer'}.`
}

/** The assigned packages that pull the package in on the computer. */
export async function listRequiringPackages(
  db: Database,
  computerId: number,
  packageId: string,
): Promise<RequiringPackage[]> {
  const { rows } = await sql<RequiringPackage>`
    select root.id as "packageId", root.name, root.version, pulled.group_id as "groupId", pulled.group_path as "groupPath"
    from (${pulledPackagesOf(computerId)}) as pulled join packages root on root.id = pulled.root_id
    where pulled.package_id = ${packageId}
    order by lower(root.name), root.version, root.id`.execute(db)
  return rows
}
