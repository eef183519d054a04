import { closed, enumOf, Id, Instant, Int32, nullable, Type, Uuid } from '../../../platform/schema.ts'
import { RebootStatus } from '../../agents/api/schemas.ts'
import { SuspensionMode } from '../../agents/suspension.ts'
import { Computer } from '../../computers/api/schemas.ts'
import { GroupConvergence } from '../../convergence/api/schemas.ts'
import {
  ComputerDistributionEvent,
  SetupErrorLogEntry,
  SoftwareDeployment,
} from '../../deployments/api/history/schemas.ts'
import { Task, TaskDetails } from '../../deployments/api/tasks/schemas.ts'
import { GroupRule } from '../../groups/api/rule-schemas.ts'
import { Group } from '../../groups/api/schemas.ts'
import { EndpointHealth } from '../../issues/api/health-schemas.ts'
import { IssueOverviewItem } from '../../issues/api/schemas.ts'
import { FleetStatistics } from '../../issues/api/statistics-schemas.ts'
import { RolloutSummary } from '../../rollouts/api/schemas.ts'
import { visibleGroupKinds } from '../pages/group-summaries.ts'
import { maxCountedSingles } from '../pages/overview.ts'
import { countSchema, FleetComputer, GroupOfComputer } from './schemas.ts'

export const line = (example: string, description: string) => Type.String({ examples: [example], description })

const { healthStatus, agentStatus, operatingSystem, ipAddress, manufacturer, model, architecture } =
  EndpointHealth.properties
const { setupErrorLogEntries: _, ...softwareDeployment } = SoftwareDeployment.properties

const PackageOfComputer = closed(
  {
    ...softwareDeployment,
    assignedGroupId: nullable({ ...Uuid, description: 'The group whose assignment is effective; null without one' }),
    assignedGroupPath: nullable(line('Configuration/Berlin', 'Names of that group and of its ancestors')),
    softwareClassId: nullable({ ...Id, description: 'The software class through which the package is assigned' }),
  },
  { title: 'PackageOfComputer' },
)

export const ComputerPage = closed(
  {
    computer: Computer,
    role: FleetComputer.properties.role,
    ...{ healthStatus, agentStatus, operatingSystem },
    osVersion: FleetComputer.properties.osVersion,
    ...{ ipAddress, manufacturer, model, architecture },
    memoryMb: nullable({ ...Int32, minimum: 0, examples: [16384], description: 'Memory in MiB' }),
    loggedOnUser: FleetComputer.properties.loggedOnUser,
    agentVersion: nullable(line('0.1.0', 'Version of the agent')),
    nextContactUtc: nullable({
      ...Instant,
      description:
        'When the next contact of the agent is expected. A time in the past means that the agent is late; null without a contact',
    }),
    lastReboot: RebootStatus.properties.lastReboot,
    rebootRequired: RebootStatus.properties.rebootRequired,
    suspensionMode: nullable(SuspensionMode),
    suspendedUntil: nullable({ ...Instant, description: 'Null without a suspension, and for one without an end' }),
    issues: IssueOverviewItem.properties.issues,
    groups: Type.Array(GroupOfComputer, { description: 'Groups that the computer is a direct member of, by name' }),
    sameUuid: Type.Array(closed({ id: Id, hostname: line('till-8', 'Its name') }, { title: 'ComputerWithSameUuid' }), {
      description:
        'Other computers with the same UUID, at most 50. If there are some, the UUID identifies none of them.',
    }),
    packages: Type.Array(PackageOfComputer, { description: 'As in listSoftwareDeployments, with their origin' }),
    latestEvents: Type.Array(ComputerDistributionEvent, { description: 'The 20 latest distribution events' }),
    latestTasks: Type.Array(Task, { description: 'The 10 latest tasks with work for the computer' }),
    latestErrors: Type.Array(SetupErrorLogEntry, { description: 'The output of the 10 latest failed commands' }),
  },
  { title: 'ComputerPage' },
)

export const groupSummary = {
  ...Group.properties,
  path: line('Configuration/Berlin/Workstations', 'Names of the group and of its ancestors'),
  kind: enumOf(visibleGroupKinds, { title: 'VisibleGroupKind' }),
  members: countSchema('Number of direct members'),
  computers: countSchema('Number of computers in the group and in the groups below it'),
}

export const GroupSummary = closed(groupSummary, { title: 'GroupSummary' })

export const assignmentTypesOfPage = [
  'Package',
  'SoftwareClass',
  'AgentTemplate',
  'LanguagePackImport',
  'VariableConfiguration',
  'OsImageSku',
  'PxeBootImage',
] as const

export const statusCounts = {
  total: countSchema('Computers to which it is assigned'),
  success: countSchema('Of these, with a successful deployment'),
  failed: countSchema('Of these, with a failed deployment'),
  pending: countSchema('Of these, without a result yet'),
  notApplicable: countSchema('Of these, with an operating system or architecture that it is not for'),
}

