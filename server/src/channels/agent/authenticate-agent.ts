import type { Database } from '../../database/connect.ts'
import { acceptCredential, parseAgentCredential } from '../../features/agents/agent-credentials.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { unauthorized } from '../../platform/general-problems.ts'
import type { AuthenticateMachine } from '../../platform/mount.ts'

const challenge = { 'www-authenticate': 'Bearer realm="muster-agent"' }

export const agentUnauthorized = () => unauthorized().withHeaders(challenge)

/**
 * Authenticates agents by their credential and accepts nothing else. For a `Contact` it only parses the
 * credential so that its own statement can check it without another query.
 */
export function agentAuthenticator(db: Database, keys: ServerKeys): AuthenticateMachine {
  return async ({ headers }, { execution }) => {
    const isContact = execution.kind === 'Contact'
    const [, token] = /^Bearer +([\w.-]{1,200})$/i.exec(headers.authorization ?? '') ?? []
    const credential = token === undefined ? undefined : parseAgentCredential(keys, token)
    if (!credential || !(isContact || (await acceptCredential(db, credential)))) throw agentUnauthorized()
    return isContact ? credential : { clientId: credential.clientId }
  }
}
