import { closed, enumOf, Id, Instant, nullable, Type, text, Uuid } from '../../../platform/schema.ts'
import { agentKinds } from '../../agents/agent-kinds.ts'
import { matchProperties } from '../matching-computer.ts'

export const EnrolmentTokenPath = closed({ id: Id })

export const ReEnrolmentPath = closed({ id: Id })

export const AgentPath = closed({ id: Id })

export const QuarantinedAgentPath = closed({ id: Id })

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
  groupPath: nullable(
    Type.String({
      examples: ['Configuration/Branches/North'],
      description: 'Names of that group and of its ancestors; null without a group or without the role group.read',
    }),
  ),
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

const command = (example: string, description: string) => Type.String({ examples: [example], description })

const fusionAddress = 'https://muster.example.org/agent/fusion/enrol-…'

const EnrolmentCommands = closed(
  {
    linux: command(
      'script=$(curl -fsSL https://muster.example.org/install/linux.sh) && printf %s enrol-… | sudo sh -c "$script"',
      'Installs and enrols the agent of Muster. While no package of it is designated and released: enrols one that is installed',
    ),
    linuxGlpi: command(`echo 'server = ${fusionAddress}' > …`, 'For a GLPI agent on Linux'),
    linuxFusion: command(`echo 'server = ${fusionAddress}' >> …`, 'For a FusionInventory agent on Linux'),
    windows: command(
      'cd /d "%ProgramFiles%" && %SystemRoot%\\System32\\curl.exe -fsSLo muster-agent.msi https://muster.example.org/install/files/… && … && start /wait %SystemRoot%\\System32\\msiexec.exe /i muster-agent.msi /qn && …',
      'Installs and enrols the agent of Muster, in an elevated prompt of cmd: downloads its installer, checks the SHA-256 and runs it. While no package with the installer is designated and released, the file must be in the current folder',
    ),
    windowsGlpi: command(`%SystemRoot%\\System32\\reg.exe add … /d ${fusionAddress} /f`, 'For a GLPI agent on Windows'),
    windowsFusion: command(
      `%SystemRoot%\\System32\\reg.exe add … /d ${fusionAddress} /f`,
      'For a FusionInventory agent on Windows',
    ),
    macGlpi: command(`echo 'server = ${fusionAddress}' > …`, 'For a GLPI agent on macOS'),
    macFusion: command(`echo 'server = ${fusionAddress}' >> …`, 'For a FusionInventory agent on macOS'),
  },
  {
    title: 'EnrolmentCommands',
    description:
      'Commands that enrol a computer with the token. They are run as root or in an elevated prompt. Null if the request does not show the address of the service, which MUSTER_PUBLIC_URL sets.',
  },
)

export const CreatedEnrolmentToken = closed(
  {
    ...properties,
    token: Type.String({
      examples: ['enrol-the-token-is-shown-here-once'],
      description: 'What agents enrol with. It is shown only once.',
    }),
    commands: nullable(EnrolmentCommands),
    installs: closed(
      {
        linux: Type.Boolean({ examples: [true], description: 'On Linux' }),
        windows: Type.Boolean({ examples: [true], description: 'On Windows' }),
      },
      {
        title: 'InstallingCommands',
        description:
          'Whether the commands of the agent of Muster install it. Without a designated and released package of the agent they cannot: then it is installed before',
      },
    ),
    ownMachine: nullable(
      closed(
        {
          enrol: command(
            'MUSTER_AGENT_TOKEN=enrol-… npm --prefix /srv/muster run agent -- enrol --server http://127.0.0.1:5057 --state /srv/muster/data/agent',
            'Enrols the machine of the service itself',
          ),
          run: command(
            'MUSTER_EXAMPLE_ROOT=/srv/muster/data/example npm --prefix /srv/muster run agent -- run --state /srv/muster/data/agent',
            'Runs its agent until it is interrupted',
          ),
        },
        {
          title: 'OwnMachineCommands',
          description:
            'Commands that try an agent on the machine of the service, from the same clone and without root. Null if the service does not run from a clone, and together with `commands`.',
        },
      ),
    ),
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
        examples: ['2026-03-15T09:26:53.000Z'],
        description: 'When the code expires: within 24 hours, which is the default',
      }),
    ),
  },
  { title: 'ReEnrolmentRequest' },
)

export const ReEnrolment = closed(
  {
    clientId: Id,
    untilUtc: { ...Instant, description: 'When the code expires' },
    code: Type.String({
      examples: ['re-enrol-the-code-is-shown-here-once'],
      description: 'What one agent enrols with, in place of an enrolment token. It is shown only once.',
    }),
  },
  { title: 'ReEnrolment' },
)

export const Confirmation = closed(
  {
    clientId: Type.Optional(
      nullable({
        ...Id,
        description: 'The computer on which the agent runs: one of `candidates`. Needed only if there are several',
      }),
    ),
  },
  { title: 'AgentConfirmation' },
)

export const QuarantinedAgent = closed(
  {
    id: Id,
    clientId: { ...Id, description: 'Id of the computer that the agent claims to run on' },
    hostname: text(255, 'till-7', 'Name of that computer'),
    hasAgent: Type.Boolean({
      examples: [false],
      description: 'Whether that computer has an agent, which the confirmation would shut out',
    }),
    matchedBy: Type.Array(enumOf(matchProperties), {
      examples: [['Name']],
      description: 'What the computer and the agent have in common. Name stands for name and domain.',
    }),
    candidates: Type.Array(
      closed(
        {
          clientId: Id,
          hostname: text(255, 'till-7', 'Name of the computer'),
          macAddress: nullable(text(17, '02:00:5E:00:53:17', 'MAC address of the computer')),
          hasAgent: Type.Boolean({
            examples: [false],
            description: 'Whether the computer has an agent, which the confirmation for it would shut out',
          }),
        },
        { title: 'CandidateComputer' },
      ),
      {
        examples: [[]],
        description:
          'The computers that match the agent equally, because they share a UUID or a serial number: at most 50 of them. The ' +
          'confirmation must name one. Empty if only one computer matches.',
      },
    ),
    reportedName: text(255, 'till-7', 'Name that the agent reported'),
    reportedDomain: text(255, 'corp.example.org', 'Domain that the agent reported'),
    reportedUuid: nullable({ ...Uuid, description: 'UUID that the agent reported' }),
    reportedMacAddress: nullable(text(17, '02:00:5E:00:53:17', 'MAC address that the agent reported')),
    reportedSerialNumber: nullable(text(255, 'PF-3K9Q2', 'Serial number that the agent reported')),
    agentKind: enumOf(agentKinds, { description: 'Which program the agent is' }),
    agentVersion: text(50, '0.1.0', 'Version of the agent'),
    platform: text(50, 'Linux', 'Platform of the agent'),
    enrolmentTokenId: nullable({ ...Id, description: 'The token that the agent used' }),
    address: nullable(text(45, '192.0.2.17', 'IP address from which the agent enrolled')),
    enrolledAtUtc: { ...Instant, description: 'When the agent enrolled' },
  },
  { title: 'QuarantinedAgent' },
)
