import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../../database/connect.ts'
import { closeAsFailed } from '../../../features/deployments/give-up.ts'
import { leaseWork } from '../../../features/deployments/lease-work.ts'
import { packageContent } from '../../../features/deployments/work-content.ts'
import { workVariables } from '../../../features/deployments/work-variables.ts'
import { retryConflicts } from '../../../platform/steps.ts'
import type { Channel } from '../context.ts'
import { type AssociatedFile, describedFiles, type Job, jobOf } from './build-job.ts'
import { learnParts, unknownFiles } from './file-parts.ts'
import { type Order, refusalOf, secretsRefusal } from './refusals.ts'
import type { WorkingDevice } from './working-device.ts'

type HandedJob = { uuid: string; name: string; checks: object[]; actions: object[]; associatedFiles: string[] }

export type JobList = { jobs: HandedJob[]; associatedFiles: Record<string, AssociatedFile> }

/** An agent waits for 180 seconds. Files that need longer are there when it asks the next time. */
const longestLearning = 30_000

/** Hands out what is due, as jobs; undefined when there is nothing to do. */
export async function jobsFor(channel: Channel, device: WorkingDevice, mirror: string): Promise<JobList | undefined> {
  if (!(await knowsParts(channel, device))) return undefined
  const jobs = await retryConflicts(() =>
    channel.db.transaction().execute((db) => handOutJobs({ ...channel, db }, device, mirror)),
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

async function knowsParts({ db, services }: Channel, { computer_id }: WorkingDevice): Promise<boolean> {
  const files = await unknownFiles(db, computer_id)
  if (files.length === 0) return true
  const stopping = new AbortController()
  const learning = (async () => {
    for (const file of files) await learnParts(db, services.configuration.packageStore, file)
    return true
  })()
  try {
    return await Promise.race([learning, setTimeout(longestLearning, false, { signal: stopping.signal, ref: false })])
  } finally {
    stopping.abort()
  }
}

async function handOutJobs(channel: Channel, device: WorkingDevice, mirror: string) {
  const { db } = channel
  // What it was handed and has not begun did not arrive; what it has begun stays with it until its time is over.
  const { work } = await leaseWork(db, {
    clientId: device.computer_id,
    runId: device.run_id,
    hasComeBack: true,
    isEmptyHanded: true,
    environment: 'OperatingSystem',
    wants: [],
  })
  const jobs: { uuid: string; name: string; job: Job }[] = []
  for (const order of work) {
    const job = await jobFor(channel, device, order, mirror)
    if (typeof job === 'string') await closeAsFailed(db, [order.workId], job)
    else if (job) jobs.push({ uuid: await keepJob(db, device, order, job), name: nameOf(order), job })
  }
  return jobs
}

/** Undefined for what is done otherwise: an inventory is asked for at the contact. */
async function jobFor(
  { db, services }: Channel,
  device: WorkingDevice,
  order: Order,
  mirror: string,
): Promise<Job | string | undefined> {
  const refusal = refusalOf(order, device)
  if (refusal !== undefined || !order.package) return refusal
  const content = await packageContent(db, order.package.packageId)
  const secrets = secretsRefusal(content.secretNames)
  if (secrets !== undefined) return secrets
  const files = await describedFiles(db, content)
  if (!files) return 'A file of the package is not in the package store as it was imported.'
  const { variables } = await workVariables(db, services.keys, device.computer_id, [])
  return jobOf(order, content, files, { isWindows: device.platform === 'Windows', mirror, variables })
}

async function keepJob(db: Database, device: WorkingDevice, order: Order, { plan }: Job): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('fusion_jobs')
    .values({ id, device_id: device.id, work_id: order.workId, attempt: order.attempt, plan: JSON.stringify(plan) })
    .execute()
  return id
}

function nameOf({ kind, package: of }: Order): string {
  return `${kind} ${of?.name ?? ''} ${of?.version ?? ''}`.trim()
}
