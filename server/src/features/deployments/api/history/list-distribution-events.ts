import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { closed, enumOf, Id, Instant, nullable, Type, Uuid } from '../../../../platform/schema.ts'
import { workKinds } from '../../../work-states/work-states.ts'
import { type DistributionEventFilter, findDistributionEvents } from '../../find-distribution-events.ts'
import { distributionEventRows } from '../../history-rows.ts'
import { ComputerDistributionEvent } from './schemas.ts'

const defaultLimit = 50

const EventId = Type.Integer({ minimum: 1, examples: [1042] })

const distributionResults = ['Pending', 'Running', 'Success', 'Failed', 'Cancelled'] as const

const DistributionEvent = closed(
  { ...ComputerDistributionEvent.properties, packageId: nullable({ ...Uuid, description: 'Null if it was deleted' }) },
  { title: 'DistributionEvent' },
)

const DistributionEvents = closed(
  {
    items: Type.Array(DistributionEvent),
    nextBeforeId: nullable({
      ...EventId,
      description: 'The value of `beforeId` for the next page; null if there are no older events',
    }),
    searchedUntilUtc: nullable({
      ...Instant,
      description: 'How far the search got: the time of the oldest event that it has looked at',
    }),
  },
  { title: 'DistributionEvents' },
)

export const listDistributionEvents = operation({
  id: 'listDistributionEvents',
  route: 'GET /api/fleet/distribution-events',
  summary: 'List the distribution events of all computers, newest first',
  description:
    'What was requested, begun, reported and cancelled, without counting the events of years. A search that selects few events ' +
    'ends after the newest 20,000: the page may be empty although more follow; `nextBeforeId` decides.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  query: closed({
    result: Type.Optional(
      Type.Array(enumOf(distributionResults), { maxItems: 5, examples: [['Failed']], description: 'Results' }),
    ),
    installMode: Type.Optional(
      Type.Array(enumOf(workKinds), { maxItems: 8, examples: [['Install']], description: 'What was to be done' }),
    ),
    computerId: Type.Optional({ ...Id, description: 'Only events of this computer' }),
    groupId: Type.Optional({
      ...Uuid,
      description: 'Only events of the computers that are now in or below this group',
    }),
    packageId: Type.Optional({ ...Uuid, description: 'Only events of this package' }),
    after: Type.Optional({ ...Instant, description: 'Logged at this time or later' }),
    before: Type.Optional({ ...Instant, description: 'Logged at this time or earlier' }),
    beforeId: Type.Optional({ ...EventId, description: 'Return the events before this one' }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        examples: [50],
        description: `Maximum number of items; ${defaultLimit} by default`,
      }),
    ),
  }),
  returns: ok(DistributionEvents),
  async handle({ db, query: { result, installMode, limit = defaultLimit, ...query } }) {
    const filter: DistributionEventFilter = { ...query, results: result, installModes: installMode, limit }
    const { ids, nextBeforeId, searchedUntil } = await findDistributionEvents(db, filter)
    const items = await distributionEventRows(db)
      .select('distribution_events.package_id as packageId')
      .where('distribution_events.id', '=', sql<number>`any (${ids}::bigint[])`)
      .orderBy('distribution_events.id', 'desc')
      .execute()
    return { items, nextBeforeId, searchedUntilUtc: searchedUntil }
  },
})
