import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, Instant, nullable, Type, Uuid } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { assignedComputers } from '../../assignments/assigned-computers.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupNotFound, requireGroup } from '../../groups/groups.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { getExplainedPackage } from '../package-state.ts'
import { countSettled } from '../settled-counts.ts'
import { countWaiting } from '../waiting-counts.ts'
import { BlockerReasonName } from './schemas.ts'

const count = (description: string) => Type.Integer({ examples: [120], description })

const WaitingReason = closed(
  {
    reason: BlockerReasonName,
    computers: count('Computers on which it is one of the blockers'),
    first: count('Computers on which it is the first blocker; these numbers add up to `waiting`'),
    earliestEndUtc: nullable({ ...Instant, description: 'When it ends first by itself; null if it does not' }),
    latestEndUtc: nullable({ ...Instant, description: 'When it ends last by itself' }),
  },
  { title: 'WaitingReason' },
)

export const explainGroup = operation({
  id: 'explainGroup',
  route: 'GET /api/group/:id/explain',
  summary: 'Count the computers of a group that wait for a package, by reason',
  description:
    'Counts the computers in the group and in the groups below it to which the package is assigned or for which it has ' +
    'an open work item. The reasons are those of explainComputer; the order of work items on one computer is left out. ' +
    'Times are rounded up to the minute.',
  role: 'group.read',
  params: GroupPath,
  query: closed({ packageId: { ...Uuid, description: 'The package' } }),
  returns: ok(
    closed(
      {
        groupId: { ...Uuid, description: 'Id of the group' },
        packageId: { ...Uuid, description: 'Id of the package' },
        installed: count('Computers that have it'),
        running: count('Computers whose agent has the work item'),
        due: count('Computers whose agent gets the work item at its next contact'),
        waiting: count('Computers on which something blocks the work item'),
        failed: count('Computers on which it failed'),
        notActivated: count('Computers to which the next activation brings it'),
        notApplicable: count(
          'Computers for which it is not: it is for other operating systems or another architecture',
        ),
        nothingToDo: count('Computers for which nothing follows from the assignment'),
        reasons: Type.Array(WaitingReason, {
          description: 'Why computers wait, the most frequent first blocker first',
        }),
      },
      { title: 'GroupExplanation' },
    ),
  ),
  problems: [groupNotFound, packageNotFound],
  execution: { kind: 'FleetRead' },
  extension: true,
  async handle({ params: { id: groupId }, query: { packageId }, db }) {
    await requireGroup(db, groupId)
    const subject = await getExplainedPackage(db, packageId)
    if (subject.kind === 'AgentTemplate' || subject.kind === 'PxeBootImage')
      throw invalidPart('query', 'packageId', 'must be a package that work items deploy')
    const members = sql<{ owner_id: number }>`
      select distinct member.computer_id as owner_id
      from group_ancestors above
        join effective_memberships member on member.group_id = above.descendant_id
      where above.ancestor_id = ${groupId}`
    const assigned = sql<{ owner_id: number }>`
      select id as owner_id from (${assignedComputers(packageId, subject.kind, groupId)}) as assigned`
    const { reasons, ...waiting } = await countWaiting(db, members, subject)
    const settled = await countSettled(db, assigned, subject)
    return {
      groupId,
      packageId,
      ...settled,
      ...waiting,
      reasons: reasons.map(({ earliest_end, latest_end, ...reason }) => ({
        ...reason,
        earliestEndUtc: earliest_end,
        latestEndUtc: latest_end,
      })),
    }
  },
})
