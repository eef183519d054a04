import { type RawBuilder, sql } from 'kysely'
import { advisoryKeyOf } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { formatMacAddress } from '../../platform/mac-address.ts'
import { newAgentCredential } from '../agents/agent-credentials.ts'
import type { AgentKind } from '../agents/agent-kinds.ts'
import { emptyUuid } from '../computers/computer-uuid.ts'

export type Enrolment = {
  tokenHash: Buffer
  keyHash: Buffer
  version: string
  platform: string
  name: string
  domain: string
  isDomain: boolean
  uuid: string | null
  macAddress: string | null
  /** Of the firmware. Only agents that report it before they enrol have it. */
  serialNumber?: string | null
  kind?: AgentKind
}

/** Unless it is a credential, the caller must roll the transaction back. */
export type EnrolmentOutcome =
  | { clientId: number; credential: string }
  | 'InvalidToken'
  | 'AlreadyEnrolled'
  /** A new computer without a meaningful UUID or MAC address cannot be recognised later. */
  | 'NoIdentity'

type Token = { id: number; group_id: string | null; is_used_up: boolean }
type ExistingAgent = { is_same: boolean; may_be_replaced: boolean }

/** Enrols an agent: finds or creates its computer and issues a credential. */
export async function enrol(db: Database, keys: ServerKeys, enrolment: Enrolment): Promise<EnrolmentOutcome> {
  const token = await findUsableToken(db, enrolment.tokenHash)
  if (!token) return 'InvalidToken'
  await lockIdentity(db, enrolment)
  if (token.group_id !== null) await sql`select from groups where id = ${token.group_id} for key share`.execute(db)
  await lockDevicesOfMatchingComputer(db, enrolment)
  const existingId = await lockMatchingComputer(db, enrolment)
  const agent = existingId === undefined ? undefined : await lockExistingAgent(db, existingId, enrolment.keyHash)
  if (existingId !== undefined && agent?.is_same) return renewCredential(db, keys, existingId)
  if (token.is_used_up) return 'InvalidToken'
  if (agent && !agent.may_be_replaced) return 'AlreadyEnrolled'
  if (existingId === undefined && uuidOf(enrolment) === null && macKey(enrolment) === null) return 'NoIdentity'
  const clientId = existingId ?? (await insertComputer(db, enrolment))
  // A concurrent enrolment has just created the computer.
  if (clientId === undefined) return enrol(db, keys, enrolment)
  if (existingId !== undefined) {
    await completeIdentity(db, existingId, enrolment)
    await deleteAgent(db, existingId)
  }
  await joinGroup(db, token, clientId)
  const credential = await insertAgent(db, keys, clientId, token, enrolment)
  // Last, because this locks the token: from here on, all enrolments with it wait for this transaction.
  return (await recordTokenUse(db, token)) ? credential : 'InvalidToken'
}

async function findUsableToken(db: Database, tokenHash: Buffer): Promise<Token | undefined> {
  const { rows } = await sql<Token>`
    select id, group_id, max_uses is not null and uses >= max_uses as is_used_up from enrolment_tokens
    where token_hash = ${tokenHash} and revoked_at is null and expires_at > now()`.execute(db)
  return rows[0]
}

