import type { Database } from '../../../../database/connect.ts'
import { forbidden } from '../../../../platform/general-problems.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { closed, enumOf, Type } from '../../../../platform/schema.ts'
import { mayRead, readState, requireReadRoles } from '../../desired-state/read-state.ts'
import { stateSections } from '../../desired-state/sections/index.ts'
import type { StateProperty } from '../../desired-state/state-section.ts'
import { DesiredState } from './document-schemas.ts'

const properties = Object.keys(DesiredState.properties) as StateProperty[]

export const getDesiredState = operation({
  id: 'getDesiredState',
  route: 'GET /api/catalog/state',
  summary: 'Export the desired state',
  description:
    'Returns the document that applyDesiredState would need to lead an empty service with the same packages and patches to ' +
    'this state: definitions, groups with everything assigned to them, patch management groups, webhooks and roles. It ' +
    'contains no ids, no times of the database, no computers and no secrets, and is sorted. Each section requires the role ' +
    'that reads its objects; by default, the answer has the sections that the caller may read.',
  role: 'any valid token',
  execution: { kind: 'FleetRead' },
  extension: true,
  query: closed({
    sections: Type.Optional(
      Type.Array(enumOf(properties), { maxItems: 100, examples: [['groups']], description: 'Only these sections' }),
    ),
  }),
  returns: ok(DesiredState),
  problems: [forbidden],
  handle({ query: { sections }, db, caller }) {
    if (sections) requireReadRoles(caller, sections)
    return exportState(db, sections ?? properties.filter((property) => mayRead(caller, property)))
  },
})

/** The document that, applied to an empty service with the same packages and patches, leads to the current state. */
async function exportState(db: Database, properties: readonly StateProperty[]): Promise<DesiredState> {
  const { packages, current } = await readState(db, properties)
  const document: DesiredState = {}
  for (const { name, property, writeDocument } of stateSections)
    if (property && properties.includes(property))
      writeDocument([...(current.get(name)?.values() ?? [])], document, packages)
  return document
}
