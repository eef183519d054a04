import type { InventorySections, SectionName } from '../protocol.ts'

/** The content of a section. `hashed` is the part whose change is worth reporting, if not all of it is. */
export type FoundSection<Name extends SectionName = SectionName> = {
  [Each in Name]: Omit<InventorySections[Each], 'hash' | 'collectedUtc'> & { hashed?: unknown }
}[Name]

/**
 * How a platform reads each section, from a source of its own. Every section that the server accepts has a reader: a
 * platform that lacks one, or a field of one, does not compile. A reader returns undefined if its source has no answer.
 */
export type SectionReaders<Source> = {
  [Name in SectionName]: (source: Source) => Promise<FoundSection<Name> | undefined>
}

/** The readers of one collection, in order. */
export type SectionCollectors = { [Name in SectionName]: () => Promise<FoundSection<Name> | undefined> }

/** Lets all readers share a source. */
export function collectorsOf<Source>(readers: SectionReaders<Source>, source: Source): SectionCollectors {
  const collectors = Object.entries(readers).map(([name, read]) => [name, () => read(source)])
  return Object.fromEntries(collectors)
}