// Firmware without a UUID of its own reports one of these.
const meaninglessUuids = [emptyUuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff']

const uuidOf = ({ uuid }: Enrolment) => (uuid && !meaninglessUuids.includes(uuid.toLowerCase()) ? uuid : null)

const macAddressOf = ({ macAddress }: Enrolment) => (macAddress === null ? null : formatMacAddress(macAddress))

const macKey = ({ macAddress }: Enrolment) => macAddress?.toLowerCase().replaceAll(/[^\da-f]/g, '') ?? null

/**
 * Serialises enrolments of the same new computer: the second one waits and then finds the row of the first one. Names and
 * MAC addresses need no lock, because constraints make them unique.
 */
async function lockIdentity(db: Database, enrolment: Enrolment): Promise<void> {
  const { serialNumber } = enrolment
  const uuid = uuidOf(enrolment)?.toLowerCase()
  const identities = [serialNumber && `enrolment serial ${serialNumber}`, uuid && `enrolment uuid ${uuid}`]
  await sql`
    select pg_advisory_xact_lock(${advisoryKeyOf(sql.ref('identity'))})
    from unnest(${identities.filter(Boolean)}::text[]) as identity`.execute(db)
}

/**
 * Finds and locks the computer that matches best: by UUID, then serial number, MAC address, and name with domain. Each of
 * them is looked up separately, because a combined condition could use no index.
 */
async function lockMatchingComputer(db: Database, enrolment: Enrolment): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${matchingComputer(enrolment)} for no key update of computers`.execute(db)
  return rows[0]?.id
}

/** The devices of a computer are locked before the computer. Another device may enrol for it. */
async function lockDevicesOfMatchingComputer(db: Database, enrolment: Enrolment): Promise<void> {
  await sql`
    select from fusion_devices where computer_id = (${matchingComputer(enrolment)}) order by id for no key update`.execute(
    db,
  )
}

function matchingComputer(enrolment: Enrolment): RawBuilder<{ id: number }> {
  const { name, domain, serialNumber = null } = enrolment
  return sql`
    select computers.id
    from (
      select id, sum(weight) as weight
      from (
        select id, 8 as weight from computers where uuid = ${uuidOf(enrolment)}::uuid
        union all
        select computer_id, 4 from bios_records where serial_number = ${serialNumber}::text
        union all
        select id, 2 from computers where mac_key = ${macKey(enrolment)}::text
        union all
        select id, 1 from computers where lower(name) = lower(${name}) and lower(domain) = lower(${domain})
      ) as matching
      group by id
    ) as candidate join computers on computers.id = candidate.id
    order by candidate.weight desc, computers.id
    limit 1`
}

async function lockExistingAgent(db: Database, clientId: number, keyHash: Buffer): Promise<ExistingAgent | undefined> {
  const { rows } = await sql<ExistingAgent>`
    select enrolment_key_hash = ${keyHash} as is_same, coalesce(re_enrolment_until > now(), false) as may_be_replaced
    from agents where computer_id = ${clientId}
    for no key update`.execute(db)
  return rows[0]
}

/** The agent repeats its enrolment because it did not receive the answer. Its previous credential becomes invalid. */
async function renewCredential(db: Database, keys: ServerKeys, clientId: number): Promise<EnrolmentOutcome> {
  const { credential, secretHash } = newAgentCredential(keys, clientId)
  await db.updateTable('agents').set({ secret_hash: secretHash }).where('computer_id', '=', clientId).execute()
  return { clientId, credential }
}

/** Returns undefined when a concurrent enrolment has created the computer. */
async function insertComputer(db: Database, enrolment: Enrolment): Promise<number | undefined> {
  const inserted = await db
    .insertInto('computers')
    .values({
      name: enrolment.name,
      domain: enrolment.domain,
      is_domain: enrolment.isDomain,
      uuid: uuidOf(enrolment),
      mac_address: macAddressOf(enrolment),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** Counts one use of the token. Returns false when the token is revoked or used up by now. */
async function recordTokenUse(db: Database, { id }: Token): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update enrolment_tokens set uses = uses + 1
    where id = ${id} and revoked_at is null and (max_uses is null or uses < max_uses)`.execute(db)
  return numAffectedRows === 1n
}

/** Fills in the UUID and the MAC address of a computer that was created without them. */
async function completeIdentity(db: Database, clientId: number, enrolment: Enrolment): Promise<void> {
  const [uuid, mac] = [uuidOf(enrolment), macKey(enrolment)]
  await sql`
    update computers set uuid = coalesce(uuid, ${uuid}::uuid), modified_at = now(),
      mac_address = case when mac_address is null and not exists (select from computers other where other.mac_key = ${mac})
        then ${macAddressOf(enrolment)} else mac_address end
    where id = ${clientId}
      and ((uuid is null and ${uuid}::uuid is not null) or (mac_address is null and ${mac}::text is not null))`.execute(
    db,
  )
}

/** Puts the computer into the group of the token. A computer that already is in a configuration group stays there. */
async function joinGroup(db: Database, { group_id }: Token, clientId: number): Promise<void> {
  if (group_id === null) return
  await sql`
    insert into group_computers (group_id, computer_id, is_exclusive)
    select id, ${clientId}::integer, is_exclusive from groups
    where id = ${group_id} and kind in ('System', 'Ordinary') and tree in ('ConfigurationGroups', 'AssignmentGroups')
    on conflict do nothing`.execute(db)
}

/** Removes the previous agent. Its leases end now, so that the new agent gets the work. */
async function deleteAgent(db: Database, clientId: number): Promise<void> {
  await db.deleteFrom('agents').where('computer_id', '=', clientId).execute()
  await sql`update fusion_devices set computer_id = null, has_base = false where computer_id = ${clientId}`.execute(db)
  await sql`
    update work set leased_until = now() where computer_id = ${clientId} and state = 'Leased' and leased_until > now()
    `.execute(db)
}

async function insertAgent(
  db: Database,
  keys: ServerKeys,
  clientId: number,
  token: Token,
  { keyHash, version, platform, kind = 'Muster' }: Enrolment,
): Promise<EnrolmentOutcome> {
  const { credential, secretHash } = newAgentCredential(keys, clientId)
  await db
    .insertInto('agents')
    .values({
      computer_id: clientId,
      secret_hash: secretHash,
      enrolment_key_hash: keyHash,
      enrolment_token_id: token.id,
      version,
      platform,
      kind,
    })
    .execute()
  return { clientId, credential }
}
