import { secretReferenceOf } from '@muster/desired-state/secret-names'
import { sql } from 'kysely'
import { invalidPart } from '../../../../platform/validation.ts'
import { findScheduleFault } from '../../../variables/schedule-fault.ts'
import type { DesiredGroup } from '../../api/desired-state/document-schemas.ts'
import { groupEntry, groupReference, ofGroup, requireDifferent } from '../group-entries.ts'
import type { StateObject, StateReference, StateSection } from '../state-section.ts'
import { listDefinedVariables, listExposedSecrets } from '../variable-definitions.ts'

type Variable = NonNullable<DesiredGroup['variables']>[number]

type Row = {
  path: string
  variable: string
  value: string | null
  isSecret: boolean
  schedule: string | null
  forced: boolean
}

type Details = { path: string; variable: string; secret: string | undefined; blockers: string[] }

export const variableReference = (variable: string): StateReference => ({
  section: 'variableDefinitions',
  key: variable.toLowerCase(),
  name: `The variable ${variable}`,
})

/** The values of variables on groups. Secret values are written if the group has none; nobody can compare them. */
export const groupVariablesSection: StateSection = {
  name: 'groupVariables',
  property: 'groups',
  readRole: 'group.read',
  async readCurrent(db) {
    const { rows } = await sql<Row>`
      select own.path, definition.dotted_name as variable, stored.value, definition.is_secret as "isSecret",
        stored.schedule, stored.is_forced as forced
      from group_variables stored
        join permanent_groups own on own.id = stored.group_id
        join variable_definitions definition on definition.id = stored.variable_id
      order by lower(own.path), lower(definition.dotted_name)`.execute(db)
    return rows.map(({ path, variable, value, isSecret, schedule, forced }) =>
      toObject(path, { variable, schedule, forced, ...(isSecret ? { secret: '' } : { value: value ?? '' }) }),
    )
  },
  readDocument(document, { current }) {
    const defined = listDefinedVariables(document, current)
    const objects = document.groups?.flatMap(({ path, variables = [] }) =>
      variables.map((one) => {
        if ((one.value === undefined) === (one.secret === undefined))
          throw invalidPart('body', `state.groups.${path}.variables.${one.variable}`, 'needs a value or a secret')
        return toObject(path, one, one.secret === undefined ? [] : listExposedSecrets([one.variable], defined))
      }),
    )
    return objects && requireDifferent('groups', objects)
  },
  writeDocument(objects, document) {
    for (const { details, fields } of objects) {
      const { path, variable, secret } = details as Details
      const { value, schedule, forced } = fields as { value: string; schedule: string | null; forced: boolean }
      const group = groupEntry(document, path)
      group.variables ??= []
      group.variables.push({
        variable,
        ...(secret === undefined ? { value } : { secret: secretReferenceOf(path, variable) }),
        ...(schedule !== null && { schedule }),
        ...(forced && { forced }),
      })
    }
  },
  blockersOf({ after }) {
    const fault = findScheduleFault(after?.fields.schedule as string | null | undefined)
    const { blockers = [] } = (after?.details ?? {}) as Partial<Details>
    return fault === undefined ? blockers : [`its schedule ${fault}`, ...blockers]
  },
  toRequests: (changes, { idOf, secretOf }) =>
    changes.map(({ object, after }) => {
      const { path, variable, secret } = object.details as Details
      const params = {
        id: idOf('groups', path.toLowerCase()),
        varId: idOf('variableDefinitions', variable.toLowerCase()),
      }
      if (!after) return { operation: 'setGroupVariable', params, body: { value: null } }
      const { value, schedule, forced } = after.fields
      const body = { value: secret === undefined ? value : secretOf(secret), schedule, forced }
      return { operation: 'setGroupVariable', params, body }
    }),
}

function toObject(
  path: string,
  { variable, value, secret, schedule = null, forced = false }: Variable,
  blockers: string[] = [],
): StateObject {
  return {
    key: ofGroup(path, variable),
    name: `${path} ← ${variable}`,
    fields: { ...(secret === undefined ? { value } : { isSecret: true }), schedule, forced },
    groups: [path],
    needs: [groupReference(path), variableReference(variable)],
    ...(secret && { secrets: [secret] }),
    details: { path, variable, secret, blockers } satisfies Details,
  }
}
