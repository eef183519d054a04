import { problem } from '../../platform/problem.ts'

export const patchNotFound = problem('PatchNotFound', 404, 'No patch has this id.')

export const patchProductNotFound = problem('PatchProductNotFound', 404, 'The patch is not for this product.')

export const productScopeRequired = problem(
  'ProductScopeRequired',
  400,
  'A patch is for several product versions: name one of them with productId.',
)

export const pmGroupNotFound = problem('PmGroupNotFound', 404, 'No patch management group has this id.')
