import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import type { SectionReport } from '../protocol.ts'
import { Refused } from '../server-client.ts'
import type { Section } from './collect.ts'

/** Collects the inventory. A failure is logged and returns no sections: it must not prevent work. */
export async function collectSectionsOrNone(
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

/** Sends the named sections, or all. */
export async function sendInventory(
  agent: Pick<Agent, 'inventory' | 'client'>,
  sections?: Record<string, Section>,
  names?: readonly string[],
): Promise<void> {
  const collected = sections ?? (await collectSectionsOrNone(agent))
  const collectedUtc = new Date().toISOString()
  const reports = Object.entries(collected)
    .filter(([name]) => !names || names.includes(name))
    .map(([name, { hash, body }]): [string, SectionReport] => [name, { hash, collectedUtc, ...body }])
  if (await sendTogether(agent, Object.fromEntries(reports))) return
  for (const [name, report] of reports) {
    try {
      await agent.client.putSection(name, report)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      log(`The server refused the inventory section ${name}. ${error.message}`)
    }
  }
}

/** In characters: half of the default request limit of the server. */
const maxCombinedLength = 524_288

/** Sends all sections in one request. If one is refused, all are: the caller then sends them one by one. */
async function sendTogether(
  { client }: Pick<Agent, 'client'>,
  sections: Record<string, SectionReport>,
): Promise<boolean> {
  if (Object.keys(sections).length < 2 || JSON.stringify(sections).length > maxCombinedLength) return false
  try {
    await client.putInventory(sections)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}
