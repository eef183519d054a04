import { AsyncLocalStorage } from 'node:async_hooks'
import { printError } from '@muster/text/print'
import { runCommandLine } from '../src/command-line.ts'
import { ExpectedError } from '../src/expected-error.ts'

type Ended = { code: number | null; output: string }

/**
 * Runs a command of the agent in this process, which takes a tenth of the processor time of a process. Tests that are about the
 * process, such as those that end it, start one.
 */
export async function runHere(args: string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
  const written = { text: '' }
  enter(environment)
  try {
    const code = await outputs.run(written, () => runToItsEnd(args))
    return { code, output: written.text }
  } finally {
    leave()
  }
}

/** As main.ts does. */
async function runToItsEnd(args: string[]): Promise<number> {
  try {
    await runCommandLine(args)
    return 0
  } catch (error) {
    printError(error instanceof ExpectedError ? error.message : error)
    return 1
  }
}

/** What the command of this asynchronous call prints. Another one may run at the same time. */
const outputs = new AsyncLocalStorage<{ text: string }>()

for (const name of ['log', 'error'] as const) {
  const print = console[name]
  console[name] = (...parts: unknown[]) => {
    const written = outputs.getStore()
    if (written) written.text += `${parts.join(' ')}\n`
    else print(...parts)
  }
}

let running = 0
let ownEnvironment: NodeJS.ProcessEnv = {}

/** The commands of a test share its environment. */
function enter(environment: NodeJS.ProcessEnv): void {
  if (running++ > 0) return
  ownEnvironment = { ...process.env }
  setEnvironment(environment)
}

function leave(): void {
  if (--running === 0) setEnvironment(ownEnvironment)
}

function setEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (environment[name] === undefined) delete process.env[name]
  Object.assign(process.env, environment)
}
