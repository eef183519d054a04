import type { Database } from '../../database/connect.ts'
import { findDepotByCredential } from '../../features/depots/depot-credentials.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { unauthorized } from '../../platform/general-problems.ts'
import type { AuthenticateMachine } from '../../platform/mount.ts'

const challenge = { 'www-authenticate': 'Bearer realm="muster-depot"' }

/** Authenticates depots by their credential and accepts nothing else, not even tokens of principals. */
export function depotAuthenticator(db: Database, keys: ServerKeys): AuthenticateMachine {
  return async ({ headers }) => {
    const [, credential] = /^Bearer +([\w.-]{1,200})$/i.exec(headers.authorization ?? '') ?? []
    const clientId = credential === undefined ? undefined : await findDepotByCredential(db, keys, credential)
    if (clientId === undefined) throw unauthorized().withHeaders(challenge)
    return { clientId }
  }
}
