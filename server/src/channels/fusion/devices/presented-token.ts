import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { shareStatement } from '../../../database/batch-calls.ts'
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

type Presented = { tokenHash: string; certificateHash: string | null }

const unrevokedTokens = preparedStatement((db, presented: string) =>
  sql<Row & { position: number }>`
    select presented.position, token.id, token.is_open, token.is_for_one_device,
      case when token.is_open then true else exists (
        select from fusion_devices device
        where (device.enrolment_token_id = token.id or device.certificate_hash = decode(presented."certificateHash", 'hex'))
          and ${isEnrolled('device')}) end as may_report
    from jsonb_to_recordset(${presented}::jsonb) as presented(position integer, "tokenHash" text, "certificateHash" text)
      cross join lateral (
        select stored.id, ${isForOneDevice('stored')} as is_for_one_device,
          stored.expires_at > now() and (stored.max_uses is null or stored.uses < stored.max_uses) as is_open
        from enrolment_tokens stored
        where stored.token_hash = decode(presented."tokenHash", 'hex') and stored.revoked_at is null
        limit 1
      ) as token`.compile(db),
)

/**
 * Read for every request and never cached so that a revoked token is refused at once on every node. Concurrent requests share
 * the statement: those with wrong secrets must not take the connections of all machines.
 */
const findTokens = shareStatement((db) => ({
  async run(presented: readonly Presented[]) {
    const rows = await unrevokedTokens(db, JSON.stringify(presented.map((one, position) => ({ ...one, position }))))
    const byPosition = new Map(rows.map((row) => [row.position, row]))
    return presented.map((_, position) => byPosition.get(position))
  },
  isRepeatedWhenSlow: true,
}))

export async function findPresentedToken(
  db: Database,
  keys: ServerKeys,
  request: FastifyRequest,
): Promise<PresentedToken | undefined> {
  const secret = secretOf(request)
  if (secret === undefined || secret === '') return undefined
  const tokenHash = keys.hashSecret(secret)
  const certificateHash = hashClientCertificate(request)?.toString('hex') ?? null
  const token = await findTokens(db, { tokenHash: tokenHash.toString('hex'), certificateHash })
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
