import {
  closed,
  enumOf,
  Id,
  Instant,
  Int32,
  nullable,
  pagedResultOf,
  Type,
  text,
  Uuid,
} from '../../../platform/schema.ts'
import { connectedNowSchema } from '../../computers/api/schemas.ts'
import { EndpointHealth } from '../../issues/api/health-schemas.ts'
import { IssueNameSchema } from '../../issues/api/schemas.ts'

const { hostname, agentStatus, healthStatus, operatingSystem, ipAddress, manufacturer, model } =
  EndpointHealth.properties

export const countSchema = (description: string) => ({ ...Int32, minimum: 0, examples: [17], description })

const line = (example: string, description: string) => Type.String({ examples: [example], description })

export const GroupOfComputer = closed(
  {
    groupId: Uuid,
    name: line('Workstations', 'Name of the group'),
    path: line('Configuration/Berlin/Workstations', 'Names of the group and of its ancestors'),
    assignedToTree: line('ConfigurationGroups', 'Tree of the group'),
    isByRule: Type.Boolean({ examples: [false], description: 'Whether the rule of the group has added the computer' }),
  },
  { title: 'GroupOfComputer' },
)

/** The age of what is recorded whenever the fleet is counted. */
export const ageOfStates = {
  calculatedAtUtc: nullable({
    ...Instant,
    description: 'When agent status, health and issues were last evaluated; null before the first time',
  }),
  ageSeconds: nullable({ ...Int32, minimum: 0, examples: [12], description: 'How many seconds ago that was' }),
}

const SelectedSoftware = closed(
  { name: line('openssl', 'Name of the software'), version: nullable(line('3.0.15-1~deb12u1', 'Its version')) },
  { title: 'SelectedSoftware' },
)

export const FleetComputer = closed(
  {
    id: Id,
    hostname,
    domain: nullable(text(255, 'corp.example.org', 'Domain or workgroup')),
    role: enumOf(['Client', 'DepotServer', 'MasterServer'], {
      title: 'ComputerRole',
      description: 'MasterServer: the machine that Muster runs on, which needs no agent',
    }),
    operatingSystem,
    osVersion: nullable(line('10.0.26100', 'Version of the operating system')),
    loggedOnUser: nullable(line('alice', 'User who is signed in')),
    ipAddress,
    serialNumber: nullable(text(255, 'PF3K9XYZ', 'Serial number in the BIOS record')),
    manufacturer,
    model,
    healthStatus,
    agentStatus,
    lastSeenUtc: nullable({ ...Instant, description: 'Last contact of the agent; null before the first one' }),
    connectedNow: connectedNowSchema,
    nextContactUtc: nullable({
      ...Instant,
      description:
        'When the next contact of the agent is expected; a time in the past if it is late. Null while it is connected, and before its first contact',
    }),
    issues: Type.Array(IssueNameSchema, { description: 'Issues by the default thresholds of the sweeps' }),
    groups: Type.Array(GroupOfComputer, { description: 'Groups that the computer is a direct member of, by name' }),
    software: Type.Unsafe<{ name: string; version: string | null }[] | null>({
      type: ['array', 'null'],
      items: SelectedSoftware,
      description: 'What the parameter `software` selects on the computer; null without it',
    }),
  },
  { title: 'FleetComputer' },
)

export const FleetComputers = closed(
  {
    ...pagedResultOf(FleetComputer).properties,
    ...ageOfStates,
  },
  { title: 'FleetComputers' },
)

const valueCounts = (description: string) =>
  Type.Array(
    closed(
      {
        value: nullable(line('Windows 11 Enterprise', 'Value of the parameter; null if it is unknown')),
        count: countSchema('Number of computers'),
      },
      { title: 'ValueCount' },
    ),
    { description },
  )

export const ComputerFacets = closed(
  {
    computers: countSchema('Number of computers that meet the whole filter'),
    operatingSystem: valueCounts('By operating system'),
    healthStatus: valueCounts('By health'),
    agentStatus: valueCounts('By agent status'),
    lastContact: valueCounts('By the age of the last contact'),
    connection: valueCounts('By whether the agent is connected'),
    issue: valueCounts('By issue; a computer with several issues counts for each'),
    patchAge: valueCounts('By the age of the oldest missing security patch'),
    missingSeverity: valueCounts('By the severity of the most severe missing patch'),
    nextContact: valueCounts('By the next contact of the agent, as expected'),
    ...ageOfStates,
  },
  { title: 'ComputerFacets' },
)

export const FilterValue = closed(
  {
    value: line('Custom01=Room 4.17', 'Value of the parameter; empty if the property is unknown'),
    name: line('Room 4.17', 'What people call it; empty if the property is unknown'),
    count: countSchema('Number of computers'),
  },
  { title: 'FilterValue' },
)

export const GroupCount = closed(
  {
    groupId: Uuid,
    name: line('Workstations', 'Name of the group'),
    path: line('Configuration/Berlin/Workstations', 'Names of the group and of its ancestors'),
    count: countSchema('Number of direct members among the computers'),
  },
  { title: 'GroupCount' },
)
