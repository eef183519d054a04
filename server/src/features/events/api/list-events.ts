import { forbidden } from '../../../platform/general-problems.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, Type } from '../../../platform/schema.ts'
import { CloudEvent, EventPosition, toCloudEvent } from '../cloud-event.ts'
import { getEventLogBounds, isInLog, readEvents } from '../event-log.ts'
import { getInstallationId } from '../installation-id.ts'
import { requireVisibleTypes } from '../visible-types.ts'
import { eventPositionUnavailable } from './problems.ts'
import { eventFilters } from './schemas.ts'

const EventPage = closed(
  {
    items: Type.Array(CloudEvent),
    nextAfter: { ...EventPosition, description: 'The value of `after` for the next page' },
    hasMore: Type.Boolean({ examples: [false], description: 'Whether the log already has events after this page' }),
    oldestPosition: { ...EventPosition, description: 'The first position in the log' },
    latestPosition: { ...EventPosition, description: 'The last position in the log' },
  },
  { title: 'EventPage' },
)

export const listEvents = operation({
  id: 'listEvents',
  route: 'GET /api/events',
  summary: 'List events in the order of their positions',
  description:
    'A feed for programs that must not miss a change. Store `nextAfter` when you have processed a page, and continue with it: positions have no gaps, and an event that commits late gets a later position, so nothing is skipped. A page may be empty although more follow; `hasMore` decides. The AsyncAPI document at `/asyncapi/v1.json` describes the data of each type.',
  role: 'any valid token',
  extension: true,
  query: closed({
    ...eventFilters,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        examples: [100],
        description: 'Maximum number of items; 100 by default',
      }),
    ),
  }),
  returns: ok(EventPage),
  problems: [eventPositionUnavailable, forbidden],
  async handle({ query, db, caller }) {
    const types = requireVisibleTypes(caller.principal, query.types)
    const after = query.after === undefined ? (await getEventLogBounds(db)).oldestPosition - 1 : Number(query.after)
    const { events, ...read } = await readEvents(db, {
      after,
      types,
      computerId: query.computerId,
      limit: query.limit ?? 100,
    })
    const positions = {
      oldestPosition: String(read.oldestPosition),
      latestPosition: String(read.lastPosition),
    }
    if (!isInLog(after, read)) throw eventPositionUnavailable(positions)
    const installationId = await getInstallationId(db)
    return {
      items: events.map((event) => toCloudEvent(event, installationId)),
      nextAfter: String(read.nextAfter),
      hasMore: read.nextAfter < read.lastPosition,
      ...positions,
    }
  },
})
