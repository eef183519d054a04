import type { Database } from '../../../database/connect.ts'
import type { DesiredState } from '../api/desired-state/document-schemas.ts'
import { readState } from './read-state.ts'
import { stateSections } from './sections/index.ts'
import type { StateProperty } from './state-section.ts'

/** The document that, applied to an empty service with the same packages and patches, leads to the current state. */
export async function exportState(db: Database, properties: readonly StateProperty[]): Promise<DesiredState> {
  const { packages, current } = await readState(db, properties)
  const document: DesiredState = {}
  for (const { name, property, writeDocument } of stateSections)
    if (property && properties.includes(property))
      writeDocument([...(current.get(name)?.values() ?? [])], document, packages)
  return document
}
