import { isUtf8 } from 'node:buffer'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { lockAgent } from '../../../features/agents/lock-agent.ts'
import { beginWork } from '../../../features/deployments/begin-work.ts'
import { lockOpenWork } from '../../../features/deployments/lock-open-work.ts'
import { recordResult } from '../../../features/deployments/record-result.ts'
import { retryConflicts } from '../../../platform/steps.ts'
import { toText } from '../normalisation/values.ts'
import type { FusionJobContext } from './job-context.ts'
import { type JobOutput, type OpenJob, recordJobOutput, takeJobOutput } from './job-output.ts'
import { isPlannedAction, type JobPlan } from './job-plan.ts'
import { buildResultReport } from './job-result.ts'
import type { WorkingDevice } from './working-device.ts'

/** What an agent reports about a job, as query parameters of the request. */
export type Callback = Partial<
  Record<'uuid' | 'part' | 'currentStep' | 'status' | 'msg' | 'actionnum', string | undefined>
>

/** The progress of a job at the beginning of each step. */
const stepPercents = new Map([
  ['checking', 5],
  ['downloading', 10],
  ['prepare', 45],
  ['processing', 50],
])

const exitStatus = /exit status: `(-?\d{1,10})'$/
/** Agents separate their own messages from the output of the command by such lines. */
const ruler = /^[=-]{20,}$/

/** Handles a callback. What it reports is written before it is answered. */
export async function handleCallback(
  context: FusionJobContext,
  device: WorkingDevice,
  callback: Callback,
): Promise<void> {
  const { db, openJobs } = context
  const job = openJobs.get(callback.uuid ?? '') ?? (await beginJob(context, device, callback.uuid ?? ''))
  if (!job || job.deviceId !== device.id) return
  const action = callback.currentStep === 'processing' ? Number(callback.actionnum ?? 0) : null
  const line = extractLine(callback)
  const [, code] = exitStatus.exec(callback.msg ?? '') ?? []
  const output: JobOutput = {
    line,
    // Only those that the result depends on: an agent could invent any number of actions.
    exitCodes: code !== undefined && isPlannedAction(job.plan, action) ? { [action]: Number(code) } : {},
    percent: stepPercents.get(callback.currentStep ?? '') ?? 0,
  }
  const isOver =
    callback.status === 'ko' || (callback.status === 'ok' && !callback.currentStep && callback.part === 'job')
  if (!isOver) return retryConflicts(() => recordJobOutput(db, job, output))
  await retryConflicts(() =>
    db.transaction().execute(async (transaction) => {
      await lockAgent(transaction, device.computer_id)
      // A failure may also fail the work that depends on it.
      await lockOpenWork(transaction, device.computer_id)
      await recordJobOutput(transaction, job, output)
      await finishJob(transaction, device, job, { isOk: callback.status === 'ok', action, message: line ?? '' })
    }),
  )
  openJobs.delete(job.id)
}

/** Agents send the output of a command as if each of its bytes were a character. Other messages are left as they are. */
function repairUtf8(text: string): string {
  if (/[\u0100-\uffff]/.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : text
}

/** The message, without the name of the action that precedes the output of a command. */
function extractLine({ msg, part, currentStep }: Callback): string | null {
  // Repaired first: a byte of a character may look like a blank at the end.
  const text = toText(repairUtf8(msg ?? ''), 2000)
  if (text === null) return null
  if (currentStep !== 'processing' || part !== 'job') return text
  const output = text.replace(/^[a-z]+: /, '')
  return ruler.test(output) ? null : output
}

/** Finds the job of a callback and records that its work has started. */
async function beginJob(
  { db, openJobs }: FusionJobContext,
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
  const job = { id: row.id, workId, attempt, deviceId: device.id, plan: row.plan as unknown as JobPlan }
  await retryConflicts(() =>
    db.transaction().execute(async (transaction) => {
      await lockAgent(transaction, device.computer_id)
      await beginWork(transaction, device.computer_id, workId, { attempt, runId: device.run_id, isHandOut: false })
      await recordJobOutput(transaction, job, { line: null, exitCodes: {}, percent: 0 })
    }),
  )
  cacheJob(openJobs, job)
  return job
}

/** Bounds the cache, because agents that vanish in the middle of a job never finish it. */
const maxOpenJobs = 10_000

function cacheJob(openJobs: Map<string, OpenJob>, job: OpenJob): void {
  const [oldest] = openJobs.keys()
  if (openJobs.size >= maxOpenJobs && oldest !== undefined) openJobs.delete(oldest)
  openJobs.set(job.id, job)
}

type LastCallback = { isOk: boolean; action: number | null; message: string }

async function finishJob(db: Database, device: WorkingDevice, job: OpenJob, end: LastCallback): Promise<void> {
  const report = buildResultReport(job.plan, job.attempt, { ...end, ...(await takeJobOutput(db, job)) })
  await recordResult(db, device.computer_id, job.workId, report)
  await sql`update fusion_devices set is_inventory_due = true where id = ${device.id}`.execute(db)
}
