import { sql } from 'kysely'
import { advisoryKeyOf } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
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
  /** Of the firmware, where the agent tells it before it is let in. */
  serialNumber?: string | null
  kind?: AgentKind
}

/** Anything but a credential must end the transaction without effect. */
export type Enrolled =
  | { clientId: number; credential: string }
  | 'InvalidToken'
  | 'AlreadyEnrolled'
  /** Nothing by which a new computer could be told from others. */
  | 'NoIdentity'

type Token = { id: number; group_id: string | null; is_used_up: boolean }
type Agent = { is_same: boolean; may_be_replaced: boolean }

/** Lets an agent in, and gives it a credential. */
export async function enrol(db: Database, keys: ServerKeys, enrolment: Enrolment): Promise<Enrolled> {
  const token = await usableToken(db, enrolment.tokenHash)
  if (!token) return 'InvalidToken'
  await lockIdentity(db, enrolment)
  const known = await knownComputer(db, enrolment)
  const agent = known === undefined ? undefined : await lockedAgent(db, known, enrolment.keyHash)
  if (known !== undefined && agent?.is_same) return freshCredential(db, keys, known)
  if (token.is_used_up) return 'InvalidToken'
  if (agent && !agent.may_be_replaced) return 'AlreadyEnrolled'
  if (known === undefined && uuidOf(enrolment) === null && macKey(enrolment) === null) return 'NoIdentity'
  const clientId = known ?? (await newComputer(db, enrolment))
  // Somebody else has just entered it.
  if (clientId === undefined) return enrol(db, keys, enrolment)
  if (known !== undefined) {
    await completeIdentity(db, known, enrolment)
    await removeAgent(db, known)
  }
  await joinGroup(db, token, clientId)
  const credential = await newAgent(db, keys, clientId, token, enrolment)
  // At the end, because all that come in by this token wait for each other from here on.
  return (await countUse(db, token)) ? credential : 'InvalidToken'
}

async function usableToken(db: Database, tokenHash: Buffer): Promise<Token | undefined> {
  const { rows } = await sql<Token>`
    select id, group_id, max_uses is not null and uses >= max_uses as is_used_up from enrolment_tokens
    where token_hash = ${tokenHash} and revoked_at is null and expires_at > now()`.execute(db)
  return rows[0]
}

// Firmware that was never given an id of its own says one of these.
const meaninglessUuids = [emptyUuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff']

const uuidOf = ({ uuid }: Enrolment) => (uuid && !meaninglessUuids.includes(uuid.toLowerCase()) ? uuid : null)

const macKey = ({ macAddress }: Enrolment) => macAddress?.toLowerCase().replaceAll(/[^\da-f]/g, '') ?? null

/**
 * Of two that claim to be the same new computer, the second one waits, and finds what the first has entered. Constraints
 * see to it for names and MAC addresses.
 */
async function lockIdentity(db: Database, enrolment: Enrolment): Promise<void> {
  const { serialNumber } = enrolment
  const uuid = uuidOf(enrolment)?.toLowerCase()
  const identities = [serialNumber && `enrolment serial ${serialNumber}`, uuid && `enrolment uuid ${uuid}`]
  await sql`
    select pg_advisory_xact_lock(${advisoryKeyOf(sql.ref('identity'))})
    from unnest(${identities.filter(Boolean)}::text[]) as identity`.execute(db)
}

/** What tells most of all comes first. Each is looked up by itself, because none is found fast together with others. */
async function knownComputer(db: Database, enrolment: Enrolment): Promise<number | undefined> {
  const { name, domain, serialNumber = null } = enrolment
  const { rows } = await sql<{ id: number }>`
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
    ) as known join computers on computers.id = known.id
    order by known.weight desc, computers.id
    limit 1
    for no key update of computers`.execute(db)
  return rows[0]?.id
}

async function lockedAgent(db: Database, clientId: number, keyHash: Buffer): Promise<Agent | undefined> {
  const { rows } = await sql<Agent>`
    select enrolment_key_hash = ${keyHash} as is_same, coalesce(re_enrolment_until > now(), false) as may_be_replaced
    from agents where computer_id = ${clientId}
    for no key update`.execute(db)
  return rows[0]
}

/** The answer with the credential before was lost. */
async function freshCredential(db: Database, keys: ServerKeys, clientId: number): Promise<Enrolled> {
  const { credential, secretHash } = newAgentCredential(keys, clientId)
  await db.updateTable('agents').set({ secret_hash: secretHash }).where('computer_id', '=', clientId).execute()
  return { clientId, credential }
}

async function newComputer(db: Database, enrolment: Enrolment): Promise<number | undefined> {
  const made = await db
    .insertInto('computers')
    .values({
      name: enrolment.name,
      domain: enrolment.domain,
      is_domain: enrolment.isDomain,
      uuid: uuidOf(enrolment),
      mac_address: enrolment.macAddress,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

/** Whether the token is good for one more, as it is now. */
async function countUse(db: Database, { id }: Token): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update enrolment_tokens set uses = uses + 1
    where id = ${id} and revoked_at is null and (max_uses is null or uses < max_uses)`.execute(db)
  return numAffectedRows === 1n
}

/** Fills in what was not known of a computer that was entered before its agent came. */
async function completeIdentity(db: Database, clientId: number, enrolment: Enrolment): Promise<void> {
  const [uuid, mac] = [uuidOf(enrolment), macKey(enrolment)]
  await sql`
    update computers set uuid = coalesce(uuid, ${uuid}::uuid), modified_at = now(),
      mac_address = case when mac_address is null and not exists (select from computers other where other.mac_key = ${mac})
        then ${enrolment.macAddress} else mac_address end
    where id = ${clientId}
      and ((uuid is null and ${uuid}::uuid is not null) or (mac_address is null and ${mac}::text is not null))`.execute(
    db,
  )
}

/** A computer that is in a configuration group stays there. */
async function joinGroup(db: Database, { group_id }: Token, clientId: number): Promise<void> {
  if (group_id === null) return
  await sql`
    insert into group_computers (group_id, computer_id, is_exclusive)
    select id, ${clientId}::integer, is_exclusive from groups
    where id = ${group_id} and kind in ('System', 'Ordinary') and tree in ('ConfigurationGroups', 'AssignmentGroups')
    on conflict do nothing`.execute(db)
}

/** An agent that was there has lost its computer, and what it had in its hands is free again. */
async function removeAgent(db: Database, clientId: number): Promise<void> {
  await db.deleteFrom('agents').where('computer_id', '=', clientId).execute()
  await sql`update fusion_devices set computer_id = null, has_base = false where computer_id = ${clientId}`.execute(db)
  await sql`
    update work set leased_until = now() where computer_id = ${clientId} and state = 'Leased' and leased_until > now()
    `.execute(db)
}

async function newAgent(
  db: Database,
  keys: ServerKeys,
  clientId: number,
  token: Token,
  { keyHash, version, platform, kind = 'Muster' }: Enrolment,
): Promise<Enrolled> {
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
