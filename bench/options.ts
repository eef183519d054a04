import { parseArgs } from 'node:util'
import { type Surface, surfaces } from '../server/test/faults/fuzz/documents.ts'

/** Options of benchmarks that run by name. */
export type BenchOptions = {
  requests?: number
  seed?: number
  surface?: Surface
  only?: number
  rounds?: number
  computers?: number
  accept?: boolean
}

/** Reads the names of benchmarks and their options. Throws a sentence for people. */
export function readBenchArguments(argv: string[]): { names: string[]; hasHelp: boolean; options: BenchOptions } {
  const { values, positionals: names } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      requests: { type: 'string' },
      seed: { type: 'string' },
      surface: { type: 'string' },
      only: { type: 'string' },
      rounds: { type: 'string' },
      computers: { type: 'string' },
      accept: { type: 'boolean', default: false },
    },
  })
  const surface = surfaces.find((name) => name === values.surface)
  if (values.surface !== undefined && !surface) throw new Error(`--surface must be one of ${surfaces.join(', ')}.`)
  if (values.only !== undefined && values.seed === undefined) throw new Error('--only needs --seed.')
  const { requests, seed, only, rounds, computers } = values
  const numbers = { requests, seed, only, rounds, computers }
  const parsed = Object.entries(numbers).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, parseNumber(name, text)]],
  )
  const options = { ...Object.fromEntries(parsed), ...(surface && { surface }), accept: values.accept }
  return { names, hasHelp: values.help, options }
}

function parseNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} must be a number.`)
  return Number(text)
}
