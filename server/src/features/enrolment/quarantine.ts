import { compositeKey } from '@muster/text'
import { type RawBuilder, sql } from 'kysely'
import { shareStatement } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
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
export const maxQuarantinedPerComputer = 5

export type ClaimingAgent = ReportedIdentity & {
  keyHash: Buffer
  version: string
  platform: string
  kind: AgentKind
  address: string | null
}

/** A credential in quarantine, and the id of the agent that had to make room for it. */
type NewClaim = { credential: string; replacedId?: number }

/**
 * Puts an agent into quarantine and returns its credential, which opens nothing until a person confirms the agent. If too
 * many agents already claim the computer, an address that has sent several of them loses its last one to an address that
 * has sent none: one address must not keep the right agent out. Returns undefined if there is no such address. The caller
 * has locked the computer.
 */
export async function quarantineAgent(
  db: Database,
  keys: ServerKeys,
  { id: clientId, matchedBy }: MatchingComputer,
  tokenId: number,
  agent: ClaimingAgent,
): Promise<NewClaim | undefined> {
  const { credential, secretHash } = newAgentCredential(keys, clientId)
  const { rows } = await sql<{ replacedId: number | null }>`
    with waiting as materialized (
      select id, address, count(*) over (partition by address) as claims, count(*) over () as all_claims
      from quarantined_agents where computer_id = ${clientId} and confirmed_computer_id is null
    ), replaced as (
      delete from quarantined_agents where id = (
        select id from waiting
        where all_claims >= ${maxQuarantinedPerComputer} and claims > 1
          and not exists (select from waiting own where own.address is not distinct from ${agent.address}::text)
        order by claims desc, id desc limit 1)
      returning id
    )
    insert into quarantined_agents (computer_id, secret_hash, enrolment_key_hash, enrolment_token_id, kind, version,
      platform, name, domain, uuid, mac_address, serial_number, matched_by, address)
    select ${clientId}::integer, ${secretHash}::bytea, ${agent.keyHash}::bytea, ${tokenId}::integer, ${agent.kind},
      ${agent.version}, ${agent.platform}, ${agent.name}, ${agent.domain}, ${uuidOf(agent)}::uuid,
      ${macAddressOf(agent)}::text, ${agent.serialNumber ?? null}::text, ${matchedBy}::text[], ${agent.address}::text
    where (select count(*) from waiting) - (select count(*) from replaced) < ${maxQuarantinedPerComputer}
    returning (select id from replaced) as "replacedId"`.execute(db)
  const [inserted] = rows
  if (!inserted) return undefined
  return { credential, ...(inserted.replacedId !== null && { replacedId: inserted.replacedId }) }
}

/** The agent in quarantine repeats its enrolment because it did not receive the answer. */
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
    .where('confirmed_computer_id', 'is', null)
    .where('enrolment_key_hash', '=', keyHash)
    .returning('id')
    .executeTakeFirst()
  return renewed && credential
}

/** Rejects all agents that claim the computer. Called before one becomes its agent. */
export async function deleteClaims(db: Database, clientId: number): Promise<void> {
  await db
    .deleteFrom('quarantined_agents')
    .where('computer_id', '=', clientId)
    .where('confirmed_computer_id', 'is', null)
    .execute()
}

/** Removes the claims that a person confirmed for the computer: the agent behind them is shut out. */
export async function deleteConfirmedClaims(db: Database, clientId: number): Promise<void> {
  await db.deleteFrom('quarantined_agents').where('confirmed_computer_id', '=', clientId).execute()
}

type ClaimedCredential = { computer_id: number; secret_hash: string; confirmed_computer_id: number | null }

const claimsByCredential = preparedStatement((db, credentials: string) =>
  sql<ClaimedCredential>`
    select claim.computer_id, presented.secret_hash, claim.confirmed_computer_id
    from jsonb_to_recordset(${credentials}::jsonb) as presented(computer_id integer, secret_hash text)
      join quarantined_agents claim on claim.computer_id = presented.computer_id
        and claim.secret_hash = decode(presented.secret_hash, 'hex')`.compile(db),
)

/**
 * Finds the agent in quarantine with this credential, and the computer for which it was confirmed since. Concurrent calls
 * share a statement: an invented credential must not cost a statement of its own.
 */
export const findQuarantinedAgent = shareStatement((db) => ({
  async run(credentials: readonly AgentCredential[]): Promise<({ confirmedFor: number | null } | undefined)[]> {
    const presented = credentials.map(({ clientId, secretHash }) => ({
      computer_id: clientId,
      secret_hash: secretHash.toString('hex'),
    }))
    const rows = await claimsByCredential(db, JSON.stringify(presented))
    const claims = new Map(
      rows.map((row) => [compositeKey(row.computer_id, row.secret_hash), row.confirmed_computer_id]),
    )
    return presented.map(({ computer_id, secret_hash }) => {
      const confirmedFor = claims.get(compositeKey(computer_id, secret_hash))
      return confirmedFor === undefined ? undefined : { confirmedFor }
    })
  },
  maxBatchSize: 64,
}))

/** How many candidates the list shows. Thousands of computers may have the same placeholder as their UUID. */
const maxCandidates = 50

/** The candidates of a row of `quarantined_agents`, if there are several. */
const candidates = sql<Candidate[]>`(
  select case when count(*) > 1 then jsonb_agg(to_jsonb(found) order by found.hostname, found."clientId") else '[]' end
  from (
    select computers.id as "clientId", computers.name as hostname, computers.mac_address as "macAddress",
      exists (select from agents where agents.computer_id = computers.id) as "hasAgent"
    from (${candidateIds()}) as candidate join computers on computers.id = candidate.id
    order by computers.name, computers.id limit ${sql.lit(maxCandidates)}) as found)`

export type Candidate = { clientId: number; hostname: string; macAddress: string | null; hasAgent: boolean }

/**
 * Selects the computers that may be the one of a row of `quarantined_agents`: the one it was put down for, and all that have
 * the same UUID or serial number as the agent reported, if the agent matched by nothing else. MAC addresses and names are
 * unique.
 */
export function candidateIds(): RawBuilder<{ id: number }> {
  const claim = (column: string) => sql.ref(`quarantined_agents.${column}`)
  const hasSerial = sql`exists (
    select from bios_records where computer_id = same.id and serial_number = ${claim('serial_number')})`
  return sql`
    select ${claim('computer_id')} as id
    union
    select same.id from computers same
    where same.uuid = ${claim('uuid')} and (
      ${claim('matched_by')} = '{Uuid}' or ${claim('matched_by')} = '{Uuid,SerialNumber}' and ${hasSerial})
    union
    select same.computer_id from bios_records same
    where same.serial_number = ${claim('serial_number')} and ${claim('matched_by')} = '{SerialNumber}'`
}

/** Quarantined agents in the form of the API. */
export function quarantinedAgentRows(db: Database) {
  return db
    .selectFrom('quarantined_agents')
    .innerJoin('computers', 'computers.id', 'quarantined_agents.computer_id')
    .where('confirmed_computer_id', 'is', null)
    .select([
      'quarantined_agents.id',
      'computers.id as clientId',
      'computers.name as hostname',
      sql<boolean>`exists (select from agents where agents.computer_id = computers.id)`.as('hasAgent'),
      sql<MatchProperty[]>`quarantined_agents.matched_by`.as('matchedBy'),
      candidates.as('candidates'),
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
