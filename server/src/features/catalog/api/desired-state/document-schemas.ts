import {
  closed,
  enumOf,
  Instant,
  Int32,
  nameKeyword,
  nameText,
  nullable,
  type Static,
  type TSchema,
  Type,
  text,
} from '../../../../platform/schema.ts'
import { SetGroupConvergenceRequest } from '../../../convergence/api/schemas.ts'
import { UserDeadline } from '../../../distribution/api/user-deadline-schemas.ts'
import { distributionCommandNames } from '../../../distribution/commands.ts'
import { GroupRuleCriteria, MaxChangesPerHour } from '../../../groups/api/rule-schemas.ts'
import { RoleName } from '../../../principals/api/schemas.ts'
import { RingRequest } from '../../../rollouts/api/request-schemas.ts'
import { Catalog } from '../schemas.ts'

const name = (example: string, description?: string) => nameText(255, example, description)
const description = Type.Optional(nullable(text(1000, 'What it is for')))
const path = Type.String({
  minLength: 1,
  maxLength: 4000,
  examples: ['Configuration/Workstations'],
  description: 'Names of the group and its ancestors, beginning with Configuration or Assignment',
  [nameKeyword]: true,
})

const packageProperties = {
  name: name('firefox', 'Name in the manifest of the package'),
  version: name('128.0'),
  revision: Type.Optional(nullable(text(255, '2'))),
  operatingSystems: Type.Optional(
    Type.Array(text(255, 'Linux'), {
      maxItems: 100,
      description: 'Only needed if packages for several operating systems have the same name, version and revision',
    }),
  ),
}

export const PackageReference = closed(packageProperties, {
  title: 'PackageReference',
  description: 'A package of the service, by what identifies it in its manifest.',
})
export type PackageReference = Static<typeof PackageReference>

const SoftwareClass = closed(
  { name: name('Browsers'), description, packages: Type.Array(PackageReference, { maxItems: 5000 }) },
  { title: 'DesiredSoftwareClass' },
)

const Tag = closed({ name: name('Branch offices'), description }, { title: 'DesiredTag' })

const Package = closed(
  {
    ...packageProperties,
    hash: Type.Optional(
      Type.String({
        pattern: '^[\\da-f]{64}$',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
        description: 'Hash of the content. If it is given, a package with other content blocks the change',
      }),
    ),
    released: Type.Boolean({ examples: [true], description: 'Whether the package is Ready to Install' }),
    tags: Type.Optional(
      Type.Array(text(255, 'Branch offices'), {
        maxItems: 1000,
        description: 'Names of its tags. If missing, they stay as they are',
      }),
    ),
  },
  {
    title: 'DesiredPackage',
    description: 'A package that has to exist. It is imported beforehand: content is not part of the document.',
  },
)

const CustomField = closed(
  {
    slot: Type.String({ pattern: '^Custom(0[1-9]|[12]\\d|30)$', examples: ['Custom01'] }),
    name: nameText(50, 'Room'),
    active: Type.Boolean({ examples: [true] }),
  },
  { title: 'DesiredCustomField' },
)

export const secretReference = Type.String({
  pattern: '^(env|file):.+$',
  maxLength: 1000,
  examples: ['env:PRINT_PASSWORD'],
  description: 'Where the caller finds the value: `env:NAME` or `file:PATH`. The value itself is never exported',
})

const dottedName = Type.String({ maxLength: 800, examples: ['Printing.Server'], description: 'Dotted name' })
const schedule = Type.Optional(nullable(text(255, '2026-03-01T22:00:00Z', 'When the value takes effect')))
const forced = Type.Optional(Type.Boolean({ examples: [false], description: 'Overrides every value below the group' }))

const Variable = closed(
  {
    variable: dottedName,
    value: Type.Optional(text(65_536, 'print02', 'Not for a secret variable')),
    secret: Type.Optional({ ...secretReference, description: `For a secret variable. ${secretReference.description}` }),
    schedule,
    forced,
  },
  { title: 'DesiredGroupVariable' },
)

const Collection = closed(
  {
    variable: { ...dottedName, examples: ['Printing.Queues'] },
    entries: Type.Array(
      Type.Unsafe<Record<string, string | { secret: string }>>({
        type: 'object',
        additionalProperties: {
          anyOf: [text(65_536, 'floor-2'), closed({ secret: secretReference })],
        },
        maxProperties: 1000,
        examples: [{ Name: 'floor-2', Colour: 'yes' }],
        description: 'Values by the name of the column',
      }),
      { maxItems: 5000 },
    ),
  },
  { title: 'DesiredGroupCollection' },
)

const Options = closed(
  {
    package: Type.Optional(PackageReference),
    commands: Type.Array(enumOf(distributionCommandNames), { maxItems: 20, examples: [['Install']] }),
    schedule: Type.Optional(text(500, 'CRON=0 22 * * SAT;TZ=Europe/Berlin;DURATION=180')),
    revokeCount: Type.Optional({ ...Int32, minimum: 0, examples: [3] }),
    wol: Type.Optional(Type.Boolean({ examples: [false] })),
    revokeDate: Type.Optional(nullable(Instant)),
    optionalDate: Type.Optional(nullable(Instant)),
    userDeadline: Type.Optional(nullable(UserDeadline)),
    preDownload: Type.Optional(Type.Boolean({ examples: [false] })),
  },
  { title: 'DesiredDistributionOptions', description: 'Without a package, the options of the whole group.' },
)

