import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Id, nullable, pagedResultOf, Type, text, Uuid } from '../../../platform/schema.ts'
import { Computer } from '../../computers/api/schemas.ts'

const DuplicateUuid = closed(
  {
    uuid: { ...Uuid, description: 'The UUID that several computers have' },
    id: { ...Id, description: 'Id of one of them' },
    hostname: text(255, 'till-7', 'Its name'),
    domain: Computer.properties.domain,
    macAddress: nullable(text(17, '02:00:5E:00:53:17', 'Its MAC address')),
    hasAgent: Type.Boolean({ examples: [true], description: 'Whether it has an agent' }),
    lastSeenUtc: Computer.properties.lastSeenUtc,
  },
  { title: 'DuplicateUuid' },
)

export const listDuplicateUuids = operation({
  id: 'listDuplicateUuids',
  route: 'GET /api/fleet/duplicate-uuids',
  summary: 'List the computers that have the same UUID as another computer',
  description:
    'Ordered by UUID and id. A UUID of several computers identifies none of them: an agent that reports it enrols only if its ' +
    'serial number, MAC address or name singles out one, and waits in quarantine otherwise.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  query: closed(paging),
  returns: ok(pagedResultOf(DuplicateUuid)),
  handle: (call) =>
    pageOf(
      call,
      call.db
        .selectFrom('computers')
        .leftJoin('computer_contacts', 'computer_contacts.computer_id', 'computers.id')
        .where('computers.uuid', 'in', ({ selectFrom }) =>
          selectFrom('computers')
            .select('uuid')
            .where('uuid', 'is not', null)
            .groupBy('uuid')
            .having(sql<boolean>`count(*) > 1`),
        )
        .select([
          sql<string>`computers.uuid`.as('uuid'),
          'computers.id',
          'computers.name as hostname',
          'computers.domain',
          'computers.mac_address as macAddress',
          sql<boolean>`exists (select from agents where agents.computer_id = computers.id)`.as('hasAgent'),
          'computer_contacts.last_seen_at as lastSeenUtc',
        ]),
      { columns: ['uuid', 'id'] },
    ),
})
