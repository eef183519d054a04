import { collectSections } from '../inventory/collect.ts'

/** What the agent tells of this computer, section by section, as JSON. */
export async function inventory(): Promise<void> {
  const sections = await collectSections()
  const contents = Object.entries(sections).map(([name, { body }]) => [name, 'items' in body ? body.items : body.item])
  console.log(JSON.stringify(Object.fromEntries(contents), null, 2))
}
