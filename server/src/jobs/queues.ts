/** The queues of background jobs. A new queue needs a migration that creates it. */
export const queueNames = [
  'package-import',
  'package-hash',
  'depot-sync',
  'patch-download',
  'patch-import',
  'package-upload',
  'vulnerability-import',
] as const

export type JobQueue = (typeof queueNames)[number]
