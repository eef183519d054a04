import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { lockAgent } from '../../../features/agents/lock-agent.ts'
import { beginWork } from '../../../features/deployments/begin-work.ts'
import { recordResult } from '../../../features/deployments/record-result.ts'
import { retryConflicts } from '../../../platform/steps.ts'
import { told } from '../normalisation/values.ts'
import type { Deploying } from './job-context.ts'
import { type OpenJob, writeWords } from './job-log.ts'
import type { Plan } from './job-plan.ts'
import { verdictOf } from './job-result.ts'
import type { WorkingDevice } from './working-device.ts'

/** What an agent says about a job, as it stands in the address. */
export type Callback = {
  uuid?: string
  part?: string
  currentStep?: string
  status?: string
  msg?: string
  actionnum?: string
}

/** How far a job is at each of its steps, in percent. */
const stepPercents: Record<string, number> = { checking: 5, downloading: 10, prepare: 45, processing: 50 }

const exitStatus = /exit status: `(-?\d{1,10})'$/
/** What agents draw between their own words and those of the command. */
const ruler = /^[=-]{20,}$/

/** Takes a callback. Those that change nothing are collected; the first and the last one are written at once. */
export async function takeCallback(deploying: Deploying, device: WorkingDevice, callback: Callback): Promise<void> {
  const { db, log, openJobs } = deploying
  const job = openJobs.get(callback.uuid ?? '') ?? (await begunJob(deploying, device, callback.uuid ?? ''))
  if (!job || job.deviceId !== device.id) return
  const action = callback.currentStep === 'processing' ? Number(callback.actionnum ?? 0) : null
  const line = lineOf(callback)
  const [, code] = exitStatus.exec(callback.msg ?? '') ?? []
  log.add(job, {
    lines: line === null ? [] : [line],
    exitCodes: code !== undefined && action !== null ? { [action]: Number(code) } : {},
    percent: stepPercents[callback.currentStep ?? ''] ?? 0,
  })
  const isOver =
    callback.status === 'ko' || (callback.status === 'ok' && !callback.currentStep && callback.part === 'job')
  if (!isOver) return
  const words = log.take(job)
  await retryConflicts(() =>
    db.transaction().execute(async (transaction) => {
      await lockAgent(transaction, device.computer_id)
      await writeWords(transaction, job, words)
      await finish(transaction, device, job, { isOk: callback.status === 'ok', action, message: line ?? '' })
    }),
  )
  openJobs.delete(job.id)
}

/** The words of the command, without the name of the action before them. */
function lineOf({ msg, part, currentStep }: Callback): string | null {
  const text = told(msg, 2000)
  if (text === null) return null
  if (currentStep !== 'processing' || part !== 'job') return text
  const words = text.replace(/^[a-z]+: /, '')
  return ruler.test(words) ? null : words
}

/** The job that a callback is about. With the first one its work has begun. */
async function begunJob(
  { db, openJobs }: Deploying,
  device: WorkingDevice,
  uuid: string,
): Promise<OpenJob | undefined> {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(uuid)) return undefined
  const row = await db
    .selectFrom('fusion_jobs')
    .select(['id', 'work_id', 'attempt', 'plan'])
    .where('id', '=', uuid)
    .where('device_id', '=', device.id)
    .executeTakeFirst()
  if (!row) return undefined
  const { attempt, work_id: workId } = row
  const job = { id: row.id, workId, attempt, deviceId: device.id, plan: row.plan as unknown as Plan }
  await retryConflicts(() =>
    db.transaction().execute(async (transaction) => {
      await lockAgent(transaction, device.computer_id)
      await beginWork(transaction, device.computer_id, workId, { attempt, runId: device.run_id })
      await writeWords(transaction, job, { lines: [], exitCodes: {}, percent: 0 })
    }),
  )
  remember(openJobs, job)
  return job
}

/** Of agents that are gone in the middle of a job nothing is heard any more. */
const mostOpenJobs = 10_000

function remember(openJobs: Map<string, OpenJob>, job: OpenJob): void {
  const [oldest] = openJobs.keys()
  if (openJobs.size >= mostOpenJobs && oldest !== undefined) openJobs.delete(oldest)
  openJobs.set(job.id, job)
}

type End = { isOk: boolean; action: number | null; message: string }

async function finish(db: Database, device: WorkingDevice, job: OpenJob, end: End): Promise<void> {
  const { exit_codes, output } = await db
    .selectFrom('fusion_jobs')
    .select(['exit_codes', 'output'])
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  const exitCodes = exit_codes as Record<string, number>
  const report = verdictOf(job.plan, job.attempt, { ...end, exitCodes, output })
  await recordResult(db, device.computer_id, job.workId, report)
  await sql`update fusion_devices set is_inventory_due = true where id = ${device.id}`.execute(db)
}
