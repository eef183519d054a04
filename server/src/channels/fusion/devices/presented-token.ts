import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'

/** The enrolment token that a request presents. */
export type PresentedToken = {
  tokenId: number
  tokenHash: Buffer
  /** The token admits new devices. A device that is known may connect with its own token either way. */
  isOpen: boolean
}

type Row = { id: number; is_open: boolean }

const unrevokedTokens = preparedStatement((db, tokenHash: Buffer) =>
  sql<Row>`
    select id, expires_at > now() and (max_uses is null or uses < max_uses) as is_open from enrolment_tokens
    where token_hash = ${tokenHash} and revoked_at is null`.compile(db),
)

export async function findPresentedToken(
  db: Database,
  keys: ServerKeys,
  request: FastifyRequest,
): Promise<PresentedToken | undefined> {
  const secret = secretOf(request)
  if (secret === undefined || secret === '') return undefined
  const tokenHash = keys.hashSecret(secret)
  const [token] = await unrevokedTokens(db, tokenHash)
  return token && { tokenId: token.id, tokenHash, isOpen: token.is_open }
}

/** The secret is in the path, or it is the user name or the password of the URL. */
function secretOf({ params, headers }: FastifyRequest): string | undefined {
  const { secret } = params as { secret?: string }
  if (secret !== undefined) return secret
  const [, encoded] = /^Basic +([\w+/=-]{1,1000})$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':')
  return password.join(':') || user
}
