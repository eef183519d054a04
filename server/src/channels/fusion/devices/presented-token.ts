import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'
import { hashClientCertificate } from './certificate.ts'
import { isEnrolled } from './device-proof.ts'
import type { PresentedToken } from './sender.ts'

type Row = { id: number; is_open: boolean; may_report: boolean; is_for_one_device: boolean }

/** Whether the row `token` of `enrolment_tokens` admits one device and no second one. */
export function isForOneDevice(token: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${token}.max_uses`)} is not distinct from 1`
}

const unrevokedTokens = preparedStatement((db, presented: string) =>
  sql<Row>`
    select token.id, open.is_open, ${isForOneDevice('token')} as is_for_one_device,
      case when open.is_open then true else exists (
        select from fusion_devices device
        where (device.enrolment_token_id = token.id or device.certificate_hash = decode(presented."certificateHash", 'hex'))
          and ${isEnrolled('device')}) end as may_report
    from jsonb_to_record(${presented}::jsonb) as presented("tokenHash" text, "certificateHash" text)
      join enrolment_tokens token on token.token_hash = decode(presented."tokenHash", 'hex') and token.revoked_at is null
      cross join lateral (
        select token.expires_at > now() and (token.max_uses is null or token.uses < token.max_uses) as is_open
      ) as open`.compile(db),
)

export async function findPresentedToken(
  db: Database,
  keys: ServerKeys,
  request: FastifyRequest,
): Promise<PresentedToken | undefined> {
  const secret = secretOf(request)
  if (secret === undefined || secret === '') return undefined
  const tokenHash = keys.hashSecret(secret)
  const certificateHash = hashClientCertificate(request)?.toString('hex') ?? null
  const presented = JSON.stringify({ tokenHash: tokenHash.toString('hex'), certificateHash })
  const [token] = await unrevokedTokens(db, presented)
  return (
    token && {
      tokenId: token.id,
      tokenHash,
      isOpen: token.is_open,
      mayReport: token.may_report,
      isForOneDevice: token.is_for_one_device,
    }
  )
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
