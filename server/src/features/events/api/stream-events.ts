import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../../platform/authentication/caller.ts'
import { forbidden, tooManyRequests } from '../../../platform/general-problems.ts'
import { NoPlaceFree, type Places } from '../../../platform/load/places.ts'
import { eventStream, eventStreamType, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { getEventLogBounds, isInLog } from '../event-log.ts'
import { getInstallationId } from '../installation-id.ts'
import { openEventStream } from '../open-event-stream.ts'
import { accessEnded, rolesChanged, type StreamEnd, tokenExpired } from '../stream-end.ts'
import { requireVisibleTypes } from '../visible-types.ts'
import { eventPositionUnavailable } from './problems.ts'
import { eventFilters } from './schemas.ts'

const retryAfterSeconds = '30'

export const streamEvents = operation({
  id: 'streamEvents',
  route: 'GET /api/events/stream',
  summary: 'Follow events as they happen',
  description:
    'Server-sent events: the id of each is its position, the event is its type, the data is a CloudEvent. Without `after` and the header `Last-Event-ID`, the stream begins with the next event. It ends when the token expires, the principal is revoked or its roles change, the caller reads too slowly, or the node stops. A principal may have 100 streams at once on each process of the service. If the right of the caller is the reason, the last message says so: its type is `muster.stream.ended`, and it has no id. Connect again with the header `Last-Event-ID` to continue without a gap; browsers do so by themselves.',
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
  problems: [eventPositionUnavailable, forbidden, tooManyRequests],
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
    const installationId = await getInstallationId(db)
    const leave = await takePlace(services.eventStreams, caller)
    return openEventStream({
      hub: services.eventHub,
      db,
      installationId,
      after,
      types: new Set(types),
      computerId: query.computerId,
      maxSeconds: query.seconds,
      isNamed: query.named ?? true,
      findEnd: () => findStreamEnd(caller),
    }).once('close', leave)
  },
})

async function takePlace(streams: Places, { principal }: Caller): Promise<() => void> {
  return streams.take(principal.id).catch((error: unknown) => {
    throw error instanceof NoPlaceFree ? tooManyRequests().withHeaders({ 'retry-after': retryAfterSeconds }) : error
  })
}

/** What the reader has received last counts more than where it once began. */
function findStart(after: string | undefined, { headers }: FastifyRequest): number | undefined {
  const lastEventId = headers['last-event-id']
  if (lastEventId === undefined || lastEventId === '') return after === undefined ? undefined : Number(after)
  if (typeof lastEventId === 'string' && /^\d{1,16}$/.test(lastEventId)) return Number(lastEventId)
  throw invalidPart('header', 'Last-Event-ID', 'is not a position')
}

/** Compares with the roles with which the stream was opened: they have selected the types of events. */
async function findStreamEnd({ expiresAt, findPrincipal, principal }: Caller): Promise<StreamEnd | undefined> {
  if (expiresAt <= new Date()) return tokenExpired
  const current = await findPrincipal()
  if (!current) return accessEnded
  return current.roles.symmetricDifference(principal.roles).size === 0 ? undefined : rolesChanged
}
