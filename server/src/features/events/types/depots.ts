import { enumOf, Int32, nullable, Type } from '../../../platform/schema.ts'
import { computer, count, data, optionalName } from '../data-schemas.ts'
import { expression, pathOf, source } from '../event-source.ts'
import { eventType } from '../event-type.ts'

const depot = { ...pathOf('listDepots'), last: { kind: 'below', value: 'computer_id' } } as const

const depotSource = (on: 'insert' | 'update' | 'delete') =>
  source({
    table: 'depots',
    on,
    forEach: 'row',
    // Heartbeats are not events.
    ...(on === 'update' && { whenChanged: ['url', 'version', 'secret_hash'] }),
    optionalJoin: { computers: 'computer_id' },
    subject: depot,
    computer: 'computer_id',
    data: {
      computerId: 'computer_id',
      computerName: 'computers.name',
      url: 'url',
      version: 'version',
      // The credential is named, never shown.
      hasCredential: expression('row.secret_hash is not null'),
    },
  })

const actions = { insert: 'created', update: 'changed', delete: 'deleted' } as const

export const depotEvents = [
  eventType({
    type: 'muster.depot.synchronised',
    summary: 'A synchronisation of a depot has ended',
    role: 'computer.read',
    subject: 'The depot',
    data: data('DepotSynchronised', {
      ...computer,
      status: enumOf(['Success', 'Failed']),
      packages: count('Number of packages on the depot', 12),
      files: count('Number of transferred files', 4),
      bytes: Type.Integer({ minimum: 0, examples: [1_048_576], description: 'Number of transferred bytes' }),
      message: nullable(Type.String({ examples: ['The master server was unreachable.'] })),
    }),
    sources: [
      source({
        table: 'sync_jobs',
        on: 'update',
        forEach: 'row',
        when: 'before.finished_at is null and row.finished_at is not null',
        join: { computers: 'computer_id' },
        subject: depot,
        computer: 'computer_id',
        data: {
          computerId: 'computer_id',
          computerName: 'computers.name',
          status: 'status',
          packages: 'packages',
          files: 'files_transferred',
          bytes: 'bytes_transferred',
          message: 'message',
        },
      }),
    ],
  }),
  ...(['insert', 'update', 'delete'] as const).map((on) =>
    eventType({
      type: `muster.depot.${actions[on]}`,
      summary: `A depot was ${actions[on]}`,
      role: 'computer.read',
      subject: 'The depot',
      data: data(`Depot${actions[on].charAt(0).toUpperCase()}${actions[on].slice(1)}`, {
        computerId: Int32,
        computerName: optionalName('DEPOT-01'),
        url: optionalName('https://depot.example.org:8443'),
        version: optionalName('1.4.0'),
        hasCredential: Type.Boolean({ examples: [true], description: 'Whether the depot has a credential' }),
      }),
      sources: [depotSource(on)],
    }),
  ),
] as const
