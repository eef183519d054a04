import type { Database } from '../../database/connect.ts'
import { lockAgent } from '../../features/agents/lock-agent.ts'
import { beginWork, recordPatchesOfWork } from '../../features/deployments/begin-work.ts'
import { leaseSeconds } from '../../features/deployments/lease.ts'
import type { WorkCollections as LoadedCollections } from '../../features/deployments/started-work/work-collections.ts'
import { loadPackageContent } from '../../features/deployments/started-work/work-content.ts'
import { loadWorkVariables } from '../../features/deployments/started-work/work-variables.ts'
import { listDepotUrls } from '../../features/depots/depots-of-computer.ts'
import { PackageCommand, PackageCommands } from '../../features/packages/manifest.ts'
import { listStoredFiles } from '../../features/patches/files/stored-patch-files.ts'
import { listPatchesToFix, type PatchToFix } from '../../features/patches/missing-patches.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Id, sha256, Type, text } from '../../platform/schema.ts'
import { workNotLeased } from './problems.ts'
import { Attempt, LeaseSeconds, RunId, WorkPath } from './schemas.ts'

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

const noPatches = { patches: [], patchFiles: [] }
const noDepots = { depots: [], depotsAfterServer: [] }
const noVariables = { variables: {}, collections: {}, secrets: {} }

const StartedWork = closed(
  {
    leaseSeconds: LeaseSeconds,
    commands: closed(
      Object.fromEntries(Object.keys(PackageCommands.properties).map((name) => [name, Type.Optional(PackageCommand)])),
      { title: 'WorkCommands', description: 'The commands of the package; empty for work without a package' },
    ),
    files: Type.Array(
      closed(
        {
          path: text(1000, 'bin/setup.sh', 'Path within the package'),
          size: Type.Integer({ minimum: 0, examples: [4096], description: 'Size in bytes' }),
          sha256: sha256('Hash of the file'),
        },
        { title: 'WorkFile' },
      ),
      { description: 'All files of the package, and the stored files of its patches' },
    ),
    depots: Type.Array(WorkDepot, {
      description: 'Depots that have the files, in the order in which to try them, before the service itself',
    }),
    depotsAfterServer: Type.Array(WorkDepot, {
      description:
        'Depots to try after the service itself: those that follow the master server in the failover list of the group',
    }),
    variables: valuesByName(
      'Printing.Server',
      'print01',
      'Effective values by dotted name, without secret variables. Values of collections have the number of their entry in the name, as in Printing.Queues.1.Name; Printing.Queues.Count is the number of entries. A collection with much text has only the count.',
    ),
    collections: WorkCollections,
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
    secrets: valuesByName(
      'Licences.Key',
      'the-key',
      'Effective values of the secret variables that the manifest lists. Values of collections have the number of their entry in the name.',
    ),
  },
  { title: 'StartedWork' },
)

export const startWork = operation({
  id: 'startWork',
  route: 'POST /agent/v1/work/:workId/start',
  summary: 'Start a work item',
  description:
    'Records the start, renews the lease and returns everything that the agent needs for the work. A repeated start only renews the lease. Answers 409 when the attempt is not leased to the agent, and for a first start while the installation is frozen.',
  role: 'machine',
  bodyLimit: 16_384,
  params: WorkPath,
  body: closed({ attempt: Attempt, runId: RunId }, { title: 'WorkStart' }),
  returns: ok(StartedWork),
  problems: [workNotLeased],
  async handle({ params: { workId }, body, db, machine: { clientId }, services }) {
    await lockAgent(db, clientId)
    const begun = await beginWork(db, clientId, workId, { ...body, isHandOut: true })
    if (!begun) throw workNotLeased({ workId })
    if (begun.package_id === null)
      return { leaseSeconds, commands: {}, files: [], ...noDepots, ...noVariables, patches: [] }
    const { secretNames, ...content } = await loadPackageContent(db, begun.package_id)
    const { patches, patchFiles } =
      begun.package_kind === 'PatchFix' ? await beginPatches(db, clientId, workId) : noPatches
    const { beforeMaster, afterMaster } = await listDepotUrls(db, clientId)
    return {
      leaseSeconds,
      commands: content.commands,
      files: [...content.files, ...patchFiles],
      depots: beforeMaster.map((url) => ({ url })),
      depotsAfterServer: afterMaster.map((url) => ({ url })),
      patches,
      ...(await loadWorkVariables(db, services.keys, clientId, secretNames)),
    }
  },
})

/** The patches that the work installs, and their files. */
async function beginPatches(db: Database, clientId: number, workId: number) {
  const patches = await listPatchesToFix(db, clientId)
  await recordPatchesOfWork(db, workId, [...new Set(patches.map(({ patchId }) => patchId))])
  const files = await listStoredFiles(db, patches)
  const pathsOf = ({ patchId, productId }: PatchToFix) =>
    files.filter((file) => file.patchId === patchId && file.productId === productId).map(({ path }) => path)
  return {
    patches: patches.map((patch) => ({ ...patch, files: pathsOf(patch) })),
    patchFiles: files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
  }
}
