import { Type, text } from '../../../platform/schema.ts'
import { changes, coveredComputers, data, optionalName } from '../data-schemas.ts'
import { type EventSource, expression, numberOfRows, one, pathOf, source } from '../event-source.ts'
import { eventType } from '../event-type.ts'

const computerType = <const N extends string>(
  action: N,
  summary: string,
  sources: readonly EventSource[],
  own: Parameters<typeof data>[1] = {},
) =>
  eventType({
    type: `muster.computer.${action}`,
    summary,
    role: 'computer.read',
    subject: 'The computer, or all computers if the event covers many',
    data: data(`Computer${action.charAt(0).toUpperCase()}${action.slice(1)}`, { ...coveredComputers, ...own }),
    sources,
  })

const agent = { agentKind: optionalName('Muster', 'Kind of the agent'), agentVersion: optionalName('1.4.0') }
const domain = { domain: Type.Optional(text(255, 'CORP')) }

const allComputers = pathOf('listComputers')
const counted = { subject: allComputers, data: { computers: numberOfRows, list: allComputers } }
const beginOfTransaction = expression(`to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`)

const createdOrDeleted = (on: 'insert' | 'delete') =>
  source({
    table: 'computers',
    on,
    subject: pathOf('getComputer', 'id'),
    computer: 'id',
    data: { computers: one, computerId: 'id', computerName: 'name', domain: 'domain' },
    many: counted,
  })

const changed = source({
  table: 'computers',
  on: 'update',
  key: ['id'],
  subject: pathOf('getComputer', 'id'),
  computer: 'id',
  data: {
    computers: one,
    computerId: 'id',
    computerName: 'name',
    // When a computer was last seen or changed is not an event. The key of the MAC address follows from the address.
    changes: { changesExcept: ['modified_at', 'inventory_at', 'os_installed_at', 'mac_key'] },
  },
  many: {
    ...counted,
    data: { computers: numberOfRows, list: { ...allComputers, query: { modifiedAfter: beginOfTransaction } } },
  },
})

const enrolled = {
  table: 'agents',
  join: { computers: 'computer_id' },
  subject: pathOf('getComputer', 'computer_id'),
  computer: 'computer_id',
  data: {
    computers: one,
    computerId: 'computer_id',
    computerName: 'computers.name',
    agentKind: 'kind',
    agentVersion: 'version',
  },
} as const

/** An agent that becomes silent writes nothing: the evaluation of the issues notices it. */
const silenceFound = (on: 'insert' | 'delete') =>
  source({
    table: 'issue_findings',
    on,
    when: `row.issue = 'stale-agent'`,
    join: { computers: 'computer_id' },
    // A finding may outlive its computer.
    hasForeignKeys: false,
    subject: pathOf('getComputer', 'computer_id'),
    computer: 'computer_id',
    data: { computers: one, computerId: 'computer_id', computerName: 'computers.name' },
    many: { subject: allComputers, data: { computers: numberOfRows, list: pathOf('listStaleAgentComputers') } },
  })

export const computerEvents = [
  computerType('created', 'A computer was created', [createdOrDeleted('insert')], domain),
  computerType(
    'enrolled',
    'An agent enrolled for a computer',
    [
      source({ ...enrolled, on: 'insert', many: counted }),
      source({ ...enrolled, on: 'update', forEach: 'row', when: 'row.enrolled_at <> before.enrolled_at' }),
    ],
    agent,
  ),
  computerType('changed', 'Properties of a computer changed', [changed], { changes: Type.Optional(changes) }),
  computerType('silent', 'The agent of a computer has been silent for too long', [silenceFound('insert')]),
  computerType('back', 'The agent of a silent computer is back', [silenceFound('delete')]),
  computerType('deleted', 'A computer was deleted', [createdOrDeleted('delete')], domain),
] as const
