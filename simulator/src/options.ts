import { parseArgs } from 'node:util'
import { isSecureAddress } from '@muster/client'
import { ExpectedError } from './expected-error.ts'
import { readScenario, readScenarioFile, type Scenario } from './scenario.ts'

export const help = `Usage: npm run simulate -- --server URL [--token TOKEN] [options]

Simulates computers that use the agent channel of a Muster service: they enrol, make contacts, send inventories and
patch scans, do their work, fail and restart. The same seed always gives the same computers.

  --server URL         address of the service, for example http://127.0.0.1:5057
  --token TOKEN        enrolment token; repeat the option to spread the computers over several tokens
  --scenario FILE      scenario, for example simulator/scenarios/office.json; see docs/guides/simulator.md
  --set NAME=VALUE     override one field of the scenario, for example work.failureRate=0.5; may be repeated
  --computers N        short for --set computers=N
  --seed N             short for --set seed=N
  --duration SECONDS   short for --set durationSeconds=SECONDS
  --interval SECONDS   short for --set contact.intervalSeconds=SECONDS
  --state FILE         save the fleet to this file, and continue with it in the next run
  --insecure           allow plain http to another host, which exposes credentials to the network
  --ca FILE            also trust the certificates in this file
  --api-token TOKEN    access token with the role admin.manage: creates an enrolment token if there is none, and adds
                       figures of the service to the report; or set MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET
  --report FILE        also write the report to this file as JSON
  --quiet              do not show progress
  --help               show this text

The simulator stops after the duration of the scenario, on SIGINT or on SIGTERM, and prints a report.
Do not run it against a service that manages real computers: it creates computers of its own, and anybody who knows the
seed can derive their keys.`

export type Options = {
  server: string
  tokens: string[]
  scenario: Scenario
  state: string | undefined
  ca: string | undefined
  isInsecure: boolean
  apiToken: string | undefined
  report: string | undefined
  isQuiet: boolean
}

/** Options that set one field of the scenario. */
const shortOptions = {
  computers: 'computers',
  seed: 'seed',
  duration: 'durationSeconds',
  interval: 'contact.intervalSeconds',
} as const

/** Parses the command line. Returns undefined if it asks for help. */
export function readOptions(args: readonly string[]): Options | undefined {
  const values = parseArguments(args)
  if (values.help) return undefined
  const { server, token = [] } = values
  if (!server || !isHttpUrl(server))
    throw new ExpectedError('--server must be a URL that starts with http:// or https://.')
  if (!values.insecure && !isSecureAddress(new URL(server)))
    throw new ExpectedError('Plain http exposes credentials to the network. Use https, or --insecure for a test.')
  return {
    server,
    tokens: token,
    scenario: buildScenario(values),
    state: values.state,
    ca: values.ca,
    isInsecure: values.insecure === true,
    apiToken: values['api-token'],
    report: values.report,
    isQuiet: values.quiet === true,
  }
}

type Values = ReturnType<typeof parseArguments>

function parseArguments(args: readonly string[]) {
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
        insecure: flag,
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

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function buildScenario(values: Values): Scenario {
  const scenario = values.scenario ? readScenarioFile(values.scenario) : {}
  const settings = Object.entries(shortOptions).flatMap(([option, name]) => {
    const value = values[option as keyof typeof shortOptions]
    return value === undefined ? [] : [`${name}=${value}`]
  })
  for (const setting of [...settings, ...(values.set ?? [])]) setField(scenario, setting)
  return readScenario(scenario)
}

/** Sets one field by its dotted path. The scenario is validated afterwards. */
function setField(scenario: unknown, setting: string): void {
  const [path = '', ...rest] = setting.split('=')
  const names = path.split('.')
  const last = names.pop()
  if (!last || rest.length === 0 || typeof scenario !== 'object' || scenario === null)
    throw new ExpectedError(`--set must be NAME=VALUE, not '${setting}'.`)
  let object = scenario as Record<string, unknown>
  for (const name of names) {
    const inner = object[name]
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
    object[name] = next
    object = next
  }
  object[last] = parseValue(rest.join('='))
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
