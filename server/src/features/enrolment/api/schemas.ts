import { closed, Id, Instant, nullable, Type, text, Uuid } from '../../../platform/schema.ts'

export const EnrolmentTokenPath = closed({ id: Id })

export const ReEnrolmentPath = closed({ id: Id })

const description = nullable(text(1000, 'Tills of the northern branches', 'What the token is for'))

const groupId = nullable({ ...Uuid, description: 'Group that computers join when they enrol with the token' })

const maxUses = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    format: 'int32',
    examples: [250],
    description: 'How many computers may enrol with the token; null for any number',
  }),
)

const properties = {
  id: Id,
  description,
  groupId,
  maxUses,
  uses: Type.Integer({
    minimum: 0,
    format: 'int32',
    examples: [3],
    description: 'How many computers have enrolled with the token',
  }),
  createdAtUtc: { ...Instant, description: 'When the token was created' },
  expiresAtUtc: { ...Instant, description: 'When the token expires' },
  revokedAtUtc: nullable({ ...Instant, description: 'When the token was revoked; null when it was not' }),
}

export const EnrolmentToken = closed(properties, { title: 'EnrolmentToken' })

export const CreatedEnrolmentToken = closed(
  {
    ...properties,
    token: Type.String({
      examples: ['enrol-the-token-is-shown-here-once'],
      description: 'What agents enrol with. It is shown only once.',
    }),
  },
  { title: 'CreatedEnrolmentToken' },
)

export const EnrolmentTokenRequest = closed(
  {
    description: Type.Optional(description),
    groupId: Type.Optional(groupId),
    maxUses: Type.Optional(maxUses),
    expiresAtUtc: { ...Instant, examples: ['2099-12-31T00:00:00.000Z'], description: 'When the token expires' },
  },
  { title: 'EnrolmentTokenRequest' },
)

export const ReEnrolmentRequest = closed(
  {
    untilUtc: Type.Optional(
      nullable({
        ...Instant,
        examples: ['2099-12-31T00:00:00.000Z'],
        description: 'Until when another agent may take over the computer; by default for 24 hours',
      }),
    ),
  },
  { title: 'ReEnrolmentRequest' },
)

export const ReEnrolment = closed(
  { clientId: Id, untilUtc: { ...Instant, description: 'Until when another agent may take over the computer' } },
  { title: 'ReEnrolment' },
)
