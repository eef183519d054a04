import { problem } from '../../platform/problem.ts'

export const bootTokenInvalid = problem('BootTokenInvalid', 401, 'This address has expired, or was never given out.')

export const bootFileNotFound = problem('BootFileNotFound', 404, 'The image has no such file, or is not handed out.')
