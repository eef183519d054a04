import { Readable } from 'node:stream'
import { acceptCredential } from '../../features/agents/agent-credentials.ts'
import { findQuarantinedAgent } from '../../features/enrolment/quarantine.ts'
import { tooManyConnections, tooManyRequests } from '../../platform/general-problems.ts'
import { eventStreamType, operation, quietStream } from '../../platform/operation.ts'
import { closed, Type } from '../../platform/schema.ts'
import { agentUnauthorized } from './authenticate-agent.ts'

/** Random so that agents that were refused together do not come back together. */
const retryAfterSeconds = () => String(Math.round(300 + 600 * Math.random()))

export const awaitCall = operation({
  id: 'awaitCall',
  route: 'GET /agent/v1/wake',
  summary: 'Wait to be called for a contact',
  description:
    'The wake connection of an agent. The answer stays open. The line `contact` asks the agent to make contact now, because there is work for it, new settings, or a decision about its quarantine; it never says which. An empty line is sent at the beginning and every 25 seconds, and shows that the connection still works: an agent that receives nothing for 55 seconds connects again. All other lines have no meaning. The service ends the answer after one to three hours, when the credential of the agent ends, and when the agent opens another connection. Contacts work without it.',
  role: 'machine',
  extension: true,
  execution: { kind: 'QuietConnection' },
  query: closed({
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        examples: [60],
        description: 'End the answer after this many seconds. By default, it ends after one to three hours.',
      }),
    ),
  }),
  answerType: eventStreamType,
  returns: quietStream,
  problems: [tooManyConnections, tooManyRequests],
  async handle({ query, db, machine, services, request }) {
    const { clientId, secretHash } = machine
    if (!secretHash) throw agentUnauthorized()
    const { wakeHub } = services
    if (!wakeHub.mayTry(request.ip)) throw tooManyRequests().withHeaders({ 'retry-after': '60' })
    const isAccepted = await acceptCredential(db, { clientId, secretHash })
    const claim = isAccepted ? undefined : await findQuarantinedAgent(db, { clientId, secretHash })
    if (!isAccepted && !claim) {
      wakeHub.recordRefusal(request.ip)
      throw agentUnauthorized()
    }
    const listener = { computerId: clientId, secretHash, isQuarantined: !isAccepted }
    if (!wakeHub.hasRoom(listener)) throw tooManyConnections().withHeaders({ 'retry-after': retryAfterSeconds() })
    return request.method === 'HEAD' ? Readable.from([]) : wakeHub.connect(listener, query.seconds)
  },
})
