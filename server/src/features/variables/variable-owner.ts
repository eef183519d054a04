import type { Database } from '../../database/connect.ts'
import { pinComputer, requireComputer } from '../computers/computers.ts'
import { pinGroup, requireGroup } from '../groups/groups.ts'

/** The computer or group that has the values. */
export type VariableOwner = { kind: 'computer'; id: number } | { kind: 'group'; id: string }

export async function requireVariableOwner(db: Database, owner: VariableOwner): Promise<void> {
  if (owner.kind === 'computer') await requireComputer(db, owner.id)
  else await requireGroup(db, owner.id)
}

/** Keeps the owner from being deleted until the transaction ends. */
export async function pinVariableOwner(db: Database, owner: VariableOwner): Promise<void> {
  if (owner.kind === 'computer') await pinComputer(db, owner.id)
  else await pinGroup(db, owner.id)
}
