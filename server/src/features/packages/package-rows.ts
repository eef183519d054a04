import type { PackageKind } from '@muster/package-format'
import type { PublicKey } from '@muster/signing'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { packageNotFound } from './problems.ts'

/** These kinds are distributed like software. The API shows them as software with a sub-type. */
const isSpecialSoftware = sql<boolean>`packages.kind in ('InventoryScan', 'PatchScan', 'PatchFix')`

/** The keys whose signatures the installation trusts. */
export type TrustedKeys = { trustedKeys: readonly PublicKey[] }

/** Who has signed the package, and whether that key is trusted now. */
function signatureOf({ trustedKeys }: TrustedKeys): RawBuilder<{ keyId: string; trusted: boolean } | null> {
  return sql`case when packages.signature_key_id is not null then jsonb_build_object('keyId', packages.signature_key_id,
    'trusted', coalesce(packages.signature_key = any(${trustedKeys.map(({ text }) => text)}::text[]), false)) end`
}

export type LastTrial = {
  trialId: string
  state: 'Succeeded' | 'Failed'
  computerId: number | null
  hostname: string
  startedBy: string
  /** As PostgreSQL puts it into JSON: already in the form of an answer. */
  finishedAtUtc: Date
  isCurrentContent: boolean
}

/** The last result of a trial. What was cancelled is none. */
const lastTrial = sql<LastTrial | null>`(
  select jsonb_build_object('trialId', trial.id, 'state', trial.state, 'computerId', trial.computer_id,
    'hostname', coalesce(computers.name, trial.computer_name), 'startedBy', trial.started_by,
    'finishedAtUtc', to_char(trial.finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'isCurrentContent', trial.content_hash is not distinct from packages.content_hash)
  from package_trials trial left join computers on computers.id = trial.computer_id
  where trial.package_id = packages.id and trial.state in ('Succeeded', 'Failed')
  order by trial.started_at desc, trial.id desc limit 1)`

/** Packages of all kinds, as the API shows them. */
export function packageRows(db: Database, keys: TrustedKeys) {
  return db
    .selectFrom('packages')
    .select([
      'packages.id',
      'packages.name',
      'packages.package_name as packageName',
      sql<string | null>`case when ${isSpecialSoftware} then 'Software' else packages.kind end`.as('type'),
      sql<string | null>`case when ${isSpecialSoftware} then packages.kind when packages.is_pre_os then 'PreOs' end`.as(
        'subType',
      ),
      'packages.version',
      'packages.author',
      'packages.revision',
      'packages.is_operational as operational',
      'packages.operating_systems as os',
      'packages.description',
      sql<PackageKind>`packages.kind`.as('kind'),
      sql<'None' | 'Current' | 'Mismatch'>`packages.hash_state`.as('hashState'),
      sql<string | null>`encode(packages.content_hash, 'hex')`.as('contentHash'),
      signatureOf(keys).as('signature'),
      'packages.importer_name as importedBy',
      lastTrial.as('lastTrial'),
    ])
}

/** Packages of one kind, with the columns that the API shows for every kind of import. */
export function packagesOfKind(db: Database, kind: PackageKind) {
  return db
    .selectFrom('packages')
    .where('packages.kind', '=', kind)
    .select([
      'packages.id',
      'packages.name',
      'packages.version',
      'packages.description',
      'packages.is_operational as operational',
    ])
}

export async function getPackageById(db: Database, keys: TrustedKeys, id: string) {
  const found = await packageRows(db, keys).where('packages.id', '=', id).executeTakeFirst()
  if (!found) throw packageNotFound({ packageId: id })
  return found
}

/** For operations on something that belongs to a package: throws 404 when the package does not exist. */
export async function requirePackage(db: Database, id: string) {
  const found = await db.selectFrom('packages').select(['id', 'name', 'kind']).where('id', '=', id).executeTakeFirst()
  if (!found) throw packageNotFound({ packageId: id })
  return found
}