export const assignmentFields = {
  type: Type.Unsafe<(typeof assignmentTypesOfPage)[number]>({
    type: 'string',
    enum: [...assignmentTypesOfPage],
    title: 'AssignmentTypeOfGroup',
  }),
  objectId: line('3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'Id of the object; a number for some types'),
  name: line('Greeting', 'Name of the object'),
  version: nullable(line('1.2.0', 'Version of a package, template or language pack')),
  originGroupId: { ...Uuid, description: 'The group with the assignment: this one or one of its ancestors' },
  originGroupPath: line('Configuration/Berlin', 'Names of that group and of its ancestors'),
}

const AssignmentOfGroup = closed(
  {
    ...assignmentFields,
    isInherited: Type.Boolean({ examples: [false], description: 'Whether an ancestor has the assignment' }),
    status: nullable(
      closed(statusCounts, {
        title: 'AssignmentStatus',
        description:
          'Computers in the group and below by deployment of the package, as in getPackageStatus; null for other types, and ' +
          'without the role package.read',
      }),
    ),
  },
  { title: 'AssignmentOfGroup' },
)

const OptionSource = closed(
  {
    packageId: nullable({ ...Uuid, description: 'The package; null for the group as a whole' }),
    isForPackage: Type.Boolean({
      examples: [true],
      description: 'Whether they are options of the package, not of all packages of the group that has them',
    }),
    sourceGroupId: { ...Uuid, description: 'The group that has the options. Without options there is no entry' },
    sourceGroupPath: line('Configuration/Berlin', 'Names of that group and of its ancestors'),
  },
  { title: 'OptionSource' },
)

export const GroupPage = closed(
  {
    ...groupSummary,
    subgroups: Type.Array(GroupSummary, { description: 'The groups directly below, by name; at most 500' }),
    assignments: Type.Array(AssignmentOfGroup, {
      description: 'What is effective for the group: its own assignments and those of its ancestors, by type and name',
    }),
    rule: GroupRule,
    convergence: GroupConvergence,
    optionSources: Type.Array(OptionSource, {
      description: 'Where the distribution options of the group as a whole and of its packages come from',
    }),
    health: nullable(
      closed(
        {
          Healthy: countSchema('Healthy computers'),
          Warning: countSchema('Computers within reach that have an issue'),
          Unreachable: countSchema('Computers out of reach'),
        },
        {
          title: 'GroupHealth',
          description:
            'Health of the computers in the group and below, as of the last count of the fleet; null without the role computer.read',
        },
      ),
    ),
  },
  { title: 'GroupPage' },
)

const { total, open, succeeded, failed, cancelled } = TaskDetails.properties

const RunningTask = closed({ task: Task, total, open, succeeded, failed, cancelled }, { title: 'RunningTask' })

const RunningSingles = closed(
  { type: Task.properties.type, tasks: countSchema('How many of these tasks have open work') },
  { title: 'RunningSingles' },
)

/** They contain paths of the machine of the service. */
const InstallationCommands = closed(
  {
    isClone: Type.Boolean({
      examples: [true],
      description:
        'Whether the service runs from a clone, as the user who started it; otherwise the commands need root',
    }),
    copyExample: line(
      'cp -r /srv/muster/examples/packages/greeting /srv/muster/data/packages/',
      'Copies the example package into the package store',
    ),
    useProviders: nullable(
      line(
        'MUSTER_OIDC_PROVIDERS_FILE="$PWD/providers.json" npm --prefix /srv/muster start',
        'Starts the service with identity providers; null in a container',
      ),
    ),
    backUp: line('npm --prefix /srv/muster run backup -- "$PWD/muster.backup"', 'Backs up all data'),
  },
  {
    title: 'InstallationCommands',
    description: 'Commands for the machine of this service, with its folders; null without the role admin.manage',
  },
)

export const FleetOverview = closed(
  {
    statistics: FleetStatistics,
    runningRollouts: Type.Array(RolloutSummary, { description: 'The 10 newest rollouts that have not ended' }),
    runningTasks: Type.Array(RunningTask, {
      description: 'The 10 newest tasks of groups with open work that belong to no rollout',
    }),
    runningSingles: Type.Array(RunningSingles, {
      description: `How many tasks of single computers have open work, by their type; at most ${maxCountedSingles} are counted`,
    }),
    waitingAgents: nullable(
      countSchema('Agents in quarantine, which wait for confirmation; null without the role admin.manage'),
    ),
    steps: closed(
      {
        hasComputer: Type.Boolean({ examples: [true], description: 'An agent has contacted the server' }),
        hasPackage: nullable(
          Type.Boolean({ examples: [true], description: 'A package exists; null without the role package.read' }),
        ),
        hasDeployment: Type.Boolean({ examples: [true], description: 'A package was deployed successfully' }),
        hasIdentityProvider: Type.Boolean({ examples: [false], description: 'People can sign in with a provider' }),
        lastBackupUtc: nullable({
          ...Instant,
          description:
            'When the backup command last succeeded; null if it never did, and without the role admin.manage',
        }),
        commands: nullable(InstallationCommands),
      },
      { title: 'FirstSteps', description: 'What a new installation has already done' },
    ),
  },
  { title: 'FleetOverview' },
)
