import { problem } from '../../platform/problem.ts'

export const syncJobNotRunning = problem('SyncJobNotRunning', 409, 'No running job of this depot has this id.')

export const packageNotWanted = problem('PackageNotWanted', 404, 'The depot is not to hold such a package or file.')

export const fileMissing = problem('FileMissing', 409, 'The file is not in the package store as it was imported.')
