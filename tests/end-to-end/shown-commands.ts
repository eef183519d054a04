import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { onTestFinished } from 'vitest'
import { compileCache } from '../../server/test/world/compile-cache.ts'

/** Runs a command that the console shows, as a person pastes it into a terminal: in a shell, in a folder of no importance. */
export function runShown(command: string) {
  const child = spawn('sh', ['-c', command], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, as in a terminal.
    detached: true,
    env: { PATH: [dirname(process.execPath), process.env.PATH].join(':'), HOME: process.env.HOME, ...compileCache },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const signal = (name: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid, name)
    return exited
  }
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(`${command}\nprinted:\n${output}`)
    await signal('SIGKILL')
  })
  return {
    async succeeded(): Promise<void> {
      const code = await exited
      if (code !== 0) throw new Error(`${command}\nended with ${code}:\n${output}`)
    },
    /** Ctrl-C, which reaches all processes of the terminal. */
    interrupt: () => signal('SIGINT'),
  }
}
