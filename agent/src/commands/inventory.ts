import { visibleJson } from '@muster/text'
import { print, printError } from '@muster/text/print'
import { messageOf } from '../expected-error.ts'
import { collectSections } from '../inventory/collect.ts'
import type { Platform } from '../platform/platform.ts'

/** Prints the inventory of this computer as JSON, section by section. Failed sections are listed on stderr. */
export async function inventory(platform: Platform): Promise<void> {
  const sections = await collectSections(platform.inventory(), (section, error) => {
    printError(`The section ${section} could not be collected. ${messageOf(error)}`)
    process.exitCode = 1
  })
  const contents = Object.entries(sections).map(([name, { body }]) => [name, 'items' in body ? body.items : body.item])
  print(visibleJson(JSON.stringify(Object.fromEntries(contents), null, 2)))
}
