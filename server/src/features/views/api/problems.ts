import { problem } from '../../../platform/problem.ts'

export const viewNotFound = problem('ViewNotFound', 404, 'The caller can see no view with this id.')

export const duplicateViewName = problem('DuplicateViewName', 409, 'The owner already has a view of this name.', {
  constraint: 'saved_views_name_key',
})

export const foreignView = problem(
  'ForeignView',
  403,
  'The view belongs to another principal. Its owner and administrators can change it; save a copy to change that.',
)

export const tooManyViews = problem(
  'TooManyViews',
  409,
  'The caller has saved as many views as a principal may have. Delete one that is not needed any more.',
)

export const viewWithoutReaders = problem(
  'ViewWithoutReaders',
  409,
  'The owner of the view is deleted, so nobody would see it any more. Delete it instead.',
  { constraint: 'saved_views_readers_check' },
)
