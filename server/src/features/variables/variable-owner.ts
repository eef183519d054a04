import type { Database } from '../../database/connect.ts'
import { computerNotFound, requireComputer } from '../computers/computers.ts'
import { groupNotFound, requireGroup } from '../groups/groups.ts'

/** Whose values are meant. */
export type VariableOwner = { kind: 'computer'; id: number } | { kind: 'group'; id: string }

export async function requireVariableOwner(db: Database, owner: VariableOwner): Promise<void> {
  if (owner.kind === 'computer') await requireComputer(db, owner.id)
  else await requireGroup(db, owner.id)
}

/** For changes: the owner cannot be deleted before the transaction ends. */
export async function pinVariableOwner(db: Database, owner: VariableOwner): Promise<void> {
  const found =
    owner.kind === 'computer'
      ? await db.selectFrom('computers').select('id').where('id', '=', owner.id).forKeyShare().executeTakeFirst()
      : await db.selectFrom('groups').select('id').where('id', '=', owner.id).forKeyShare().executeTakeFirst()
  if (found) return
  throw owner.kind === 'computer' ? computerNotFound({ clientId: owner.id }) : groupNotFound({ groupId: owner.id })
}
