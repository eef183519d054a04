import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../server/src/database/connect.ts'
import { newAgentCredential } from '../../server/src/features/agents/agent-credentials.ts'
import type { ServerKeys } from '../../server/src/platform/authentication/server-keys.ts'
import { growFleet } from '../fleet.ts'
import { contactingAgents, packageCount } from './settings.ts'

export type RolloutFleet = {
  /** The group to which the packages are assigned. */
  groupId: string
  /** Credentials of the computers in the group, by their ids. */
  members: Map<number, string>
  /** Credentials of the other computers. */
  others: string[]
}

const computersPerStep = 25_000

/** A fleet with agents. All computers but a few are in one group, to which small packages are assigned. */
export async function prepareRollout(db: Database, keys: ServerKeys, computers: number): Promise<RolloutFleet> {
  const total = computers + contactingAgents
  // In steps so that each statement stays within the statement timeout.
  for (let grown = 0; grown < total; grown = Math.min(total, grown + computersPerStep))
    await growFleet(db, Math.min(total, grown + computersPerStep))
  const groupId = await assignPackages(db, computers)
  const credentials = await enrolAll(db, keys)
  await sql`vacuum analyze`.execute(db)
  return {
    groupId,
    members: new Map(credentials.slice(0, computers)),
    others: credentials.slice(computers).map(([, credential]) => credential),
  }
}

async function assignPackages(db: Database, computers: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with rollout as (
      insert into groups (tree, parent_id, name)
      select tree, id, 'Rollout' from groups where tree = 'AssignmentGroups' and parent_id is null
      returning id, is_exclusive
    ), members as (
      insert into group_computers (group_id, computer_id, is_exclusive)
      select rollout.id, computers.id, rollout.is_exclusive
      from rollout, (select id from computers order by id limit ${computers}) as computers
    ), made as (
      insert into packages (name, package_name, version, kind, is_operational, hash_state, content_hash, manifest)
      select 'Software ' || n, 'Software ' || n, '1.0', 'Software', true, 'Current', ${randomBytes(32)},
        '{"commands": {"install": {"shell": "true"}, "uninstall": {"shell": "true"}}}'
      from generate_series(1, ${packageCount}::integer) n
      returning id
    ), assigned as (
      insert into group_packages (group_id, package_id) select rollout.id, made.id from rollout, made
    )
    select id from rollout`.execute(db)
  return rows[0]?.id ?? ''
}

/** Gives every computer an agent. Returns the ids of the computers and the credentials of the agents. */
async function enrolAll(db: Database, keys: ServerKeys): Promise<[number, string][]> {
  const { rows } = await sql<{ id: number }>`select id from computers order by id`.execute(db)
  const agents = rows.map(({ id }) => ({ id, ...newAgentCredential(keys, id) }))
  for (let from = 0; from < agents.length; from += computersPerStep) {
    const some = agents.slice(from, from + computersPerStep)
    await sql`
      insert into agents (computer_id, secret_hash, enrolment_key_hash)
      select id, decode(hash, 'hex'), ${randomBytes(32)}
      from unnest(${some.map(({ id }) => id)}::integer[], ${some.map(({ secretHash }) => secretHash.toString('hex'))}::text[])
        as agent (id, hash)`.execute(db)
  }
  return agents.map(({ id, credential }) => [id, credential])
}
