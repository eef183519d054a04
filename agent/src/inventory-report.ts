import type { Agent } from './agent.ts'
import { messageOf } from './expected-error.ts'
import type { Section } from './inventory-source.ts'
import { log } from './log.ts'
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
  for (const [name, { hash, body }] of Object.entries(collected)) {
    if (names && !names.includes(name)) continue
    try {
      await agent.client.putSection(name, { hash, collectedUtc, ...body })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      log(`The section ${name} of the inventory was not taken. ${error.message}`)
    }
  }
}
