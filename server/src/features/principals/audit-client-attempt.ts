import type { AuditedActor } from '../../platform/audit-trail.ts'
import type { Call } from '../../platform/operation.ts'
import { auditAttempt } from '../audit/audit-trail.ts'

export type ClientAttempt = {
  operation: 'requestToken' | 'signIn'
  target: string
  clientId: string
  /** Set if the credentials were right. */
  principalId: number | undefined
  /** HTTP status of the answer. */
  status: number
}

type Attempted = Pick<Call, 'db' | 'services' | 'request'>

/**
 * Audits that somebody presented a client id and a secret. People type secrets into the wrong field, so of an unknown
 * client id only a short keyed hash is recorded: enough to see that two attempts used the same one.
 */
export async function auditClientAttempt(call: Attempted, attempt: ClientAttempt): Promise<void> {
  const { db, services, request } = call
  const { operation, target, clientId, principalId, status } = attempt
  const client = principalId === undefined ? await findClient(call, clientId) : { id: principalId, name: clientId }
  const details = { address: request.ip, ...(!client && { client: hashClientId(services.keys, clientId) }) }
  const principal = client ?? { id: null, name: 'unknown client' }
  await auditAttempt(db, { principal, operation, target, status, requestId: request.id, details })
}

/** Also finds revoked and expired principals. */
async function findClient({ db }: Attempted, clientId: string): Promise<AuditedActor | undefined> {
  return db
    .selectFrom('local_principals')
    .select(['principal_id as id', 'client_id as name'])
    .where('client_id', '=', clientId.replaceAll('\0', ''))
    .executeTakeFirst()
}

function hashClientId(keys: Call['services']['keys'], clientId: string): string {
  return keys.deriveKey(`unknown client ${clientId}`).toString('hex').slice(0, 8)
}
