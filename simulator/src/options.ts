import { parseArgs } from 'node:util'
import { ExpectedError } from './expected-error.ts'
import { readScenario, readScenarioFile, type Scenario } from './scenario.ts'

export const help = `Usage: npm run simulate -- --server URL --token TOKEN [options]

Simulated computers that speak the agent channel of a Muster: they enrol, make contacts, send their inventory and patch
scans, do their work, fail and are started anew. The same seed gives the same computers.

  --server URL         the service, such as http://127.0.0.1:5057
  --token TOKEN        an enrolment token; given several times, computers take turns
  --scenario FILE      a scenario, such as simulator/scenarios/office.json; see docs/guides/simulator.md
  --set NAME=VALUE     another value for one field of the scenario, such as work.failureRate=0.5; several times
  --computers N        the same as --set computers=N
  --seed N             the same as --set seed=N
  --duration SECONDS   the same as --set durationSeconds=SECONDS
  --interval SECONDS   the same as --set contact.intervalSeconds=SECONDS
  --state FILE         keeps the fleet there, so that a later run continues
  --ca FILE            trust also the certificates in this file
  --api-token TOKEN    an access token with admin.manage, for the figures of the service in the report
  --report FILE        write the report there as JSON, too
  --quiet              no progress
  --help               this text

It ends after the duration of the scenario, on SIGINT or on SIGTERM, and prints a report.
Never aim it at a Muster with computers that matter: it enters its own, and their keys can be worked out of the seed.`

export type Options = {
  server: string
  tokens: string[]
  scenario: Scenario
  state: string | undefined
  ca: string | undefined
  apiToken: string | undefined
  report: string | undefined
  isQuiet: boolean
}

const short = {
  computers: 'computers',
  seed: 'seed',
  duration: 'durationSeconds',
  interval: 'contact.intervalSeconds',
} as const

/** What the command line says, or undefined if it asks for help. */
export function readOptions(args: readonly string[]): Options | undefined {
  const values = parsed(args)
  if (values.help) return undefined
  const { server, token = [] } = values
  if (!server || !isAddress(server))
    throw new ExpectedError('--server must be an address that begins with http:// or https://.')
  if (token.length === 0 && !values.state) throw new ExpectedError('--token is missing: computers need one to enrol.')
  return {
    server,
    tokens: token,
    scenario: scenarioOf(values),
    state: values.state,
    ca: values.ca,
    apiToken: values['api-token'],
    report: values.report,
    isQuiet: values.quiet === true,
  }
}

type Values = ReturnType<typeof parsed>

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const
  const texts = { type: 'string', multiple: true } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...args],
      options: {
        server: text,
        token: texts,
        scenario: text,
        set: texts,
        computers: text,
        seed: text,
        duration: text,
        interval: text,
        state: text,
        ca: text,
        'api-token': text,
        report: text,
        quiet: flag,
        help: flag,
      },
    }).values
  } catch (error) {
    throw new ExpectedError(`${(error as Error).message} See --help.`)
  }
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function scenarioOf(values: Values): Scenario {
  const said = values.scenario ? readScenarioFile(values.scenario) : {}
  const settings = Object.entries(short).flatMap(([option, name]) => {
    const value = values[option as keyof typeof short]
    return value === undefined ? [] : [`${name}=${value}`]
  })
  for (const setting of [...settings, ...(values.set ?? [])]) setField(said, setting)
  return readScenario(said)
}

/** Sets one field, by the names on the way to it. The scenario is checked afterwards, as if it had said so itself. */
function setField(said: unknown, setting: string): void {
  const [path = '', ...rest] = setting.split('=')
  const names = path.split('.')
  const last = names.pop()
  if (!last || rest.length === 0 || typeof said !== 'object' || said === null)
    throw new ExpectedError(`--set must be NAME=VALUE, not '${setting}'.`)
  let object = said as Record<string, unknown>
  for (const name of names) {
    const inner = object[name]
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
    object[name] = next
    object = next
  }
  object[last] = parsedValue(rest.join('='))
}

function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
