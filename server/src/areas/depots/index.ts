import type { Area } from '../../platform/operation.ts'
import { assignDepotTag } from './assign-depot-tag.ts'
import { listDepotTags } from './list-depot-tags.ts'
import { removeDepotTag } from './remove-depot-tag.ts'

export const depots: Area = {
  name: 'Depots',
  description: 'The tags of the servers that keep copies of packages for the computers near them.',
  operations: [listDepotTags, assignDepotTag, removeDepotTag],
}
