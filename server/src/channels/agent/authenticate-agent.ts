import type { Database } from '../../database/connect.ts'
import { acceptCredential, parseAgentCredential } from '../../features/agents/agent-credentials.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { unauthorized } from '../../platform/general-problems.ts'
import type { AuthenticateMachine } from '../../platform/mount.ts'

const challenge = { 'www-authenticate': 'Bearer realm="muster-agent"' }

export const agentUnauthorized = () => unauthorized().withHeaders(challenge)

/**
 * Authenticates agents by their credential and accepts nothing else. For operations with `checksCredential` it only parses
 * the credential so that their own statement can check it without another query.
 */
export function agentAuthenticator(db: Database, keys: ServerKeys): AuthenticateMachine {
  return async ({ headers }, { checksCredential }) => {
    const [, token] = /^Bearer +([\w.-]{1,200})$/i.exec(headers.authorization ?? '') ?? []
    const credential = token === undefined ? undefined : parseAgentCredential(keys, token)
    if (!credential || !(checksCredential || (await acceptCredential(db, credential)))) throw agentUnauthorized()
    return checksCredential ? credential : { clientId: credential.clientId }
  }
}
