import type { Area } from '../../platform/operation.ts'
import { assignDepotTag } from './assign-depot-tag.ts'
import { createDepotCredential } from './create-depot-credential.ts'
import { deleteDepotCredential } from './delete-depot-credential.ts'
import { listDepotTags } from './list-depot-tags.ts'
import { removeDepotTag } from './remove-depot-tag.ts'

export const depots: Area = {
  name: 'Depots',
  description: 'The servers that keep copies of packages for the computers near them.',
  operations: [listDepotTags, assignDepotTag, removeDepotTag, createDepotCredential, deleteDepotCredential],
}
