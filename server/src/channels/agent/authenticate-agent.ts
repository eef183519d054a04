import type { Database } from '../../database/connect.ts'
import { acceptCredential, parseAgentCredential } from '../../features/agents/agent-credentials.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { unauthorized } from '../../platform/general-problems.ts'
import type { AuthenticateMachine } from '../../platform/mount.ts'

const challenge = { 'www-authenticate': 'Bearer realm="muster-agent"' }

export const agentUnauthorized = () => unauthorized().withHeaders(challenge)

/**
 * Authenticates agents by their credential and accepts nothing else. For a `Contact` it only parses the
 * credential so that its own statement can check it without another query; a `QuietConnection` checks it itself as well.
 */
export function agentAuthenticator(db: Database, keys: ServerKeys): AuthenticateMachine {
  return async ({ headers }, { execution }) => {
    const checksItself = execution.kind === 'Contact' || execution.kind === 'QuietConnection'
    const [, token] = /^Bearer +([\w.-]{1,200})$/i.exec(headers.authorization ?? '') ?? []
    const credential = token === undefined ? undefined : parseAgentCredential(keys, token)
    if (!credential || !(checksItself || (await acceptCredential(db, credential)))) throw agentUnauthorized()
    return checksItself ? credential : { clientId: credential.clientId }
  }
}
