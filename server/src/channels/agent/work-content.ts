import { batchCalls } from '../../database/batch-calls.ts'
import type { Database } from '../../database/connect.ts'
import { findPackageContents } from '../../features/deployments/started-work/content-cache.ts'
import type { PackageContent } from '../../features/deployments/started-work/package-content.ts'
import type { ValueRequest } from '../../features/deployments/started-work/requested-values.ts'
import { loadVariablesOfComputers, type WorkVariables } from '../../features/deployments/started-work/work-variables.ts'
import { type DepotUrls, listDepotUrlsOfComputers } from '../../features/depots/depots-of-computer.ts'
import type { LeasedWork } from '../../features/hand-out/lease-work.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'

type LoadedEnvironment = WorkVariables & DepotUrls

const maxSharingAgents = 64

/** So that the answers to contacts stay small. */
const maxFilesInContact = 100

const loaders = new WeakMap<Database, (request: ValueRequest) => Promise<LoadedEnvironment>>()

/** Variables, requested secrets and depots of a computer. Concurrent requests share their statements. */
export function loadWorkEnvironment(db: Database, keys: ServerKeys, request: ValueRequest): Promise<LoadedEnvironment> {
  const load = loaders.get(db) ?? shareEnvironments(db, keys)
  loaders.set(db, load)
  return load(request)
}

function shareEnvironments(db: Database, keys: ServerKeys) {
  return batchCalls({
    async run(requests: readonly ValueRequest[]): Promise<LoadedEnvironment[]> {
      const variables = await loadVariablesOfComputers(db, keys, requests)
      const depots = await listDepotUrlsOfComputers(
        db,
        requests.map(({ clientId }) => clientId),
      )
      return variables.map((values, at) => ({ ...values, ...(depots[at] ?? { beforeMaster: [], afterMaster: [] }) }))
    },
    keyOf: ({ clientId }) => clientId,
    maxBatchSize: maxSharingAgents,
    isRepeatedWhenSlow: true,
  })
}

/** The depots in the shape of the channel. */
export function toDepots({ beforeMaster, afterMaster }: DepotUrls) {
  return {
    depots: beforeMaster.map((url) => ({ url })),
    depotsAfterServer: afterMaster.map((url) => ({ url })),
  }
}

/**
 * Adds to leased work what `startWork` would return for it, and returns what all of it shares. Some work has to be started
 * by a request: fixes, whose patches are chosen then; packages with secrets, which leave the service only when their work
 * begins; packages with many files.
 */
export async function addContent(db: Database, keys: ServerKeys, clientId: number, work: LeasedWork['work']) {
  const packages = work.flatMap(({ package: one }) => (one && one.kind !== 'PatchFix' ? [one] : []))
  const contents = packages.length > 0 ? await findPackageContents(db, packages) : new Map<string, PackageContent>()
  const handed = work.map((item) => withContent(item, contents))
  if (!handed.some((item) => 'content' in item)) return { work }
  const loaded = await loadWorkEnvironment(db, keys, { clientId, secretNames: [] })
  const { variables, collections } = loaded
  return { work: handed, environment: { ...toDepots(loaded), variables, collections } }
}

/** The part that every agent may get, without the names of secrets. */
export function toWorkContent({ commands, declared, files }: PackageContent) {
  return { commands, ...(declared && { declared }), files }
}

function withContent(item: LeasedWork['work'][number], contents: ReadonlyMap<string, PackageContent>) {
  const content = contents.get(item.package?.packageId ?? '')
  if (!content || content.secretNames.length > 0 || content.files.length > maxFilesInContact) return item
  return { ...item, content: toWorkContent(content) }
}
