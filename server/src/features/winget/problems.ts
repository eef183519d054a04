import { problem } from '../../platform/problem.ts'

export const wingetManifestInvalid = problem(
  'WingetManifestInvalid',
  422,
  'The files are not the winget manifest of one version of a package. The property reason says why.',
)

export const wingetConverterBusy = problem(
  'WingetConverterBusy',
  503,
  'Other winget manifests are being converted. Try again after the number of seconds in Retry-After.',
)

export const wingetPackageNotFound = problem(
  'WingetPackageNotFound',
  404,
  'The mirror of winget manifests has no such package or version. It is the folder MUSTER_WINGET_MIRROR of the package store.',
)
