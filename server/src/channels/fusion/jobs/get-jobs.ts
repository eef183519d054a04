import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../../database/connect.ts'
import { failWork } from '../../../features/deployments/abandon-work.ts'
import { loadPackageContent } from '../../../features/deployments/started-work/package-content.ts'
import { loadWorkVariables } from '../../../features/deployments/started-work/work-variables.ts'
import type { PackageFile } from '../../../features/packages/content/open-content.ts'
import { retryConflicts } from '../../../platform/steps.ts'
import { type FusionContext, inTurnOf } from '../context.ts'
import { findBatchFault } from './batch-files.ts'
import { type AssociatedFile, buildJob, findFileDescriptions, type Job } from './build-job.ts'
import { ensureFileParts, listFilesWithoutParts } from './file-parts.ts'
import { leaseDeviceWork } from './lease-device-work.ts'
import { findRefusal, findSecretsRefusal, type LeasedWorkItem } from './refusals.ts'
import type { WorkingDevice } from './working-device.ts'

type JobDescription = { uuid: string; name: string; checks: object[]; actions: object[]; associatedFiles: string[] }

export type JobList = { jobs: JobDescription[]; associatedFiles: Record<string, AssociatedFile> }

/** An agent waits for 180 seconds. Parts that take longer to compute are ready when it asks the next time. */
const computationTimeoutMs = 30_000

/** Leases due work to the device as jobs; undefined when there are none. */
export async function leaseJobs(
  context: FusionContext,
  device: WorkingDevice,
  mirror: string,
): Promise<JobList | undefined> {
  const turn = <T>(work: () => Promise<T>) => inTurnOf(context, String(device.id), work)
  const files = await turn(() => listFilesWithoutParts(context.db, device.computer_id))
  // Not in its turn: it takes long, and needs no connection meanwhile.
  if (!(await ensureParts(context, files))) return undefined
  const jobs = await turn(() =>
    retryConflicts(() =>
      context.db.transaction().execute((db) => leaseAndBuildJobs({ ...context, db }, device, mirror)),
    ),
  )
  if (jobs.length === 0) return undefined
  return {
    jobs: jobs.map(({ uuid, name, job }) => ({
      uuid,
      name,
      checks: job.checks,
      actions: job.actions,
      associatedFiles: Object.keys(job.associatedFiles),
    })),
    associatedFiles: Object.assign({}, ...jobs.map(({ job }) => job.associatedFiles)),
  }
}

/** Returns whether the parts of all files are known; computing them may take longer than the timeout. */
async function ensureParts({ db, services }: FusionContext, files: readonly PackageFile[]): Promise<boolean> {
  if (files.length === 0) return true
  const timeout = new AbortController()
  const computation = (async () => {
    for (const file of files) await ensureFileParts(db, services.configuration.packageStore, file)
    return true
  })()
  try {
    return await Promise.race([
      computation,
      setTimeout(computationTimeoutMs, false, { signal: timeout.signal, ref: false }),
    ])
  } finally {
    timeout.abort()
  }
}

async function leaseAndBuildJobs(context: FusionContext, device: WorkingDevice, mirror: string) {
  const { db } = context
  const work = await leaseDeviceWork(db, device)
  const jobs: { uuid: string; name: string; job: Job }[] = []
  for (const item of work) {
    const job = await buildJobOrRefusal(context, device, item, mirror)
    if (typeof job === 'string') await failWork(db, [item.workId], job)
    else if (job) jobs.push({ uuid: await insertJob(db, device, item, job), name: formatJobName(item), job })
  }
  return jobs
}

/** A job, or why the agent cannot do the work. Undefined for a refresh, which the answer to a contact asks for. */
async function buildJobOrRefusal(
  { db, services }: FusionContext,
  device: WorkingDevice,
  item: LeasedWorkItem,
  mirror: string,
): Promise<Job | string | undefined> {
  const refusal = findRefusal(item)
  if (refusal !== undefined || !item.package) return refusal
  const content = await loadPackageContent(db, item.package.packageId)
  const secrets = findSecretsRefusal(content.secretNames)
  if (secrets !== undefined) return secrets
  const files = await findFileDescriptions(db, content)
  if (!files) return 'A file of the package is missing from the package store or has changed since the import.'
  const isWindows = device.platform === 'Windows'
  const batchFault = isWindows && (await findBatchFault(services.configuration.packageStore, content))
  if (batchFault) return batchFault
  const { variables } = await loadWorkVariables(db, services.keys, device.computer_id, [])
  return buildJob(item, content, files, { isWindows, mirror, variables })
}

async function insertJob(db: Database, device: WorkingDevice, item: LeasedWorkItem, { plan }: Job): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('fusion_jobs')
    .values({ id, device_id: device.id, work_id: item.workId, attempt: item.attempt, plan: JSON.stringify(plan) })
    .execute()
  return id
}

function formatJobName({ kind, package: target }: LeasedWorkItem): string {
  return `${kind} ${target?.name ?? ''} ${target?.version ?? ''}`.trim()
}
