import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { sendInventory } from '../inventory-report.ts'
import { log } from '../log.ts'
import { refreshPatchScan } from '../patches/report.ts'
import type { StartedWork, WorkOrder, WorkResult } from '../protocol.ts'
import { isNotHeld, Refused, ServerAway } from '../server-client.ts'
import { forgetSettingsHash } from '../state/settings.ts'
import { packageWork } from './package-work.ts'
import { powerWork } from './power.ts'
import { finish } from './results.ts'

/** Does one piece of work that the server handed out; tells whether there was anything to report. */
export async function carryOut(agent: Agent, order: WorkOrder): Promise<boolean> {
  const startedUtc = new Date().toISOString()
  try {
    const work = await agent.client.start(order.workId, { attempt: order.attempt, runId: agent.runId }, agent.stopping)
    return await byKind(agent, order, work)
  } catch (error) {
    if (isNotHeld(error)) {
      log(`Work ${order.workId} is left out. ${error.message}`)
      return false
    }
    if (error instanceof ServerAway || error instanceof Refused || agent.stopping.aborted) throw error
    const errorText = `The agent could not do the work: ${messageOf(error)}`
    await finish(agent, { workId: order.workId, result: plainResult(order, startedUtc, errorText) })
    return true
  }
}

async function byKind(agent: Agent, order: WorkOrder, work: StartedWork): Promise<boolean> {
  const { kind } = order
  if (kind === 'Refresh') return refresh(agent, order)
  if (kind === 'Power' && order.power) return powerWork(agent, order, order.power, work)
  const isKnown = kind === 'Install' || kind === 'Update' || kind === 'Uninstall' || kind === 'Reinstall'
  if (isKnown && order.package) {
    const { workId, attempt, package: subject } = order
    return packageWork(agent, { workId, attempt, kind, package: subject, runs: 1 }, work)
  }
  throw new Error(`it does not know work of the kind ${kind}.`)
}

/** The settings hold on until the next contact brings them all. */
async function refresh(agent: Agent, order: WorkOrder): Promise<boolean> {
  const startedUtc = new Date().toISOString()
  await sendInventory(agent)
  await refreshPatchScan(agent)
  await forgetSettingsHash(agent.state)
  await finish(agent, { workId: order.workId, result: plainResult(order, startedUtc, null) })
  return true
}

function plainResult({ attempt }: WorkOrder, startedUtc: string, errorText: string | null): WorkResult {
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
