import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import type { Static } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { affectsGroup } from '../../groups/affected-computers.ts'
import { notEditableTree } from '../../groups/api/problems.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupNotFound, isComputerTree, isSpecial, pinGroup, specialGroup } from '../../groups/groups.ts'
import { completeCriteria } from '../../rollouts/criteria.ts'
import { parseRings, parseTimeZone, requireRingGroups } from '../../rollouts/parse-rings.ts'
import { readConvergence } from '../read-convergence.ts'
import { type ConvergenceSetting, convergenceDefaults, storeConvergence } from '../settings.ts'
import { getGroupConvergence } from './get-group-convergence.ts'
import { GroupConvergence, SetGroupConvergenceRequest } from './schemas.ts'

type Body = Static<typeof SetGroupConvergenceRequest>

export const setGroupConvergence = operation({
  id: 'setGroupConvergence',
  route: 'PUT /api/group/:id/convergence',
  summary: 'Keep the members of a group converged, or switch that off',
  description:
    'While it is on, new members, changed assignments and changed options become work within two minutes, in waves: ' +
    'rollouts with these rings, windows and limits, which people can watch, pause and cancel. What failed is tried again ' +
    'after the next change, and when this is set again. Groups below have the same setting unless they have one of their ' +
    'own. Off cancels the waves of the group: their waiting work ends.',
  role: 'activation.execute',
  extension: true,
  massAction: affectsGroup,
  params: GroupPath,
  body: SetGroupConvergenceRequest,
  returns: ok(GroupConvergence),
  problems: [groupNotFound, specialGroup, notEditableTree],
  changes: getGroupConvergence,
  shows: getGroupConvergence,
  async handle({ params, body, db, caller }) {
    const group = await pinGroup(db, params.id)
    if (!isComputerTree(group.tree)) throw notEditableTree({ groupId: group.id })
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    await storeConvergence(db, await parseSetting(db, group.id, body), caller.principal.name)
    return readConvergence(db, group.id)
  },
})

/** Checks the rules that the schema cannot express, and fills in defaults. */
async function parseSetting(db: Database, groupId: string, body: Body): Promise<ConvergenceSetting> {
  const { state, rings = convergenceDefaults.rings, windows = [], criteria, timeZone } = body
  if (state === 'Off') requireNothingElse(body)
  const parsed = parseRings(rings, windows)
  if (parsed.at(-1)?.rule.kind !== 'Rest')
    throw invalidPart(
      'body',
      `rings.${rings.length - 1}`,
      'must have neither count, percent nor groupId: it takes the rest',
    )
  await requireRingGroups(db, parsed)
  return {
    groupId,
    isOn: state === 'On',
    rings: rings.map((ring, index) => ({ ...ring, name: parsed[index]?.name ?? '', windows: ring.windows ?? windows })),
    criteria: completeCriteria({ awayHours: convergenceDefaults.awayHours, ...criteria }),
    timeZone: timeZone == null ? null : parseTimeZone(timeZone),
    expectedComputers: body.expectedComputers ?? convergenceDefaults.expectedComputers,
    expectedPercent: body.expectedPercent ?? null,
    maxRemovals: body.maxRemovals ?? convergenceDefaults.maxRemovals,
    maxRepairsPerDay: body.maxRepairsPerDay ?? convergenceDefaults.maxRepairsPerDay,
  }
}

function requireNothingElse({ state: _, ...others }: Body): void {
  const [name] = Object.keys(others)
  if (name !== undefined) throw invalidPart('body', name, 'can be given only with the state On')
}
