import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'

/** The enrolment token whose secret stands in the address that an agent calls. */
export type Entrance = {
  tokenId: number
  tokenHash: Buffer
  /** New agents may come in; those that are known may come in either way. */
  isOpen: boolean
}

type Row = { id: number; is_open: boolean }

const unrevokedTokens = preparedStatement((db, tokenHash: Buffer) =>
  sql<Row>`
    select id, expires_at > now() and (max_uses is null or uses < max_uses) as is_open from enrolment_tokens
    where token_hash = ${tokenHash} and revoked_at is null`.compile(db),
)

export async function entranceOf(
  db: Database,
  keys: ServerKeys,
  request: FastifyRequest,
): Promise<Entrance | undefined> {
  const secret = secretOf(request)
  if (secret === undefined || secret === '') return undefined
  const tokenHash = keys.hashSecret(secret)
  const [token] = await unrevokedTokens(db, tokenHash)
  return token && { tokenId: token.id, tokenHash, isOpen: token.is_open }
}

/** In the path, or as name and password of the address: either of them. */
function secretOf({ params, headers }: FastifyRequest): string | undefined {
  const { secret } = params as { secret?: string }
  if (secret !== undefined) return secret
  const [, encoded] = /^Basic +([\w+/=-]{1,1000})$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  return password.join(':') || user
}
