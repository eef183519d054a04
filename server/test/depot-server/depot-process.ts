import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { compileCache } from '../world/compile-cache.ts'
import { bundledProgram } from '../world/programs.ts'

export type Exit = { code: number | null; signal: NodeJS.Signals | null }

/** Starts the depot program. It is killed after the test if it is still running. */
export function spawnDepot(env: Record<string, string>) {
  const child = spawn(process.execPath, [bundledProgram('depot-server/main')], {
    env: { PATH: process.env.PATH, ...compileCache, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  const exited = new Promise<Exit>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    pid: child.pid,
    output: () => output,
    exited,
    kill(signal: NodeJS.Signals): Promise<Exit> {
      child.kill(signal)
      return exited
    },
  }
}
