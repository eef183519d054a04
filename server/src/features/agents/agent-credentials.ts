import { timingSafeEqual } from 'node:crypto'
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

/** Parses a credential without checking it; `isCurrentCredential` checks it against the database. */
export function parseAgentCredential(keys: ServerKeys, credential: string): AgentCredential | undefined {
  const [, id, secret] = /^agent-(\d{1,9})\.([\w-]{1,100})$/.exec(credential) ?? []
  if (id === undefined || secret === undefined) return undefined
  return { clientId: Number(id), secretHash: keys.hashSecret(secret) }
}

const secretHashes = preparedStatement((db, clientId: number) =>
  db.selectFrom('agents').select('secret_hash').where('computer_id', '=', clientId).compile(),
)

const noSecret = Buffer.alloc(32)

export async function isCurrentCredential(db: Database, { clientId, secretHash }: AgentCredential): Promise<boolean> {
  const [stored] = await secretHashes(db, clientId)
  return timingSafeEqual(secretHash, stored?.secret_hash ?? noSecret) && stored !== undefined
}
