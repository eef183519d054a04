import {
  closed,
  enumOf,
  extensionKeyword,
  Id,
  Instant,
  Int32,
  nullable,
  Type,
  text,
  Uuid,
} from '../../../../platform/schema.ts'

const line = (example: string, description?: string) =>
  Type.String({ examples: [example], ...(description && { description }) })

const count = (description: string) => ({ ...Int32, minimum: 0, examples: [1], description })

export const SetupErrorLogEntry = closed(
  {
    id: Type.Integer({ minimum: 1, examples: [1042], description: 'Increases over time' }),
    softwareId: nullable(Uuid),
    softwareName: nullable(line('Greeting')),
    loggedAtUtc: Instant,
    attempt: count('Number of the attempt at the work item'),
    exitCode: nullable({ ...Int32, examples: [1603] }),
    commandLine: nullable(line('sh install.sh')),
    output: line('install.sh: no space left on device', 'Output of the command, truncated to a limit'),
  },
  { title: 'SetupErrorLogEntry' },
)

const DistributionCommands = {
  ...line(
    'Install, Update',
    'Names of distribution commands, separated by a comma and a space; empty if there are none',
  ),
  title: 'DistributionCommands',
}

export const SoftwareDeployment = closed(
  {
    softwareId: { ...Uuid, description: 'Id of the package' },
    name: nullable(line('Greeting')),
    version: nullable(line('1.2.0')),
    revision: nullable(line('1')),
    status: enumOf(['Pending', 'Success', 'Failed'], { title: 'DeploymentStatus' }),
    installationState: enumOf(['Installed', 'Uninstalled', 'NotInstalled', 'None'], {
      title: 'InstallationState',
      description: 'None until the agent reports about the package',
    }),
    desiredMode: DistributionCommands,
    currentMode: DistributionCommands,
    installTime: nullable(Instant),
    errorText: nullable(
      line(
        'The command ended with 1603.',
        'Set if the status is Failed. Also set for a fix package that is Pending: why it waits',
      ),
    ),
    notApplicable: {
      ...nullable(line('It is for Windows 11; the computer runs Debian GNU/Linux.')),
      description:
        'Why the package is not for the computer; null if it is. Nothing is pending and nothing has failed then: the status ' +
        'is Success',
      [extensionKeyword]: true,
    },
    setupErrorLogEntries: Type.Unsafe<(typeof SetupErrorLogEntry)['static'][] | null>({
      ...Type.Array(SetupErrorLogEntry),
      type: ['array', 'null'],
      description: 'If the status is Failed: the ten newest entries of the computer, including those of other packages',
    }),
  },
  { title: 'SoftwareDeployment' },
)

export const ComputerDistributionEvent = closed(
  {
    id: Type.Integer({ minimum: 1, examples: [1042], description: 'Beyond the contract: increases over time' }),
    computerId: Id,
    hostname: line('pc-0017'),
    domain: nullable(text(255, 'corp.example.org')),
    packageName: nullable(line('Greeting', 'Null if the package has been deleted')),
    version: nullable(line('1.2.0')),
    result: nullable(line('Success', 'Pending, Running, Success, Failed or Cancelled')),
    classification: nullable(line('Report', 'Activation, Request, Report, Cancellation or Dependency')),
    logDateUtc: nullable(Instant),
    kbNumber: nullable(line('KB5034441', 'For the result of a patch: its number, or its key if it has no number')),
    installMode: nullable(line('Install')),
    info: nullable(line('sh install.sh', 'The command line that the agent ran; for a cancellation, the reason')),
  },
  { title: 'ComputerDistributionEvent' },
)

const criterion = (example: string, description: string, maxLength = 255) =>
  Type.Optional(nullable(text(maxLength, example, description)))

export const DistributionHistorySearchFilter = closed(
  {
    packageName: criterion('greet', 'Part of the package name'),
    version: criterion('1.2', 'Start of the version'),
    after: Type.Optional({ ...nullable(Instant), description: 'Logged at this time or later' }),
    before: Type.Optional({ ...nullable(Instant), description: 'Logged at this time or earlier' }),
    result: criterion('Success', 'Part of the result'),
    installMode: criterion('Install', 'Part of the install mode'),
    info: criterion('install.sh', 'Part of the command line or of the reason', 1_000),
  },
  {
    title: 'DistributionHistorySearchFilter',
    description: 'All criteria must match; null and an empty string are ignored. Case-insensitive.',
  },
)
