import { randomUUID } from 'node:crypto'
import { ok, operation } from '../../../platform/operation.ts'
import { findMailServer } from '../mail-server.ts'
import { sendMail } from '../send-mail.ts'
import { mailServerNotFound } from './problems.ts'
import { MailTest, MailTestRequest } from './schemas.ts'

export const testMailServer = operation({
  id: 'testMailServer',
  route: 'POST /api/admin/mail-server/test',
  summary: 'Send a test mail, and show what became of it',
  role: 'admin.manage',
  extension: true,
  execution: { kind: 'Read' },
  body: MailTestRequest,
  returns: ok(MailTest),
  problems: [mailServerNotFound],
  async handle({ body, db, services, request }) {
    const server = await findMailServer(db)
    if (!server) throw mailServerNotFound()
    const closing = new AbortController()
    request.raw.once('close', () => closing.abort())
    const mail = {
      recipients: [body.recipient],
      subject: 'Test mail of Muster',
      text: 'Reports can be sent through this mail server.\n',
      id: `test-${randomUUID()}`,
    }
    return { error: await sendMail(server, services.keys, mail, closing.signal) }
  },
})
