import type { Database } from '../../database/connect.ts'
import { isCurrent, readAgentCredential } from '../../features/agents/agent-credentials.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { unauthorized } from '../../platform/general-problems.ts'
import type { AuthenticateMachine } from '../../platform/mount.ts'

const challenge = { 'www-authenticate': 'Bearer realm="muster-agent"' }

export const agentUnauthorized = () => unauthorized().withHeaders(challenge)

/** Knows an agent by its credential, and nobody else. Operations that check it themselves cost no read here. */
export function agentAuthenticator(db: Database, keys: ServerKeys): AuthenticateMachine {
  return async ({ headers }, { checksCredential }) => {
    const [, credential] = /^Bearer +([\w.-]{1,200})$/i.exec(headers.authorization ?? '') ?? []
    const said = credential === undefined ? undefined : readAgentCredential(keys, credential)
    if (!said || !(checksCredential || (await isCurrent(db, said)))) throw agentUnauthorized()
    return checksCredential ? said : { clientId: said.clientId }
  }
}
