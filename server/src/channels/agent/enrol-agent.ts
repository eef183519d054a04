import { enrol } from '../../features/enrolment/enrol.ts'
import type { Enrolment } from '../../features/enrolment/enrolment-audit.ts'
import { refusedEnrolment } from '../../features/enrolment/enrolment-audit.ts'
import { alreadyEnrolled, enrolmentTokenInvalid, quarantineFull } from '../../features/enrolment/problems.ts'
import { isReEnrolmentCode } from '../../features/enrolment/re-enrolment-codes.ts'
import { confirmByEnrolment } from '../../features/os-deployment/confirm-report.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Id, nameText, nullable, Type, text, Uuid } from '../../platform/schema.ts'
import { invalidPart } from '../../platform/validation.ts'
import { findInstalledComputer } from '../pxe/installed-computer.ts'
import { bootTokenInvalid } from '../pxe/problems.ts'

const EnrolmentComputer = closed(
  {
    name: nameText(255, 'till-7', 'Name of the computer'),
    domain: nameText(255, 'corp.example.org', 'Domain or workgroup of the computer'),
    isDomain: Type.Boolean({ examples: [true], description: 'Whether `domain` is a domain, not a workgroup' }),
    uuid: nullable({ ...Uuid, description: 'UUID of the firmware' }),
    macAddress: nullable(
      Type.String({
        pattern: '^[\\dA-Fa-f]{2}([:.-]?[\\dA-Fa-f]{2}){5}$',
        examples: ['02:00:5e:00:53:17'],
        description: 'MAC address of the main network adapter',
      }),
    ),
  },
  {
    title: 'EnrolmentComputer',
    description: 'The computer on which the agent runs; a UUID or a MAC address is required',
  },
)

export const enrolAgent = operation({
  id: 'enrolAgent',
  route: 'POST /agent/v1/enrolment',
  summary: 'Exchange an enrolment token for an agent credential',
  description: [
    'Finds an existing computer by its UUID, otherwise by its MAC address, otherwise by its name and domain. Creates the computer when none matches.',
    'An agent that matches a computer by less than its UUID, or several computers equally, goes to quarantine, unless it enrols with a re-enrolment code or proves that Muster installs the computer, whose UUID is not known: its credential opens nothing until a person confirms it.',
    'An agent that repeats the call with the same enrolmentKey gets a new credential; this does not use the token or code again.',
    'Answers 409 when the computer has another agent and the token is not a re-enrolment code of the computer.',
  ].join('\n'),
  role: 'no token',
  rateLimit: ({ enrolmentRateLimit }) => enrolmentRateLimit,
  bodyLimit: 16_384,
  body: closed(
    {
      token: Type.String({
        maxLength: 200,
        writeOnly: true,
        examples: ['enrol-the-token-that-was-shown-once'],
        description: 'An enrolment token, or the re-enrolment code of the computer',
      }),
      enrolmentKey: Type.String({
        minLength: 32,
        maxLength: 100,
        writeOnly: true,
        examples: ['a-random-text-that-the-agent-keeps-for-itself'],
        description: 'Random text that the agent stores before its first call and sends with every repetition',
      }),
      installation: Type.Optional(
        nullable(
          Type.String({
            maxLength: 1_000,
            writeOnly: true,
            examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxNyJ9.c2lnbmF0dXJl'],
            description:
              'The token of the boot script with which Muster installs the computer, if an installer enrols the agent',
          }),
        ),
      ),
      computer: EnrolmentComputer,
      agent: closed(
        { version: text(50, '0.1.0', 'Version of the agent'), platform: text(50, 'Linux', 'Platform of the agent') },
        { title: 'EnrolmentAgent', description: 'The agent itself' },
      ),
    },
    { title: 'EnrolmentRequest' },
  ),
  returns: ok(
    closed(
      {
        clientId: { ...Id, description: 'Id of the computer' },
        credential: Type.String({
          examples: ['agent-17.the-secret-is-shown-here-once'],
          description: 'Bearer token for all other calls; it is shown only once',
        }),
        quarantined: Type.Boolean({
          examples: [false],
          description: 'The credential opens nothing until a person confirms the agent',
        }),
      },
      { title: 'AgentCredential' },
    ),
  ),
  problems: [enrolmentTokenInvalid, alreadyEnrolled, quarantineFull, bootTokenInvalid],
  async handle({ body, db, services, request }) {
    const { keys } = services
    const { computer, agent, token, enrolmentKey, installation } = body
    const enrolment: Enrolment = {
      ...agent,
      ...computer,
      kind: 'Muster',
      name: computer.name.trim(),
      domain: computer.domain.trim(),
      tokenHash: keys.hashSecret(token),
      isCode: isReEnrolmentCode(token),
      keyHash: keys.hashSecret(enrolmentKey),
      installedComputerId: installation ? await findInstalledComputer(db, services, request, installation) : null,
      address: request.ip,
      requestId: request.id,
    }
    const enrolled = await enrol(db, services, enrolment)
    if (enrolled === 'InvalidToken')
      throw enrolmentTokenInvalid().withHeaders({ 'www-authenticate': 'Bearer realm="muster-agent"' })
    if (enrolled === 'NoIdentity') throw invalidPart('body', 'computer.uuid', 'or computer.macAddress is required')
    if (enrolled === 'AlreadyEnrolled') throw alreadyEnrolled().withAudit(refusedEnrolment(enrolment, enrolled))
    if (enrolled === 'QuarantineFull') throw quarantineFull().withAudit(refusedEnrolment(enrolment, enrolled))
    const { clientId, credential, isQuarantined, event } = enrolled
    // Nothing was installed on a computer that did not exist.
    if (!isQuarantined && event !== 'Created') await confirmByEnrolment(db, clientId)
    return { clientId, credential, quarantined: isQuarantined }
  },
})
