import { closed, Id, Instant, nullable, Type, text, Uuid } from '../../../platform/schema.ts'

export const EnrolmentTokenPath = closed({ id: Id })

export const ReEnrolmentPath = closed({ id: Id })

const description = nullable(text(1000, 'Tills of the northern branches'))

const groupId = nullable({ ...Uuid, description: 'Group into which computers are put that enrol with it' })

const maxUses = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    format: 'int32',
    examples: [250],
    description: 'How many computers may enrol with it; null for any number',
  }),
)

const properties = {
  id: Id,
  description,
  groupId,
  maxUses,
  uses: Type.Integer({ minimum: 0, format: 'int32', examples: [3], description: 'Computers that enrolled with it' }),
  createdAtUtc: Instant,
  expiresAtUtc: Instant,
  revokedAtUtc: nullable(Instant),
}

export const EnrolmentToken = closed(properties, { title: 'EnrolmentToken' })

export const CreatedEnrolmentToken = closed(
  {
    ...properties,
    token: Type.String({
      examples: ['enrol-the-token-is-shown-here-once'],
      description: 'What agents enrol with. It cannot be read again.',
    }),
  },
  { title: 'CreatedEnrolmentToken' },
)

export const EnrolmentTokenRequest = closed(
  {
    description: Type.Optional(description),
    groupId: Type.Optional(groupId),
    maxUses: Type.Optional(maxUses),
    expiresAtUtc: { ...Instant, examples: ['2099-12-31T00:00:00.000Z'] },
  },
  { title: 'EnrolmentTokenRequest' },
)

export const ReEnrolmentRequest = closed(
  {
    untilUtc: Type.Optional(
      nullable({
        ...Instant,
        examples: ['2099-12-31T00:00:00.000Z'],
        description: 'How long another agent may take over the computer; 24 hours unless given',
      }),
    ),
  },
  { title: 'ReEnrolmentRequest' },
)

export const ReEnrolment = closed({ clientId: Id, untilUtc: Instant }, { title: 'ReEnrolment' })
