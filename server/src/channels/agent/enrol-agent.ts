import { enrol } from '../../features/enrolment/enrol.ts'
import { alreadyEnrolled, enrolmentTokenInvalid } from '../../features/enrolment/problems.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Id, nullable, Type, text, Uuid } from '../../platform/schema.ts'
import { invalidPart } from '../../platform/validation.ts'

const name = (maxLength: number, example: string) => Type.String({ maxLength, pattern: '\\S', examples: [example] })

const EnrolmentComputer = closed(
  {
    name: name(255, 'till-7'),
    domain: name(255, 'corp.example.org'),
    isDomain: Type.Boolean({ examples: [true] }),
    uuid: nullable(Uuid),
    macAddress: nullable(
      Type.String({ pattern: '^[\\dA-Fa-f]{2}([:.-]?[\\dA-Fa-f]{2}){5}$', examples: ['02:00:5e:00:53:17'] }),
    ),
  },
  { title: 'EnrolmentComputer' },
)

export const enrolAgent = operation({
  id: 'enrolAgent',
  route: 'POST /agent/v1/enrolment',
  summary: 'Exchange an enrolment token for the credential of an agent',
  description: [
    'A computer that is known is found by its UUID, else by its MAC address, else by its name and domain.',
    'Repeated with the same enrolmentKey, it gives a new credential and does not use the token again.',
  ].join('\n'),
  role: 'no token',
  rateLimit: ({ enrolmentRateLimit }) => enrolmentRateLimit,
  bodyLimit: 16_384,
  body: closed(
    {
      token: Type.String({ maxLength: 200, writeOnly: true, examples: ['enrol-the-token-that-was-shown-once'] }),
      enrolmentKey: Type.String({
        minLength: 32,
        maxLength: 100,
        writeOnly: true,
        examples: ['a-random-text-that-the-agent-keeps-for-itself'],
        description: 'Chosen and kept by the agent before the first call',
      }),
      computer: EnrolmentComputer,
      agent: closed({ version: text(50, '0.1.0'), platform: text(50, 'Linux') }, { title: 'EnrolmentAgent' }),
    },
    { title: 'EnrolmentRequest' },
  ),
  returns: ok(
    closed(
      { clientId: Id, credential: Type.String({ examples: ['agent-17.the-secret-is-shown-here-once'] }) },
      { title: 'AgentCredential' },
    ),
  ),
  problems: [enrolmentTokenInvalid, alreadyEnrolled],
  async handle({ body, db, services: { keys } }) {
    const { computer, agent, token, enrolmentKey } = body
    const enrolled = await enrol(db, keys, {
      ...agent,
      ...computer,
      name: computer.name.trim(),
      domain: computer.domain.trim(),
      tokenHash: keys.hashSecret(token),
      keyHash: keys.hashSecret(enrolmentKey),
    })
    if (enrolled === 'InvalidToken')
      throw enrolmentTokenInvalid().withHeaders({ 'www-authenticate': 'Bearer realm="muster-agent"' })
    if (enrolled === 'NoIdentity') throw invalidPart('body', 'computer.uuid', 'or a macAddress is required')
    if (enrolled === 'AlreadyEnrolled') throw alreadyEnrolled()
    return enrolled
  },
})
