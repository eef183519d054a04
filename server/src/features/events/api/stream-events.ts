import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { sessionCookie } from '../../../platform/authentication/session-cookie.ts'
import { getEventLogBounds, isInLog } from '../../../platform/events/event-log.ts'
import { forbidden } from '../../../platform/general-problems.ts'
import { type Call, eventStream, eventStreamType, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { openEventStream } from '../event-stream.ts'
import { getInstallationId } from '../installation-id.ts'
import { requireVisibleTypes } from '../visible-types.ts'
import { eventPositionUnavailable } from './problems.ts'
import { eventFilters } from './schemas.ts'

export const streamEvents = operation({
  id: 'streamEvents',
  route: 'GET /api/events/stream',
  summary: 'Follow events as they happen',
  description:
    'Server-sent events: the id of each is its position, the event is its type, the data is a CloudEvent. Without `after` and the header `Last-Event-ID`, the stream begins with the next event. It ends when the token expires, the roles of the caller change, the caller reads too slowly, or the node stops. Connect again with the header `Last-Event-ID` to continue without a gap; browsers do so by themselves.',
  role: 'any valid token',
  extension: true,
  query: closed({
    ...eventFilters,
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        examples: [60],
        description: 'End the stream after this many seconds. No limit by default.',
      }),
    ),
    named: Type.Optional(
      Type.Boolean({
        examples: [true],
        description:
          'Whether each event is named by its type. Browsers deliver events without a name to one listener. Default: true.',
      }),
    ),
  }),
  answerType: eventStreamType,
  returns: eventStream,
  problems: [eventPositionUnavailable, forbidden],
  async handle(call) {
    const { query, db, caller, services, request } = call
    const types = requireVisibleTypes(caller.principal, query.types)
    const bounds = await getEventLogBounds(db)
    const after = findStart(query.after, request) ?? bounds.lastPosition
    if (!isInLog(after, bounds))
      throw eventPositionUnavailable({
        oldestPosition: String(bounds.oldestPosition),
        latestPosition: String(bounds.lastPosition),
      })
    if (request.method === 'HEAD') return Readable.from([])
    return openEventStream({
      hub: services.eventHub,
      db,
      installationId: await getInstallationId(db),
      after,
      types: new Set(types),
      computerId: query.computerId,
      maxSeconds: query.seconds,
      isNamed: query.named ?? true,
      isAllowed: () => isStillAllowed(call),
    })
  },
})

/** What the reader has received last counts more than where it once began. */
function findStart(after: string | undefined, { headers }: FastifyRequest): number | undefined {
  const lastEventId = headers['last-event-id']
  if (lastEventId === undefined || lastEventId === '') return after === undefined ? undefined : Number(after)
  if (typeof lastEventId === 'string' && /^\d{1,16}$/.test(lastEventId)) return Number(lastEventId)
  throw invalidPart('header', 'Last-Event-ID', 'is not a position')
}

type OpenedStream = Pick<Call, 'caller' | 'services' | 'db' | 'request'>

/** Whether the token or session is valid and the principal has the roles with which the stream was opened. */
async function isStillAllowed({ caller, services, db, request }: OpenedStream): Promise<boolean> {
  if (caller.expiresAt <= new Date()) return false
  const token = caller.session && sessionCookie.read(request)
  const principal =
    token === undefined
      ? await services.principals.find(caller.principal.id)
      : (await services.sessions.find(db, token, { recordsUse: false }))?.principal
  if (!principal) return false
  return principal.roles.symmetricDifference(caller.principal.roles).size === 0
}
