import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { type AgentCredential, newAgentCredential } from '../agents/agent-credentials.ts'
import type { AgentKind } from '../agents/agent-kinds.ts'
import {
  type MatchingComputer,
  type MatchProperty,
  macAddressOf,
  type ReportedIdentity,
  uuidOf,
} from './matching-computer.ts'

/** One token must not be enough to fill the quarantine. */
const maxQuarantinedPerComputer = 5

export type ClaimingAgent = ReportedIdentity & {
  keyHash: Buffer
  version: string
  platform: string
  kind: AgentKind
  address: string | null
}

/**
 * Puts an agent into quarantine and returns its credential, which opens nothing until a person confirms the agent.
 * Returns undefined when too many agents already claim the computer.
 */
export async function quarantineAgent(
  db: Database,
  keys: ServerKeys,
  { id: clientId, matchedBy }: MatchingComputer,
  tokenId: number,
  agent: ClaimingAgent,
): Promise<string | undefined> {
  const { credential, secretHash } = newAgentCredential(keys, clientId)
  const { rows } = await sql`
    insert into quarantined_agents (computer_id, secret_hash, enrolment_key_hash, enrolment_token_id, kind, version,
      platform, name, domain, uuid, mac_address, serial_number, matched_by, address)
    select ${clientId}::integer, ${secretHash}::bytea, ${agent.keyHash}::bytea, ${tokenId}::integer, ${agent.kind},
      ${agent.version}, ${agent.platform}, ${agent.name}, ${agent.domain}, ${uuidOf(agent)}::uuid,
      ${macAddressOf(agent)}::text, ${agent.serialNumber ?? null}::text, ${matchedBy}::text[], ${agent.address}::text
    where (select count(*) from quarantined_agents where computer_id = ${clientId}) < ${maxQuarantinedPerComputer}
    returning id`.execute(db)
  return rows.length > 0 ? credential : undefined
}

/** The quarantined agent repeats its enrolment because it did not receive the answer. */
export async function renewQuarantinedCredential(
  db: Database,
  keys: ServerKeys,
  clientId: number,
  keyHash: Buffer,
): Promise<string | undefined> {
  const { credential, secretHash } = newAgentCredential(keys, clientId)
  const renewed = await db
    .updateTable('quarantined_agents')
    .set({ secret_hash: secretHash })
    .where('computer_id', '=', clientId)
    .where('enrolment_key_hash', '=', keyHash)
    .returning('id')
    .executeTakeFirst()
  return renewed && credential
}

/** Rejects all agents that claim the computer. Called before one becomes its agent. */
export async function deleteClaims(db: Database, clientId: number): Promise<void> {
  await db.deleteFrom('quarantined_agents').where('computer_id', '=', clientId).execute()
}

/** Whether this is the credential of an agent in quarantine. */
export async function isQuarantined(db: Database, { clientId, secretHash }: AgentCredential): Promise<boolean> {
  const found = await db
    .selectFrom('quarantined_agents')
    .select('id')
    .where('computer_id', '=', clientId)
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
  return found !== undefined
}

/** Quarantined agents in the form of the API. */
export function quarantinedAgentRows(db: Database) {
  return db
    .selectFrom('quarantined_agents')
    .innerJoin('computers', 'computers.id', 'quarantined_agents.computer_id')
    .select([
      'quarantined_agents.id',
      'computers.id as clientId',
      'computers.name as hostname',
      sql<boolean>`exists (select from agents where agents.computer_id = computers.id)`.as('hasAgent'),
      sql<MatchProperty[]>`quarantined_agents.matched_by`.as('matchedBy'),
      'quarantined_agents.name as reportedName',
      'quarantined_agents.domain as reportedDomain',
      'quarantined_agents.uuid as reportedUuid',
      'quarantined_agents.mac_address as reportedMacAddress',
      'quarantined_agents.serial_number as reportedSerialNumber',
      sql<AgentKind>`quarantined_agents.kind`.as('agentKind'),
      'quarantined_agents.version as agentVersion',
      'quarantined_agents.platform',
      'quarantined_agents.enrolment_token_id as enrolmentTokenId',
      'quarantined_agents.address',
      'quarantined_agents.created_at as enrolledAtUtc',
    ])
}
