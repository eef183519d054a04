import { expect } from 'vitest'
import { collectSections } from '../../src/inventory/collect.ts'
import { windowsSections } from '../../src/platform/windows/inventory/sections.ts'
import { type RecordedWindows, recordedAccess } from './recorded-access.ts'

/** The contents of all sections by name. No section may fail. */
export async function contentsOf(recorded: RecordedWindows) {
  const failures: unknown[] = []
  const sections = await collectSections(windowsSections(recordedAccess(recorded)), (...failure) =>
    failures.push(failure),
  )
  expect(failures).toEqual([])
  return Object.fromEntries(
    Object.entries(sections).map(([name, { body }]) => [name, 'items' in body ? body.items : body.item]),
  )
}
