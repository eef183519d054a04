import { closed, enumOf, Id, Instant, Int32, nullable, Type, text, Uuid } from '../../../../platform/schema.ts'

const line = (example: string, description?: string) =>
  Type.String({ examples: [example], ...(description && { description }) })

const count = (description: string) => ({ ...Int32, minimum: 0, examples: [1], description })

export const SetupErrorLogEntry = closed(
  {
    id: Type.Integer({ minimum: 1, examples: [1042], description: 'Rises with time' }),
    softwareId: nullable(Uuid),
    softwareName: nullable(line('Greeting')),
    loggedAtUtc: Instant,
    attempt: count('Which attempt at the piece of work it was'),
    exitCode: nullable({ ...Int32, examples: [1603] }),
    commandLine: nullable(line('sh install.sh')),
    output: line('install.sh: no space left on device', 'What the command printed, up to a limit'),
  },
  { title: 'SetupErrorLogEntry' },
)

const DistributionCommands = {
  ...line('Install, Update', 'Names of distribution commands, joined with a comma and a blank; empty for none'),
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
      description: 'None as long as the agent has not reported about it',
    }),
    desiredMode: DistributionCommands,
    currentMode: DistributionCommands,
    installTime: nullable(Instant),
    errorText: nullable(
      line(
        'The command ended with 1603.',
        'Set while the status is Failed, and for a package that fixes patches while it is Pending because there is nothing to fix',
      ),
    ),
    setupErrorLogEntries: Type.Unsafe<(typeof SetupErrorLogEntry)['static'][] | null>({
      ...Type.Array(SetupErrorLogEntry),
      type: ['array', 'null'],
      description: 'With the status Failed: the ten newest entries of the computer, also of other packages',
    }),
  },
  { title: 'SoftwareDeployment' },
)

export const ComputerDistributionEvent = closed(
  {
    id: Type.Integer({ minimum: 1, examples: [1042], description: 'Beyond the contract: rises with time' }),
    computerId: Id,
    hostname: line('pc-0017'),
    domain: nullable(text(255, 'corp.example.org')),
    packageName: nullable(line('Greeting', 'Null when the package is gone')),
    version: nullable(line('1.2.0')),
    result: nullable(line('Success', 'Pending, Running, Success, Failed or Cancelled')),
    classification: nullable(line('Report', 'Activation, Request, Report, Cancellation or Dependency')),
    logDateUtc: nullable(Instant),
    kbNumber: nullable(line('KB5034441')),
    installMode: nullable(line('Install')),
    info: nullable(line('sh install.sh', 'The command line that the agent ran')),
  },
  { title: 'ComputerDistributionEvent' },
)

const criterion = (example: string, description: string, maxLength = 255) =>
  Type.Optional(nullable(text(maxLength, example, description)))

export const DistributionHistorySearchFilter = closed(
  {
    packageName: criterion('greet', 'Part of the name'),
    version: criterion('1.2', 'Beginning of the version'),
    after: Type.Optional({ ...nullable(Instant), description: 'Logged at this time or later' }),
    before: Type.Optional({ ...nullable(Instant), description: 'Logged at this time or earlier' }),
    result: criterion('Success', 'Part of the result'),
    installMode: criterion('Install', 'Part of the mode'),
    info: criterion('install.sh', 'Part of the command line', 1_000),
  },
  {
    title: 'DistributionHistorySearchFilter',
    description: 'Criteria that must all hold; null and an empty text are none. Upper and lower case are the same.',
  },
)
