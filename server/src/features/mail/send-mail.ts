import { createTransport } from 'nodemailer'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { findRefusedRecipient, type StoredMailServer } from './mail-server.ts'

export type Mail = {
  recipients: readonly string[]
  subject: string
  text: string
  /** The same for every attempt, so receivers recognise a mail that they already have. */
  id: string
  attachment?: { fileName: string; contentType: string; content: Buffer }
}

/** No server that works is slower. What waits for it is one mail of one report. */
const timeoutMs = 30_000
const maxMailMs = 120_000

/**
 * Sends a mail through the server, and returns why that failed. The connection is encrypted, and the certificate of the server
 * belongs to its name, or nothing is sent.
 */
export async function sendMail(
  server: StoredMailServer,
  keys: ServerKeys,
  mail: Mail,
  signal: AbortSignal,
): Promise<string | null> {
  const refused = findRefusedRecipient(server, mail.recipients)
  if (refused !== undefined) return `The mail server may not send to ${refused}: its domain is not in the list.`
  const { host, port, tlsMode, userName, sealedPassword, fromAddress, caCertificates } = server
  const transport = createTransport({
    host,
    port,
    secure: tlsMode === 'Implicit',
    requireTLS: true,
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(caCertificates !== null && { ca: caCertificates }) },
    ...(userName !== null && {
      auth: { user: userName, pass: sealedPassword ? await keys.unsealValue(sealedPassword) : '' },
    }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // A message never names files or addresses to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const end = AbortSignal.any([signal, AbortSignal.timeout(maxMailMs)])
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const stop = () => {
    transport.close()
    reject(new Error(`The mail server did not take the mail within ${maxMailMs / 1_000} seconds.`))
  }
  end.addEventListener('abort', stop)
  try {
    const sending = transport.sendMail({
      from: { name: 'Muster', address: fromAddress },
      to: mail.recipients.map((address) => ({ name: '', address })),
      subject: mail.subject,
      text: mail.text,
      messageId: `<${mail.id}@${fromAddress.slice(fromAddress.lastIndexOf('@') + 1)}>`,
      // Programs that answer mail leave this one alone.
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(mail.attachment && {
        attachments: [
          {
            filename: mail.attachment.fileName,
            contentType: mail.attachment.contentType,
            content: mail.attachment.content,
          },
        ],
      }),
    })
    await Promise.race([sending, ended])
    return null
  } catch (error) {
    return `The mail could not be sent: ${(error as Error).message}`.slice(0, 500)
  } finally {
    end.removeEventListener('abort', stop)
    transport.close()
  }
}
