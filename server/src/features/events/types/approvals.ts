import { closed, enumOf, Id, Instant, nullable, Type, Uuid } from '../../../platform/schema.ts'
import { count, data, name } from '../data-schemas.ts'
import { pathOf, source, utc } from '../event-source.ts'
import { eventType } from '../event-type.ts'

const Subject = closed(
  {
    kind: enumOf(['Group', 'Computer', 'Package']),
    id: name('3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'),
    name: Type.String({
      examples: ['Configuration/Europe/Tills'],
      description: 'Its name when the request was made; of a group, its path',
    }),
  },
  { title: 'ApprovalSubjectOfEvent' },
)

const request = {
  approvalId: Uuid,
  operation: name('deleteGroup', 'The operationId of the request'),
  target: name('/api/group/3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'The path of the request'),
  subjects: Type.Array(Subject, { maxItems: 100, description: 'What the request is about' }),
  computers: count('How many computers the request affects', 1200),
  requesterId: { ...Id, description: 'Id of the principal that made the request' },
  requesterName: name('client-5b1f0e2a9c'),
  expiresAtUtc: { ...Instant, description: 'Until when the request could be approved' },
}
const decidedBy = name('client-77c0d2e41a', 'Name of the principal that decided')

const requestData = {
  approvalId: 'id',
  operation: 'operation',
  target: 'target',
  subjects: 'subjects',
  computers: 'computer_count',
  requesterId: 'requester_id',
  requesterName: 'requester_name',
  expiresAtUtc: utc('expires_at'),
} as const

const approvalSource = { table: 'approvals', forEach: 'row', subject: pathOf('getApproval', 'id') } as const

const decision = (states: string, own: { [name: string]: 'decided_by' | 'state' | 'problem_code' } = {}) =>
  source({
    ...approvalSource,
    on: 'update',
    when: `row.state in (${states})`,
    whenChanged: ['state'],
    data: { ...requestData, ...own },
  })

/** Only those who can approve a request see its events: it names groups, computers and packages. */
const toApprovers = { role: 'admin.manage', subject: 'The request that needs an approval' } as const

export const approvalEvents = [
  eventType({
    type: 'muster.approval.requested',
    summary: 'A request exceeds a quota and waits for an approval',
    ...toApprovers,
    data: data('ApprovalRequested', request),
    sources: [source({ ...approvalSource, on: 'insert', data: requestData })],
  }),
  eventType({
    type: 'muster.approval.approved',
    summary: 'A request was approved, and carried out unless it failed',
    ...toApprovers,
    data: data('ApprovalApproved', {
      ...request,
      decidedBy,
      state: enumOf(['Executed', 'Failed']),
      problemCode: nullable(name('ApprovedComputersChanged', 'Why the request failed; null if it succeeded')),
    }),
    sources: [
      decision(`'Executed', 'Failed'`, { decidedBy: 'decided_by', state: 'state', problemCode: 'problem_code' }),
    ],
  }),
  eventType({
    type: 'muster.approval.denied',
    summary: 'A request was denied, or withdrawn by the principal that made it',
    ...toApprovers,
    data: data('ApprovalDenied', {
      ...request,
      decidedBy: nullable({
        ...decidedBy,
        description: 'Who decided; null if it ended because its principal was revoked',
      }),
    }),
    sources: [decision(`'Denied'`, { decidedBy: 'decided_by' })],
  }),
  eventType({
    type: 'muster.approval.expired',
    summary: 'A request was not decided in time',
    ...toApprovers,
    data: data('ApprovalExpired', request),
    sources: [decision(`'Expired'`)],
  }),
] as const
