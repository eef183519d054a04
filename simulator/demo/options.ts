import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ExpectedError } from '../src/expected-error.ts'

export const help = `Usage: npm run demo [-- options]

Starts a Muster with a fleet of simulated computers that live: groups, packages, patches, deployments and everything that
can be wrong. It keeps running until Ctrl-C; the next start continues.

  --port N        where the service listens, on this machine only (5058, or MUSTER_PORT)
  --data FOLDER   where everything is kept (./demo-data, or MUSTER_DATA_DIR if that is empty or has a demo in it)
  --computers N   how many computers there are (500)
  --seed N        another seed gives other computers (57)
  --fresh         forget the demo in the folder, and begin anew
  --help          this text

It never touches the data of another Muster: a folder with anything else in it is refused.`

export type DemoOptions = {
  port: number
  folder: string
  computers: number | undefined
  seed: number | undefined
  isFresh: boolean
}

/** What the command line says, or undefined if it asks for help. */
export function readDemoOptions(args: readonly string[], environment: NodeJS.ProcessEnv): DemoOptions | undefined {
  const values = parsed(args)
  if (values.help) return undefined
  return {
    port: wholeNumber('--port', values.port ?? environment.MUSTER_PORT ?? '5058', 0, 65_535),
    folder: resolve(values.data ?? environment.MUSTER_DATA_DIR ?? 'demo-data'),
    computers: values.computers === undefined ? undefined : wholeNumber('--computers', values.computers, 30, 100_000),
    seed: values.seed === undefined ? undefined : wholeNumber('--seed', values.seed, 0, 4_294_967_295),
    isFresh: values.fresh === true,
  }
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = { port: text, data: text, computers: text, seed: text, fresh: flag, help: flag }
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new ExpectedError(`${(error as Error).message} See --help.`)
  }
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new ExpectedError(`${name} must be a whole number from ${least} to ${most}, not '${text}'.`)
}
