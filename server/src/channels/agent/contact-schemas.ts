import { closed, enumOf, Instant, nullable, sha256, Type, text, Uuid } from '../../platform/schema.ts'
import { PreDownloadReports, Upcoming } from './pre-download-schemas.ts'
import { AgentWorkItem, RunId, WorkOffer } from './schemas.ts'
import { WorkContent, WorkEnvironment } from './started-work-schema.ts'
import { ContactProgress, ContactResults, ResultReceipts, WithdrawnWork } from './work-reports.ts'

const Suspension = closed(
  {
    mode: enumOf(['Suspended', 'PresentationMode', 'MaintenanceMode'], { description: 'Why the agent is suspended' }),
    untilUtc: nullable({ ...Instant, description: 'End of the suspension; null when it is open-ended' }),
  },
  { title: 'AgentSuspension', description: 'While the agent is suspended it gets no work; null when it is not' },
)

const sectionHash = sha256('Hash of the section')

export const Contact = closed(
  {
    runId: RunId,
    agentVersion: text(50, '0.1.0', 'Version of the agent'),
    platform: text(50, 'Linux', 'Platform of the computer'),
    environment: enumOf(['OperatingSystem', 'PreOs'], {
      description:
        'PreOs when the agent runs before an operating system is installed; it then gets only pre-OS packages',
    }),
    bootTimeUtc: { ...Instant, description: 'When the computer last started' },
    rebootRequired: Type.Boolean({ examples: [false], description: 'The operating system needs a reboot' }),
    rebootRequiredSource: nullable(text(255, 'linux-image', 'What requires the reboot')),
    suspension: nullable(Suspension),
    loggedOnUser: nullable(text(255, 'mia', 'User who is signed in')),
    ipAddress: nullable(text(45, '10.1.2.3', 'Address of the computer; null keeps the stored one')),
    settingsHash: nullable(text(64, sectionHash.examples[0], 'Hash of the settings that the agent runs with')),
    sections: Type.Unsafe<Record<string, string>>({
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[A-Za-z]{1,50}$' },
      additionalProperties: { type: 'string', pattern: sectionHash.pattern },
      maxProperties: 50,
      examples: [{ system: sectionHash.examples[0] }],
      description: 'Hash of each inventory section that the agent has collected',
    }),
    wants: Type.Array(Uuid, { maxItems: 200, description: 'Optional packages that the user has requested' }),
    emptyHanded: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [true],
        description:
          'This process has none of the work that was handed to it. Work that it has not started is handed out again.',
      }),
    ),
    canRotateCredential: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [true],
        description: 'The agent replaces its credential when the answer offers another one',
      }),
    ),
    canStartAtContact: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [true],
        description: 'The agent begins work with the content that the answer carries, without a request for each start',
      }),
    ),
    connected: Type.Optional(
      Type.Boolean({
        examples: [true],
        description:
          'The agent has a wake connection, so the answer may ask it for fewer contacts. If it loses the connection for longer than a few minutes, it makes contact at the interval of its settings again.',
      }),
    ),
    results: Type.Optional(ContactResults),
    inProgress: Type.Optional(ContactProgress),
    preDownloads: Type.Optional(PreDownloadReports),
  },
  { title: 'AgentContact' },
)

const Settings = closed(
  {
    hash: sha256('Hash of the settings; the agent reports it at its next contacts'),
    values: Type.Unsafe<Record<string, string | number | boolean>>({
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
      examples: [{ contactIntervalMinutes: 60 }],
      description: 'The settings of the effective agent template',
    }),
  },
  { title: 'AgentSettings', description: 'The settings to run with; null when the agent already has them' },
)

/** How long a freeze or a cancellation may go unnoticed by an agent that has the content of work. */
export const beginWithinSeconds = 30

const ContactWork = closed({ ...AgentWorkItem.properties, content: Type.Optional(WorkContent) }, { title: 'WorkItem' })

export const ContactAnswer = closed(
  {
    serverTimeUtc: { ...Instant, description: 'Time of the server' },
    nextContactSeconds: Type.Number({ examples: [3480.5], description: 'Seconds until the next contact' }),
    settings: nullable(Settings),
    sections: Type.Array(text(50, 'system'), { description: 'Inventory sections that the agent must send' }),
    work: Type.Array(ContactWork, { description: 'Work items that are leased to the agent, in the order to do them' }),
    environment: Type.Optional(WorkEnvironment),
    beginWithinSeconds: Type.Optional(
      Type.Integer({
        examples: [beginWithinSeconds],
        description:
          'For this long after its contact, the agent may begin work with its content, including what it reported in `inProgress`. Later, it makes contact again first: until then a freeze or a cancellation may have stopped the work.',
      }),
    ),
    results: Type.Optional(ResultReceipts),
    withdrawn: Type.Optional(WithdrawnWork),
    hasUpcoming: Type.Optional(
      Type.Boolean({
        examples: [true],
        description:
          'There is content to download before its time. An agent that can do so makes another contact with `preDownloads`.',
      }),
    ),
    upcoming: Type.Optional(Upcoming),
    offers: Type.Array(WorkOffer, { description: 'Optional packages that the user may request' }),
    credential: Type.Optional(
      Type.String({
        examples: ['agent-17.the-next-secret'],
        description:
          'The credential to use from now on. The agent stores it before it uses it; the current one ends when it does.',
      }),
    ),
    quarantined: Type.Optional(
      Type.Boolean({
        examples: [true],
        description: 'Set while the agent is in quarantine: it gets nothing until a person confirms it',
      }),
    ),
  },
  { title: 'AgentContactAnswer' },
)
