/** The queues of background jobs. A new one needs a migration that makes it. */
export const queueNames = ['package-import', 'package-hash', 'depot-sync', 'patch-download', 'patch-import'] as const

export type QueueName = (typeof queueNames)[number]
