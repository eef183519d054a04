import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { shareStatement } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { preparedStatement } from '../../database/prepared-statements.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { newSecret } from '../principals/principals.ts'

export type AgentCredential = { clientId: number; secretHash: Buffer }

/** Generates a credential. Only the hash of its secret is stored. */
export function newAgentCredential(keys: ServerKeys, clientId: number) {
  const secret = newSecret()
  return { credential: `agent-${clientId}.${secret}`, secretHash: keys.hashSecret(secret) }
}

/** Parses a credential without checking it; `acceptCredential` checks it against the database. */
export function parseAgentCredential(keys: ServerKeys, credential: string): AgentCredential | undefined {
  const [, id, secret] = /^agent-(\d{1,9})\.([\w-]{1,100})$/.exec(credential) ?? []
  if (id === undefined || secret === undefined) return undefined
  return { clientId: Number(id), secretHash: keys.hashSecret(secret) }
}

type StoredSecrets = { computer_id: number; secret_hash: Buffer; next_secret_hash: Buffer | null }

const secretHashes = preparedStatement((db, clientIds: string) =>
  sql<StoredSecrets>`
    select computer_id, secret_hash, next_secret_hash from agents
    where computer_id = any(array(select jsonb_array_elements_text(${clientIds}::jsonb)::integer))`.compile(db),
)

/**
 * Read for every request and never cached so that a revoked credential is refused at once on every node. Concurrent
 * requests share the statement.
 */
const findSecrets = shareStatement((db) => ({
  async run(clientIds: readonly number[]) {
    const rows = await secretHashes(db, JSON.stringify(clientIds))
    const byClient = new Map(rows.map((row) => [row.computer_id, row]))
    return clientIds.map((clientId) => byClient.get(clientId))
  },
  isRepeatedWhenSlow: true,
}))

const noSecret = Buffer.alloc(32)

/** Whether the credential is valid. The first use of an offered credential makes it the current one. */
export async function acceptCredential(db: Database, credential: AgentCredential): Promise<boolean> {
  const { clientId, secretHash } = credential
  const stored = await findSecrets(db, clientId)
  const isCurrent = timingSafeEqual(secretHash, stored?.secret_hash ?? noSecret)
  const isNext = timingSafeEqual(secretHash, stored?.next_secret_hash ?? noSecret)
  if (isNext && stored?.next_secret_hash) return replaceCredential(db, credential)
  return isCurrent && stored !== undefined
}

async function replaceCredential(db: Database, { clientId, secretHash }: AgentCredential): Promise<boolean> {
  const { rows } = await sql`
    update agents set secret_hash = ${secretHash}, next_secret_hash = null, secret_issued_at = now()
    where computer_id = ${clientId} and ${secretHash} in (secret_hash, next_secret_hash)
    returning computer_id`.execute(db)
  return rows.length > 0
}

/**
 * Offers the agent another credential; the current one stays valid until the agent uses the offered one. An offer that
 * never arrived is replaced by the next one. Returns undefined when the row of the agent is locked: a contact never waits.
 */
export async function offerCredential(
  db: Database,
  keys: ServerKeys,
  { clientId, secretHash }: AgentCredential,
): Promise<string | undefined> {
  const offered = newAgentCredential(keys, clientId)
  const { rows } = await sql`
    with current as materialized (
      select computer_id from agents where computer_id = ${clientId} and secret_hash = ${secretHash}
      for no key update skip locked
    )
    update agents set next_secret_hash = ${offered.secretHash} from current where agents.computer_id = current.computer_id
    returning agents.computer_id`.execute(db)
  return rows.length > 0 ? offered.credential : undefined
}

const dayMs = 86_400_000

/** Whether a credential is old enough to be replaced. With 0 days, credentials are never replaced. */
export function isRotationDue(issuedAt: Date, rotationDays: number): boolean {
  return rotationDays > 0 && issuedAt.getTime() < Date.now() - rotationDays * dayMs
}
