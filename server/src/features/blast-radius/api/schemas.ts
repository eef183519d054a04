import { closed, enumOf, Id, Instant, Int32, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { approvalStates } from '../approval-rows.ts'
import { requestSubjectKinds } from '../request-subjects.ts'

const quota = (whose: string, example: number | null) =>
  nullable({
    ...Int32,
    minimum: 0,
    examples: [example],
    description: `How many computers ${whose} may affect by destructive actions within an hour without an approval; null: any number`,
  })

export const BlastRadius = closed(
  {
    apiQuota: quota('a principal with an access token', null),
    consoleQuota: quota('a principal that is signed in to the console', 500),
  },
  { title: 'BlastRadius' },
)

const reason = text(1000, 'Wrong package on the tills', 'Why no work is handed out')

export const FreezeRequest = closed(
  {
    frozen: Type.Boolean({ examples: [true], description: 'True stops the hand-out of new work, false resumes it' }),
    reason: Type.Optional(nullable({ ...reason, minLength: 1 })),
  },
  { title: 'FreezeRequest' },
)

export const Freeze = closed(
  {
    frozen: Type.Boolean({ examples: [true], description: 'Whether the hand-out of new work is stopped' }),
    reason: nullable(reason),
    frozenAtUtc: nullable({ ...Instant, description: 'Since when' }),
    frozenBy: nullable(text(255, 'client-5b1f0e2a9c', 'Name of the principal that stopped it')),
  },
  { title: 'Freeze' },
)

export const ApprovalPath = closed({ id: Uuid })

export const ApprovalState = enumOf(approvalStates, { title: 'ApprovalState' })

const currentName = (example: string) =>
  nullable(Type.String({ examples: [example], description: 'The name now; null if it is deleted' }))

const ApprovalSubject = closed(
  {
    kind: enumOf(requestSubjectKinds, { title: 'ApprovalSubjectKind' }),
    id: text(36, '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'Its id'),
    name: Type.String({
      examples: ['Configuration/Europe/Tills'],
      description: 'The name when the request was made; of a group, its path',
    }),
    currentName: currentName('Configuration/Europe/Tills'),
  },
  { title: 'ApprovalSubject', description: 'A group, a computer or a package that the request is about' },
)

const ApprovalComputer = closed(
  {
    computerId: Id,
    name: text(255, 'PC-0017', 'The name when the request was made'),
    currentName: currentName('PC-0017'),
  },
  { title: 'ApprovalComputer' },
)

export const Approval = closed(
  {
    approvalId: Uuid,
    state: ApprovalState,
    requesterId: { ...Id, description: 'Id of the principal that made the request' },
    requesterName: text(255, 'client-5b1f0e2a9c', 'Its name at that time'),
    operation: Type.String({ examples: ['deleteGroup'], description: 'The operationId of the request' }),
    target: Type.String({
      examples: ['/api/group/3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'],
      description: 'The path of the request',
    }),
    targetName: nullable(
      Type.String({
        examples: ['Configuration/Europe/Tills'],
        description: 'The path of that group or the name of that computer; null once it is deleted',
      }),
    ),
    subjects: Type.Array(ApprovalSubject, {
      maxItems: 100,
      description: 'What the request is about. Contains what the caller may read; administrators see everything.',
    }),
    request: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      examples: [{ query: { force: true } }],
      description: 'Query and body of the request. Secrets are redacted.',
    }),
    computerCount: { ...Int32, minimum: 0, examples: [1200], description: 'How many computers the request affects' },
    firstComputers: Type.Array(ApprovalComputer, {
      maxItems: 20,
      description:
        'The first of these computers by name. Empty without the role `computer.read`, except for administrators.',
    }),
    content: Type.Array(
      text(1000, 'Install firefox 128.0 sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
      {
        maxItems: 100,
        description:
          'What these computers would have got when the request was made: kinds of work, with packages and the hashes of ' +
          'their content. Empty without the role `package.read`, except for administrators.',
      },
    ),
    requestedAtUtc: { ...Instant, description: 'When the request was made' },
    expiresAtUtc: { ...Instant, description: 'Until when it can be approved' },
    decidedAtUtc: nullable({ ...Instant, description: 'When it was approved or denied' }),
    decidedBy: nullable(
      text(
        255,
        'client-77c0d2e41a',
        'Name of the principal that approved or denied it; null if the revocation of its principal did',
      ),
    ),
    answerStatus: nullable({
      ...Int32,
      examples: [204],
      description: 'HTTP status with which the approved request was answered',
    }),
    problemCode: nullable(
      text(
        255,
        'GroupNotFound',
        'Why the approved request failed; `RequesterRevoked` if it was denied because its principal was revoked; otherwise null',
      ),
    ),
  },
  { title: 'Approval' },
)
