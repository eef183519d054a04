import type { Area } from '../../platform/operation.ts'
import { createTag } from './create-tag.ts'
import { deleteTag } from './delete-tag.ts'
import { getTag } from './get-tag.ts'
import { listTagPackages } from './list-tag-packages.ts'
import { listTags } from './list-tags.ts'
import { updateTag } from './update-tag.ts'

export const tags: Area = {
  name: 'Tags',
  description: 'Tags say which packages go to which depots.',
  operations: [listTags, createTag, listTagPackages, getTag, updateTag, deleteTag],
}
