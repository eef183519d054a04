import { problem } from '../../platform/problem.ts'

export const workNotFound = problem('WorkNotFound', 404, 'The agent never had work with this id.')

export const workNotHeld = problem('WorkNotHeld', 409, 'The agent does not have this attempt of the work.')

export const notPostponable = problem('NotPostponable', 409, 'The work cannot be postponed, or not until then.')

export const fileMissing = problem('FileMissing', 409, 'The file is not in the package store as it was imported.')