const names = (example: string) => Type.Optional(Type.Array(name(example), { maxItems: 5000 }))

const ConvergenceRing = closed(
  {
    ...Type.Omit(RingRequest, ['groupId']).properties,
    group: Type.Optional({
      ...path,
      description: 'The members of the group with this path and of the groups below it',
    }),
  },
  { title: 'DesiredConvergenceRing', description: 'One of `count`, `percent` and `group`; the last ring has none.' },
)

const Convergence = closed(
  {
    ...SetGroupConvergenceRequest.properties,
    rings: Type.Optional(Type.Array(ConvergenceRing, { minItems: 2, maxItems: 20 })),
  },
  { title: 'DesiredConvergence', description: 'Whether the members are kept converged. Inherited if missing.' },
)

export type DesiredConvergence = Static<typeof Convergence>

const Group = closed(
  {
    path,
    description,
    kind: Type.Optional(enumOf(['Ordinary', 'EOL', 'Restore'], { description: 'Ordinary if missing' })),
    rule: Type.Optional(
      closed(
        { criteria: GroupRuleCriteria, maxChangesPerHour: Type.Optional(MaxChangesPerHour) },
        { title: 'DesiredGroupRule', description: 'By which computers become members' },
      ),
    ),
    convergence: Type.Optional(Convergence),
    packages: Type.Optional(Type.Array(PackageReference, { maxItems: 5000 })),
    softwareClasses: names('Browsers'),
    variableConfigurations: names('Branch office'),
    languagePacks: Type.Optional(Type.Array(PackageReference, { maxItems: 5000 })),
    agentTemplate: Type.Optional(PackageReference),
    operatingSystem: Type.Optional(
      closed(
        { ...packageProperties, edition: name('Enterprise', 'Edition (SKU) of the image') },
        { title: 'OperatingSystemReference' },
      ),
    ),
    pxeBootImage: Type.Optional(PackageReference),
    options: Type.Optional(Type.Array(Options, { maxItems: 5000 })),
    variables: Type.Optional(Type.Array(Variable, { maxItems: 5000 })),
    collections: Type.Optional(Type.Array(Collection, { maxItems: 5000 })),
  },
  { title: 'DesiredGroup', description: 'A group with what is assigned to it. Its computers are not part of it.' },
)

const PatchReference = closed(
  { patch: text(255, 'DSA-5000-1', 'Key of the patch in its catalog'), product: text(255, 'Debian GNU/Linux 12') },
  { title: 'PatchReference' },
)

const PatchGroup = closed(
  {
    name: name('Servers, critical'),
    category: Type.Optional(enumOf(['Patch', 'ServicePack'], { description: 'Patch if missing' })),
    description,
    patches: Type.Optional(Type.Array(PatchReference, { maxItems: 100_000 })),
    assignments: Type.Optional(
      Type.Array(
        closed(
          {
            group: path,
            test: Type.Optional(
              Type.Boolean({ examples: [false], description: 'Whether the group gets patches without an approval' }),
            ),
          },
          { title: 'DesiredPatchGroupAssignment' },
        ),
        { maxItems: 5000 },
      ),
    ),
  },
  { title: 'DesiredPatchGroup' },
)

const Webhook = closed(
  {
    name: name('Failures to chat'),
    url: text(2_000, 'https://chat.example.org/hooks/muster'),
    types: Type.Optional(Type.Array(text(100, 'muster.deployment.failed'), { maxItems: 100 })),
    paused: Type.Optional(Type.Boolean({ examples: [false] })),
  },
  { title: 'DesiredWebhook', description: 'Its secret is made by the service: rotateWebhookSecret shows a new one.' },
)

const Principal = closed(
  {
    kind: enumOf(['user', 'client']),
    subject: name('3f0c9a52', 'Subject id at the identity provider'),
    issuer: nullable(text(255, 'https://login.example.org/')),
    displayName: Type.Optional(nullable(text(255, 'Ada Lovelace'))),
    roles: Type.Array(RoleName, { maxItems: 100, examples: [['computer.read']] }),
  },
  { title: 'DesiredPrincipal', description: 'A principal of an identity provider, with its roles.' },
)

const { variableDefinitions, variableConfigurations } = Catalog.properties
const list = <S extends TSchema>(item: S) => Type.Optional(Type.Array(item, { maxItems: 100_000, examples: [[]] }))

export const DesiredState = closed(
  {
    tags: list(Tag),
    variableDefinitions,
    variableConfigurations,
    packages: list(Package),
    softwareClasses: list(SoftwareClass),
    customFields: list(CustomField),
    groups: list(Group),
    patchGroups: list(PatchGroup),
    patchApprovals: list(PatchReference),
    webhooks: list(Webhook),
    principals: list(Principal),
  },
  { title: 'DesiredState', description: 'A section that is missing is not changed.' },
)

export type DesiredState = Static<typeof DesiredState>
export type DesiredGroup = NonNullable<DesiredState['groups']>[number]
