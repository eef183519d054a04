import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ExpectedError } from '../src/expected-error.ts'

export const help = `Usage: npm run demo [-- options]

Starts a Muster service with a fleet of simulated computers: groups, packages, patches, deployments and all kinds of
issues. The demo runs until Ctrl-C. The next start continues with the same computers.

  --port N        port of the service, on this machine only (default: MUSTER_PORT or 5058)
  --data FOLDER   folder for all data (default: MUSTER_DATA_DIR or ./demo-data)
  --computers N   number of computers, from 30 to 100000 (default: 500)
  --seed N        another seed gives other computers (default: 57)
  --fresh         delete the demo in the folder and start over
  --help          show this text

The folder must be empty or contain a demo. The data of other Muster services is never touched.`

export type DemoOptions = {
  port: number
  folder: string
  computers: number | undefined
  seed: number | undefined
  isFresh: boolean
}

/** Parses the command line. Returns undefined if it asks for help. */
export function readDemoOptions(args: readonly string[], environment: NodeJS.ProcessEnv): DemoOptions | undefined {
  const values = parseArguments(args)
  if (values.help) return undefined
  return {
    port: parseWholeNumber('--port', values.port ?? environment.MUSTER_PORT ?? '5058', 0, 65_535),
    folder: resolve(values.data ?? environment.MUSTER_DATA_DIR ?? 'demo-data'),
    computers:
      values.computers === undefined ? undefined : parseWholeNumber('--computers', values.computers, 30, 100_000),
    seed: values.seed === undefined ? undefined : parseWholeNumber('--seed', values.seed, 0, 4_294_967_295),
    isFresh: values.fresh === true,
  }
}

function parseArguments(args: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = { port: text, data: text, computers: text, seed: text, fresh: flag, help: flag }
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new ExpectedError(`${(error as Error).message} See --help.`)
  }
}

function parseWholeNumber(name: string, text: string, min: number, max: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw new ExpectedError(`${name} must be a whole number from ${min} to ${max}, not '${text}'.`)
}
