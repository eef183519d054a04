import { problem } from '../../../platform/problem.ts'

export const parentNotFound = problem('ParentNotFound', 404, 'No group has the id given as parentId.', {
  constraint: 'groups_parent_id_fkey',
})

export const parentSpecialGroup = problem(
  'ParentSpecialGroup',
  409,
  'The parent is a Reinstall, EOL or Restore group, which cannot have child groups.',
)

export const duplicateGroupName = problem(
  'DuplicateName',
  409,
  'The parent already has a child group with this name.',
  {
    constraint: 'groups_parent_id_name_key',
  },
)

export const systemGroup = problem(
  'SystemGroup',
  409,
  'The group is the root of its tree and cannot be changed or deleted.',
)

export const notEditableTree = problem(
  'NotEditableTree',
  409,
  'The groups of this tree cannot be changed over the API.',
)

export const notDeletableTree = problem(
  'NotDeletableTree',
  409,
  'The groups of this tree cannot be deleted over the API.',
)

export const notEmpty = problem(
  'NotEmpty',
  409,
  'The group or a group below it has computers as members. Repeat the request with force=true to delete it anyway.',
)

export const hasSubgroups = problem(
  'HasSubgroups',
  409,
  'The group has child groups, which include those for pending reinstalls. An EOL or Restore group cannot have any.',
)

export const alreadyInConfigurationGroup = problem(
  'AlreadyInConfigurationGroup',
  409,
  'A computer of the group is in another configuration group now. Remove it from that group first.',
  { constraint: 'group_computers_exclusive_key' },
)

export const groupBelowItself = problem('GroupBelowItself', 409, 'A group cannot be moved below itself.', {
  constraint: 'groups_cycle_check',
})
