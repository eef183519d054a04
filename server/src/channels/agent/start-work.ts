import { lockAgent } from '../../features/agents/lock-agent.ts'
import { beginWork } from '../../features/deployments/begin-work.ts'
import { leaseSeconds } from '../../features/deployments/lease.ts'
import { packageContent } from '../../features/deployments/work-content.ts'
import { workVariables } from '../../features/deployments/work-variables.ts'
import { listDepotUrls } from '../../features/depots/depots-of-computer.ts'
import { PackageCommand, PackageCommands } from '../../features/packages/manifest.ts'
import { patchesToFix } from '../../features/patches/missing-patches.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Id, Type, text } from '../../platform/schema.ts'
import { workNotHeld } from './problems.ts'
import { Attempt, LeaseSeconds, RunId, Sha256, WorkPath } from './schemas.ts'

const values = (name: string, example: string, description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    examples: [{ [name]: example }],
    description,
  })

const StartedWork = closed(
  {
    leaseSeconds: LeaseSeconds,
    commands: closed(
      Object.fromEntries(Object.keys(PackageCommands.properties).map((name) => [name, Type.Optional(PackageCommand)])),
      { title: 'WorkCommands' },
    ),
    files: Type.Array(
      closed(
        {
          path: text(1000, 'bin/setup.sh'),
          size: Type.Integer({ minimum: 0, examples: [4096] }),
          sha256: Sha256,
        },
        { title: 'WorkFile' },
      ),
    ),
    depots: Type.Array(
      closed(
        { url: Type.String({ examples: ['https://depot.example.org'], description: 'Files are at /files/{sha256}' }) },
        { title: 'WorkDepot' },
      ),
      { description: 'Where the files are, nearest first; after these the service itself' },
    ),
    variables: values('Printing.Server', 'print01', 'Effective values by dotted name; none of a secret variable'),
    patches: Type.Array(
      closed(
        {
          patchId: Id,
          productId: Id,
          key: text(255, 'openssl 3.0.16-1~deb12u1', 'By which scans name the patch'),
          name: text(500, 'openssl 3.0.16-1~deb12u1'),
          product: text(500, 'Debian GNU/Linux 12'),
        },
        { title: 'WorkPatch' },
      ),
      {
        description:
          'What a fix package has to install: all that is missing and released now. Empty for other packages',
      },
    ),
    secrets: values('Licences.Key', 'the-key', 'Effective values of the secret variables that the manifest names'),
  },
  { title: 'StartedWork' },
)

export const startWork = operation({
  id: 'startWork',
  route: 'POST /agent/v1/work/:workId/start',
  summary: 'Begin a piece of work, and learn everything that is needed for it',
  role: 'machine',
  bodyLimit: 16_384,
  params: WorkPath,
  body: closed({ attempt: Attempt, runId: RunId }, { title: 'WorkStart' }),
  returns: ok(StartedWork),
  problems: [workNotHeld],
  async handle({ params: { workId }, body, db, machine: { clientId }, services }) {
    await lockAgent(db, clientId)
    const begun = await beginWork(db, clientId, workId, body)
    if (!begun) throw workNotHeld({ workId })
    if (begun.package_id === null)
      return { leaseSeconds, commands: {}, files: [], depots: [], variables: {}, secrets: {}, patches: [] }
    const { secretNames, ...content } = await packageContent(db, begun.package_id)
    return {
      leaseSeconds,
      ...content,
      depots: (await listDepotUrls(db, clientId)).map((url) => ({ url })),
      patches: begun.package_kind === 'PatchFix' ? await patchesToFix(db, clientId) : [],
      ...(await workVariables(db, services.keys, clientId, secretNames)),
    }
  },
})
