import { print } from '@muster/text/print'
import { messageOf } from '../expected-error.ts'
import { collectWithSources, type SectionOutcome } from '../inventory/collect-with-sources.ts'
import type { Platform } from '../platform/platform.ts'
import { agentVersion } from '../version.ts'
import { type Finding, openReport } from './selftest-report.ts'

/**
 * Queries everything that the agent reads from this computer, and prints the answers for a person who can compare them
 * with the computer. It changes nothing. Exits with 1 if something failed; a source that the computer does not have is not
 * a failure.
 */
export async function selftest(platform: Platform): Promise<void> {
  const report = openReport(print)
  report.title('System')
  for (const [name, check] of Object.entries({ ...generalChecks(platform), ...platform.selftest?.() }))
    report.add(await findingOf(name, check))
  const { answers, outcomes } = await collectWithSources(platform)
  report.title('Sources of the inventory')
  for (const { source, asked, answer, state, milliseconds } of answers)
    report.add({ name: source, state, asked, came: answer, notes: [`after ${milliseconds} ms`] })
  report.title('Sections of the inventory, which are made of these sources')
  for (const outcome of outcomes) report.add(sectionFinding(outcome))
  if (report.summarise()) process.exitCode = 1
}

function generalChecks({ name, system, computer, users, patches }: Platform): Record<string, () => Promise<unknown>> {
  return {
    agent: async () => `${agentVersion}, Node ${process.versions.node}, ${name} on ${process.arch}`,
    'operating system': () => computer.systemTitle(),
    'names for packages': () => computer.systemNames(),
    'computer name': () => computer.name(),
    'UUID of the firmware': () => computer.firmwareUuid(),
    'network interface': () => computer.mainInterface(),
    'start of the system': async () => ({ at: await system.bootTime(), id: system.bootId() }),
    'restart required by': async () => (await system.findRebootSource()) ?? 'nothing',
    'logged-on user': async () => (await users.loggedOn()) ?? 'nobody',
    patches: async () => summarise(await patches.scan(new Set())),
  }
}

/** A check that finds nothing is not a failure: not every computer has everything. */
async function findingOf(name: string, check: () => Promise<unknown>): Promise<Finding> {
  try {
    const found = await check()
    const isUnknown = found === null || found === undefined
    return { name, state: isUnknown ? 'unknown' : 'ok', came: isUnknown ? 'no answer' : toText(found) }
  } catch (error) {
    return { name, state: 'failed', came: messageOf(error) }
  }
}

type Scan = Awaited<ReturnType<Platform['patches']['scan']>>

function summarise(scan: Scan): string | undefined {
  if (!scan) return undefined
  const missing = scan.patches.filter(({ status }) => status === 'Missing')
  const first = missing[0] ?? scan.patches[0]
  const counts = `${missing.length} missing, ${scan.patches.length - missing.length} installed`
  return first ? `${counts}, the first: ${toText(first)}` : counts
}

function sectionFinding({ name, section, error }: SectionOutcome): Finding {
  if (error !== null) return { name, state: 'failed', came: error }
  if (!section) return { name, state: 'unknown', came: 'nothing, because its sources have no answer' }
  const items = 'items' in section.body ? section.body.items : [section.body.item]
  const count = 'items' in section.body ? `${items.length} item${items.length === 1 ? '' : 's'}: ` : ''
  const empty = emptyProperties(items)
  return {
    name,
    state: 'ok',
    came: `${count}${toText(items[0] ?? [])}`,
    notes: empty.length > 0 ? [`without a value: ${empty.join(', ')}`] : [],
  }
}

/** The properties that no item has a value for: the computer has none, or its source has none. */
function emptyProperties(items: readonly unknown[], prefix = ''): string[] {
  const [first] = items as Record<string, unknown>[]
  return Object.keys(first ?? {}).flatMap((name) => {
    const values = items.map((item) => (item as Record<string, unknown>)[name])
    if (values.every((value) => value === null)) return [`${prefix}${name}`]
    const isNested = values.every((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    return isNested ? emptyProperties(values, `${prefix}${name}.`) : []
  })
}

const toText = (found: unknown) => (typeof found === 'string' ? found : JSON.stringify(found))
