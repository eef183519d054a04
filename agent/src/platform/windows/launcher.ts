import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '../../log.ts'
import type { SharedCommands } from '../platform.ts'
import { dataFolder } from './paths.ts'
import { program } from './program.ts'
import { createStopEvent, stopEventVariable } from './stop-event.ts'

const maxStarts = 3
const defaultTrialSeconds = 600
const pollMs = 500

const versions = () => join(dataFolder(), 'versions')
export const pointerTo = (name: 'trial' | 'current' | 'reverted') => join(versions(), name)
const startsFile = () => join(versions(), 'starts')

/**
 * Runs the agent until it ends: the installed version in this process, or a later one with which the agent has updated itself
 * in a process of its own. A new version is watched until it has contacted the server, and otherwise taken back. This code is
 * that of the installed version, which no update replaces.
 */
export async function runVersion(agent: SharedCommands, stopping: AbortSignal): Promise<void> {
  process.env.MUSTER_AGENT_VERSIONS = versions()
  const trial = await program.readPointer(pointerTo('trial'))
  if (trial !== undefined && (await countStart())) return await tryVersion(trial, stopping)
  const current = await program.readPointer(pointerTo('current'))
  if (current === undefined) return await agent.run()
  const { exited, end } = startVersion(current, {}, stopping)
  await exited
  end()
}

/** A start counts before it happens so that a computer that crashes with the new version returns as well. */
async function countStart(): Promise<boolean> {
  const starts = Number(await readFile(startsFile(), 'utf8').catch(() => '0')) + 1
  if (starts > maxStarts) {
    await takeBack(`it was started ${maxStarts} times and has not contacted the server`)
    return false
  }
  await writeFile(startsFile(), String(starts), { flush: true })
  return true
}

async function tryVersion(trial: string, stopping: AbortSignal): Promise<void> {
  const seconds = Number(process.env.MUSTER_AGENT_TRIAL_SECONDS ?? defaultTrialSeconds)
  const deadline = Date.now() + seconds * 1000
  const { exited, isRunning, kill, end } = startVersion(trial, { MUSTER_AGENT_TRIAL: trial }, stopping)
  const isOnTrial = async () => (await program.readPointer(pointerTo('trial'))) === trial
  while (isRunning() && (await isOnTrial())) {
    if (Date.now() > deadline && !stopping.aborted) {
      kill()
      await exited
      await takeBack(`it has not contacted the server within ${seconds} seconds`)
      break
    }
    await Promise.race([exited, sleep(pollMs)])
  }
  await exited
  end()
  if (!stopping.aborted && (await isOnTrial())) await takeBack('it has ended before it has contacted the server')
}

async function takeBack(reason: string): Promise<void> {
  log(`The new version of the agent is taken back: ${reason}`, 'UpdateTakenBack')
  await rm(startsFile(), { force: true })
  await program.movePointer(pointerTo('trial'), pointerTo('reverted'))
}

/** Node ends the process together with this one, but not the commands that it has started. */
function startVersion(folder: string, variables: Record<string, string>, stopping: AbortSignal) {
  const stop = createStopEvent()
  const child = spawn(join(versions(), folder, 'muster-agent.exe'), ['run'], {
    stdio: 'ignore',
    windowsHide: true,
    env: { ...process.env, ...variables, [stopEventVariable]: stop.name },
  })
  const exited = once(child, 'exit').catch((error: unknown) =>
    log(`The version ${folder} could not be started: ${error}`),
  )
  const onStop = () => stop.signal()
  stopping.addEventListener('abort', onStop)
  if (stopping.aborted) onStop()
  return {
    exited,
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    kill: () => void child.kill(),
    end() {
      stopping.removeEventListener('abort', onStop)
      stop.close()
    },
  }
}
