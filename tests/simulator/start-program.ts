import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Starts a program of the simulator as a separate process. If it still runs after the test, it gets the signal. */
export function startProgram(main: string, args: readonly string[], stopSignal: NodeJS.Signals) {
  const child: ChildProcess = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill(stopSignal)
    await exited
  })
  return { process: child, output: () => output, exited }
}
