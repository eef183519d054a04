import type { Database } from '../../database/connect.ts'
import type { Caller } from '../../platform/authentication/caller.ts'
import type { PrincipalDirectory } from '../../platform/authentication/principals.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import type { Role } from '../../platform/roles.ts'
import { type ClientCredentials, findAuthenticatedClient } from './authenticate-client.ts'

const prefix = 'muster-metrics'

const metricsRole: Role = 'metrics.read'

/** Whether the principal may do nothing but read metrics. A token that lies in a file for years must open nothing else. */
const readsOnlyMetrics = (roles: Iterable<string>) => [...roles].join() === metricsRole

/**
 * The metrics token of a principal with this secret: client id and secret in one text, for programs that send the same token
 * every time. It is valid as long as the secret is. Undefined for a principal with other roles.
 */
export function toMetricsToken(
  { clientId, clientSecret }: ClientCredentials,
  roles: readonly string[],
): string | undefined {
  return readsOnlyMetrics(roles) ? `${prefix}.${clientId}.${clientSecret}` : undefined
}

function parseMetricsToken(token: string): ClientCredentials | undefined {
  const [begin, clientId, clientSecret, ...others] = token.split('.')
  if (begin !== prefix || !clientId || !clientSecret || others.length > 0) return undefined
  return { clientId, clientSecret }
}

type Parts = { db: Database; keys: ServerKeys; principals: PrincipalDirectory }

/** Finds the caller with a valid metrics token. */
export async function findByMetricsToken({ db, keys, principals }: Parts, token: string): Promise<Caller | undefined> {
  const credentials = parseMetricsToken(token)
  const id = credentials && (await findAuthenticatedClient(db, keys, credentials))
  if (id === undefined) return undefined
  const findPrincipal = async () => {
    const principal = await principals.find(id)
    return principal && readsOnlyMetrics(principal.roles) ? principal : undefined
  }
  const principal = await findPrincipal()
  // It has no end of its own, so the caller is one that is checked again soon.
  return principal && { principal, expiresAt: new Date(Date.now() + 60_000), findPrincipal }
}
