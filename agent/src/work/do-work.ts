import { parseTraceparent } from '@muster/http/trace-context'
import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { sendInventory } from '../inventory/report.ts'
import { log } from '../log.ts'
import { refreshPatchScan } from '../patches/report.ts'
import type { PackageWorkKind, StartedWork, WorkItem, WorkKind, WorkResult } from '../protocol.ts'
import { InvalidAnswer, isLeaseLost, Refused, ServerUnavailable } from '../server-client.ts'
import { WorkDelayed } from '../shortage.ts'
import { clearSettingsHash } from '../state/settings.ts'
import type { LeasedItem } from './leased-work.ts'
import { packageWork } from './package-work.ts'
import { powerWork } from './power.ts'
import { finish } from './results.ts'

/** Does one leased work item. Returns whether there was a result to report. */
export async function doWork(agent: Agent, item: LeasedItem): Promise<boolean> {
  const startedUtc = new Date().toISOString()
  try {
    const { workId, attempt } = item
    showToUsers(agent, item)
    logTrace(item)
    const work = item.started ?? (await agent.client.start(workId, { attempt, runId: agent.runId }, agent.stopping))
    return await dispatchByKind(agent, item, work)
  } catch (error) {
    if (isLeaseLost(error)) {
      log(`Work ${item.workId} is skipped. ${error.message}`)
      return false
    }
    // Asked again, the server would answer the same, and nothing else would be done.
    const isUnavailable = error instanceof ServerUnavailable && !(error instanceof InvalidAnswer)
    if (isUnavailable || error instanceof Refused || agent.stopping.aborted) throw error
    if (error instanceof WorkDelayed) throw error
    const errorText = `The agent failed to do the work: ${messageOf(error)}`
    await finish(agent, { workId: item.workId, result: plainResult(item, startedUtc, errorText) })
    return true
  } finally {
    agent.activity.end(item.workId)
  }
}

/** What a request has led to can then be found in this log as well. */
function logTrace({ workId, kind, traceparent }: LeasedItem): void {
  const trace = parseTraceparent(traceparent)
  if (trace) log(`Work ${workId} (${kind}) is part of the trace ${trace.traceId}.`)
}

/** Users see the work, unless it is hidden from them. */
function showToUsers({ activity }: Agent, { workId, kind, package: subject, hidden }: LeasedItem): void {
  if (!subject || hidden) return
  const { packageId, name, version } = subject
  activity.begin({ workId, kind, packageId, name, version, percent: 0 })
}

async function dispatchByKind(agent: Agent, item: LeasedItem, work: StartedWork): Promise<boolean> {
  const { kind } = item
  if (kind === 'Refresh') return refresh(agent, item)
  if (kind === 'Power' && item.power) return powerWork(agent, item, item.power, work)
  if (isPackageKind(kind) && item.package) {
    const { workId, attempt, package: subject } = item
    const isStartKnown = item.started === undefined
    return packageWork(agent, { workId, attempt, kind, package: subject, runs: 1 }, work, isStartKnown)
  }
  throw new Error(`it does not support work of the kind ${kind}.`)
}

const isPackageKind = (kind: WorkKind): kind is PackageWorkKind =>
  (['Install', 'Update', 'Uninstall', 'Reinstall', 'Trial'] as const satisfies PackageWorkKind[]).some(
    (known) => known === kind,
  )

/** Sends inventory and patch scan; clearing the hash makes the next contact bring all settings. */
async function refresh(agent: Agent, item: WorkItem): Promise<boolean> {
  const startedUtc = new Date().toISOString()
  await sendInventory(agent)
  await refreshPatchScan(agent)
  await clearSettingsHash(agent.state)
  await finish(agent, { workId: item.workId, result: plainResult(item, startedUtc, null) })
  return true
}

function plainResult({ attempt }: WorkItem, startedUtc: string, errorText: string | null): WorkResult {
  return {
    attempt,
    status: errorText === null ? 'Success' : 'Failed',
    installationState: null,
    exitCode: null,
    startedUtc,
    finishedUtc: new Date().toISOString(),
    commandLine: null,
    output: '',
    errorText,
    rebootRequired: false,
  }
}
