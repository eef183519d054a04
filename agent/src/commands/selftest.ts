import { messageOf } from '../expected-error.ts'
import { collectWithSources, type SectionOutcome } from '../inventory/collect-with-sources.ts'
import type { Platform } from '../platform/platform.ts'
import { agentVersion } from '../version.ts'

const maxShown = 300
/** In characters: lines stay aligned, except those of a few long keys of the registry. */
const nameWidth = 60

/**
 * Asks everything that the agent reads from this computer, and prints what it answered, for a person who can compare that
 * with the computer. It changes nothing. Exits with 1 if something failed; a source that the computer does not have is no
 * failure.
 */
export async function selftest(platform: Platform): Promise<void> {
  const checks = { ...generalChecks(platform), ...platform.selftest?.() }
  let failures = 0
  printTitle('System')
  for (const [name, check] of Object.entries(checks))
    await check().then(
      (found) => printLine(name, shorten(found)),
      (error: unknown) => {
        failures += 1
        printLine(name, `FAILED: ${messageOf(error)}`)
      },
    )
  const { answers, outcomes } = await collectWithSources(platform)
  printTitle('Sources of the inventory')
  for (const { source, answer, isMissing, milliseconds } of answers)
    printLine(source, `${isMissing ? 'no answer: ' : ''}${answer} (${milliseconds} ms)`)
  printTitle('Sections of the inventory')
  for (const outcome of outcomes) {
    if (outcome.error !== null) failures += 1
    printLine(outcome.name, describe(outcome))
  }
  console.log(failures === 0 ? '\nNothing has failed.' : `\n${failures} of the lines above have failed.`)
  if (failures > 0) process.exitCode = 1
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
    'restart required by': () => system.findRebootSource(),
    'logged-on user': () => users.loggedOn(),
    patches: async () => summarise(await patches.scan(new Set())) ?? `none: ${patches.unavailable}`,
  }
}

type Scan = Awaited<ReturnType<Platform['patches']['scan']>>

function summarise(scan: Scan): string | undefined {
  const missing = scan?.patches.filter(({ status }) => status === 'Missing')
  return scan && `${missing?.length} missing, ${scan.patches.length - (missing?.length ?? 0)} installed`
}

function describe({ section, error }: SectionOutcome): string {
  if (error !== null) return `FAILED: ${error}`
  if (!section) return 'not reported, because its sources have no answer'
  const content = 'items' in section.body ? section.body.items : section.body.item
  return shorten(content)
}

function shorten(found: unknown): string {
  if (typeof found === 'string') return found
  const text = JSON.stringify(found ?? null)
  const count = Array.isArray(found) ? `${found.length}: ` : ''
  return count + (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)
}

function printTitle(title: string): void {
  console.log(`\n${title}`)
}

function printLine(name: string, answer: string): void {
  console.log(`  ${name.padEnd(nameWidth)} ${answer}`)
}
