import { problem } from '../../platform/problem.ts'

export const patchNotFound = problem('PatchNotFound', 404, 'No patch has this id.')

export const patchProductNotFound = problem(
  'PatchProductNotFound',
  404,
  'The patch does not apply to this product. List its products with listPatchProducts.',
)

export const productScopeRequired = problem(
  'ProductScopeRequired',
  400,
  'The request must name one product version: set productId to one of the products in this answer.',
)

export const pmGroupNotFound = problem('PmGroupNotFound', 404, 'No patch management group has this id.')
