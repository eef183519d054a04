import { finishSyncJob } from '../../features/depots/sync-runs.ts'
import { noContent, operation } from '../../platform/operation.ts'
import { closed, enumOf, Type, text, Uuid } from '../../platform/schema.ts'
import { syncJobNotRunning } from './problems.ts'

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, examples: [12], description })

export const endSync = operation({
  id: 'endSync',
  route: 'POST /depot/v1/sync-jobs/:id/result',
  summary: 'Report the result of a synchronisation',
  description: 'Answers 409 when the job is not running or belongs to another depot.',
  role: 'machine',
  params: closed({ id: { ...Uuid, description: 'Id of the job' } }),
  body: closed({
    status: enumOf(['Success', 'Failed'], { description: 'How the synchronisation ended' }),
    message: text(1000, '3 packages are up to date.', 'Result for people'),
    packages: count('Packages that the depot has now'),
    filesTransferred: count('Files that were downloaded'),
    bytesTransferred: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [4096],
      description: 'Bytes that were downloaded',
    }),
  }),
  returns: noContent,
  problems: [syncJobNotRunning],
  async handle({ params, body, db, machine }) {
    const isFinished = await finishSyncJob(db, machine.clientId, params.id, body)
    if (!isFinished) throw syncJobNotRunning({ jobId: params.id })
  },
})
