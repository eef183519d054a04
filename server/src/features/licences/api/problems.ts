import { problem } from '../../../platform/problem.ts'

export const licenceNotFound = problem('LicenceNotFound', 404, 'No licence has this id.')

export const duplicateLicenceName = problem('DuplicateLicenceName', 409, 'Another licence has this name.', {
  constraint: 'licences_name_key',
})
