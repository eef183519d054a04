import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { executePrepared } from '../../database/prepared-statements.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { newAgentCredential } from '../agents/agent-credentials.ts'
import type { AgentKind } from '../agents/agent-kinds.ts'
import { upsertLastSeen } from '../agents/last-seen.ts'
import { newSecret } from '../principals/principals.ts'
import { deleteConfirmedClaims } from './quarantine.ts'

export type NewAgent = {
  keyHash: Buffer
  secretHash: Buffer
  tokenId: number | null
  version: string
  platform: string
  kind: AgentKind
  /** Whether the agent itself asks for it, which is a contact. A person confirms an agent without one. */
  isContact: boolean
}

/** Locks the agent of a computer. Returns whether it is the one with this enrolment key; undefined without an agent. */
export async function lockExistingAgent(
  db: Database,
  clientId: number,
  keyHash: Buffer,
): Promise<{ isSame: boolean } | undefined> {
  const { rows } = await sql<{ isSame: boolean }>`
    select enrolment_key_hash = ${keyHash} as "isSame" from agents where computer_id = ${clientId}
    for no key update`.execute(db)
  return rows[0]
}

/** The agent repeats its enrolment because it did not receive the answer. Its previous credential becomes invalid. */
export async function renewCredential(db: Database, keys: ServerKeys, clientId: number): Promise<string> {
  const { credential, secretHash } = newAgentCredential(keys, clientId)
  await sql`
    with seen as (${upsertLastSeen(clientId)})
    update agents set secret_hash = ${secretHash}, next_secret_hash = null, secret_issued_at = now()
    where computer_id = ${clientId}`.execute(db)
  return credential
}

/** Records the agent of a computer that has none. */
export async function insertAgent(db: Database, clientId: number, agent: NewAgent): Promise<void> {
  const { secretHash, keyHash, tokenId, version, platform, kind, isContact } = agent
  await executePrepared(
    db,
    sql`
      ${isContact ? sql`with seen as (${upsertLastSeen(clientId)})` : sql``}
      insert into agents (computer_id, secret_hash, enrolment_key_hash, enrolment_token_id, version, platform, kind)
      values (${clientId}, ${secretHash}, ${keyHash}, ${tokenId}, ${version}, ${platform}, ${kind})`,
  )
}

/** Removes the previous agent. Its leases end now so that the new agent gets the work. */
export async function deleteAgent(db: Database, clientId: number): Promise<void> {
  await db.deleteFrom('agents').where('computer_id', '=', clientId).execute()
  await releaseComputer(db, clientId)
}

/**
 * Revokes the credential and the enrolment key of the agent: nobody knows the secrets that replace them. The agent stays
 * the agent of the computer, so another one needs a code to take over. Returns false without an agent.
 */
export async function revokeAgent(db: Database, keys: ServerKeys, clientId: number): Promise<boolean> {
  const unknownHash = () => keys.hashSecret(newSecret())
  const revoked = await db
    .updateTable('agents')
    .set({ secret_hash: unknownHash(), next_secret_hash: null, enrolment_key_hash: unknownHash() })
    .where('computer_id', '=', clientId)
    .returning('computer_id')
    .executeTakeFirst()
  if (revoked) await releaseComputer(db, clientId)
  return revoked !== undefined
}

/** The devices of a computer are locked before the computer. */
export async function lockDevices(db: Database, clientId: number): Promise<void> {
  await sql`select from fusion_devices where computer_id = ${clientId} order by id for no key update`.execute(db)
}

async function releaseComputer(db: Database, clientId: number): Promise<void> {
  await deleteConfirmedClaims(db, clientId)
  await sql`update fusion_devices set computer_id = null, has_base = false where computer_id = ${clientId}`.execute(db)
  await sql`
    with leased as materialized (
      select id from work where computer_id = ${clientId} and state = 'Leased' and leased_until > now()
      order by package_id is not null, computer_id, package_id, kind, id for no key update
    )
    update work set leased_until = now() from leased where work.id = leased.id`.execute(db)
}
