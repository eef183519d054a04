import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'

/** The enrolment token that a request presents. */
export type PresentedToken = {
  tokenId: number
  tokenHash: Buffer
  /** The token admits new devices. A device that is known may connect with its own token either way. */
  isOpen: boolean
  /** The token admits one device and no second one, so that it is the secret of that device alone. */
  isForOneDevice: boolean
}

type Row = { id: number; is_open: boolean; is_for_one_device: boolean }

/** Whether the row `token` of `enrolment_tokens` admits one device and no second one. */
export function isForOneDevice(token: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${token}.max_uses`)} is not distinct from 1`
}

const unrevokedTokens = preparedStatement((db, tokenHash: Buffer) =>
  sql<Row>`
    select id, expires_at > now() and (max_uses is null or uses < max_uses) as is_open,
      ${isForOneDevice('enrolment_tokens')} as is_for_one_device
    from enrolment_tokens
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
  return token && { tokenId: token.id, tokenHash, isOpen: token.is_open, isForOneDevice: token.is_for_one_device }
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
