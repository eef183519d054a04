import { type RawBuilder, sql } from 'kysely'
import { advisoryKeyOf } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { executePrepared } from '../../database/prepared-statements.ts'
import { formatMacAddress } from '../../platform/mac-address.ts'
import { isPlaceholderUuid } from '../../platform/placeholder-uuid.ts'

/** What an agent reports about its computer when it enrols. */
export type ReportedIdentity = {
  name: string
  domain: string
  isDomain: boolean
  uuid: string | null
  macAddress: string | null
  /** Of the firmware. Only agents that report it before they enrol have it. */
  serialNumber?: string | null
}

export const matchProperties = ['Uuid', 'SerialNumber', 'MacAddress', 'Name'] as const

/** Name stands for name and domain. */
export type MatchProperty = (typeof matchProperties)[number]

export type MatchingComputer = {
  id: number
  matchedBy: MatchProperty[]
  /** Other computers match as well as this one, and nothing shows which of them it is. */
  isAmbiguous: boolean
  /** Whether the UUID of the computer is known. */
  hasUuid: boolean
}

/** Who asks. Among computers that match equally, this decides. */
export type Claimant = {
  /** Of the agent: it has enrolled for the computer before. */
  keyHash: Buffer
  /** The computer for which the agent has a code, or which Muster has just installed. */
  provenComputerId: number | null
}

/** A heavier property decides against all lighter ones together. */
const weights: Record<MatchProperty, number> = { Uuid: 8, SerialNumber: 4, MacAddress: 2, Name: 1 }

type Hardware = Pick<ReportedIdentity, 'uuid' | 'macAddress'>

export const uuidOf = ({ uuid }: Pick<Hardware, 'uuid'>) => (uuid && !isPlaceholderUuid(uuid) ? uuid : null)

export const macAddressOf = ({ macAddress }: Hardware) => (macAddress === null ? null : formatMacAddress(macAddress))

const macKey = ({ macAddress }: Hardware) => macAddress?.toLowerCase().replaceAll(/[^\da-f]/g, '') ?? null

/** A new computer needs a meaningful UUID or a MAC address, because it could not be recognised later without them. */
export const isRecognisable = (identity: Hardware) => uuidOf(identity) !== null || macKey(identity) !== null

/**
 * Only the UUID of the firmware identifies a computer well enough. Names are public, MAC addresses are visible on the
 * network, and serial numbers are printed on the case.
 */
export const isStrongMatch = ({ matchedBy }: MatchingComputer) => matchedBy.includes('Uuid')

/**
 * Serialises enrolments of the same new computer: the second one waits and then finds the row of the first one. Names and
 * MAC addresses need no lock, because constraints make them unique.
 */
export async function lockIdentity(db: Database, identity: ReportedIdentity): Promise<void> {
  const { serialNumber } = identity
  const uuid = uuidOf(identity)?.toLowerCase()
  const identities = [serialNumber && `enrolment serial ${serialNumber}`, uuid && `enrolment uuid ${uuid}`]
  await executePrepared(
    db,
    sql`
      select pg_advisory_xact_lock(${advisoryKeyOf(sql.ref('identity'))})
      from unnest(${identities.filter(Boolean)}::text[]) as identity`,
  )
}

/**
 * Finds and locks the computer that matches best: by UUID, then serial number, MAC address, and name with domain. Boards of
 * some vendors share a UUID or a serial number: then the match is ambiguous unless a second property belongs to one of the
 * computers only.
 */
export async function lockMatchingComputer(
  db: Database,
  identity: ReportedIdentity,
  claimant: Claimant,
): Promise<MatchingComputer | undefined> {
  if (!(await lockDevicesOfMatchingComputer(db, identity, claimant))) return undefined
  const { rows } = await executePrepared(
    db,
    sql<BestMatch>`${matchingComputer(identity, claimant)} for no key update of computers`,
  )
  const [found] = rows
  if (!found) return undefined
  const matchedBy = matchProperties.filter((property) => found.weight & weights[property])
  return { id: found.id, matchedBy, isAmbiguous: found.is_ambiguous, hasUuid: uuidOf(found) !== null }
}

/** The devices of a computer are locked before the computer. Another device may enrol for it. Returns whether one matches. */
async function lockDevicesOfMatchingComputer(
  db: Database,
  identity: ReportedIdentity,
  claimant: Claimant,
): Promise<boolean> {
  const { rows } = await executePrepared(
    db,
    sql`
      with matching as materialized (
        ${matchingComputer(identity, claimant)}
      ), locked as materialized (
        select from fusion_devices where computer_id = (select id from matching) order by id for no key update
      )
      select (select count(*) from locked) from matching`,
  )
  return rows.length > 0
}

type BestMatch = { id: number; uuid: string | null; weight: number; is_ambiguous: boolean }

/** Each property is looked up separately, because a combined condition could use no index. */
function matchingComputer(identity: ReportedIdentity, claimant: Claimant): RawBuilder<BestMatch> {
  const { name, domain, serialNumber = null } = identity
  const isOwn = sql`(candidate.id is not distinct from ${claimant.provenComputerId}::integer or exists (
    select from agents where agents.computer_id = candidate.id and enrolment_key_hash = ${claimant.keyHash}))`
  const weight = (property: MatchProperty) => sql.lit(weights[property])
  return sql`
    select computers.id, computers.uuid, candidate.weight, candidate.equals > 1 and not candidate.is_own as is_ambiguous
    from (
      select candidate.*, count(*) over (partition by weight) as equals, ${isOwn} as is_own from (
      select id, sum(weight)::integer as weight
      from (
        select id, ${weight('Uuid')} as weight from computers where uuid = ${uuidOf(identity)}::uuid
        union all
        select computer_id, ${weight('SerialNumber')} from bios_records where serial_number = ${serialNumber}::text
        union all
        select id, ${weight('MacAddress')} from computers where mac_key = ${macKey(identity)}::text
        union all
        select id, ${weight('Name')} from computers where lower(name) = lower(${name}) and lower(domain) = lower(${domain})
      ) as matching
      group by id) as candidate
    ) as candidate join computers on computers.id = candidate.id
    order by candidate.weight desc, candidate.is_own desc, computers.id
    limit 1`
}

/** Returns undefined when a concurrent enrolment has created the computer. */
export async function insertComputer(db: Database, identity: ReportedIdentity): Promise<number | undefined> {
  const { name, domain, isDomain } = identity
  const { rows } = await executePrepared(
    db,
    sql<{ id: number }>`
      insert into computers (name, domain, is_domain, uuid, mac_address)
      values (${name}, ${domain}, ${isDomain}, ${uuidOf(identity)}, ${macAddressOf(identity)})
      on conflict do nothing returning id`,
  )
  return rows[0]?.id
}

/** Fills in the UUID and the MAC address of a computer that was created without them. */
export async function completeIdentity(db: Database, clientId: number, hardware: Hardware): Promise<void> {
  const [uuid, mac] = [uuidOf(hardware), macKey(hardware)]
  await sql`
    update computers set uuid = coalesce(uuid, ${uuid}::uuid), modified_at = now(),
      mac_address = case when mac_address is null and not exists (select from computers other where other.mac_key = ${mac})
        then ${macAddressOf(hardware)} else mac_address end
    where id = ${clientId}
      and ((uuid is null and ${uuid}::uuid is not null) or (mac_address is null and ${mac}::text is not null))`.execute(
    db,
  )
}
