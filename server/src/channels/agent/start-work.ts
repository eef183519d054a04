import type { Database } from '../../database/connect.ts'
import { recordPatchesOfWork } from '../../features/deployments/begin-work.ts'
import { leaseSeconds } from '../../features/deployments/lease.ts'
import { startWorkOfAgent } from '../../features/deployments/reports/record-progress.ts'
import { loadPackageContent } from '../../features/deployments/started-work/package-content.ts'
import { listStoredFiles } from '../../features/patches/files/stored-patch-files.ts'
import { askForRollbacks } from '../../features/patches/policies/rollbacks.ts'
import { listPatchesToFix, type PatchToFix } from '../../features/patches/released-patches.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed } from '../../platform/schema.ts'
import { workNotLeased } from './problems.ts'
import { Attempt, RunId, WorkPath } from './schemas.ts'
import { StartedWork } from './started-work-schema.ts'
import { loadWorkEnvironment, toDepots, toWorkContent } from './work-content.ts'

const noPatches = { patches: [], patchFiles: [], rollbacks: [] }
const noDepots = { depots: [], depotsAfterServer: [] }
const noVariables = { variables: {}, collections: {}, secrets: {} }

export const startWork = operation({
  id: 'startWork',
  route: 'POST /agent/v1/work/:workId/start',
  summary: 'Start a work item',
  description:
    'Records the start, renews the lease and returns everything that the agent needs for the work. A repeated start only renews the lease. Answers 409 when the attempt is not leased to the agent, and for a first start while the installation is frozen.',
  role: 'machine',
  execution: { kind: 'SharedReport' },
  bodyLimit: 16_384,
  params: WorkPath,
  body: closed({ attempt: Attempt, runId: RunId }, { title: 'WorkStart' }),
  returns: ok(StartedWork),
  problems: [workNotLeased],
  async handle({ params: { workId }, body, db, machine: { clientId }, services }) {
    const begun = await startWorkOfAgent(db, clientId, workId, body)
    if (!begun) throw workNotLeased({ workId })
    if (begun.package_id === null)
      return { leaseSeconds, commands: {}, files: [], ...noDepots, ...noVariables, patches: [] }
    const loaded = await loadPackageContent(db, begun.package_id)
    const content = toWorkContent(loaded)
    const { patches, patchFiles, rollbacks } =
      begun.package_kind === 'PatchFix' ? await beginPatches(db, clientId, workId) : noPatches
    const environment = await loadWorkEnvironment(db, services.keys, { clientId, secretNames: loaded.secretNames })
    const { variables, collections, secrets } = environment
    return {
      leaseSeconds,
      ...content,
      files: [...content.files, ...patchFiles],
      ...toDepots(environment),
      variables,
      collections,
      patches,
      ...(rollbacks.length > 0 && { rollbacks }),
      secrets,
    }
  },
})

/** The patches that the work installs, with their files, and those that it rolls back. */
async function beginPatches(db: Database, clientId: number, workId: number) {
  const patches = await listPatchesToFix(db, clientId)
  await recordPatchesOfWork(db, workId, [...new Set(patches.map(({ patchId }) => patchId))])
  const files = await listStoredFiles(db, patches)
  const pathsOf = ({ patchId, productId }: PatchToFix) =>
    files.filter((file) => file.patchId === patchId && file.productId === productId).map(({ path }) => path)
  return {
    rollbacks: await askForRollbacks(db, clientId),
    patches: patches.map((patch) => ({ ...patch, files: pathsOf(patch) })),
    patchFiles: files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
  }
}
