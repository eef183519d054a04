import { PackageCommand, PackageCommands, PackageMsi, PackageSource } from '@muster/package-format'
import type { WorkCollections as LoadedCollections } from '../../features/deployments/started-work/work-collections.ts'
import { closed, Id, sha256, Type, text } from '../../platform/schema.ts'
import { LeaseSeconds } from './schemas.ts'

const valuesByName = (name: string, example: string, description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    examples: [{ [name]: example }],
    description,
  })

const WorkCollections = Type.Unsafe<LoadedCollections>({
  type: 'object',
  additionalProperties: {
    type: 'array',
    items: { type: 'object', additionalProperties: { type: 'string' } },
  },
  examples: [{ 'Printing.Queues': [{ Name: 'floor-2', Colour: 'no' }] }],
  description: 'The effective entries of collection variables, by dotted name, without secret children',
})

const WorkDepot = closed(
  {
    url: Type.String({
      examples: ['https://depot.example.org'],
      description: 'The files are at /files/{sha256} below it',
    }),
  },
  { title: 'WorkDepot' },
)

export const WorkFiles = Type.Array(
  closed(
    {
      path: text(1000, 'bin/setup.sh', 'Path within the package'),
      size: Type.Integer({ minimum: 0, examples: [4096], description: 'Size in bytes' }),
      sha256: sha256('Hash of the file'),
    },
    { title: 'WorkFile' },
  ),
  { description: 'All files of the package, and the stored files of its patches' },
)

/** What belongs to one work item. */
const contentProperties = {
  commands: closed(
    Object.fromEntries(Object.keys(PackageCommands.properties).map((name) => [name, Type.Optional(PackageCommand)])),
    { title: 'WorkCommands', description: 'The commands of the package; empty for work without a package' },
  ),
  declared: Type.Optional(
    closed(
      { commands: PackageCommands, msi: Type.Optional(PackageMsi), source: Type.Optional(PackageSource) },
      {
        title: 'WorkDeclaration',
        description:
          'What the manifest declares, if that is more than commands. The agent does this, and not `commands`: those fail, ' +
          'so that an agent that does not know the declaration does nothing and says why.',
      },
    ),
  ),
  files: WorkFiles,
}

/** Where else the files of work are. */
export const WorkDepots = {
  depots: Type.Array(WorkDepot, {
    description: 'Depots that have the files, in the order in which to try them, before the service itself',
  }),
  depotsAfterServer: Type.Array(WorkDepot, {
    description:
      'Depots to try after the service itself: those that follow the master server in the failover list of the group',
  }),
}

/** What all work of a computer shares. */
const environmentProperties = {
  ...WorkDepots,
  variables: valuesByName(
    'Printing.Server',
    'print01',
    'Effective values by dotted name, without secret variables. Values of collections have the number of their entry in the name, as in Printing.Queues.1.Name; Printing.Queues.Count is the number of entries. A collection with much text has only the count.',
  ),
  collections: WorkCollections,
}

export const WorkContent = closed(contentProperties, {
  title: 'WorkContent',
  description:
    'What startWork would return. With it, the agent may begin the work without that request, within beginWithinSeconds. Work without it has to be started.',
})

export const WorkEnvironment = closed(environmentProperties, {
  title: 'WorkEnvironment',
  description: 'What startWork would return for each of the work items that have a content',
})

export const StartedWork = closed(
  {
    leaseSeconds: LeaseSeconds,
    ...contentProperties,
    ...environmentProperties,
    patches: Type.Array(
      closed(
        {
          patchId: { ...Id, description: 'Id of the patch' },
          productId: { ...Id, description: 'Id of the product version' },
          key: text(255, 'openssl 3.0.16-1~deb12u1', 'Identifies the patch in scans'),
          name: text(500, 'openssl 3.0.16-1~deb12u1', 'Name for people'),
          product: text(500, 'Debian GNU/Linux 12', 'The product version that the patch is for'),
          files: Type.Array(text(1000, 'muster-patches/17-3/0a1b2c3d/openssl.deb'), {
            description: 'Paths of the files of the patch; `files` of the work contains them. Empty if none is stored.',
          }),
        },
        { title: 'WorkPatch' },
      ),
      {
        description:
          'The patches that a fix package must install: missing on the computer and released to it now. Empty for other packages.',
      },
    ),
    rollbacks: Type.Optional(
      Type.Array(
        closed(
          {
            patchId: { ...Id, description: 'Id of the patch' },
            productId: { ...Id, description: 'Id of the product version' },
            key: text(255, 'openssl 3.0.16-1~deb12u1', 'Identifies the patch in scans'),
          },
          { title: 'WorkRollback' },
        ),
        {
          description:
            'The installed patches that a fix package must roll back. The agent decides how, and the next patch scan says what ' +
            'became of each. Absent if there is none.',
        },
      ),
    ),
    secrets: valuesByName(
      'Licences.Key',
      'the-key',
      'Effective values of the secret variables that the manifest lists. Values of collections have the number of their entry in the name.',
    ),
  },
  { title: 'StartedWork' },
)
