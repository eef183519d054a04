import { closed, enumOf, Id, Instant, Int32, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { agentKinds } from '../agent-kinds.ts'
import { SuspensionMode } from '../suspension.ts'

const hash = (description: string) => text(64, 'a'.repeat(64), description)

const minutes = (description: string) => Type.Number({ minimum: 0, examples: [60], description })

const count = (description: string) => ({ ...Int32, minimum: 0, examples: [1], description })

const UemAgentDesiredState = closed(
  {
    templateId: {
      ...nullable(Uuid),
      description: 'The effective agent template; null when none is assigned, or it is not released',
    },
    templateName: nullable(Type.String({ examples: ['Agent of the branches'], description: 'Name of the template' })),
    templateVersion: nullable(Type.String({ examples: ['1.2.0'], description: 'Version of the template' })),
    settingsHash: hash('SHA-256 of its settings in hexadecimal digits; without a template, the hash of empty settings'),
    contactIntervalMinutes: minutes('Minutes between two contacts'),
  },
  { title: 'UemAgentDesiredState' },
)

const UemAgentInventory = closed(
  {
    agentKind: enumOf(agentKinds, { description: 'The Muster agent, or an inventory agent that Muster also accepts' }),
    agentVersion: nullable(Type.String({ examples: ['0.1.0'], description: 'Version of the agent' })),
    platform: nullable(Type.String({ examples: ['linux-x64'], description: 'Platform that the agent reports' })),
    enrolledAtUtc: { ...Instant, description: 'When the agent enrolled' },
    runsWithSettingsHash: nullable(hash('Hash of the settings that the agent runs with')),
    loggedOnUser: nullable(Type.String({ examples: ['alice'], description: 'User who is signed in' })),
    stateChangedUtc: { ...nullable(Instant), description: 'When the state that the agent reports last changed' },
    duplicateIdentitySeenUtc: {
      ...nullable(Instant),
      description: 'When two agents with this identity were last seen; null when that never happened',
    },
  },
  { title: 'UemAgentInventory' },
)

const UemAgentDailyStatus = closed(
  {
    lastContactUtc: { ...Instant, description: 'Last contact of the agent' },
    suspensionMode: nullable(SuspensionMode),
    suspendedUntilUtc: nullable({ ...Instant, description: 'End of the suspension; null when it is open-ended' }),
    openWork: count('Work items that wait or are in progress'),
    succeededWork24h: count('Work items that succeeded in the last 24 hours'),
    failedWork24h: count(
      'Work items that failed in the last 24 hours and have not succeeded since, whether or not they are tried again',
    ),
  },
  { title: 'UemAgentDailyStatus' },
)

const UemAgentPollingWindows = closed(
  {
    intervalMinutes: minutes(
      'Minutes between two contacts. Contacts are spread around it, and less frequent while the service is under load.',
    ),
    nextContactExpectedUtc: {
      ...nullable(Instant),
      description:
        'When the next contact is expected: after the interval, or when work becomes due that the agent knows of. In the past, ' +
        'the agent is late; null before the first contact',
    },
    nextWorkNotBeforeUtc: {
      ...nullable(Instant),
      description:
        'When the next work item may be handed out at the earliest; null if none may, because there is none or its schedule is over',
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
        description:
          'True until the agent runs with the settings of the effective template, and for an inventory agent as long as the template has settings that it cannot follow; null when the computer has no agent',
      }),
    ),
    desiredState: UemAgentDesiredState,
    inventory: nullable(UemAgentInventory),
    dailyStatus: nullable(UemAgentDailyStatus),
    pollingWindows: UemAgentPollingWindows,
  },
  { title: 'UemAgentInfo' },
)
