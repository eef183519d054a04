import { problem } from '../../platform/problem.ts'

export const bootTokenInvalid = problem(
  'BootTokenInvalid',
  401,
  'This address is not valid or has expired. Boot again to get a new one.',
)

export const bootAddressMismatch = problem(
  'BootAddressMismatch',
  403,
  'The boot script was fetched from another address. If installers get addresses that differ from that of the firmware, set MUSTER_BOOT_BINDING=off.',
)

export const installationNotPending = problem(
  'InstallationNotPending',
  404,
  'The computer is not to be installed, or its installer has reported already.',
)

export const bootFileNotFound = problem(
  'BootFileNotFound',
  404,
  'The image has no such file, or may not be distributed.',
)
