import { forbidden } from '../../../platform/general-problems.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, nullable, Type } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound, requireComputer } from '../../computers/computers.ts'
import { eventFilters } from '../../events/api/schemas.ts'
import { CloudEvent, EventPosition, toCloudEvent } from '../../events/cloud-event.ts'
import { readLatestEvents } from '../../events/event-log.ts'
import { getInstallationId } from '../../events/installation-id.ts'
import { requireVisibleTypes } from '../../events/visible-types.ts'

const defaultLimit = 25

const ComputerEvents = closed(
  {
    items: Type.Array(CloudEvent),
    nextBefore: {
      ...nullable(EventPosition),
      description: 'The value of `before` for the next page; null if the log has no older event about the computer',
    },
  },
  { title: 'ComputerEvents' },
)

export const listComputerEvents = operation({
  id: 'listComputerEvents',
  route: 'GET /api/fleet/computers/:id/events',
  summary: 'List the events about a computer, newest first',
  description:
    'Shows what the event log still has about this computer alone: its inventory, issues, work, deployments and properties. ' +
    'Programs that must not miss a change read listEvents instead.',
  role: 'computer.read',
  extension: true,
  params: ComputerPath,
  query: closed({
    types: eventFilters.types,
    before: Type.Optional({ ...EventPosition, description: 'Return the events before this position.' }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        examples: [50],
        description: `Maximum number of items; ${defaultLimit} by default`,
      }),
    ),
  }),
  returns: ok(ComputerEvents),
  problems: [computerNotFound, forbidden],
  async handle({ params: { id }, query, db, caller }) {
    const { before, limit = defaultLimit } = query
    const types = requireVisibleTypes(caller.principal, query.types)
    await requireComputer(db, id)
    const found = await readLatestEvents(db, {
      computerId: id,
      types,
      before: before === undefined ? undefined : Number(before),
      limit: limit + 1,
    })
    const installationId = await getInstallationId(db)
    const items = found.slice(0, limit).map((event) => toCloudEvent(event, installationId))
    return { items, nextBefore: found.length > limit ? (items.at(-1)?.position ?? null) : null }
  },
})
