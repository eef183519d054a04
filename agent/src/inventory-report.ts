import type { Agent } from './agent.ts'
import { messageOf } from './expected-error.ts'
import type { Section } from './inventory-source.ts'
import { log } from './log.ts'
import type { SectionReport } from './protocol.ts'
import { Refused } from './server-client.ts'

/** The inventory. One that cannot be collected keeps no computer from its work. */
export async function collectedSections(
  { inventory }: Pick<Agent, 'inventory'>,
  maximumAgeMinutes = 0,
): Promise<Record<string, Section>> {
  try {
    return await inventory.collectSections(maximumAgeMinutes)
  } catch (error) {
    log(`The inventory could not be collected. ${messageOf(error)}`)
    return {}
  }
}

/** Sends the sections of the given names, or all. */
export async function sendInventory(
  agent: Pick<Agent, 'inventory' | 'client'>,
  sections?: Record<string, Section>,
  names?: readonly string[],
): Promise<void> {
  const collected = sections ?? (await collectedSections(agent))
  const collectedUtc = new Date().toISOString()
  const reports = Object.entries(collected)
    .filter(([name]) => !names || names.includes(name))
    .map(([name, { hash, body }]): [string, SectionReport] => [name, { hash, collectedUtc, ...body }])
  if (await areTakenTogether(agent, Object.fromEntries(reports))) return
  for (const [name, report] of reports) {
    try {
      await agent.client.putSection(name, report)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      log(`The section ${name} of the inventory was not taken. ${error.message}`)
    }
  }
}

/** Half of what a server takes in one request, unless it is told otherwise. */
const longestTogether = 524_288

/** Where one section is refused, all are. The others get in by themselves. */
async function areTakenTogether(
  { client }: Pick<Agent, 'client'>,
  sections: Record<string, SectionReport>,
): Promise<boolean> {
  if (Object.keys(sections).length < 2 || JSON.stringify(sections).length > longestTogether) return false
  try {
    await client.putInventory(sections)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}
