import { closed, enumOf, Id, Instant, Int32, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { agentKinds } from '../agent-kinds.ts'
import { SuspensionMode } from '../suspension.ts'

const hash = (description: string) => text(64, 'a'.repeat(64), description)

const minutes = (description: string) => Type.Number({ minimum: 0, examples: [60], description })

const count = (description: string) => ({ ...Int32, minimum: 0, examples: [1], description })

const UemAgentDesiredState = closed(
  {
    templateId: { ...nullable(Uuid), description: 'The effective agent template; null without one' },
    templateName: nullable(Type.String({ examples: ['Agent of the branches'] })),
    templateVersion: nullable(Type.String({ examples: ['1.2.0'] })),
    settingsHash: hash('SHA-256 of its settings in hexadecimal digits; without a template, of no settings'),
    contactIntervalMinutes: minutes('How often the agent is to come'),
  },
  { title: 'UemAgentDesiredState' },
)

const UemAgentInventory = closed(
  {
    agentKind: enumOf(agentKinds, { description: 'Our own agent, or one that was there before' }),
    agentVersion: nullable(Type.String({ examples: ['0.1.0'] })),
    platform: nullable(Type.String({ examples: ['linux-x64'] })),
    enrolledAtUtc: Instant,
    runsWithSettingsHash: nullable(hash('Of the settings with which the agent runs')),
    loggedOnUser: nullable(Type.String({ examples: ['alice'] })),
    stateChangedUtc: { ...nullable(Instant), description: 'When the agent last said something new about itself' },
    duplicateIdentitySeenUtc: {
      ...nullable(Instant),
      description: 'When two agents were last seen that share this identity; null: never',
    },
  },
  { title: 'UemAgentInventory' },
)

const UemAgentDailyStatus = closed(
  {
    lastContactUtc: Instant,
    suspensionMode: nullable(SuspensionMode),
    suspendedUntilUtc: nullable(Instant),
    openWork: count('Pieces of work that wait or are under way'),
    succeededWork24h: count('Pieces that succeeded in the last 24 hours'),
    failedWork24h: count('Pieces that failed for good in the last 24 hours'),
  },
  { title: 'UemAgentDailyStatus' },
)

const UemAgentPollingWindows = closed(
  {
    intervalMinutes: minutes('Between two contacts; it is spread, and longer while the service is busy'),
    nextContactExpectedUtc: { ...nullable(Instant), description: 'Null before the first contact' },
    nextWorkNotBeforeUtc: {
      ...nullable(Instant),
      description: 'From when on the next piece of work may be handed out; null when none is open',
    },
  },
  { title: 'UemAgentPollingWindows' },
)

export const UemAgentInfo = closed(
  {
    clientId: Id,
    outOfSync: nullable(
      Type.Boolean({
        examples: [false],
        description: 'True until the agent runs with the settings of the effective template; null without an agent',
      }),
    ),
    desiredState: UemAgentDesiredState,
    inventory: nullable(UemAgentInventory),
    dailyStatus: nullable(UemAgentDailyStatus),
    pollingWindows: UemAgentPollingWindows,
  },
  { title: 'UemAgentInfo' },
)
