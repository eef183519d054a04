import { noContent, operation } from '../../../platform/operation.ts'
import { getMailServer } from './get-mail-server.ts'
import { mailServerNotFound } from './problems.ts'

export const deleteMailServer = operation({
  id: 'deleteMailServer',
  route: 'DELETE /api/admin/mail-server',
  summary: 'Remove the mail server',
  description: 'Reports with recipients then fail, and are tried again in case another server is set.',
  role: 'admin.manage',
  extension: true,
  returns: noContent,
  problems: [mailServerNotFound],
  changes: getMailServer,
  async handle({ db }) {
    const { numDeletedRows } = await db.deleteFrom('mail_server').executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw mailServerNotFound()
  },
})
