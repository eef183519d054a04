import { type RawBuilder, sql } from 'kysely'
import type { RequestParts } from '../../platform/operation.ts'

/** Computers, for the count of a mass action. */
export type AffectedComputers = RawBuilder<{ computer_id: number }>

/** The computers in the groups and in the groups below them. `groups` selects `group_id`. */
export function computersBelow(groups: RawBuilder<{ group_id: string }>): AffectedComputers {
  return sql`
    select member.computer_id
    from group_ancestors below
      join effective_memberships member on member.group_id = below.descendant_id
    where below.ancestor_id in (${groups})`
}

/** The mass action of operations on the group in their path: it affects the computers in the group and below it. */
export const affectsGroup = {
  computers: (request: Pick<RequestParts, 'params'>): AffectedComputers => computersBelow(pathGroup(request)),
  groups: pathGroup,
}

function pathGroup({ params }: Pick<RequestParts, 'params'>): RawBuilder<{ group_id: string }> {
  return sql`select ${(params as { id: string }).id}::uuid as group_id`
}

/** The mass action of a request that lists computers: it affects those that exist. */
export function listedComputers(ids: readonly number[]): AffectedComputers {
  return sql`select id as computer_id from computers where id = any(${ids}::integer[])`
}
