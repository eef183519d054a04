import { sql } from 'kysely'
import { noContent, operation } from '../../platform/operation.ts'
import { closed, enumOf, Type, text, Uuid } from '../../platform/schema.ts'
import { syncJobNotRunning } from './problems.ts'

const count = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, examples: [12] })

export const endSync = operation({
  id: 'endSync',
  route: 'POST /depot/v1/sync-jobs/:id/result',
  summary: 'Say how a synchronisation ended',
  role: 'machine',
  params: closed({ id: Uuid }),
  body: closed({
    status: enumOf(['Success', 'Failed']),
    message: text(1000, '3 packages are up to date.'),
    packages: count,
    filesTransferred: count,
    bytesTransferred: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [4096] }),
  }),
  returns: noContent,
  problems: [syncJobNotRunning],
  async handle({ params, body, db, machine }) {
    const ended = await db
      .updateTable('sync_jobs')
      .set({
        status: body.status,
        finished_at: sql`now()`,
        message: body.message,
        packages: body.packages,
        files_transferred: body.filesTransferred,
        bytes_transferred: body.bytesTransferred,
      })
      .where('id', '=', params.id)
      .where('computer_id', '=', machine.clientId)
      .where('status', '=', 'Running')
      .returning('id')
      .executeTakeFirst()
    if (!ended) throw syncJobNotRunning({ jobId: params.id })
  },
})
