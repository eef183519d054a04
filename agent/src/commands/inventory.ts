import { messageOf } from '../expected-error.ts'
import { collectSections } from '../inventory/collect.ts'
import type { Platform } from '../platform/platform.ts'

/** Prints the inventory of this computer as JSON, section by section. Failed sections are listed on stderr. */
export async function inventory(platform: Platform): Promise<void> {
  const sections = await collectSections(platform.inventory(), (section, error) => {
    console.error(`The section ${section} could not be collected. ${messageOf(error)}`)
    process.exitCode = 1
  })
  const contents = Object.entries(sections).map(([name, { body }]) => [name, 'items' in body ? body.items : body.item])
  console.log(JSON.stringify(Object.fromEntries(contents), null, 2))
}
