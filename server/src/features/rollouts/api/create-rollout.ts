import { sql } from 'kysely'
import { created, operation } from '../../../platform/operation.ts'
import type { Static } from '../../../platform/schema.ts'
import { groupScope, pinScopeGroups } from '../../deployments/activation/activation-scope.ts'
import { plannedContent } from '../../deployments/activation/planned-content.ts'
import { countPlannedRemovals } from '../../deployments/activation/planned-removals.ts'
import { computersBelow } from '../../groups/affected-computers.ts'
import { groupNotFound, requireGroup } from '../../groups/groups.ts'
import { requirePackage } from '../../packages/package-rows.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { createRolloutRecord } from '../create-rollout-record.ts'
import { parseRollout } from '../parse-rollout.ts'
import {
  lastOfSite,
  noComputersInGroup,
  nothingAssigned,
  packageNotAssignedToGroup,
  ringTooLarge,
} from '../problems.ts'
import { toRolloutAnswer } from '../rollout-answer.ts'
import { getRollout } from './get-rollout.ts'
import { CreateRolloutRequest } from './request-schemas.ts'
import { RolloutDetails } from './schemas.ts'

export const createRollout = operation({
  id: 'createRollout',
  route: 'POST /api/rollouts',
  summary: 'Bring what a group has assigned to its computers, ring by ring',
  description:
    'Each ring is released as an activation of its computers through this group; the next ring opens when the results ' +
    'are good. A dry run answers what each ring would contain, create and download, and when it would end. Answers 409 ' +
    'if nothing is assigned that it could bring, or if a ring touches more than the configured share of the fleet within ' +
    'an hour, or all computers of a site with a protected role.',
  role: 'activation.execute',
  execution: { kind: 'LongChange' },
  massAction: {
    computers: ({ body }: { body: Static<typeof CreateRolloutRequest> }) =>
      computersBelow(sql`select ${body.groupId}::uuid as group_id`),
  },
  removals: 'Published',
  content: ({ body }) =>
    plannedContent({
      scope: groupScope(body.groupId, false),
      software: true,
      pxe: false,
      packageId: body.packageId ?? null,
    }),
  body: CreateRolloutRequest,
  returns: created(RolloutDetails),
  problems: [
    groupNotFound,
    packageNotFound,
    noComputersInGroup,
    packageNotAssignedToGroup,
    nothingAssigned,
    ringTooLarge,
    lastOfSite,
  ],
  extension: true,
  shows: getRollout,
  async handle({ body, db, caller, setHeader, services: { configuration }, approvedContent = null, countRemovals }) {
    const rollout = await parseRollout(db, body, caller.principal)
    await pinScopeGroups(db, groupScope(rollout.groupId, false))
    await requireGroup(db, rollout.groupId)
    if (rollout.packageId !== null) await requirePackage(db, rollout.packageId)
    const guard = {
      maxRingPercent: configuration.maxRingPercent,
      isLastOfSiteAllowed: body.allowLastOfSite === true,
    }
    const scope = groupScope(rollout.groupId, false)
    const planned = { scope, software: true, pxe: false, packageId: rollout.packageId }
    const removals = await countPlannedRemovals(db, countRemovals, planned)
    const answer = toRolloutAnswer(
      await createRolloutRecord(db, { ...rollout, limits: { removals, approvedContent } }, guard),
    )
    // Principals who may not read the rollout can still pause it.
    setHeader('location', `/api/rollouts/${answer.rolloutId}`)
    return answer
  },
})
