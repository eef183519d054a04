import { collectSections } from '../inventory/collect.ts'

/** Prints the inventory of this computer as JSON, section by section. */
export async function inventory(): Promise<void> {
  const sections = await collectSections()
  const contents = Object.entries(sections).map(([name, { body }]) => [name, 'items' in body ? body.items : body.item])
  console.log(JSON.stringify(Object.fromEntries(contents), null, 2))
}
