import { problem } from '../../../platform/problem.ts'

export const parentNotFound = problem('ParentNotFound', 404, 'No group has the id that is given for the parent.', {
  constraint: 'groups_parent_id_fkey',
})

export const parentSpecialGroup = problem(
  'ParentSpecialGroup',
  409,
  'The parent is a Reinstall, EOL or Restore group, which has no groups below it.',
)

export const duplicateName = problem('DuplicateName', 409, 'The parent already has a group of this name.', {
  constraint: 'groups_parent_id_name_key',
})

export const systemGroup = problem('SystemGroup', 409, 'The group is the root of its tree and stays as it is.')

export const notEditableTree = problem('NotEditableTree', 409, 'The groups of this tree are not changed over the API.')

export const notDeletableTree = problem(
  'NotDeletableTree',
  409,
  'The groups of this tree are not deleted over the API.',
)

export const notEmpty = problem(
  'NotEmpty',
  409,
  'The group or one below it holds computers or users. Repeat the request with force=true to delete it.',
)
